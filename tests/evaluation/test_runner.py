"""Every case gets a row, whatever happens; what stands is not done again; harnesses do not mix."""

import pytest

from components.evaluation.types import CRASHED
from components.files import read_jsonl
from components.harness.types import Completion, Message, ToolCall
from components.liveroom.truth import truth
from tests.evaluation.world import Assertive, Hasty, Parrot, Watched


class Broken:
    name = "broken"

    async def complete(self, conversation):
        raise RuntimeError("out of memory")


class Stopped(Exception):
    """Stands in for whatever ends a run from outside."""


def stop_after(rows):
    def progress(done, total):
        if done == rows:
            raise Stopped

    return progress


def partial(out):
    return out.with_name(out.name + ".partial")


def test_expert_is_right_in_every_case_but_where_a_tool_refuses_for_good_and_says_so_there(world, tmp_path):
    rows = world.evaluate(tmp_path / "expert.jsonl", world.expert)
    denied = [r for r in rows if "permission_denied" in r["tool_faults"]]
    answered = [r for r in rows if r not in denied]
    assert [(r["accuracy"], r["effectiveness"], r["reasons"]) for r in answered] == [(1, 1.0, [])] * len(answered)
    assert all(r["tool_correct"] and r["stop_reason"] == "replied" for r in answered)
    assert denied and all((r["accuracy"], r["recovered_from_fault"]) == (1, True) and r["effectiveness"] < 1 for r in denied)
    assert all(r["skill_correct"] for r in rows)


def test_tools_fail_in_t3_alone_in_the_case_s_own_way_and_are_recovered_from_by_the_expert(world, tmp_path):
    rows = world.evaluate(tmp_path / "expert.jsonl", world.expert)
    assert all(r["fault"] is None and r["tool_faults"] == [] and r["recovered_from_fault"] is None for r in rows[:28])
    struck = [r for r in rows[28:] if r["tool_faults"]]
    assert len(struck) >= 5
    assert all(set(r["tool_faults"]) == {r["fault"]} and r["recovered_from_fault"] is True for r in struck)
    assert all(r["recovered_from_fault"] is None for r in rows[28:] if r not in struck)


def test_faults_strike_every_arm_alike(world, tmp_path):
    first, second = (world.evaluate(tmp_path / f"{n}.jsonl", world.expert, concurrency=n) for n in (1, 7))
    assert [r["tool_faults"] for r in first] == [r["tool_faults"] for r in second]


def test_wrong_reply_after_a_fault_is_no_recovery(world, tmp_path):
    rows = world.evaluate(tmp_path / "rows.jsonl", lambda case: Assertive(world.expert(case)), cases=world.suites[28:])
    struck = [r for r in rows if r["tool_faults"]]
    assert struck and all(r["recovered_from_fault"] is False for r in struck)


def test_reply_sent_back_and_then_right_is_recovered_from(world, tmp_path):
    def hasty(case):
        return Hasty(world.expert(case), truth(case.case, world.catalogue).reply)

    rows = world.evaluate(tmp_path / "hasty.jsonl", hasty, cases=world.suites[:4])
    assert all((r["refused"], r["recovered_from_refusal"]) == (1, True) for r in rows)
    rows = world.evaluate(tmp_path / "parrot.jsonl", lambda case: Parrot(), cases=world.suites[:4])
    assert all((r["refused"], r["recovered_from_refusal"], r["stop_reason"]) == (1, False, "blocked") for r in rows)
    rows = world.evaluate(tmp_path / "expert.jsonl", world.expert, cases=world.suites[:4])
    assert all((r["refused"], r["recovered_from_refusal"]) == (0, None) for r in rows)


def test_rows_stand_in_the_order_of_the_cases_and_are_what_was_returned(world, tmp_path):
    out = tmp_path / "expert.jsonl"
    rows = world.evaluate(out, world.expert, concurrency=7)
    assert read_jsonl(out) == rows
    assert [(r["suite"], r["case_id"], r["variant_id"]) for r in rows] == [
        (c.suite, c.case.case_id, c.variant_id) for c in world.suites
    ]
    assert all(r["arm"] == "arm" and r["trajectory"]["reply"] == r["reply"] for r in rows)
    assert all(r["latency_s"] > 0 and r["turns"] >= 2 for r in rows)
    assert not partial(out).exists()


def test_wrong_answers_are_rows_with_verdicts(world, tmp_path):
    rows = world.evaluate(tmp_path / "parrot.jsonl", lambda case: Parrot())
    assert {(r["accuracy"], r["effectiveness"]) for r in rows} == {(0, 0.0)}
    assert all(r["reasons"] and r["skill_correct"] is False for r in rows)
    assert rows[0]["prompt_tokens"] == 100 * rows[0]["turns"]


def test_episode_that_raises_is_a_missing_verdict_and_the_others_go_on(world, tmp_path):
    broken = world.suites[5]
    rows = world.evaluate(tmp_path / "some.jsonl", lambda case: Broken() if case is broken else world.expert(case))
    row = rows.pop(5)
    assert (row["accuracy"], row["effectiveness"], row["stop_reason"], row["trajectory"]) == (None, None, CRASHED, None)
    assert row["reasons"] == ["episode raised RuntimeError: out of memory"]
    assert all(r["accuracy"] == 1 for r in rows)


def test_judge_that_raises_is_a_missing_verdict_with_its_trajectory(world, tmp_path, monkeypatch):
    def refuse(case, truth, trajectory):
        raise ValueError("cannot read")

    monkeypatch.setattr("components.evaluation.runner.check", refuse)
    rows = world.evaluate(tmp_path / "rows.jsonl", world.expert)
    assert all(r["accuracy"] is None and r["reasons"] == ["judge raised ValueError: cannot read"] for r in rows)
    assert all(r["stop_reason"] == "replied" and r["trajectory"] for r in rows)


def test_stopped_run_resumes_where_it_was_and_ends_like_one_that_was_not_stopped(world, tmp_path):
    out, asked = tmp_path / "rows.jsonl", []

    def expert(case):
        asked.append(case)
        return world.expert(case)

    with pytest.raises(ExceptionGroup):
        world.evaluate(out, expert, concurrency=1, progress=stop_after(9))
    assert not out.exists()
    with partial(out).open("a") as file:
        file.write('{"suite": "T1", "case_')
    asked.clear()
    rows = world.evaluate(out, expert, concurrency=1)
    assert len(asked) == len(world.suites) - 9
    whole = world.evaluate(tmp_path / "whole.jsonl", world.expert, concurrency=1)
    timeless = [[{k: v for k, v in r.items() if k not in ("latency_s", "trajectory")} for r in run] for run in (rows, whole)]
    assert timeless[0] == timeless[1]


class HalfCharacter:
    """Calls a tool, and says something, with half of a surrogate pair in it."""

    name = "half a character"

    async def complete(self, conversation):
        if len(conversation.messages) == 2:
            return Completion(Message(role="assistant", content="", tool_calls=(ToolCall("1", "look\ud83dup", {}),)))
        return Completion(Message(role="assistant", content="Yes\udc00!"))


def test_what_utf_8_cannot_write_does_not_end_the_evaluation(world, tmp_path):
    out = tmp_path / "rows.jsonl"
    rows = world.evaluate(out, lambda case: HalfCharacter() if case is world.suites[0] else world.expert(case))
    assert len(rows) == len(world.suites)
    text = out.read_text()
    assert "half of a pair" in text and "Yes?!" in text and "\\ud" not in text


def test_row_cut_off_within_a_character_is_done_again(world, tmp_path):
    out = tmp_path / "rows.jsonl"
    with pytest.raises(ExceptionGroup):
        world.evaluate(out, world.expert, concurrency=1, progress=stop_after(9))
    with partial(out).open("ab") as file:
        file.write('{"suite": "T1", "reply": "元'.encode()[:-1])
    assert all(r["accuracy"] == 1 for r in world.evaluate(out, world.expert))


def test_missing_verdicts_are_asked_again_on_resuming(world, tmp_path):
    out = tmp_path / "rows.jsonl"
    with pytest.raises(ExceptionGroup):
        world.evaluate(
            out, lambda case: Broken() if case is world.suites[0] else world.expert(case), concurrency=1, progress=stop_after(9)
        )
    rows = world.evaluate(out, world.expert)
    assert all(r["accuracy"] == 1 for r in rows)


@pytest.mark.parametrize("change", [{"fingerprint": "other weights"}, {"cases": "fewer"}])
def test_rows_of_another_model_or_plan_are_not_taken_over(world, tmp_path, change):
    out = tmp_path / "rows.jsonl"
    with pytest.raises(ExceptionGroup):
        world.evaluate(out, lambda case: Parrot(), progress=stop_after(9))
    if "cases" in change:
        change = {"cases": world.suites[:20]}
    assert all(r["accuracy"] == 1 for r in world.evaluate(out, world.expert, **change))


def test_only_conversations_of_one_harness_are_open_at_once_and_not_more_than_asked_for(world, tmp_path):
    open_now, seen = [], []
    world.evaluate(tmp_path / "rows.jsonl", lambda case: Watched(world.expert(case), open_now, seen), concurrency=3)
    assert max(map(len, seen)) == 3
    assert all(len({c.messages[0].content for c in conversations}) == 1 for conversations in seen)
