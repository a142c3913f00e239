"""The table says what the rows say, seed for seed, and names whatever is missing."""

import re

import pytest

from components.evaluation.ablation import EXPECTED, ablate, write_ablation
from components.evaluation.arms import by_recipe, recipe_of
from components.evaluation.paper import EFFECTS, PAPER
from components.evaluation.types import EvaluationError
from tests.evaluation.made_up import made_up_rows
from tests.evaluation.test_report import RUN

SEEDS = (1, 2, 3)


def effect_of(ablation, name):
    return next(effect for effect in ablation.effects if effect["name"] == name)


@pytest.fixture(scope="module")
def arms():
    return {arm: [made_up_rows(arm, seed) for seed in (SEEDS if arm != "base" else (1,))] for arm in EXPECTED}


@pytest.fixture(scope="module")
def ablation(arms):
    return ablate(arms, RUN.seed)


@pytest.fixture(scope="module")
def folder(arms, tmp_path_factory):
    return write_ablation(tmp_path_factory.mktemp("ablation"), arms, RUN).parent


def test_page_table_and_figure_are_all_there_and_need_nothing_else(folder):
    assert {p.name for p in folder.iterdir()} == {
        *("ablation.html", "ablation.md", "ablation.json", "ablation.png", "ablation-dark.png")
    }
    html = (folder / "ablation.html").read_text()
    sources = re.findall(r'(?:src|srcset|href)="([^"]{0,30})', html)
    assert len(sources) == 2 and all(source.startswith("data:image/png;base64,") for source in sources)
    words = re.sub('base64,[^"]*', "", html)
    assert "<script" not in words and "http" not in words


def test_mean_over_seeds_is_the_mean_of_all_their_rows(ablation, arms):
    rows = [row for seed in arms["hsa_sft"] for row in seed if row["suite"] == "T2"]
    estimate = ablation.figures["hsa_sft"]["T2 AVG"]
    assert estimate["value"] == pytest.approx(sum((r["accuracy"] + r["effectiveness"]) / 2 for r in rows) / len(rows))
    assert (estimate["seeds"], estimate["n"]) == (3, 120)


def test_effect_is_the_difference_of_the_means_where_all_cases_are_in_both(ablation):
    for effect in ablation.effects:
        for label in ("T1 AVG", "T2 AVG", "T4 prompt", "T4 instruction", "Thinking, reply"):
            first, second = (ablation.figures[effect[side]][label]["value"] for side in ("first", "second"))
            assert effect["figures"][label]["value"] == pytest.approx(first - second), (effect["name"], label)


def test_untrained_arm_stands_beside_every_seed_of_another(ablation):
    assert effect_of(ablation, "SFT with HSA")["figures"]["T1 AVG"]["seeds"] == 3


def test_seeds_are_paired_as_far_as_both_arms_have_them(arms):
    effect = effect_of(ablate(arms | {"hsa_opd": arms["hsa_opd"][:1]}, seed=1), "RL with HSA")
    alone = effect_of(ablate({arm: arms[arm][:1] for arm in ("rl_hsa", "hsa_opd")}, seed=1), "RL with HSA")
    assert effect["figures"] == alone["figures"] and effect["note"] == "1 seed"


def test_seed_that_one_arm_lacks_is_not_paired_with_the_next_one_of_the_other(arms):
    first, _, third = arms["hsa_opd"]
    effect = effect_of(ablate(arms | {"hsa_opd": [first, [], third]}, seed=1), "RL with HSA")
    both = {arm: [arms[arm][0], arms[arm][2]] for arm in ("rl_hsa", "hsa_opd")}
    assert effect["figures"] == effect_of(ablate(both, seed=1), "RL with HSA")["figures"] and effect["note"] == "2 seeds"


def test_what_differs_in_the_same_way_with_every_seed_is_sure_and_what_changes_its_sign_is_not():
    def difference(fixed, augmented):
        def arm(chances):
            return [made_up_rows("any", seed, t1=chance, rooms=12) for seed, chance in enumerate(chances)]

        found = ablate({"fixed_sft": arm(fixed), "hsa_sft": arm(augmented)}, seed=1)
        return effect_of(found, "HSA in SFT")["figures"]["T1 AVG"]

    sure, unsure = difference([0.4, 0.4, 0.4], [0.9, 0.9, 0.9]), difference([0.4, 0.9, 0.4], [0.9, 0.4, 0.9])
    assert sure["low"] > 0
    assert unsure["low"] < 0 < unsure["high"]


def test_missing_arms_and_their_effects_are_named_and_never_blank(arms, tmp_path):
    some = {arm: seeds[:1] for arm, seeds in arms.items() if arm != "rl_fixed"} | {"fixed_opd": [[]]}
    found = ablate(some, RUN.seed)
    assert found.absent == ["fixed_opd", "rl_fixed"]
    assert {e["name"]: e["missing"] for e in found.effects if e["missing"]} == {
        "OPD after fixed SFT": ["fixed_opd"],
        "RL on the fixed harness": ["rl_fixed"],
        "HSA in RL": ["rl_fixed"],
    }
    html = write_ablation(tmp_path, some, RUN).read_text()
    assert "Missing: rl_fixed was not evaluated in this run." in html
    assert "say nothing of another training run" in html
    tables = [
        line for line in (tmp_path / "ablation.md").read_text().splitlines() if line.startswith(("| rl_", "| HSA", "| fixed"))
    ]
    assert len(tables) >= 5
    assert not [line for line in tables if re.search(r"\|\s*\|", line.removesuffix("|"))]


def test_paper_s_figures_stand_beside(folder):
    for text in ((folder / "ablation.html").read_text(), (folder / "ablation.md").read_text()):
        for words in ("94.8", "171.2 tokens", "+8.5", "−7.7", "−5.3", "+9.4", "+0.2", "+1.0"):
            assert f"paper {words}" in text, words


def test_effects_of_the_paper_are_the_differences_of_its_figures_where_it_gives_both():
    for effect in EFFECTS:
        for label, delta in effect.paper.items():
            first, second = (PAPER.get(arm, {}).get(label) for arm in (effect.first, effect.second))
            if first is not None and second is not None:
                assert delta == pytest.approx(first - second), (effect.name, label)


def test_same_rows_give_the_same_bytes(arms, folder, tmp_path):
    write_ablation(tmp_path, arms, RUN)
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {p.name: p.read_bytes() for p in folder.iterdir()}


def test_no_rows_at_all_is_an_error(tmp_path):
    with pytest.raises(EvaluationError, match="no arm has rows"):
        write_ablation(tmp_path, {"base": [], "hsa_sft": [[]]}, RUN)
    assert not list(tmp_path.iterdir())


def test_repeats_are_gathered_under_their_arm_in_order():
    rows = [{"suite": "T1"}]
    assert by_recipe({"rl_hsa-3": rows, "base": rows, "rl_hsa": rows}) == {"rl_hsa": [rows, (), rows], "base": [rows]}
    assert [recipe_of(arm) for arm in ("base", "hsa_sft-2", "rl_hsa-10", "my-arm")] == ["base", "hsa_sft", "rl_hsa", "my-arm"]
