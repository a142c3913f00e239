"""Rows of one harness share packs; every row is in exactly one; the order is the seed's and the epoch's."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from components.training.packing import StagedOrder, collate_packs, pack
from components.training.shared_prefix import lay_out

ONE, OTHER = [1] * 90, [1] * 70 + [2] * 20
"""Beginnings of two harnesses, which share 70 tokens with each other."""


def computed(rows: list[list[int]], packs: list[list[int]]) -> int:
    return len(lay_out([[rows[index] for index in indices] for indices in packs]).tokens)


def test_rows_are_packed_with_those_that_spare_most() -> None:
    rows = [[*ONE, 3, 4], [*OTHER, 3], [9] * 80, [*ONE, 5], [*OTHER, 6], [*OTHER, 7, 8], [*ONE, 9]]
    assert sorted(sorted(indices) for indices in pack(rows, 8)) == [[0, 3, 6], [1, 4, 5], [2]]


def test_a_lone_row_does_not_break_up_its_neighbours() -> None:
    rows = [[*ONE, 3], *([*OTHER, number] for number in range(6))]
    # Together 6 x 70 tokens are spared, without the first row 5 x 90.
    assert sorted(sorted(indices) for indices in pack(rows, 8)) == [[0], [1, 2, 3, 4, 5, 6]]
    assert len(pack(rows[:5], 8)) == 1, "of four, 4 x 70 are more than 3 x 90"


def test_lone_rows_share_what_little_they_can() -> None:
    assert sorted(pack([[*ONE, 3], [*OTHER, 3]], 8)[0]) == [0, 1]
    assert len(pack([[1] * 63 + [2, 3], [1] * 63 + [3, 4]], 8)) == 2, "a short beginning is not worth it"


def test_a_pack_holds_no_more_rows_than_asked_and_the_seed_decides_which() -> None:
    rows = [[*ONE, number, number] for number in range(10)]
    packs = pack(rows, 4, seed=1)
    assert sorted(map(len, packs)) == [2, 4, 4]
    assert packs == pack(rows, 4, seed=1) != pack(rows, 4, seed=2)


@given(
    st.lists(
        st.tuples(st.sampled_from([[], ONE, OTHER, ONE[:65]]), st.lists(st.integers(0, 3), min_size=2, max_size=5)), min_size=1
    ),
    st.integers(1, 4),
)
def test_every_row_is_in_one_pack_and_nothing_is_computed_twice_for_it(
    drawn: list[tuple[list[int], list[int]]], most: int
) -> None:
    rows = [beginning + rest for beginning, rest in drawn]
    packs = pack(rows, most)
    assert sorted(index for indices in packs for index in indices) == list(range(len(rows)))
    assert max(map(len, packs)) <= most
    assert computed(rows, packs) <= sum(map(len, rows))


def test_what_the_assistant_wrote_is_judged_and_nothing_else() -> None:
    rows = [[5, 1, 2, 3], [5, 1, 7, 8, 9]]
    batch = collate_packs([{"input_ids": rows, "assistant_masks": [[1, 0, 1, 1], [0, 0, 1, 0, 1]]}])
    stream = batch["input_ids"][0]
    assert stream.tolist() == [5, 1, 2, 3, 7, 8, 9]
    # Nothing predicts a first token.
    assert batch["shift_labels"].tolist() == [[2, 3, 7, 9]]
    assert stream[batch["scored"]].tolist() == [1, 2, 1, 8]


def test_an_epoch_has_the_order_of_its_number_and_the_original_harness_comes_first() -> None:
    stages = [Random(number).randint(0, 1) for number in range(40)]
    epoch = 0
    order = StagedOrder(stages, 7, lambda: epoch)
    first = list(order)
    assert len(order) == 40 and sorted(first) == list(range(40))
    assert [stages[index] for index in first] == sorted(stages)
    assert list(order) == first != list(StagedOrder(stages, 8, lambda: 0))
    epoch = 1
    assert list(order) != first
    assert list(StagedOrder(stages, 7, lambda: 1)) == list(order)
