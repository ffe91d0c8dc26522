"""What is to be done when a check strikes: raise, return, go on, stop.

Comes in: an order that is being read. Goes out: the act, taken out of what is to be read. Must not know: code, conditions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from spark_tui.refactor.checks.answers import answer_in, exit_in, told_first
from spark_tui.refactor.checks.logs import logger_in
from spark_tui.refactor.checks.read import Reading, tidy

_NOW = r"(?:early|right away|immediately|straight away|directly|at once|instantly|right there|then and there|nothing|from (?:it|there|the function|this function)|without doing anything)"
_MODAL = r"(?:(?:should|must|has to|have to|needs? to|shall|can|could|to|just|simply|only|and|then|by|we|it)\s+)*"
_RAISE = re.compile(
    rf"\b{_MODAL}(?:raise|raises|raising|throws?|throwing|rais|rasie|rise|fail(?: fast| early)?(?= with)|error out(?= with)|complain(?=s? with)|blow up(?= with)|die(?= with)|abort(?= with)|signal)\b",
    re.I,
)
_REJECT = re.compile(
    r"\b(?:(?:should|must|has to|needs to|have to)\s+)?(?:be\s+)?(?:reject(?:s|ed)?|refused?s?|disallow(?:s|ed)?|forbid(?:s|den)?|den(?:y|ies|ied)|(?:do not|don'?t|does not|doesn'?t|shouldn'?t|should not|must not|mustn'?t|never|not)\s+(?:accept|allow|permit|take)(?:ed)?|fail(?: fast| early)?(?: (?:on|for))?|error out|complain(?: about)?|guard against|protect against|survive|(?:the )?reviewer asks for (?:a )?check|(?:add|put|insert|write) (?:an? )?(?:guard|check|validation|test|sanity check)(?: clause)?(?: (?:for|against|that rejects|on|in|to|at))?|(?:there should be )?an? (?:guard|check)(?: (?:for|against))?)\b",
    re.I,
)
_DEMAND = re.compile(
    r"\b(?:make sure|ensure|be sure|verify|validate|(?<!a )check(?! for| on| in| to| clause| against)|require|enforce|insist|only works|add an? (?:check|guard|validation)(?= that| to make sure)(?: to make sure)?)(?: here)?(?:\s+(?:that|first|whether|if|when))*\b",
    re.I,
)
_ASSERT = re.compile(r"\b(?:add an?\s+)?assert(?:ion|s)?(?:\s+(?:that|for|on))?\b", re.I)
_ELSE = re.compile(
    r"\b(?:otherwise|or else|else|if not(?=\s*(?:¦|$|,))|if it is not|if it isn'?t|if that'?s not the case)\b", re.I
)
_VALUE = r"`[^`]*`|\"[^\"]*\"|'[^']*'|an? empty \w+|empty (?:list|dict|string|set|tuple)|-?\d[\d.]*|\[\]|\{\}|\(\)|[^\W\d][\w.]*(?:\([^()]*\)|\[[^\]]*\])?"
_RETURN = re.compile(
    rf"\b{_MODAL}(?:return(?:s|ing)?|hand(?:s|ing)? back|give(?:s)? back|giv(?:e|es|ing)|answer)\b(?:\s+(?:a|an|the|just|only|with)(?=\s))?(?!\s+(?:if|when|whenever|unless|on|for|in|from|without|while|at|once|as)\b)(?:\s+{_NOW}(?!\w))*(?:\s+(?!(?:if|when|whenever|unless|on|for|in|from|without|while|at|once|as|early|immediately|instead|right|before|after|and|or)\b)(?P<v>{_VALUE})(?!\w))?(?:\s+{_NOW})*(?=[\s,;:.?!)¦]|$)",
    re.I,
)
_RETURN_NOTHING = re.compile(rf"\b{_MODAL}(?:return(?:s|ing)?|hand(?:s|ing)? back)\b(?:\s+{_NOW})*", re.I)
_QUOTED_RETURN = re.compile(r"`return(?: (?P<v>[^`]+))?`")
_BE = re.compile(
    r"\b(?:should|must|has to|ought to) be (?P<v>-?\d[\d.]*|zero|None|an? empty \w+|\"[^\"]*\"|True|False)(?=[\s,.;]|$)",
    re.I,
)
_LEAVE = re.compile(
    rf"\b{_MODAL}(?:do(?:es)? nothing|bail(?:s)?(?: out)?|exit|leave|quit|stop|give up|back out|get out|abort|no-?op|be a no-?op|early (?:return|exit|out)|(?:add|use|insert) an? early (?:return|exit))(?:\s+{_NOW})*(?: of (?:it|the function))?\b(?!\s+(?:the )?(?:loop|iterat))",
    re.I,
)
_SKIP = re.compile(
    rf"\b{_MODAL}(?:skip(?:s|ped|ping)?(?: over| past)?|ignor(?:e|es|ed|ing)|pass(?:es)? over|leave out|jump over|continue(?:s)?(?: with the next(?: one)?| past| the loop)?|move on(?: to the next(?: one)?)?|go (?:on )?to the next(?: one)?|do not process|don'?t process|disregard)\b",
    re.I,
)
_BREAK = re.compile(
    rf"\b{_MODAL}(?:break(?:s)?(?: out)?(?: (?:of )?(?:the |this )?(?:for |while )?loop)?|(?:stop|leave|exit|quit|end|abort|terminate)(?:s)? (?:the |this )?(?:for |while )?(?:loop|looping|iterating|iteration))\b",
    re.I,
)
_REPORTED = ("NameError", "SyntaxError", "IndentationError", "ImportError", "ModuleNotFoundError", "UnboundLocalError")
"""What nobody raises by hand: where no verb says so, it is what went wrong."""
_AN_ERROR = re.compile(r"\b(?:(?:an?|the)\s+)?(?:error|exception)\b", re.I)
_NOT_THIS = re.compile(r"\b(?:not|instead of|rather than|over)\s*¦")
_MUST_BE = re.compile(
    r"\s(?:(?:must|has to|needs to)(?P<no> not|n'?t|) (?P<be>be|exist|start|end)|(?:may|can|should|shall)(?P<never> not|n'?t|not) (?P<is>be))\b",
    re.I,
)
ACTING = re.compile(
    r"\b(?:rais\w*|throws?|return\w*|hand|give|gives|giving|answer|skip\w*|ignor\w*|continue|break|stop|bail|exit|leave|quit|nothing|reject\w*|refus\w*|forbid|disallow|accept|allow|guard|check|make sure|ensure|verify|validate|assert\w*|require|fail|complain|error|must|has to|should|needs? to|can'?t|cannot|may|survive|works|respond|abort|reply|[45]\d\d)\b|Error\b|Exception\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Act:
    """What is done when the check strikes."""

    kind: str
    """`raise`, `return`, `continue`, `break`, `assert`, or `line`."""
    code: str | None = None
    """The exception, the value or the line, where one is said."""
    message: str | None = None
    args: str | None = None
    plain: bool = True
    """Whether a deed was said; else only what has to hold, which may be an order to make it so."""
    first: str | None = None
    """A line in front of it."""
    needs: str = ""
    """An import."""


def is_demand(reading: Reading) -> bool:
    """*make sure …*: what is said has to hold."""
    return _ASSERT.search(reading.rest) is None and reading.take(_DEMAND) is not None


def is_opposite(reading: Reading) -> bool:
    """*…, otherwise …*"""
    return reading.take(_ELSE) is not None


def act_in(reading: Reading) -> Act | None:
    """The deed, taken out of what is to be read."""
    answer = answer_in(reading)
    if answer is not None:
        return Act("line", answer[0], needs=answer[1])
    first = told_first(reading, logger_in(reading.src))
    exits = exit_in(reading)
    if exits is not None:
        return Act("line", exits, first=first, needs="import sys")
    act = _deed_in(reading)
    return act if act is None or first is None else replace(act, first=first)


def _deed_in(reading: Reading) -> Act | None:
    message = reading.message()
    raised = reading.take(_RAISE)
    exception = reading.exception()
    if exception is not None:
        if _NOT_THIS.search(reading.rest) or (raised is None and exception[0] in _REPORTED):
            return None
        reading.take(_REJECT)
        if message is None and exception[1] is None:
            message = reading.last_text()
        return Act("raise", exception[0], message, exception[1])
    if raised is not None:
        reading.take(_AN_ERROR)
        return Act("raise", None, message if message is not None else reading.last_text())
    if reading.take(_SKIP) is not None:
        return Act("continue")
    if reading.take(_BREAK) is not None:
        return Act("break")
    returned = reading.take(_QUOTED_RETURN, _RETURN, _RETURN_NOTHING)
    if returned is not None:
        reading.take(_REJECT)
        said = returned.groupdict().get("v")
        return Act("return", said)
    be = _BE.search(reading.rest)
    if be is not None and reading.named:
        reading.cut(*be.span())
        return Act("return", be["v"])
    if reading.take(_LEAVE) is not None:
        return Act("return")
    if reading.take(_REJECT) is not None:
        return Act("raise", None, message)
    if reading.take(_ASSERT) is not None:
        return Act("assert", None, message)
    return Act("raise", None, message) if message is not None else None


def as_fact(reading: Reading) -> None:
    """*x must be y, otherwise …* says when nothing is done."""
    match = _MUST_BE.search(reading.rest)
    if match is not None:
        no, verb = " not" if match["no"] or match["never"] else "", (match["be"] or match["is"]).lower()
        said = f" is{no} " if verb == "be" else f" does{no} {verb}"
        reading.rest = reading.rest[: match.start()] + said + reading.rest[match.end() :]
        reading.used.append(match[0])


def demanded_in(reading: Reading) -> Act | None:
    """*amount must be positive*: its opposite raises."""
    match = _MUST_BE.search(reading.rest)
    if match is None or re.search(r"¦|\b(?:if|when)\b", tidy(reading.rest), re.I):
        return None
    as_fact(reading)
    return Act("raise", plain=False)
