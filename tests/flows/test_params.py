"""Profiles overlay params.yaml; what is misspelt or of the wrong kind is refused in one line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from components.errors import UserError
from flows.params import RESOLVED, activate, active, resolve

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(ROOT / "infra" / "profiles", tmp_path / "infra" / "profiles")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize("profile", sorted(path.stem for path in (ROOT / "infra" / "profiles").glob("*.yaml")))
def test_every_profile_that_ships_resolves(profile: str) -> None:
    assert resolve(profile).profile == profile


def test_profile_changes_only_what_it_names() -> None:
    smoke, laptop = resolve("smoke"), resolve("laptop")
    assert smoke.model.source == "tiny" and laptop.model.source == "smollm2"
    assert smoke.dataset.hsa_share == laptop.dataset.hsa_share


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (
            "params.yaml",
            "learning_rate:",
            "lerning_rate:",
            "params.yaml: sft.lerning_rate: unknown key; did you mean sft.learning_rate?",
        ),
        ("params.yaml", "\nvariants:", "\nvariant:", "params.yaml: variant: unknown key; did you mean variants?"),
        ("infra/profiles/smoke.yaml", "{turns: 2}", "{turn: 2}", "smoke.yaml: loop.turn: unknown key; did you mean loop.turns?"),
        (
            "infra/profiles/smoke.yaml",
            "train_rooms: 6",
            "train_rooms: six",
            "smoke.yaml: rooms.train_rooms: input should be a valid integer",
        ),
        (
            "params.yaml",
            "strength: 0.5",
            "strength: 5",
            "params.yaml: variants.strength: input should be less than or equal to 1",
        ),
        (
            "params.yaml",
            "empty: 0.02",
            "empty: 0.99",
            "params.yaml: faults: value error, expected rates that add up to 1 at most",
        ),
        ("params.yaml", "seed: 7", "seed: [7", "params.yaml:5: expected YAML"),
        ("params.yaml", "seed: 7", "seed: 7\x07", "params.yaml: expected YAML in UTF-8 without control characters"),
        ("params.yaml", "  retries: 2\n", "", "params.yaml: loop.retries: field required"),
        (
            "infra/profiles/smoke.yaml",
            "collect: {",
            "collect: {teacher: expret, ",
            "infra/profiles/smoke.yaml: collect.teacher: input should be 'expert'",
        ),
        (
            "infra/profiles/smoke.yaml",
            "collect: {",
            "collect: {teacher: {base_url: here}, ",
            "infra/profiles/smoke.yaml: collect.teacher.model: field required",
        ),
        (
            "params.yaml",
            "teacher: expert",
            "teacher: {base_url: 5, model: m}",
            "params.yaml: collect.teacher.base_url: input should be a valid string",
        ),
    ],
)
def test_mistake_is_named_with_its_file_and_mend(file: str, old: str, new: str, expected: str) -> None:
    edit(Path(file), old, new)
    with pytest.raises(UserError) as error:
        activate("smoke")
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
    assert not RESOLVED.exists()


def test_unknown_profile_lists_those_there_are() -> None:
    with pytest.raises(UserError, match="expected a profile among h20, laptop, smoke"):
        resolve("desktop")


def test_activated_parameters_read_back_and_stay_untouched_when_equal() -> None:
    params = activate("smoke")
    written = RESOLVED.stat().st_mtime_ns
    assert activate("smoke") == params == active()
    assert RESOLVED.stat().st_mtime_ns == written


def test_stage_without_an_active_profile_says_what_to_do() -> None:
    with pytest.raises(UserError, match="hat retrain"):
        active()


@pytest.mark.parametrize("file", ["params.yaml", "infra/profiles/smoke.yaml"])
def test_a_file_in_another_encoding_is_named(file: str) -> None:
    Path(file).write_bytes("# Übergrößen\nseed: 7\n".encode("latin-1"))
    with pytest.raises(UserError, match=rf"^{file}: expected YAML in UTF-8.*mend the file$"):
        activate("smoke")


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("seed: 7", "seed: seven", "seed: input should be"),
        ("seed: 7\n", "", "seed: field required"),
        ("seed:", "sead:", "sea?e?d:"),
    ],
)
def test_activated_parameters_of_another_version_are_refused_with_the_mend(old: str, new: str, named: str) -> None:
    activate("smoke")
    edit(RESOLVED, old, new)
    with pytest.raises(UserError, match=rf"^\.hat/params\.yaml: {named}.*run hat retrain again$"):
        active()
