"""Whether an instruction is a question, by the grammar of English: what asks for an answer is no order.

Comes in: an instruction. Goes out: whether it asks, and how likely it is then that an edit is no answer to it. Must not
know: the file, the model.

A question ends in its mark, begins with an interrogative, or with a verb that no order begins with, and denies nothing:
"why is it slow?" asks, "why not sum()?", "how about sum()?" and "can you sum it?" want something done.
"""

from __future__ import annotations

import math
import re

WEIGHT = 3.0
"""In log-odds of *cannot*. Of 2,380 development orders none is a question by this rule, of 398 questions and larger
jobs 167."""
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
_LEADS = r"and|but|so|ok|okay|hm+|hey|hi|well|oh|also|wait|maybe|actually|btw"
_LEAD = re.compile(rf"^(?:[\w' ]{{0,24}}?,\s*|(?:{_LEADS})\s+)*", re.IGNORECASE)
_WH = r"(?:wh(?:at|o|ose|om|ich|ere|en|y)|how)(?:'s|'re)?\b"
_VERB = r"(?:is|are|was|were|does|did|has|am)\b|do\s+(?:we|i|you|they)\b"
_ASKS = re.compile(rf"{_WH}|{_VERB}", re.IGNORECASE)
_WANTS = re.compile(r"\S+\s+(?:\S+\s+)?(?:not?|about)\b|\S*n't\b|\S+\s+\S*n't\b", re.IGNORECASE)
_TAG = re.compile(r",\s*[\w']+(?:\s[\w']+)?\?+$|^(?:when|where)\b[^?]*,", re.IGNORECASE)
_SMALLEST = 1e-9


def is_question(instruction: str) -> bool:
    """Whether its last sentence asks something."""
    last = _SENTENCE.split(instruction.strip())[-1]
    if not last.endswith("?"):
        return False
    asked = _LEAD.sub("", last)
    return _ASKS.match(asked) is not None and _WANTS.match(asked) is None and _TAG.search(asked) is None


def no_order(cannot: float, question: bool) -> float:
    """How likely it is that no edit is wanted, where the model said so by so much."""
    if not question:
        return cannot
    odds = math.log(max(cannot, _SMALLEST)) - math.log(max(1 - cannot, _SMALLEST)) + WEIGHT
    return 1 / (1 + math.exp(-odds))
