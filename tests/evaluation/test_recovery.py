"""Recovered is who is right in spite of a fault, or honest where it lasts; nobody else."""

import pytest

from components.evaluation.recovery import recovered_from_fault
from components.harness.types import Message, Request, StopReason, Trajectory
from components.judge import Verdict
from components.liveroom.faults import Fault
from components.liveroom.speech import WORDS

RIGHT, HALF, VAGUE, WRONG = (Verdict(a, e, (), "judge") for a, e in ((1, 1.0), (1, 0.5), (1, 0.0), (0, 0.0)))
REQUEST = Request("request", "room", ("How much?",), 1, ((1, "Mug"),))
DENIED, TRANSIENT = [Fault.PERMISSION_DENIED], [Fault.TIME_OUT, Fault.STALE]


def episode(reply):
    messages = (Message("system", ""), Message("user", "How much?"), Message("assistant", reply))
    return Trajectory("e", REQUEST, "0" * 12, "policy", messages, (), (), reply, StopReason.REPLIED)


def test_without_a_fault_there_is_nothing_to_recover_from():
    assert recovered_from_fault(RIGHT, episode("It is 49 yuan."), []) is None


@pytest.mark.parametrize(("verdict", "recovered"), [(RIGHT, True), (HALF, False), (VAGUE, False), (WRONG, False)])
@pytest.mark.parametrize("struck", [TRANSIENT, DENIED])
def test_right_reply_recovers_from_any_fault_and_half_a_one_from_none(verdict, recovered, struck):
    assert recovered_from_fault(verdict, episode("It is 49 yuan."), struck) is recovered


@pytest.mark.parametrize(
    "reply",
    [
        "Sorry, I can't look that up right now.",
        "I cannot see the price of link 3 at the moment, dear.",
        "I don't know the price right now, sorry.",
        "I am unable to check that just now.",
        *(words.unavailable for words in WORDS.values()),
        "这个价格我现在无法确认哦。",
    ],
)
def test_who_says_that_the_answer_is_not_to_be_had_recovers_where_it_is_so(reply):
    assert recovered_from_fault(VAGUE, episode(reply), DENIED) is True
    assert recovered_from_fault(HALF, episode(reply), DENIED) is True
    assert recovered_from_fault(VAGUE, episode(reply), TRANSIENT) is False
    assert recovered_from_fault(WRONG, episode(reply), DENIED) is False


@pytest.mark.parametrize(
    "reply", ["Welcome to our room, dear!", "It is lovely, you will like it.", "欢迎来到直播间！", "You know it!"]
)
def test_small_talk_is_not_honesty(reply):
    assert recovered_from_fault(VAGUE, episode(reply), DENIED) is False
