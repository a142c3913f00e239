from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from components.errors import UserError
from components.promotion import RequestStatus, load_request, load_requests, request_directory, request_status, write_request
from components.promotion.requests import check_evidence
from tests.promotion.evidence import MONDAY, POLICY, at, decision

NEXT_DAY, MONTH_LATER = MONDAY + timedelta(days=1), MONDAY + timedelta(days=30)


def test_a_request_reads_back_as_it_was_written_and_its_evidence_holds(tmp_path: Path) -> None:
    written = write_request(tmp_path, decision("candidate", None), "cron", at(MONDAY))
    assert load_requests(tmp_path) == [written] == [load_request(tmp_path, written.request_id)]
    check_evidence(load_request(tmp_path, written.request_id), tmp_path)
    assert written.expires == MONDAY + timedelta(days=POLICY.request_expiry_days)


def test_the_same_decision_is_the_same_request_until_it_expires(tmp_path: Path) -> None:
    made = decision("candidate", None)
    first = write_request(tmp_path, made, "cron", at(MONDAY))
    assert write_request(tmp_path, made, "somebody else", at(NEXT_DAY)) == first
    assert request_status(first, [], MONTH_LATER) is RequestStatus.EXPIRED
    renewed = write_request(tmp_path, made, "cron", at(MONTH_LATER))
    assert renewed.request_id == first.request_id
    assert request_status(renewed, [], MONTH_LATER) is RequestStatus.PENDING


def test_newest_requests_come_first(tmp_path: Path) -> None:
    old = write_request(tmp_path, decision("first", None), "cron", at(MONDAY))
    new = write_request(tmp_path, decision("second", None), "cron", at(NEXT_DAY))
    assert load_requests(tmp_path) == [new, old]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"outcome": "REJECT"', '"outcome": "PROMOTE"'),
        ('"accuracy": 0.0', '"accuracy": 1.0'),
        ('"verdict": "failed"', '"verdict": "passed"'),
    ],
)
def test_evidence_changed_after_the_decision_no_longer_holds(tmp_path: Path, old: str, new: str) -> None:
    request = write_request(tmp_path, decision("candidate", None, t2=0.2), "cron", at(MONDAY))
    file = request_directory(tmp_path, request.request_id) / "request.json"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(UserError, match="evidence was changed"):
        check_evidence(load_request(tmp_path, request.request_id), tmp_path)


def test_the_page_shows_decision_figures_reasons_and_what_to_type(tmp_path: Path) -> None:
    request = write_request(tmp_path, decision("candidate", None), "cron", at(MONDAY))
    for name in ("decision.md", "decision.html"):
        page = (request_directory(tmp_path, request.request_id) / name).read_text()
        assert "PROMOTE" in page
        assert "no champion yet" in page
        assert request.decision.evidence_hash in page
        assert "+40.0 points" in page
        assert "90.0 (" in page and "50.0 (" in page
        assert f"hat approve {request.request_id}" in page


def test_the_page_of_a_refusal_offers_no_plain_approval(tmp_path: Path) -> None:
    request = write_request(tmp_path, decision("candidate", "champion-1", t2=0.2), "cron", at(MONDAY))
    page = (request_directory(tmp_path, request.request_id) / "decision.html").read_text()
    assert "REJECT" in page and "champion-1" in page
    assert "hat approve" not in page


def test_words_of_people_are_escaped_on_the_page(tmp_path: Path) -> None:
    request = write_request(tmp_path, decision("candidate", None), "<script>alert(1)</script>", at(MONDAY))
    assert "<script>" not in (request_directory(tmp_path, request.request_id) / "decision.html").read_text()


def test_nobody_unknown_and_unreadable_are_refused(tmp_path: Path) -> None:
    made = decision("candidate", None)
    with pytest.raises(UserError, match="requested_by"):
        write_request(tmp_path, made, " ")
    with pytest.raises(UserError, match="request feed: not found; expected one of: none yet"):
        load_request(tmp_path, "feed")
    request = write_request(tmp_path, made, "cron")
    with pytest.raises(UserError, match=request.request_id):
        load_request(tmp_path, "feed")
    file = request_directory(tmp_path, request.request_id) / "request.json"
    file.write_text(file.read_text()[:-100])
    with pytest.raises(UserError, match=r"request\.json: expected a promotion request"):
        load_requests(tmp_path)


def test_a_decision_under_another_id_does_not_hold(tmp_path: Path) -> None:
    request = write_request(tmp_path, decision("candidate", None), "cron", at(MONDAY))
    with pytest.raises(UserError, match="evidence was changed"):
        check_evidence(replace(request, request_id="feed"), tmp_path)
