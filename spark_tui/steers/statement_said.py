"""A statement as people say it, as code: *raise a ValueError saying "no text"*, *return an empty list*.

Comes in: its verb, what is said behind it, the lines that were shown. Goes out: code. Must not know: hunks, what it is
for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.steers.terms import NUMBERS

_VALUES = {
    "an empty string": '""', "empty string": '""', "an empty list": "[]", "empty list": "[]", "an empty dict": "{}", "empty dict": "{}", "a empty list": "[]", "empty tuple": "()", "empty dictionary": "{}",
    "an empty dictionary": "{}", "an empty tuple": "()", "an empty set": "set()", "nothing": "", "zero": "0", "none": "None", "true": "True",
    "false": "False", "minus one": "-1",
}  # fmt: skip
_GIVEN = re.compile(
    r"(?P<e>[A-Z]\w*) (?:with|of|for|on|about) (?:the |that |its )?(?P<x>[a-z_]\w*)(?: as (?:the )?(?:message|argument|text))?(?: in it)?"
)


def code_of(verb: str, rest: str, lines: Sequence[str]) -> str | None:
    """The code of a statement; None where the words are not those of one."""
    rest = re.sub(r"^(?:a|an) (?=\w*(?:Error|Exception|Exit)\b)", "", rest)
    given = _GIVEN.fullmatch(rest)
    if given and re.search(rf"(?<![.\w]){given['x']}(?!\w)", "\n".join(lines)):
        rest = f"{given['e']}({given['x']})"
    low = rest.lower().strip("'\"") if rest.lower() in _VALUES else rest.lower()
    rest = _VALUES.get(low, rest)
    rest = NUMBERS.get(rest.lower(), rest)
    if verb == "raise":
        named = re.fullmatch(
            r"(\w+(?:\.\w+)*)(?:(?:,? (?:with|saying|that says|which says|and (?:say|the message)))?(?: (?:the |a )?(?:message|text))?:? (['\"].*['\"]))?",
            rest,
        )
        if named is None or not (named[1][0].isupper() or "." in named[1]):
            return rest and f"raise {rest}" if re.fullmatch(r"[A-Z]\w*\(.*\)", rest) else None
        return f"raise {named[1]}({named[2]})" if named[2] else f"raise {named[1]}"
    if verb == "print":
        rest = re.sub(r"^the (?=\w+$)", "", rest)
        return f"print({rest})" if _compiles(f"print({rest})") else None
    code = f"{verb} {rest}".strip()
    return code if _compiles(code) and not re.fullmatch(r"(?:the|a|an|it|that)\b.*", rest) else None


def _compiles(code: str) -> bool:
    try:
        compile("def _():\n while 1:\n  " + code, "said", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True
