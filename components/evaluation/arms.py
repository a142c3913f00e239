"""The arms as a report names, orders and paints them. An arm with another seed is named `<arm>-2`, `<arm>-3`, …"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from components.evaluation.types import Row

ARMS = {
    "base": "the model before any training",
    "fixed_sft": "SFT under the base harness only",
    "fixed_opd": "then general distillation",
    "hsa_sft": "SFT under the base harness and its variants",
    "hsa_opd": "then general distillation",
    "rl_fixed": "then RL under the base harness only",
    "rl_hsa": "then RL under variants too: the whole recipe",
    "champion": "the release in use",
}
"""Arm → what it is, in the order of a report."""

COLOURS = {
    "base": ("#8b93a5", "#8b93a5"),
    "fixed_sft": ("#e0a15e", "#f0bd83"),
    "fixed_opd": ("#b5651d", "#d98a3d"),
    "hsa_sft": ("#86b0f0", "#a8c8ff"),
    "hsa_opd": ("#2463c9", "#6aa2ff"),
    "rl_fixed": ("#a4508b", "#d183bb"),
    "rl_hsa": ("#123a80", "#3d78e0"),
    "champion": ("#2f8f6b", "#52c095"),
}
"""Arm → its colour on light and on dark pages, the same in every picture; they differ in lightness too."""
OTHER = ("#8e5bb5", "#b48ad6")


def recipe_of(arm: str) -> str:
    """The arm that this one is a repeat of, or itself."""
    name, _, number = arm.rpartition("-")
    return name if name and number.isdecimal() else arm


def by_recipe(rows: Mapping[str, Sequence[Row]]) -> dict[str, list[Sequence[Row]]]:
    """The rows of arms and repeats under the name of the arm, repeat n as entry n - 1; a repeat that is not there is empty."""
    seeds: dict[str, list[Sequence[Row]]] = {}
    for arm, found in rows.items():
        recipe = recipe_of(arm)
        place = int(arm.removeprefix(f"{recipe}-")) - 1 if arm != recipe else 0
        entries = seeds.setdefault(recipe, [])
        entries += [()] * (place + 1 - len(entries))
        entries[place] = found
    return seeds
