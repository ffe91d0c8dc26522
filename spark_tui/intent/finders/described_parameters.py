"""Parameters that are described in words, or that are the only ones of a function that fit a default."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.anchors import Search
from spark_tui.intent.context.described_names import content_words, score_description
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, parameters

_DESCRIBED, _ONLY = 0.55, 0.4
_DEFAULTS = frozenset(("set_default", "remove_default"))


def described_parameters(at: Search, inside: Sequence[Function]) -> Iterator[tuple[float, ast.AST, str]]:
    """The one parameter that words describe best, with how likely it is meant; or the one of a function that
    is named whose default is of the type that is given."""
    text = at.context.text(at.slot)
    words, preset = content_words(text), at.context.reading.intent in _DEFAULTS
    known = [
        (function, parameter.arg)
        for function in inside
        for parameter in parameters(function)
        if parameter.arg not in ("self", "cls")
    ]
    known = [(one, name) for one, name in known if not preset or default_of(one, name) is not None]
    scored = [(score_description(words, name), one, name) for one, name in known] if words else []
    top = max((each for each, *_ in scored), default=0.0)
    best = [(one, name) for each, one, name in scored if top and each == top]
    if len({name for _, name in best}) == 1:
        yield from ((_DESCRIBED * top, one, name) for one, name in best)
    elif not text and preset and isinstance(at.root, Function):
        fitting = [(one, name) for one, name in known if _is_of_given_type(at, default_of(one, name))]
        yield from ((_ONLY, one, name) for one, name in fitting if len(fitting) == 1)


def _is_of_given_type(at: Search, old: ast.expr | None) -> bool:
    """Whether a default is of the type of the value that is given."""
    if not isinstance(old, ast.Constant) or old.value is None:
        return False
    given = phrases.value(at.context.text("default")) or at.context.text("default")
    try:
        new = ast.literal_eval(given)
    except (SyntaxError, ValueError):
        return False
    return {type(new), type(old.value)} <= {int, float} or type(new) is type(old.value)
