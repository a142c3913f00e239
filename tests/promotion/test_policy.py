from __future__ import annotations

from pathlib import Path

import pytest

from components.errors import UserError
from components.promotion.policy import POLICY, load_policy


def test_the_shipped_policy_asks_for_better_on_t2_and_no_worse_on_t1() -> None:
    policy = load_policy()
    assert (policy.superiority.suite, policy.superiority.margin) == ("T2", 0.0)
    assert (policy.non_inferiority.suite, policy.non_inferiority.margin) == ("T1", 0.02)
    assert policy.alpha == 0.025


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("minimum_cases: 40", "minimum_case: 40", "minimum_case"),
        ("margin: 0.02", "margin: 2", "non_inferiority.margin"),
        ("margin: 0.02", "margin: .nan", "non_inferiority.margin"),
        ("alpha: 0.025", "alpha: 0.2", "alpha"),
        ("minimum_rooms: 5", "minimum_rooms: 1", "minimum_rooms"),
        ("bootstrap_seed: 0", "", "bootstrap_seed"),
        ("bootstrap_seed: 0", "bootstrap_seed: -1", "bootstrap_seed"),
        ("minimum_cases: 40", "minimum_cases: true", "minimum_cases"),
        ("minimum_cases: 40", 'minimum_cases: "40"', "minimum_cases"),
        ("margin: 0.02", "margin: false", "non_inferiority.margin"),
        ("requester_may_approve: true", "requester_may_approve: 1", "requester_may_approve"),
        ("approvers: []", "approvers: [", "policy.yaml:"),
        ("approvers: []", "approvers: [\x07]", "policy.yaml:"),
    ],
)
def test_a_wrong_field_is_named_in_one_line(tmp_path: Path, old: str, new: str, named: str) -> None:
    file = tmp_path / "policy.yaml"
    text = POLICY.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    with pytest.raises(UserError) as caught:
        load_policy(file)
    assert named in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_approvers_are_read(tmp_path: Path) -> None:
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY.read_text().replace("approvers: []", "approvers: [Ada, Bob]"))
    assert load_policy(file).approvers == ("Ada", "Bob")


def test_a_missing_policy_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"policy\.yaml: not found"):
        load_policy(tmp_path / "policy.yaml")
