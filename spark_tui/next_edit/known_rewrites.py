"""Changes that Python's own deprecations ask for: who makes one of them makes all."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.tokens import tokens_of

_PREFIXES = (("typing", "."), ("t", "."))
_TYPING_AS_T = "import typing as t"


def is_known(change: Change) -> bool:
    """Whether a change is one that Python asks for, whatever the repository is about."""
    prefixes = _PREFIXES if _TYPING_AS_T in change.before.text + change.after.text else _PREFIXES[:1]
    went, came = _plain(change.went, prefixes), _plain(change.came, prefixes)
    if went == came:
        return change.went != change.came  # only `typing.` went or came
    if _table().get(" ".join(went)) == " ".join(came):
        return True
    if len(went) == 1 and went[0][-1] in "'\"":
        return _is_unquoted(went[0], change.came)
    low = change.old[0]
    return not came and went[-2:] in ([",", "self"], [",", "cls"]) and _behind_super(change, low)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, str]:
    return tomllib.loads(files("spark_tui.next_edit").joinpath("known_rewrites.toml").read_text("utf-8"))


def _plain(words: Sequence[str], prefixes: Sequence[tuple[str, str]]) -> list[str]:
    out = list(words)
    for prefix in prefixes:
        at = 0
        while at < len(out):
            if tuple(out[at : at + 2]) == prefix:
                del out[at : at + 2]
            else:
                at += 1
    return out


def _is_unquoted(literal: str, came: Sequence[str]) -> bool:
    """`u'x'` that became `'x'`, or `\"Name\"` that became `Name`."""
    if list(came) == [literal[1:]] and literal[0] in "uU":
        return True
    try:
        text = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return False
    return isinstance(text, str) and bool(text.strip()) and tokens_of(text).texts == list(came)


def _behind_super(change: Change, low: int) -> bool:
    return change.before.texts[max(low - 2, 0) : low] == ["super", "("]
