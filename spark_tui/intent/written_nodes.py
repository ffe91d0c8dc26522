"""Follow-ups that put another expression or statement in the place of one that somebody wrote."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice

from spark_tui.intent.anchors import Anchor, parsed
from spark_tui.intent.context import Context
from spark_tui.intent.names import names_of
from spark_tui.intent.readings import Reading
from spark_tui.intent.shown_code import shown_statements
from spark_tui.intent.situation import Area, Candidate, Option, Situation
from spark_tui.intent.values import CONVERTERS, Said
from spark_tui.intent.walking import walk
from spark_tui.intent.written_lines import Change, calls_to, changes
from spark_tui.pysource.source import Source
from spark_tui.pysource.tree_comparison import parse

Rewrite = tuple[ast.AST, str, float]
"""A node, what stands in its place, and how likely that is."""
_STATEMENTS = (ast.Return, ast.Pass, ast.Continue, ast.Break)
_BRANCHES = (ast.If, ast.ExceptHandler, ast.For, ast.While)
_SECOND = 0.4
_MOST = 3


class _Written:
    """The syntax of a file in which an edit wrote something."""

    def __init__(self, reading: Reading, situation: Situation, path: str, found: list[Change]) -> None:
        self.reading = reading
        self.path = path
        self.repo = situation.behind
        self.source: Source = self.repo.index.source(path)
        self._found = found
        self._context = Context(
            reading, replace(situation, repo=self.repo, path=path), names_of(self.repo, path)
        )

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The characters of the tokens that were written."""
        starts = self.source.starts
        return [
            (starts[one.at] + token.start, starts[one.at] + token.end)
            for one in self._found
            for token in one.written()
        ]

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The nodes in which something was written, in the order of the text."""
        tree = self.source.tree
        if tree is None or self.source.newline != "\n":
            return []
        found = [one for one in walk(tree) if hasattr(one, "lineno") and self._is_written(one)]
        return sorted(found, key=self.source.span)

    def _is_written(self, node: ast.AST) -> bool:
        low, high = self.source.span(node)
        # The places are in the order of the text: the last that begins inside is the last to end.
        at = bisect_right(self.places, high - 1, key=lambda one: one[0]) - 1
        return at >= 0 and low < self.places[at][1]

    def is_whole(self, node: ast.AST) -> bool:
        """Whether a node begins and ends with what was written."""
        low, high = self.source.span(node)
        return any(low == start for start, _ in self.places) and any(high == end for _, end in self.places)

    def new_items(self, node: ast.AST) -> list[int]:
        """Which of the items of a display or condition were written."""
        return [at for at, pair in enumerate(_items(node)) if all(map(self.is_whole, pair))]

    def read(self, slot: str, converter: str, node: ast.AST, which: int = -1) -> list[Option]:
        """What the words of a slot mean as code where a node stands."""
        spans = self.reading.slots.get(slot, ())
        if not spans:
            return []
        parent = self.source.parents.get(node)
        called = parent.arg or "" if isinstance(parent, ast.keyword) else ""
        anchor = Anchor(Area(self.path, node), node, words={"called": called}, extra={"old": node})
        return CONVERTERS[converter](Said(self._context, spans[which], anchor))

    def called(self, slot: str) -> str | None:
        """The code of a slot with the arguments behind it, where it has some."""
        spans = self.reading.slots.get(slot, ())
        if not spans:
            return None
        behind = self._context.situation.instruction[spans[-1].end :] if spans[-1].start >= 0 else ""
        code = spans[-1].text.strip("`")
        brackets = "" if "(" in code else behind[: behind.find(")") + 1]
        whole = code + brackets if brackets.startswith("(") else code
        return whole if "(" in whole and parsed(whole) is not None else None

    def is_old(self, node: ast.AST) -> bool:
        """Whether a node is what the follow-up names as the old thing, where it names one."""
        old = [span.text.strip("`'\"") for span in self.reading.slots.get("old", ())]
        code = self.source.segment(node)
        return not old or any(one and one in code for one in old)

    def with_node(self, node: ast.AST, code: str) -> str:
        """The text with other code in the place of a node, and of a dotted name wherever it was written."""
        text, source = self.source.text, self.source
        same = isinstance(node, ast.Attribute)
        like = [one for one in self.nodes if same and source.segment(one) == source.segment(node)]
        for one in reversed(like or [node]):
            low, high = source.span(one)
            text = text[:low] + code + text[high:]
        return text


def amended_nodes(reading: Reading, situation: Situation) -> list[Candidate]:
    """The ways to write something else in the place of a node, for the repository before the edit."""
    way = _WAYS.get(reading.intent)
    return _candidates(reading, situation, way) if way is not None else []


def _candidates(
    reading: Reading, situation: Situation, way: Callable[[_Written], Iterator[Rewrite]]
) -> list[Candidate]:
    before, found = situation.before, changes(situation)
    if before is None:
        return []
    after = {path: situation.behind.index.text(path) for path in dict.fromkeys(one.path for one in found)}
    out: list[Candidate] = []
    for path in after:
        written = _Written(reading, situation, path, [one for one in found if one.path == path])
        rewrites = (each for each in way(written) if each[1] != written.source.segment(each[0]))
        for node, code, weight in islice(rewrites, 2 * _MOST):
            calls = calls_to({**after, path: written.with_node(node, code)}, before)
            if calls:
                out.append(Candidate(calls, reading, weight=weight, from_before=True))
    return sorted(out, key=lambda one: -one.weight)[:_MOST]


def shown_nodes(situation: Situation) -> list[Candidate]:
    """The ways to write a piece of code that is shown in the instruction in the place of a node like it."""
    reading = Reading("amend.other_reading", 1.0)
    pieces = shown_statements(situation.instruction)
    return _candidates(reading, situation, lambda written: _shown(written, pieces)) if pieces else []


def _shown(written: _Written, pieces: Sequence[str]) -> Iterator[Rewrite]:
    for piece in pieces:
        read = parse(piece)
        if read is None:
            continue
        tree = read.body[0]
        if not isinstance(tree, ast.Expr):
            for weight, end in _ends(written, type(tree)):
                if isinstance(end, type(tree)) or isinstance(written.source.parents.get(end), _BRANCHES):
                    yield end, piece, weight
            continue
        callee = tree.value.func if isinstance(tree.value, ast.Call) else tree.value
        owner = ast.unparse(callee.value) if isinstance(callee, ast.Attribute) else ""
        for node in reversed(written.nodes):
            if not isinstance(node, ast.Call):
                continue
            same = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == owner
            if isinstance(tree.value, ast.Call) and (same or ast.unparse(node.func) == ast.unparse(callee)):
                yield node, piece, 0.8
            elif isinstance(tree.value, ast.Attribute) and same:
                yield node.func, piece, 0.8


def _exchanged(
    written: _Written, slot: str, converter: str, holders: Callable[[ast.AST], Iterator[ast.expr]]
) -> Iterator[Rewrite]:
    """Another expression in the place of one that some nodes hold, the last of them first."""
    nodes = set(written.nodes)
    held = [one for node in written.nodes for one in holders(node) if one in nodes]
    weight = 0.9
    for node in filter(written.is_old, reversed(held)):
        for option in written.read(slot, converter, node)[:2]:
            yield node, option.text, weight * option.weight
        weight *= _SECOND


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp | ast.Assert):
        yield node.test
    elif isinstance(node, ast.BoolOp):
        yield from node.values
    elif isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
        yield from (test for one in node.generators for test in one.ifs)


def _values(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Return | ast.Assign | ast.AnnAssign | ast.keyword) and node.value is not None:
        yield node.value
    elif isinstance(node, ast.arguments):
        yield from (one for one in (*node.defaults, *node.kw_defaults) if one is not None)


def _condition(written: _Written) -> Iterator[Rewrite]:
    """Another condition; of several that are joined, in the place of the one that was written."""
    for node, code, weight in _exchanged(written, "condition", "condition", _tests):
        joined, tree = written.source.parents.get(node), parsed(code)
        if (
            isinstance(node, ast.BoolOp)
            and any(map(written.is_whole, node.values))
            and not written.is_whole(node)
        ):
            continue
        if isinstance(joined, ast.BoolOp):
            if not written.is_whole(node) or written.is_whole(joined):
                continue
            if isinstance(tree, ast.BoolOp | ast.IfExp) and type(getattr(tree, "op", None)) is not type(
                joined.op
            ):
                code = f"({code})"
        yield node, code, weight


def _value(written: _Written) -> Iterator[Rewrite]:
    yield from _exchanged(written, "value", "value", _values)


def _return(written: _Written) -> Iterator[Rewrite]:
    """A return in the place of a raise, or of what else ends a branch."""
    for weight, node in _ends(written, ast.Raise):
        options = written.read("result", "expression", node)[:2]
        for option in options:
            yield node, f"return {option.text}", weight * option.weight
        if not written.reading.slots.get("result"):
            yield node, "return", weight


def _raise(written: _Written) -> Iterator[Rewrite]:
    """A raise in the place of what ends a branch, or another one in the place of a raise."""
    for weight, node in _ends(written, *_STATEMENTS):
        if (whole := written.called("exception")) is not None:
            yield node, f"raise {whole}", weight
            continue
        was = node.exc if isinstance(node, ast.Raise) else None
        given = written.read("exception", "exception", node)[:1]
        message = written.read("message", "value", node)[:1]
        if isinstance(node, ast.Raise) and not (given or message):
            continue
        called = was.func if isinstance(was, ast.Call) else was
        name = given[0].text if given else written.source.segment(called) if called else "ValueError"
        arguments = was.args if isinstance(was, ast.Call) else []
        said = [message[0].text] if message else [written.source.segment(one) for one in arguments]
        yield node, f"raise {name}({', '.join(said)})" if said else f"raise {name}", weight


def _ends(written: _Written, *first: type[ast.AST]) -> Iterator[tuple[float, ast.stmt]]:
    """Written statements that end a branch or function: of the likeliest kinds, in a branch, the last."""
    found = [one for one in written.nodes if isinstance(one, (*_STATEMENTS, ast.Raise))]
    parents = written.source.parents

    def rank(node: ast.AST) -> tuple[bool, bool]:
        return isinstance(node, first), isinstance(parents.get(node), _BRANCHES)

    found.reverse()
    found.sort(key=rank, reverse=True)
    weight = 0.9
    for one in found:
        yield weight, one
        weight *= _SECOND


def _message(written: _Written) -> Iterator[Rewrite]:
    """A message for an error that was raised without a text."""
    for node in reversed(written.nodes):
        if isinstance(node, ast.Raise) and node.exc is not None:
            called = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            for option in written.read("message", "value", node)[:1]:
                yield node.exc, f"{written.source.segment(called)}({option.text})", 0.8
            return


def _reordered(written: _Written) -> Iterator[Rewrite]:
    """The one of several items that was written at another place among them."""
    source, kind = written.source, written.reading.intent.removeprefix("amend.")
    for node in written.nodes:
        items, new = _items(node), written.new_items(node)
        spans = [(source.span(first)[0], source.span(last)[1]) for first, last in items]
        if len(new) != 1 or len(spans) < 2 or "#" in source.text[spans[0][0] : spans[-1][1]]:
            continue
        texts = [source.text[low:high] for low, high in spans]
        moved = texts.pop(new[0])
        said = [span.text.strip("`'\"") for span in written.reading.slots.get("anchor", ())]
        at = {"first": 0, "last": len(texts)}.get(kind, -1)
        named = [place for place, text in enumerate(texts) if text.partition(":")[0].strip("'\"") in said]
        if at < 0 and len(named) == 1:
            at = named[0] + (kind == "after")
        if at < 0:
            continue
        texts.insert(at, moved)
        (low, high), code = source.span(node), ""
        for text, (start, end) in zip(texts, spans, strict=True):
            code += source.text[low:start] + text
            low = end
        yield node, code + source.text[low:high], 0.9


def _further(written: _Written) -> Iterator[Rewrite]:
    """More items behind the last one that was written."""
    source, given = written.source, written.reading.slots.get("value", ())
    for node in written.nodes:
        items, new = _items(node), written.new_items(node)
        if not new or len(new) == len(items) or isinstance(node, ast.BoolOp):
            continue
        first, last = items[new[-1]]
        said = []
        for at, span in enumerate(given):
            entry = parsed(f"{{{span.text}}}") if isinstance(node, ast.Dict) else None
            options = written.read("value", "value", last, at) if first is last else []
            said += [span.text] if isinstance(entry, ast.Dict) else [one.text for one in options[:1]]
        (low, high), (start, end) = source.span(node), (source.span(first)[0], source.span(last)[1])
        line = source.text[source.text.rfind("\n", 0, start) + 1 : start]
        between = f",\n{line}" if not line.strip() else ", "
        if given and len(said) == len(given):
            more = "".join(between + one for one in said)
            yield node, source.text[low:end] + more + source.text[end:high], 0.9


def _items(node: ast.AST) -> list[tuple[ast.AST, ast.AST]]:
    """The items of a display or condition, each with the node that begins it and the one that ends it."""
    if isinstance(node, ast.Dict):
        return [(key or value, value) for key, value in zip(node.keys, node.values, strict=True)]
    items = getattr(node, "values" if isinstance(node, ast.BoolOp) else "elts", ())
    return [(one, one) for one in items]


_WAYS: Mapping[str, Callable[[_Written], Iterator[Rewrite]]] = {
    "amend.condition": _condition,
    "amend.value": _value,
    "amend.message": _message,
    "amend.return_instead": _return,
    "amend.raise_instead": _raise,
    "amend.further": _further,
    **dict.fromkeys(("amend.first", "amend.last", "amend.before", "amend.after"), _reordered),
}
