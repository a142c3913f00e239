"""The page shows what was measured, needs nothing beside it, and hides nothing that is missing."""

import json
import re
from dataclasses import replace

import pytest

from components.evaluation.arms import ARMS
from components.evaluation.examples import choose_examples
from components.evaluation.report import write_report
from components.evaluation.summary import summarise
from components.evaluation.types import EvaluationError, RunFacts
from components.liveroom.truth import truth
from tests.evaluation.made_up import made_up_rows
from tests.evaluation.world import Hasty, Parrot, Thoughtful

RUN = RunFacts(
    profile="smoke",
    seed=7,
    model="a tiny model",
    teacher="scripted expert",
    rooms="generated rooms",
    harness_version="0123456789ab",
    code_version="abcdef0",
    hardware="two cores",
    data={"rooms": 4, "evaluation cases": 32},
    training={"sft": {"epochs": 1}, "rl": {"tasks": 48}},
)
LOGS = {"hsa_sft": [{"step": 1, "loss": 2.0}, {"step": 2, "loss": 1.0}, {"step": 2, "train_runtime": 3.0}]}
DECISION = {
    "outcome": "REJECT",
    "evidence_hash": "fedcba9876543210",
    "evidence": {"candidate": []},
    "checks": [{"name": "T2 AVG better", "verdict": "failed", "sentence": "T2 AVG better: -3.0 points against the champion"}],
}


@pytest.fixture(scope="module")
def arms(world, tmp_path_factory):
    folder = tmp_path_factory.mktemp("rows")
    experts = world.evaluate(folder / "expert.jsonl", world.expert)
    parrots = world.evaluate(folder / "parrot.jsonl", lambda case: Parrot())
    fixed = parrots[:16] + experts[16:20] + parrots[20:]
    general = [row for row in made_up_rows("any") if row["suite"] == "T4"]
    return {"base": parrots, "fixed_sft": fixed, "hsa_sft": experts + general, "rl_hsa": experts, "champion": []}


@pytest.fixture(scope="module")
def page(arms, tmp_path_factory):
    return write_report(tmp_path_factory.mktemp("report"), RUN, arms, LOGS, DECISION)


def test_page_needs_no_other_file_and_no_network(page):
    html = page.read_text()
    sources = re.findall(r'(?:src|srcset|href)="([^"]{0,30})', html)
    assert len(sources) == 10
    assert all(source.startswith("data:image/png;base64,") for source in sources)
    words = re.sub('base64,[^"]*', "", html)
    assert "<script" not in words and "http" not in words


def test_pictures_lie_beside_the_page_for_light_and_dark(page):
    names = {path.name for path in page.parent.glob("*.png")}
    assert names == {
        f"{name}{theme}.png" for name in ("suites", "intents", "dimensions", "faults", "training") for theme in ("", "-dark")
    }
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in page.parent.glob("*.png"))


def test_page_and_markdown_tell_judge_decision_arms_and_paper(page):
    for text in (page.read_text(), (page.parent / "report.md").read_text()):
        for words in (
            "deterministic fact-and-intent checker",
            "REJECT",
            "T2 AVG better: -3.0 points against the champion",
            "0123456789ab",
            "100.0",
            "94.8",
            "75.4",
            "champion",
            "not run",
            "48 tasks in the simulator",
            "−7.7",
            "171.2 tokens",
            "HSA-RL",
            "+66.7",
        ):
            assert words in text, words


def test_page_tells_where_the_rooms_come_from(arms, tmp_path):
    page = write_report(tmp_path, replace(RUN, rooms="the room logs in logs/"), {"base": arms["base"]}, {})
    html = page.read_text()
    assert "16 cases from the room logs in logs/" in html
    assert "generated rooms" not in html and "synthetic" not in html


def test_absent_champion_is_said_to_be_absent(page):
    assert "There is no champion yet; the base model stands in for it." in page.read_text()


def test_page_before_the_gate_says_so(arms, tmp_path):
    page = write_report(tmp_path, RUN, {"base": arms["base"]}, {})
    assert "not decided yet" in page.read_text()
    assert json.loads((tmp_path / "summary.json").read_text())["decision"] is None


def test_summary_file_holds_the_figures_of_the_rows_and_the_decision_without_its_evidence(page, arms):
    summary = json.loads((page.parent / "summary.json").read_text())
    assert summary["arms"]["hsa_sft"] == summarise(arms["hsa_sft"], RUN.seed)
    assert summary["differences"]["hsa_sft - fixed_sft"]["T2"]["accuracy"]["value"] == pytest.approx(8 / 12)
    assert summary["decision"] == {k: v for k, v in DECISION.items() if k != "evidence"}
    assert summary["run"]["profile"] == "smoke"


def test_same_rows_give_the_same_bytes(page, arms, tmp_path):
    write_report(tmp_path, RUN, arms, LOGS, DECISION)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in page.parent.iterdir()}


def test_words_of_viewers_and_models_cannot_become_markup(arms, tmp_path):
    rows = [r | {"reply": "<img src=x onerror=alert(1)>", "reasons": ["<b>bold</b>"]} for r in arms["hsa_sft"]]
    html = write_report(tmp_path, replace(RUN, model="<i>model</i>"), {"hsa_sft": rows}, {}).read_text()
    assert "<img src=x" not in html and "<b>bold" not in html and "<i>model" not in html
    assert "&lt;img src=x" in html


def test_missing_verdicts_show_in_the_table(arms, tmp_path):
    lost = {
        "accuracy": None,
        "effectiveness": None,
        "tool_correct": None,
        "skill_correct": None,
        "stop_reason": "crashed",
        "trajectory": None,
    }
    rows = [r | lost if i < 3 else r for i, r in enumerate(arms["hsa_sft"])]
    page = write_report(tmp_path, RUN, {"fixed_sft": arms["fixed_sft"], "hsa_sft": rows}, {})
    assert "3 missing" in page.read_text()
    assert "3 missing" in (tmp_path / "report.md").read_text()


def test_run_of_one_room_and_one_suite_is_reported_without_intervals(arms, tmp_path):
    room = arms["hsa_sft"][0]["room_id"]
    rows = [r for r in arms["hsa_sft"] if r["suite"] == "T1" and r["room_id"] == room]
    page = write_report(tmp_path, RUN, {"hsa_sft": rows}, {})
    assert "interval unknown" in page.read_text()
    assert not (tmp_path / "training.png").exists() and not (tmp_path / "dimensions.png").exists()


def test_no_rows_at_all_is_an_error(tmp_path):
    with pytest.raises(EvaluationError, match="no arm has rows"):
        write_report(tmp_path, RUN, {"base": [], "champion": []}, {})
    assert not list(tmp_path.iterdir())


def test_examples_show_gains_losses_and_ties_over_different_intents(arms):
    present = {arm: rows for arm, rows in arms.items() if rows}
    examples = choose_examples(present, "hsa_sft", "fixed_sft", 6)
    assert [e.why for e in examples[:2]] == ["hsa_sft better", "alike"]
    assert len({e.case["intent"] for e in examples}) >= 4
    assert all(e.case["suite"] == "T2" and list(e.told) == ["base", "fixed_sft", "hsa_sft", "rl_hsa"] for e in examples)
    assert all(e.told["hsa_sft"][1][0].kind == "call" for e in examples)
    assert any(step.kind == "hook" for step in examples[0].told["base"][1])
    reverse = choose_examples(present, "fixed_sft", "hsa_sft", 1)
    assert reverse[0].why == "hsa_sft better"


def test_reply_that_was_first_rejected_and_then_accepted_is_told_both_times(world, tmp_path):
    def hasty(case):
        return Hasty(world.expert(case), truth(case.case, world.catalogue).reply)

    rows = world.evaluate(tmp_path / "hasty.jsonl", hasty, cases=world.suites[:1])
    row, steps = choose_examples({"arm": rows}, "arm", "arm", 1)[0].told["arm"]
    assert [step.kind for step in steps][:3] == ["rejected", "hook", "call"]
    assert steps[0].text == row["reply"] and row["accuracy"] == 1


def test_thoughts_are_told_apart_from_replies(world, tmp_path):
    rows = world.evaluate(tmp_path / "rows.jsonl", lambda case: Thoughtful(world.expert(case)), cases=world.suites[:1])
    row, steps = choose_examples({"arm": rows}, "arm", "arm", 1)[0].told["arm"]
    assert [s.text for s in steps if s.kind == "thought"] == ["What does the viewer want?"] * row["turns"]
    assert "think" not in row["reply"] and not any(s.kind == "rejected" for s in steps)


def test_repeats_stand_in_the_table_and_in_no_picture(tmp_path):
    one, two = (made_up_rows("hsa_sft", seed, rooms=2) for seed in (1, 2))
    write_report(tmp_path / "with", RUN, {"hsa_sft": one, "hsa_sft-2": two}, {})
    write_report(tmp_path / "without", RUN, {"hsa_sft": one}, {})
    assert "hsa_sft-2" in (tmp_path / "with" / "report.html").read_text()
    for path in (tmp_path / "without").glob("*.png"):
        assert path.read_bytes() == (tmp_path / "with" / path.name).read_bytes()


def test_every_arm_of_the_recipe_fits_on_one_page(tmp_path):
    page = write_report(tmp_path, RUN, {arm: made_up_rows(arm, rooms=3, per_room=3) for arm in ARMS}, {}).read_text()
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert set(summary["arms"]) == set(ARMS)
    assert "rl_hsa - champion" in summary["differences"]
    assert all(name in page for name in ("OPD after fixed SFT", "RL with HSA", "against the release in use", "−119.4 tokens"))
