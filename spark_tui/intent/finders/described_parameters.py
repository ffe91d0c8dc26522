"""Parameters that are described in words."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.anchors import Search
from spark_tui.intent.context.described_names import content_words, score
from spark_tui.pysource.source import Function, parameters

_DESCRIBED = 0.55
_DEFAULTS = frozenset(("set_default", "remove_default"))


def described_parameters(at: Search, inside: Sequence[Function]) -> Iterator[tuple[float, ast.AST, str]]:
    """The one parameter that words describe best, with how likely it is meant."""
    said, preset = content_words(at.context.text(at.slot)), at.context.reading.intent in _DEFAULTS
    known = [(one, each.arg) for one in inside for each in parameters(one) if each.arg not in ("self", "cls")]
    known = [(one, name) for one, name in known if not preset or default_of(one, name) is not None]
    scored = [(score(said, name), one, name) for one, name in known] if said else []
    top = max((each for each, *_ in scored), default=0.0)
    best = [(one, name) for each, one, name in scored if top and each == top]
    if len({name for _, name in best}) == 1:
        yield from ((_DESCRIBED * top, one, name) for one, name in best)
