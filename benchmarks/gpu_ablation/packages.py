"""The few packages that the project's own code needs beside torch and transformers, as one file that can be carried."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory

from components.errors import UserError

NEEDED = ("pydantic", "jsonschema")
"""With all that these need themselves; a test runs the ablation with nothing else."""
PLATFORMS = ("manylinux_2_28_x86_64", "manylinux_2_17_x86_64", "manylinux2014_x86_64")


def closure(names: tuple[str, ...]) -> list[str]:
    """Distributions of this environment: `names` and, without extras, what they need."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: list[str] = []
    waiting: list[str] = list(names)
    while waiting:
        name = canonicalize_name(waiting.pop())
        if name in found:
            continue
        found.append(name)
        needs = [Requirement(text) for text in distribution(name).requires or ()]
        waiting += [need.name for need in needs if need.marker is None or need.marker.evaluate({"extra": ""})]
    return sorted(found)


def gather(archive: Path, python: str, carry: tuple[str, ...]) -> list[str]:
    """Write `archive` (.zip) with `NEEDED` and the packages `carry`, in the versions of this environment; returns their names.

    python  version that the other machine has, as 3.12: for another than this one's, pip fetches the wheels (Linux, x86-64).
    Raises UserError where pip finds none.
    """
    names = sorted({*closure(NEEDED), *carry})
    with TemporaryDirectory() as folder:
        if python == f"{sys.version_info.major}.{sys.version_info.minor}":
            for name in names:
                copy_distribution(name, Path(folder))
        else:
            _fetch(names, python, Path(folder))
        shutil.make_archive(str(archive.with_suffix("")), "zip", folder)
    return names


def copy_distribution(name: str, folder: Path) -> None:
    """The files of an installed distribution, scripts and compiled caches left out."""
    for file in distribution(name).files or ():
        if ".." in file.parts or file.suffix == ".pyc":
            continue
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), target)


def _fetch(names: list[str], python: str, folder: Path) -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), "--no-deps", "--no-compile"]
    command += ["--only-binary=:all:", "--python-version", python, *(f"--platform={name}" for name in PLATFORMS)]
    done = subprocess.run(
        [*command, *(f"{name}=={distribution(name).version}" for name in names)], capture_output=True, text=True
    )
    if done.returncode:
        raise UserError(f"--python {python}: pip found no wheels ({done.stderr.strip().splitlines()[-1]}); see to the registry")


def unpack(archive: Path, folder: Path) -> None:
    """Put the packages of `archive` into `folder`, and that before everything else that Python finds."""
    if not archive.is_file():
        raise UserError(f"{archive}: not found; expected a folder that `pack` made")
    shutil.unpack_archive(archive, folder)
    sys.path.insert(0, str(folder.resolve()))
