from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from components.errors import UserError
from components.harness import harness_version, load_harness
from components.promotion import build_release, load_release
from tests.promotion.evidence import HARNESS_FOLDER, release


def test_a_release_holds_model_harness_and_serving_and_is_found_by_its_id(tmp_path: Path) -> None:
    built = release(tmp_path, "weights")
    assert load_release(tmp_path, built.release_id) == built
    assert (built.model / "model.safetensors").read_text() == "weights"
    assert harness_version(load_harness(built.harness)) == built.harness_version
    assert built.serving.read_text() == "port: 8000\n"


def test_the_same_content_is_the_same_release_and_other_content_another(tmp_path: Path) -> None:
    first = release(tmp_path, "weights")
    assert release(tmp_path, "weights") == first
    others = [
        release(tmp_path, "other weights"),
        build_release(tmp_path, tmp_path / "model-weights", HARNESS_FOLDER, {"port": 8001}, "dataset-1"),
        build_release(tmp_path, tmp_path / "model-weights", HARNESS_FOLDER, {"port": 8000}, "dataset-2"),
    ]
    assert len({first.release_id, *(other.release_id for other in others)}) == 4


def test_a_later_change_of_the_sources_does_not_reach_the_release(tmp_path: Path) -> None:
    built = release(tmp_path, "weights")
    (tmp_path / "model-weights" / "model.safetensors").write_text("trained on")
    assert (load_release(tmp_path, built.release_id).model / "model.safetensors").read_text() == "weights"


def test_the_version_is_that_of_the_harness_in_the_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edited = tmp_path / "harness"
    shutil.copytree(HARNESS_FOLDER, edited)

    class EditedMeanwhile:
        """`shutil` in the hands of somebody who edits the harness while the model is being copied."""

        rmtree = staticmethod(shutil.rmtree)

        @staticmethod
        def copytree(source: Path, target: Path) -> None:
            (edited / "prompt" / "role.md").write_text("You are brief.")
            shutil.copytree(source, target)

    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "model.safetensors").write_text("weights")
    monkeypatch.setattr("components.promotion.releases.shutil", EditedMeanwhile)
    built = build_release(tmp_path, tmp_path / "model", edited, {}, "dataset-1")
    assert built.harness_version == harness_version(load_harness(built.harness))


@pytest.mark.parametrize("name", ["model/model.safetensors", "harness/tools.yaml", "serving.yaml", "manifest.json"])
@pytest.mark.parametrize("damage", ["changed", "truncated", "missing"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str, damage: str) -> None:
    built = release(tmp_path, "weights")
    file = built.directory / name
    content = file.read_bytes()
    file.unlink()
    if damage != "missing":
        file.write_bytes(content + b" " if damage == "changed" else content[:-1])
    with pytest.raises(UserError, match=re.escape(f"{file}: damaged")):
        load_release(tmp_path, built.release_id)


def test_a_file_that_was_added_is_named(tmp_path: Path) -> None:
    built = release(tmp_path, "weights")
    (built.harness / "hooks.yaml.bak").write_text("")
    with pytest.raises(UserError, match=r"harness/hooks\.yaml\.bak: damaged"):
        load_release(tmp_path, built.release_id)


def test_a_build_cut_short_leaves_no_release_and_the_next_one_clears_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr("components.promotion.releases.os.replace", kill)
        release(tmp_path, "weights")
    left = [path for path in (tmp_path / "releases").iterdir() if path.is_dir()]
    assert all(path.name.startswith(".building-") for path in left)
    built = release(tmp_path, "weights")
    assert [path for path in (tmp_path / "releases").iterdir() if path.is_dir()] == [built.directory]


def test_a_missing_model_or_release_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere: expected a folder with a trained model"):
        build_release(tmp_path, tmp_path / "nowhere", HARNESS_FOLDER, {}, "dataset-1")
    with pytest.raises(UserError, match="feed: not found"):
        load_release(tmp_path, "feed")
