"""What an order says of a function: *crates_for must round up*, *in fmt, treat negative ms as 0*, *round up in crates_for*.

Comes in: an `Order`. Goes out: the functions that may be meant, and the words without them. Must not know: what is asked.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.order import Order
from spark_tui.refactor.source import Function

_NAME = r"(?:the\s+)?[`'\"]?(?P<f>[^\W\d][\w.]*)[`'\"]?(?:\(\))?(?:\s+(?:function|method|fn|func))?"
_MODAL = (
    r"(?:(?:should|must|has to|have to|needs? to|shall|ought to|may|can|could|to)\s+(?:always |just |also |simply )?)"
)
_FORMS = (
    re.compile(rf"^(?:(?:make|let|have|get|want)\s+)?{_NAME}\s+{_MODAL}?(?P<rest>.+)$", re.I),
    re.compile(rf"^{_NAME}\s*:\s*(?P<rest>.+)$", re.I),
    re.compile(rf"^(?:in|inside|within|for)\s+{_NAME}\s*[:,]?\s+(?P<rest>.+)$", re.I),
    re.compile(rf"^(?P<rest>.+?),?\s+(?:in|inside|within|of)\s+{_NAME}$", re.I),
    re.compile(
        rf"^(?P<rest>.+?),?\s+(?:in|inside|within|of)\s+{_NAME}\s+(?P<more>(?:instead of|rather than|when|if|to)\s.+)$",
        re.I,
    ),
)

_REFUSED = re.compile(r"^(?:don'?t|do not|never) (?:let|allow) (?:the )?([\w.]+(?:\(\))?) (?:to )?", re.I)
_CANNOT = re.compile(
    r"^((?:the )?[\w.]+(?:\(\))?) (?:can'?t|cannot|can not|shouldn'?t|mustn'?t|may not|must not|should not) (?:ever )?",
    re.I,
)


@dataclass(frozen=True, slots=True)
class SaidOf:
    """`functions`: the one that is named, else all that are shown; `named` says which."""

    functions: tuple[Function, ...]
    rest: str
    named: str

    def find(self, *kinds: type[ast.AST]) -> list[ast.AST]:
        """Nodes of these kinds in the functions, in the order of the text."""
        found = {id(node): node for one in self.functions for node in ast.walk(one) if isinstance(node, kinds)}
        return sorted(found.values(), key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))


def said_of(order: Order) -> Iterator[SaidOf]:
    """The ways to read it; where none names a function, all that are shown are meant."""
    said = order.said.strip(" .!,;")
    refused = _REFUSED.match(said) or _CANNOT.search(said)
    if refused is not None:
        said = said.replace(refused[0], refused.expand(r"\1 never "), 1)
    hit = False
    for form in _FORMS:
        match = form.match(said)
        if match is None:
            continue
        inside, _, name = match["f"].rpartition(".")
        own = [one for one in order.src.functions if one.name == name]
        if inside:
            own = [one for one in own if (held := order.src.class_of(one)) is not None and held.name == inside]
        if len(own) == 1:
            hit = True
            more = match.groupdict().get("more") or ""
            yield SaidOf(
                (own[0],),
                f"{match['rest'].strip()} {more}".strip(),
                f"{match['f']} {refused[0] if refused else ''}".strip(),
            )
    if not hit:
        yield SaidOf(tuple(order.src.functions), said, "")
