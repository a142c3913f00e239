"""The judge: says of an episode whether the reply is accurate and how much of the viewer's wish it meets.

Here: the deterministic fact-and-intent checker, which compares the reply with the truth of the catalogue.
"""

from components.judge.checker import JUDGE, check
from components.judge.types import Verdict

__all__ = ["JUDGE", "Verdict", "check"]
