"""Releases: model, harness and serving configuration in one folder, named by the hash of its content."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from pathlib import Path

import yaml
from filelock import FileLock

from components.errors import UserError
from components.files import hash_file, read_json
from components.harness import harness_version, load_harness
from components.harness.types import JsonObject
from components.promotion.types import Release

MANIFEST = "manifest.json"
ID_LENGTH = 12
"""Hexadecimal digits of a release id."""
_UNFINISHED = ".building-"


def build_release(state_dir: Path, model_dir: Path, harness_dir: Path, serving: JsonObject, dataset_hash: str) -> Release:
    """Copy model and harness into `releases/<id>/`, whole or not at all; the same content gives the same release.

    Raises UserError where the model folder is missing or empty, and HarnessError for a harness that cannot be used.
    """
    if not model_dir.is_dir() or not any(model_dir.iterdir()):
        raise UserError(f"{model_dir}: expected a folder with a trained model; run the training stage first")
    # Before anything is copied, so that a mistake is named in the caller's file.
    load_harness(harness_dir)
    releases = state_dir / "releases"
    releases.mkdir(parents=True, exist_ok=True)
    with FileLock(releases / ".lock"):
        for unfinished in releases.glob(f"{_UNFINISHED}*"):
            shutil.rmtree(unfinished)
        building = Path(tempfile.mkdtemp(dir=releases, prefix=_UNFINISHED))
        shutil.copytree(model_dir, building / "model")
        shutil.copytree(harness_dir, building / "harness")
        (building / "serving.yaml").write_text(yaml.safe_dump(serving, sort_keys=True, allow_unicode=True))
        # Of the copy: the harness may have been edited since.
        version = harness_version(load_harness(building / "harness"))
        manifest = {"dataset_hash": dataset_hash, "files": _hashes(building), "harness_version": version}
        text = json.dumps(manifest, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        release_id = hashlib.sha256(text.encode()).hexdigest()[:ID_LENGTH]
        final = releases / release_id
        if final.exists():
            shutil.rmtree(building)
        else:
            (building / MANIFEST).write_text(text)
            for path in (p for p in building.rglob("*") if p.is_file()):
                path.chmod(0o444)
            building.chmod(0o755)
            os.replace(building, final)
    return load_release(state_dir, release_id)


def load_release(state_dir: Path, release_id: str) -> Release:
    """Open a release after holding every file against its hash. Raises UserError naming the file that is damaged."""
    directory = state_dir / "releases" / release_id
    if not directory.is_dir():
        raise UserError(f"{directory}: not found; expected a release; restore it from a backup")
    manifest_file = directory / MANIFEST
    if not manifest_file.is_file() or hash_file(manifest_file)[:ID_LENGTH] != release_id:
        raise _damaged(manifest_file)
    manifest = read_json(manifest_file)
    expected, found = manifest["files"], _hashes(directory)
    for name in sorted(expected.keys() | found.keys()):
        if expected.get(name) != found.get(name):
            raise _damaged(directory / name)
    return Release(release_id, directory, manifest["harness_version"], manifest["dataset_hash"])


def _hashes(directory: Path) -> dict[str, str]:
    """SHA-256 of every file but the manifest, by its path in the release."""
    files = (p for p in directory.rglob("*") if p.is_file() and p != directory / MANIFEST)
    return {path.relative_to(directory).as_posix(): hash_file(path) for path in files}


def _damaged(path: Path) -> UserError:
    return UserError(
        f"{path}: damaged (missing, changed or added since the release was built); restore the release from a backup"
    )
