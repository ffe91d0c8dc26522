"""What a function returns, said as a type: *say what senders returns (dict of str to int)*.

Comes in: an order. Goes out: edits of heads. Must not know: how plain they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import annotation_change, head, returns_span
from spark_tui.refactor.signatures.imports import imports_for
from spark_tui.refactor.signatures.talk import TARGET, accounted, aims, as_function, functions
from spark_tui.refactor.signatures.words import type_said
from spark_tui.refactor.source import Change

_T = r"(?:an?\s+|the\s+)?`?(?P<t>[\w.\[\], |]+?)`?"
_WRITE = r"(?:say|write|note|annotate|specify|tell|hint|declare|state|put|add|make clear|make it clear|show)"
_DOWN = r"[,;]?\s*(?:and\s+)?(?:please\s+)?(?:say|write|put|note|annotate|add|specify)\s+(?:that|it|this|so|a hint|the hint)(?:\s+down)?(?:\s+(?:in|to|into|on)\s+(?:the\s+|its\s+)?(?:signature|head|hints?|annotations?|type|def))?"
_FORMS = tuple(
    re.compile(rf"^(?:{form})\W*$", re.I)
    for form in (
        rf"{_WRITE}\s+(?:down\s+)?(?:what|which type|that|the type)\s+{TARGET}\s*(?:returns|gives(?: back)?|yields)\s*[(:,–-]*\s*{_T}\)?(?:\s+in the (?:signature|head|hints?))?",
        rf"{TARGET}\s*(?:returns|gives(?: back)?)\s+{_T}{_DOWN}",
        rf"{_WRITE}\s+the\s+return\s*type\s+(?:of|for|to|on)\s+{TARGET}\s*[(:,–-]*\s*{_T}\)?",
        rf"{TARGET}\s*(?:takes|gets|accepts)\s+(?:an?\s+)?`?(?P<p>[\w.\[\] |]+?)`?\s*(?:,|and|, and)\s*(?:it\s+)?(?:returns|gives(?: back)?)\s+{_T}",
    )
)
_WORDS = frozenset(
    words(
        "say write note annotate specify tell hint declare state put add make clear show down what which type that returns return gives back yields in the signature head hints hint annotations it this so takes gets accepts and a an returntype of for to on please def"
    )
)


def result_type(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is None:
        return
    for aim in aims(order, functions(order)):
        if TARGET not in aim.text:
            continue
        text = re.sub(r"\s+", " ", re.sub(rf"{TARGET}\s*\(\)", f"{TARGET} ", aim.text)).strip()
        for form in _FORMS:
            found = form.match(text)
            if found is None:
                continue
            kind = type_said(found["t"].strip())
            function = as_function(aim.node)
            of = head(src, function)
            if kind is None or of is None or function.returns is not None:
                break
            if (
                found["t"].strip().islower()
                and kind == found["t"].strip()
                and kind not in _PLAIN
                and kind not in order.identifiers
            ):
                break
            start, end = returns_span(src, of)
            changes: list[Change] = [(start, end, f" -> {kind}")]
            sources = [kind]
            taken = found.groupdict().get("p")
            if taken:
                own = [item for item in of.items if item.arg is not None and item.name not in ("self", "cls")]
                given = type_said(taken.strip())
                change = annotation_change(src, of, own[0].name, given) if len(own) == 1 and given else None
                if change is None or given is None:
                    break
                changes.append(change)
                sources.append(given)
            yield aim.edit(
                [*imports_for(src, sources), *changes], found["t"], taken or "", kind, *accounted(aim.text, _WORDS)
            )
            break


_PLAIN = frozenset(["int", "str", "float", "bool", "list", "dict", "set", "tuple", "bytes", "object"])

RULES: tuple[Rule, ...] = (Rule(re.compile(r"\breturn|\bgives\b|\byields\b", re.I), result_type),)
