from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from components.liveroom.wordings import repeated, wording


def test_case_marks_and_spacing_are_no_words() -> None:
    assert wording("  How MUCH is link-3?!") == "how much is link 3" == wording("how much is link 3")
    assert wording("3号链接，多少钱？") == "3 号 链 接 多 少 钱" == wording("３号链接多少钱")
    assert wording("😍 !!") == ""


def test_a_telling_text_is_found_inside_another_and_a_short_one_only_where_it_stands_alone() -> None:
    texts = [wording("omg how much is link 3 thx"), wording("wow")]
    assert repeated([wording("How much is link 3?")], texts) == {"how much is link 3"}
    assert repeated([wording("is link 3"), wording("Wow!"), ""], texts) == {"wow"}
    assert repeated([wording("is link 3")], texts, least=2) == {"is link 3"}
    assert repeated([wording("how much is link")], [wording("how much is linkage of it")], least=2) == set()


words = st.text("ab ", max_size=24).map(wording)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(parts=st.sets(words, max_size=6), texts=st.lists(words, max_size=6), least=st.integers(1, 4))
def test_what_is_repeated_is_what_a_slow_search_finds(parts: set[str], texts: list[str], least: int) -> None:
    def is_in(part: str, text: str) -> bool:
        return part == text or (len(part.split()) >= least and f" {part} " in f" {text} ")

    assert repeated(parts, texts, least) == {part for part in parts - {""} if any(is_in(part, text) for text in texts)}
