"""A conclusion is shown again only while everything that it points at is there."""

from __future__ import annotations

import shutil
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from components.files import write_atomic, write_json
from components.promotion import request_directory, write_request
from flows.conclusion import Conclusion, _drawn_from, _file, standing
from flows.paths import CHAMPION, STATE, decided_report
from tests.promotion.evidence import decision, release


@pytest.fixture
def conclusion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Conclusion:
    monkeypatch.chdir(tmp_path)
    write_atomic(Path("dvc.lock"), "stages: {}\n")
    write_json(CHAMPION, {"release": None})
    write_atomic(decided_report("smoke") / "report.html", "<html></html>")
    candidate = release(STATE, "one").release_id
    request = write_request(STATE, decision(candidate, None), "cron", lambda: datetime.now(UTC))
    drawn = Conclusion(_drawn_from(), candidate, request.request_id, {})
    write_json(_file("smoke"), asdict(drawn))
    return drawn


def test_it_stands_while_all_is_there(conclusion: Conclusion) -> None:
    assert standing("smoke") == conclusion
    assert standing("laptop") is None


@pytest.mark.parametrize("lost", ["request", "report", "release"])
def test_it_is_drawn_anew_where_something_was_deleted(conclusion: Conclusion, lost: str) -> None:
    assert conclusion.request_id is not None
    folder = {
        "request": request_directory(STATE, conclusion.request_id),
        "report": decided_report("smoke"),
        "release": STATE / "releases" / conclusion.release,
    }[lost]
    shutil.rmtree(folder)
    assert standing("smoke") is None
