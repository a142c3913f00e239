from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from components.errors import UserError
from components.promotion import (
    Change,
    EntryKind,
    Outcome,
    PromotionPolicy,
    PromotionRequest,
    approve,
    champion,
    champion_entry,
    history,
    reject,
    request_directory,
    rollback,
    write_request,
)
from components.promotion.mlflow_registry import CHAMPION, MODEL, PREVIOUS, client
from tests.promotion.evidence import MONDAY, POLICY, at, decision, release

NOW = at(MONDAY)


def ask(state: Path, content: str, against: str | None, t2: float = 0.9, policy: PromotionPolicy = POLICY) -> PromotionRequest:
    """A request to promote a release of this content, on the decision of the real gate."""
    return write_request(state, decision(release(state, content).release_id, against, t2, policy), "cron", NOW)


def promote(state: Path, content: str) -> str:
    present = champion(state)
    request = ask(state, content, present.release_id if present else None)
    return approve(state, request.request_id, "Ada", "better", clock=NOW).entry.release


def now_champion(state: Path) -> str | None:
    present = champion(state)
    return present.release_id if present else None


def aliases(state: Path) -> dict[str, str]:
    """Alias → release id, as MLflow has it."""
    store = client(state)
    found = store.get_registered_model(MODEL).aliases
    return {alias: store.get_model_version(MODEL, version).tags["release_id"] for alias, version in found.items()}


def everything(state: Path) -> Any:
    """All that an approval may change."""
    versions = client(state).search_model_versions(f"name = '{MODEL}'")
    ledger = state / "ledger.jsonl"
    return ledger.read_text() if ledger.exists() else "", sorted((v.version, *v.tags.items(), *v.aliases) for v in versions)


def test_before_any_promotion_there_is_no_champion(state_dir: Path) -> None:
    assert champion(state_dir) is None
    assert champion_entry(state_dir) is None
    assert history(state_dir) == []


def test_an_approved_release_is_champion_in_mlflow_with_its_evidence_and_in_the_ledger(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    change = approve(state_dir, request.request_id, " Ada ", "better on every suite", clock=NOW)
    built = release(state_dir, "one")
    assert champion(state_dir) == built
    version = client(state_dir).get_model_version_by_alias(MODEL, CHAMPION)
    assert version.tags == {
        "release_id": built.release_id,
        "harness_version": request.decision.evidence.context.harness_version,
        "evidence_hash": request.decision.evidence_hash,
        "approver": "Ada",
        "reason": "better on every suite",
        "kind": "promotion",
        "git_commit": "c0ffee",
        "dataset_hash": "dataset-1",
    }
    assert version.source == built.directory.as_uri()
    assert "Promotion by Ada" in version.description
    assert change.changed and history(state_dir) == [change.entry]
    assert (change.entry.kind, change.entry.replaced, change.entry.outcome) == (EntryKind.PROMOTION, None, Outcome.PROMOTE)
    assert "better on every suite" in (request_directory(state_dir, request.request_id) / "decision.html").read_text()


def test_mlflow_finds_the_files_of_the_champion(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import mlflow

    promote(state_dir, "one")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{state_dir}/mlflow.db")
    files = mlflow.artifacts.download_artifacts(f"models:/{MODEL}@{CHAMPION}")
    assert (Path(files) / "model" / "model.safetensors").read_text() == "one"


def test_approving_twice_says_so_and_changes_nothing(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    first = approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    before = everything(state_dir)
    assert approve(state_dir, request.request_id, "Bob", "me too", clock=NOW) == Change(first.entry, changed=False)
    assert everything(state_dir) == before


def test_each_promotion_keeps_the_one_before_as_previous(state_dir: Path) -> None:
    one, two, three = (promote(state_dir, content) for content in ("one", "two", "three"))
    assert aliases(state_dir) == {CHAMPION: three, PREVIOUS: two}
    assert [entry.replaced for entry in history(state_dir)] == [None, one, two]


@pytest.mark.parametrize(("by", "reason"), [("", "better"), ("Ada", "  ")])
def test_a_name_and_a_reason_are_required(state_dir: Path, by: str, reason: str) -> None:
    request = ask(state_dir, "one", None)
    for act in (approve, reject):
        with pytest.raises(UserError, match="expected a"):
            act(state_dir, request.request_id, by, reason)
    with pytest.raises(UserError, match="expected a"):
        rollback(state_dir, by, reason)
    assert champion(state_dir) is None


def refused(state: Path, request: PromotionRequest, words: str, **arguments: Any) -> None:
    before = everything(state)
    with pytest.raises(UserError, match=words) as caught:
        approve(state, request.request_id, **({"by": "Ada", "reason": "better", "clock": NOW} | arguments))
    assert "\n" not in str(caught.value)
    assert everything(state) == before


def test_a_request_judged_against_a_champion_that_changed_is_refused(state_dir: Path) -> None:
    early, late = ask(state_dir, "one", None), ask(state_dir, "two", None)
    approve(state_dir, early.request_id, "Ada", "better", clock=NOW)
    refused(state_dir, late, "champion changed since the gate decided.*run hat retrain again")
    refused(state_dir, late, "champion changed since the gate decided", override=True)


def test_of_two_approvals_at_once_one_wins_and_the_other_is_told(state_dir: Path) -> None:
    requests = [ask(state_dir, content, None) for content in ("one", "two")]

    def attempt(request: PromotionRequest) -> str:
        try:
            return approve(state_dir, request.request_id, "Ada", "better", clock=NOW).entry.release
        except UserError as error:
            return str(error)

    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(attempt, requests))
    assert sum("champion changed" in answer for answer in answers) == 1
    assert now_champion(state_dir) in answers
    assert len(history(state_dir)) == 1


def test_an_expired_request_is_refused_even_as_an_override(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    late = at(request.expires + timedelta(seconds=1))
    refused(state_dir, request, "expired on", clock=late)
    refused(state_dir, request, "expired on", clock=late, override=True)


def test_changed_evidence_is_refused(state_dir: Path) -> None:
    request = ask(state_dir, "one", None, t2=0.2)
    file = request_directory(state_dir, request.request_id) / "request.json"
    file.write_text(file.read_text().replace('"outcome": "REJECT"', '"outcome": "PROMOTE"'))
    refused(state_dir, request, "evidence was changed", override=True)


def test_a_damaged_release_is_refused(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    weights = release(state_dir, "one").model / "model.safetensors"
    weights.chmod(0o644)
    weights.write_text("oops")
    refused(state_dir, request, "model.safetensors: damaged")


def test_a_release_of_another_training_set_than_the_gate_was_told_of_is_refused(state_dir: Path) -> None:
    made = decision(release(state_dir, "one").release_id, None, dataset_hash="dataset-2")
    refused(state_dir, write_request(state_dir, made, "cron", NOW), "harness or training data of release")


def test_only_approvers_approve_and_nobody_their_own_request(state_dir: Path) -> None:
    strict = POLICY.model_copy(update={"approvers": ("Ada", "cron"), "requester_may_approve": False})
    request = ask(state_dir, "one", None, policy=strict)
    refused(state_dir, request, "Bob is not an approver", by="Bob")
    refused(state_dir, request, "cron asked for this promotion", by="cron")
    assert approve(state_dir, request.request_id, "Ada", "better", clock=NOW).changed


def test_what_the_gate_did_not_promote_needs_an_override_which_is_marked_and_expires(state_dir: Path) -> None:
    request = ask(state_dir, "one", None, t2=0.2)
    refused(state_dir, request, "the gate decided REJECT")
    entry = approve(state_dir, request.request_id, "Ada", "the sale starts tonight", override=True, clock=NOW).entry
    assert (entry.kind, entry.outcome) == (EntryKind.OVERRIDE, Outcome.REJECT)
    assert entry.expires == MONDAY + timedelta(days=POLICY.override_expiry_days)
    assert champion_entry(state_dir) == entry
    page = (request_directory(state_dir, request.request_id) / "decision.html").read_text()
    assert '<p class="override"><b>OVERRIDE</b> by Ada' in page
    assert "OVERRIDE" in client(state_dir).get_model_version_by_alias(MODEL, CHAMPION).description


def test_override_of_what_the_gate_promotes_is_an_ordinary_promotion(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    assert approve(state_dir, request.request_id, "Ada", "better", override=True, clock=NOW).entry.kind is EntryKind.PROMOTION


def test_rejecting_is_recorded_once_and_closes_the_request(state_dir: Path) -> None:
    one = promote(state_dir, "one")
    request = ask(state_dir, "two", one)
    first = reject(state_dir, request.request_id, "Bob", "replies too long", clock=NOW)
    assert first.changed and first.entry.kind is EntryKind.REJECTION
    assert reject(state_dir, request.request_id, "Bob", "again", clock=NOW) == Change(first.entry, changed=False)
    refused(state_dir, request, "was rejected by Bob before")
    assert now_champion(state_dir) == one
    assert (
        approve(state_dir, request.request_id, "Ada", "agreed with Bob", override=True, clock=NOW).entry.kind
        is EntryKind.OVERRIDE
    )


def test_an_approved_request_cannot_be_rejected(state_dir: Path) -> None:
    request = ask(state_dir, "one", None)
    approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    with pytest.raises(UserError, match="use hat rollback"):
        reject(state_dir, request.request_id, "Bob", "too late", clock=NOW)


def test_rollbacks_go_back_step_by_step_and_delete_nothing(state_dir: Path) -> None:
    one, two, three = (promote(state_dir, content) for content in ("one", "two", "three"))
    assert rollback(state_dir, "Ada", "wrong prices", clock=NOW).entry.release == two == now_champion(state_dir)
    assert aliases(state_dir) == {CHAMPION: two, PREVIOUS: one}
    assert rollback(state_dir, "Ada", "still wrong", clock=NOW).entry.release == one == now_champion(state_dir)
    assert aliases(state_dir) == {CHAMPION: one}
    with pytest.raises(UserError, match="no release was champion before"):
        rollback(state_dir, "Ada", "and again", clock=NOW)
    assert len(client(state_dir).search_model_versions(f"name = '{MODEL}'")) == 3
    assert (state_dir / "releases" / three).is_dir()


def test_a_rollback_repeated_for_the_same_release_does_nothing_more(state_dir: Path) -> None:
    one, two, three = (promote(state_dir, content) for content in ("one", "two", "three"))
    first = rollback(state_dir, "Ada", "wrong prices", leaving=three, clock=NOW)
    assert rollback(state_dir, "Ada", "wrong prices", leaving=three, clock=NOW) == Change(first.entry, changed=False)
    assert now_champion(state_dir) == two
    with pytest.raises(UserError, match=f"release {one}: not the champion"):
        rollback(state_dir, "Ada", "wrong prices", leaving=one, clock=NOW)


def test_what_was_rolled_back_returns_only_by_override_and_keeps_its_version(state_dir: Path) -> None:
    one = promote(state_dir, "one")
    request = ask(state_dir, "two", one)
    approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    rollback(state_dir, "Ada", "wrong prices", clock=NOW)
    refused(state_dir, request, "was rolled back by Ada before")
    entry = approve(state_dir, request.request_id, "Bob", "the prices were right", override=True, clock=NOW).entry
    assert entry.kind is EntryKind.OVERRIDE
    assert len(client(state_dir).search_model_versions(f"name = '{MODEL}'")) == 2
    assert client(state_dir).get_model_version_by_alias(MODEL, CHAMPION).tags["approver"] == "Bob"
    assert rollback(state_dir, "Ada", "they were not", clock=NOW).entry.release == one


@pytest.mark.parametrize("refusal", ["rejected", "rolled back"])
def test_a_refused_release_put_before_people_again_returns_only_by_override(state_dir: Path, refusal: str) -> None:
    one = promote(state_dir, "one")
    first = ask(state_dir, "two", one)
    if refusal == "rejected":
        reject(state_dir, first.request_id, "Bob", "wrong prices", clock=NOW)
    else:
        approve(state_dir, first.request_id, "Ada", "better", clock=NOW)
        rollback(state_dir, "Bob", "wrong prices", clock=NOW)
    two = first.decision.evidence.context.candidate
    again = write_request(state_dir, decision(two, one, git_commit="another commit"), "cron", NOW)
    assert again.request_id != first.request_id
    refused(state_dir, again, f"release {two} was {refusal} by Bob before")
    for name in ("decision.md", "decision.html"):
        page = (request_directory(state_dir, again.request_id) / name).read_text()
        assert "refused before" in page and "wrong prices" in page and "hat approve" not in page
    entry = approve(state_dir, again.request_id, "Ada", "the prices were right", override=True, clock=NOW).entry
    assert (entry.kind, entry.outcome) == (EntryKind.OVERRIDE, Outcome.PROMOTE)


def test_the_page_tells_in_red_that_the_champion_stands_by_an_override_and_when_that_expired(state_dir: Path) -> None:
    one = ask(state_dir, "one", None, t2=0.2)
    entry = approve(state_dir, one.request_id, "Ada", "the sale starts tonight", override=True, clock=NOW).entry
    assert entry.expires is not None
    for days, words in ((-1, "expires"), (0, "expired")):
        made = decision(release(state_dir, "two").release_id, entry.release, git_commit=words)
        request = write_request(state_dir, made, "cron", at(entry.expires + timedelta(days=days)))
        page = (request_directory(state_dir, request.request_id) / "decision.html").read_text()
        assert f'<p class="override">That champion stands by an <b>OVERRIDE</b> of Ada, which {words} on 2024-01-08' in page


def test_a_rollback_to_a_damaged_release_is_refused(state_dir: Path) -> None:
    one, two = (promote(state_dir, content) for content in ("one", "two"))
    (state_dir / "releases" / one / "serving.yaml").unlink()
    with pytest.raises(UserError, match=r"serving\.yaml: damaged"):
        rollback(state_dir, "Ada", "wrong prices", clock=NOW)
    assert now_champion(state_dir) == two


def test_an_alias_moved_by_hand_is_noticed_not_obeyed(state_dir: Path) -> None:
    promote(state_dir, "one")
    two = promote(state_dir, "two")
    request = ask(state_dir, "three", two)
    client(state_dir).set_registered_model_alias(MODEL, CHAMPION, "1")
    for act in (lambda: champion(state_dir), lambda: rollback(state_dir, "Ada", "why")):
        with pytest.raises(UserError, match="moved outside hat"):
            act()
    refused(state_dir, request, "moved outside hat")


class Crash(BaseException):
    """The process ends here: nothing in the project catches it."""


STEPS = [
    ("components.promotion.registry._complete", "before"),
    ("components.promotion.mlflow_registry.ensure_version", "before"),
    ("components.promotion.mlflow_registry.move_aliases", "before"),
    ("mlflow.MlflowClient.set_registered_model_alias", "after"),
    ("components.promotion.ledger.append", "before"),
    ("components.promotion.registry.write_page", "before"),
    ("pathlib.Path.unlink", "before"),
    ("pathlib.Path.unlink", "after"),
]


def crash_at(patch: pytest.MonkeyPatch, step: str, when: str) -> None:
    real: Callable[..., Any] = resolve_name(step)

    def crash(*arguments: Any, **named: Any) -> None:
        if step == "pathlib.Path.unlink" and arguments[0].name != "pending.json":
            return real(*arguments, **named)
        if when == "after":
            real(*arguments, **named)
        raise Crash

    patch.setattr(step, crash)


@pytest.mark.parametrize(("step", "when"), STEPS)
def test_an_approval_cut_short_anywhere_is_completed_by_the_next_call(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, step: str, when: str
) -> None:
    one = promote(state_dir, "one")
    request = ask(state_dir, "two", one)
    with monkeypatch.context() as patch, pytest.raises(Crash):
        crash_at(patch, step, when)
        approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    two = request.decision.evidence.context.candidate
    assert now_champion(state_dir) == two
    assert aliases(state_dir) == {CHAMPION: two, PREVIOUS: one}
    assert [entry.release for entry in history(state_dir)] == [one, two]
    assert not (state_dir / "pending.json").exists()
    again = approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    assert (again.entry.release, again.changed) == (two, False)
    assert "Promotion by Ada" in client(state_dir).get_model_version_by_alias(MODEL, CHAMPION).description


@pytest.mark.parametrize(
    ("step", "when"),
    [
        ("mlflow.MlflowClient.set_registered_model_alias", "after"),
        ("components.promotion.ledger.append", "before"),
        ("components.promotion.ledger.append", "after"),
    ],
)
def test_a_rollback_cut_short_and_called_again_goes_back_one_release_only(
    state_dir: Path, monkeypatch: pytest.MonkeyPatch, step: str, when: str
) -> None:
    one, two, _ = (promote(state_dir, content) for content in ("one", "two", "three"))
    with monkeypatch.context() as patch, pytest.raises(Crash):
        crash_at(patch, step, when)
        rollback(state_dir, "Ada", "wrong prices", clock=NOW)
    change = rollback(state_dir, "Ada", "wrong prices", clock=NOW)
    assert (change.entry.release, change.changed) == (two, True)
    assert aliases(state_dir) == {CHAMPION: two, PREVIOUS: one}


def test_a_line_of_the_ledger_that_was_half_written_is_written_again(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = promote(state_dir, "one")
    request = ask(state_dir, "two", one)
    with monkeypatch.context() as patch, pytest.raises(Crash):
        crash_at(patch, "components.promotion.ledger.append", "before")
        approve(state_dir, request.request_id, "Ada", "better", clock=NOW)
    with (state_dir / "ledger.jsonl").open("a") as ledger:
        ledger.write('{"number": 2, "kind": "promo')
    assert now_champion(state_dir) == request.decision.evidence.context.candidate
    lines = (state_dir / "ledger.jsonl").read_text().splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2]


def test_a_damaged_line_of_the_ledger_is_named(state_dir: Path) -> None:
    promote(state_dir, "one")
    ledger = state_dir / "ledger.jsonl"
    ledger.write_text("{}\n" + ledger.read_text())
    with pytest.raises(UserError, match=r"ledger\.jsonl:1: expected an entry"):
        champion(state_dir)


def test_the_folder_mlflow_does_not_hide_the_package() -> None:
    import mlflow

    folder = Path(__file__).parents[2] / "mlflow"
    assert folder not in Path(mlflow.__file__).parents
    assert not list(folder.rglob("*.py"))
