from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from components.errors import UserError
from components.liveroom.window import TimedComment, Window, merge_comments


def timed(*seconds: float) -> list[TimedComment]:
    return [TimedComment(second, f"comment {number}") for number, second in enumerate(seconds)]


def times(windows: list[Window]) -> list[list[float]]:
    return [[comment.seconds for comment in window.comments] for window in windows]


def test_comments_within_a_window_of_the_first_become_one_request() -> None:
    # 2.9 is within 3 seconds of 0, 3.0 is not; 5.9 is counted from 3.0, not from 2.9.
    assert times(merge_comments(timed(0, 1, 2.9, 3.0, 5.9, 60), 3, 10)) == [[0, 1, 2.9], [3.0, 5.9], [60]]


def test_a_flooded_room_keeps_the_newest_and_says_how_many_were_dropped() -> None:
    windows = merge_comments(timed(0, 0.1, 0.2, 0.3, 0.4, 9), 3, 2)
    assert times(windows) == [[0.3, 0.4], [9]]
    assert [window.dropped for window in windows] == [3, 0]


def test_comments_that_arrive_out_of_order_are_put_in_order_and_those_of_one_moment_stay() -> None:
    late, first, second = TimedComment(2, "late"), TimedComment(1, "first"), TimedComment(1, "second")
    assert merge_comments([late, first, second], 5, 9) == [Window((first, second, late))]


def test_a_quiet_room_has_no_request() -> None:
    assert merge_comments([], 3, 5) == []


@settings(deadline=None, derandomize=True)
@given(
    seconds=st.lists(st.floats(0, 1000), max_size=60),
    window=st.floats(0.01, 100),
    most=st.integers(1, 8),
)
def test_nothing_is_lost_but_what_is_counted_and_no_window_is_too_long_or_too_full(
    seconds: list[float], window: float, most: int
) -> None:
    comments = timed(*seconds)
    windows = merge_comments(comments, window, most)
    kept = [comment for one in windows for comment in one.comments]
    assert len(kept) + sum(one.dropped for one in windows) == len(comments)
    assert set(kept) <= set(comments) and len(set(kept)) == len(kept)
    assert kept == sorted(kept, key=lambda one: (one.seconds, int(one.text.split()[1])))
    for one in windows:
        assert 1 <= len(one.comments) <= most
        assert one.comments[-1].seconds - one.comments[0].seconds < window
        assert not one.dropped or len(one.comments) == most
    # All comments of a window come before all of the next; what was dropped is older than what its window kept.
    everything = merge_comments(comments, window, max(1, len(comments)))
    assert [one.comments[-most:] for one in everything] == [one.comments for one in windows]
    for before, after in pairwise(everything):
        assert after.comments[0].seconds - before.comments[0].seconds >= window


@pytest.mark.parametrize(
    ("window", "most", "message"),
    [(0.0, 1, "window_seconds"), (-1.0, 1, "window_seconds"), (float("nan"), 1, "window_seconds"), (1.0, 0, "most")],
)
def test_a_window_that_holds_nothing_is_refused(window: float, most: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        merge_comments([], window, most)
