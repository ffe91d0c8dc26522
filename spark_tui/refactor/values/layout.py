"""Put elements into what stands in brackets, and take them out, in the manner of those that are there.

Comes in: a source, the spans of elements, where the bracket closes. Goes out: changes. Must not know: instructions,
whether it is a list, a dict or a call.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from spark_tui.refactor.source import Change, Source, indent_of

Span = tuple[int, int]
Container = ast.List | ast.Tuple | ast.Set | ast.Dict


def elements(src: Source, node: Container) -> list[Span]:
    """Where each stands; a pair of a dict is one."""
    if isinstance(node, ast.Dict):
        return [
            (src.span(key)[0] if key is not None else src.span(value)[0], src.span(value)[1])
            for key, value in zip(node.keys, node.values, strict=True)
        ]
    return [src.span(one) for one in node.elts]


def arguments(src: Source, call: ast.Call) -> list[Span]:
    """Where each argument stands, in the order of the text."""
    return sorted(src.span(one) for one in (*call.args, *call.keywords))


def put_in(src: Source, inside: Span, spans: Sequence[Span], new: Sequence[str]) -> list[Change]:
    """New elements behind the last one. `inside` is what stands between the brackets."""
    text, (start, end) = src.text, inside
    if not spans:
        return [(start, end, ", ".join(new))] if not text[start:end].strip() else []
    last = spans[-1][1]
    comma = _comma(text, last, end)
    line = src.line_at(spans[-1][0])
    alone = src.line_at(start) != line and text[src.starts[line] : spans[-1][0]].strip() == ""
    if alone and src.line_at(end) > src.line_at(last):
        indent = indent_of(src.lines[line])
        rows = [f"{indent}{one}," for one in new]
        if comma < 0:
            rows[-1] = rows[-1][:-1]
        below = src.starts[src.line_at(last) + 1]
        added: Change = (below, below, "".join(f"{row}\n" for row in rows))
        return [(last, last, ","), added] if comma < 0 else [added]
    if comma >= 0 and src.line_at(end) == src.line_at(last):
        rest = text[comma + 1 : end]
        single = len(spans) == 1 and not rest.strip()
        return [(last, comma + 1, f", {', '.join(new)}" + ("" if single else ","))]
    return [(last, last, f", {', '.join(new)}")]


def take_out(src: Source, inside: Span, spans: Sequence[Span], at: int) -> list[Change]:
    """One element less, with its comma, and with its line where it stands on one alone."""
    text, (start, end) = src.text, inside
    first, last = spans[at]
    if len(spans) == 1:
        return [(start, end, "")]
    comma = _comma(text, last, spans[at + 1][0] if at + 1 < len(spans) else end)
    behind = comma + 1 if comma >= 0 else last
    low, high = src.line_at(first), src.line_at(last)
    before_it = text[src.starts[low] : first].strip()
    after_it = text[behind : src.starts[high + 1]].strip()
    if not before_it and (not after_it or after_it.startswith("#")):
        out: list[Change] = [(*src.line_span(low, high + 1), "")]
        if at == len(spans) - 1 and comma < 0:
            kept = spans[at - 1][1]
            mark = _comma(text, kept, first)
            out.append((mark, mark + 1, ""))
        return out
    if at + 1 < len(spans) and not (before_it and src.line_at(spans[at + 1][0]) > high):
        return [(first, spans[at + 1][0], "")]
    if at > 0 and src.line_at(spans[at - 1][1]) == low:
        return [(spans[at - 1][1], last, "")]
    return [(first, behind, "")]


def _comma(text: str, start: int, end: int) -> int:
    """Where the next comma stands that is no part of a comment, -1 where none does."""
    at = start
    while at < end:
        if text[at] == "#":
            at = text.find("\n", at)
            if at < 0:
                return -1
        elif text[at] == ",":
            return at
        at += 1
    return -1


def brackets(src: Source, node: Container) -> Span | None:
    """What stands between the brackets of a container; None where it has none."""
    start, end = src.span(node)
    return (start + 1, end - 1) if src.text[start] in "([{" and src.text[end - 1] in ")]}" else None


def call_brackets(src: Source, call: ast.Call) -> Span | None:
    start = src.text.find("(", src.span(call.func)[1])
    end = src.span(call)[1] - 1
    return (start + 1, end) if 0 <= start < end + 1 and src.text[end] == ")" else None
