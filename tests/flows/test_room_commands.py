"""`hat room stats | show`: the rooms of a profile, generated as the stage does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from components.errors import UserError
from flows.commands.room import room
from tests.liveroom.tables import SHOP, write

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_stats_prints_every_table_and_draws_the_picture(tmp_path: Path) -> None:
    picture = tmp_path / "deep" / "rooms.png"
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", "--seed", "4", "--picture", str(picture)])
    assert ran.exit_code == 0, ran.output
    for expected in ("12 rooms, seed 4", "Requests by intent", "risky_claim", "train zh", "Faults over", "What the splits share"):
        assert expected in ran.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert list(picture.parent.iterdir()) == [picture]


def test_the_size_can_be_given(tmp_path: Path) -> None:
    size = ["--train-rooms", "3", "--eval-rooms", "2", "--comments-per-room", "17", "--language", "zh"]
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", *size, "--picture", "p.png"], obj=tmp_path)
    assert ran.exit_code == 0, ran.output
    assert "5 rooms" in ran.output and "train zh" in ran.output and "train en" not in ran.output
    assert (tmp_path / "p.png").exists()


@pytest.fixture
def own_rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose rooms are a shop's own: two splits that share an answer."""
    for name in ("params.yaml", "infra"):
        (tmp_path / name).symlink_to(ROOT / name)
    answer = {"room_id": "r2", "topic": "payment", "answer": "We send it by e-mail.", "key": "by e-mail"}
    write(tmp_path / "room_logs", {**SHOP, "faq": [*SHOP["faq"], answer]})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_train_and_eval_share_is_named_and_the_exit_code_is_1(own_rooms: Path) -> None:
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke"])
    assert ran.exit_code == 1, ran.output
    assert "by e-mail" in ran.output and "from room_logs/" in ran.output
    assert (own_rooms / "runs" / "smoke" / "rooms.png").exists()


def test_the_size_of_a_shops_own_rooms_cannot_be_given(own_rooms: Path) -> None:
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", "--train-rooms", "9"])
    assert isinstance(ran.exception, UserError) and "room_logs/: holds rooms of your own" in str(ran.exception)
    assert not (own_rooms / "runs").exists()


def test_too_small_a_size_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", "--eval-rooms", "1", "--picture", "p.png"], obj=tmp_path)
    assert isinstance(ran.exception, UserError) and "cannot hold every intent" in str(ran.exception)
    assert not list(tmp_path.iterdir())


def test_a_picture_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", "--picture", "file/p.png"], obj=tmp_path)
    assert isinstance(ran.exception, UserError) and "--picture: " in str(ran.exception)
    assert "file/p.png: cannot be written" in str(ran.exception)


def test_a_language_given_twice_is_refused(tmp_path: Path) -> None:
    languages = [word for language in ("zh", "en", "zh") for word in ("--language", language)]
    ran = CliRunner().invoke(room, ["stats", "--profile", "smoke", *languages], obj=tmp_path)
    assert isinstance(ran.exception, UserError) and "zh is named twice" in str(ran.exception)


def test_show_prints_shelves_and_requests_with_their_right_answers() -> None:
    ran = CliRunner().invoke(room, ["show", "train-zh-001", "--profile", "smoke", "--requests", "8"])
    assert ran.exit_code == 0, ran.output
    for expected in ("train-zh-001 · zh", "link 6 · ", "coupon · ", "faq · ", "train-zh-001-08 · ", "  skills ", "  reply  "):
        assert expected in ran.output
    none = CliRunner().invoke(room, ["show", "train-zh-001", "--profile", "smoke", "--requests", "0"])
    assert "  reply  " not in none.output and "link 6" in none.output


def test_an_unknown_room_is_refused_with_the_names_of_some() -> None:
    ran = CliRunner().invoke(room, ["show", "nowhere", "--profile", "smoke"])
    assert isinstance(ran.exception, UserError)
    assert "nowhere: no room of profile smoke; expected one of train-en-001" in str(ran.exception)
