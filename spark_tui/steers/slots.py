"""What an answer brought that may be another: numbers, texts, names it gave, errors, levels, operators, types.

Comes in: the text in which an answer stands, what was asked. Goes out: slots, each with its sort, its value, where it
stands and the words by which people call it. Must not know: messages, engines, ids, what a slot becomes.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.refactor import literals
from spark_tui.refactor.rename.meanings import Meaning, Meanings
from spark_tui.refactor.source import docstring
from spark_tui.refactor.values.slots import alike, parts, slot_of, stem, target_name
from spark_tui.steers.slot_called import beside, called, role_of
from spark_tui.steers.stands import Stands
from spark_tui.steers.terms import LEVELS, sort_of

Span = tuple[int, int]
ROLES = {
    "function": "function helper method func def", "method": "method function", "class": "class exception error type", "parameter": "parameter param argument arg keyword kwarg option",
    "field": "field attribute attr member column", "attribute": "attribute attr field property", "variable": "variable var local loop", "constant": "constant const variable global",
    "key": "key field column entry", "option": "option flag switch argument",
}  # fmt: skip
"""What people call the things that have a name."""
EVERY_ROLE = frozenset(word for words in ROLES.values() for word in words.split())
_RANK = {
    "function": 1.0,
    "class": 1.0,
    "method": 1.0,
    "field": 0.8,
    "constant": 0.8,
    "attribute": 0.6,
    "option": 0.6,
    "key": 0.0,
    "parameter": 0.4,
    "variable": 0.2,
}
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}
_SPEC = re.compile(r"\{[^{}]*:[^{}]*?\.?(\d+)[fdegs%]?\}|%\.(\d+)f")
_KIN = [
    "min max", "any all", "lower upper casefold title capitalize", "strip lstrip rstrip", "floor ceil trunc round", "startswith endswith", "sum fsum mean median", "removeprefix removesuffix",
    "index find rfind rindex", "isdigit isdecimal isnumeric isalpha isalnum", "monotonic perf_counter time", "shuffle sample choice choices", "append appendleft extend", "pop popleft", "gather wait",
]  # fmt: skip
_FAMILY = {word: frozenset(group.split()) for group in _KIN for word in group.split()}

_FORMAT = frozenset(["decimal", "digit", "place", "width", "column", "format"])
_GIVEN = frozenset(["dict", "jsonify", "update", "format", "JSONResponse"])
"""What makes keys of its keywords."""
_CAUGHT, _RAISED = frozenset(["catch", "except", "caught", "handle"]), frozenset(["raise", "throw"])


@dataclass(frozen=True, slots=True)
class Slot:
    """`value` is as it is written, without quotes; `spans` are all places that are the same; `brought` is 2 where all
    of it is new, 1 where some is, 0 where it only stands on a line that was changed."""

    sort: str
    value: str
    spans: tuple[Span, ...]
    brought: int
    role: str = ""
    words: frozenset[str] = frozenset()
    near: frozenset[str] = frozenset()
    node: ast.AST | None = None
    asked: bool = False
    """Whether it was named when it was asked for."""

    inner: bool = False
    """Whether it is a name inside of what has its name from the answer too, or stood elsewhere before."""

    @property
    def rank(self) -> float:
        return _RANK.get(self.role, 0.0) - 0.8 * self.inner if self.sort in ("name", "option", "key") else 0.0

    @property
    def norm(self) -> str:
        return self.value.lstrip("-").replace("-", "_").lower()

    own: frozenset[str] = frozenset()
    """What it is called in so many words: of its own name, a parameter's, a keyword's."""

    def called(self, word: str) -> bool:
        return any(alike(word, one) for one in self.words)


@dataclass
class Slots:
    """Of one answer."""

    text: Stands
    asked: str

    @cached_property
    def every(self) -> list[Slot]:
        found = [*self._values(), *self._names(), *self._terms()]
        return [replace(one, asked=self._was_asked(one)) for one in found]

    @cached_property
    def meanings(self) -> Meanings:
        return Meanings(self.text.src)

    # -- what is new -------------------------------------------------------------------------------------------------

    def brought(self, span: Span) -> int:
        start, end = span
        covered = sum(max(0, min(end, b) - max(start, a)) for a, b in self.text.spans)
        if covered >= end - start:
            return 2
        if covered:
            return 1
        return 0 if self._lines & {self.text.src.line_at(start)} else -1

    @cached_property
    def _lines(self) -> set[int]:
        at = self.text.src.line_at
        return {line for start, end in self.text.spans for line in range(at(start), at(max(start, end - 1)) + 1)}

    def _was_asked(self, slot: Slot) -> bool:
        """Whether the value stands in what was asked, or as a measure that it is."""
        if slot.sort == "number":
            return self.measure(slot) is not None or (
                slot.role == "factor" and re.search(r"\b(?:double|halve|half|twice|triple)", self.asked) is not None
            )
        if slot.sort == "constant" and any(said.source == slot.value for said in self._said):
            return True
        if not re.search(r"\w", slot.value):
            return False
        exact = slot.sort in ("name", "key", "option")
        if (
            not exact
            and slot.value.isalpha()
            and any(stem(word) == stem(slot.value) for word in re.findall(r"[a-z]+", self.asked.lower()))
        ):
            return True
        return re.search(rf"(?<!\w){re.escape(slot.value)}(?!\w)", self.asked, 0 if exact else re.I) is not None

    def measure(self, slot: Slot) -> tuple[literals.Said, float] | None:
        """The number of the order that the slot holds, and how much of it one of its unit is: 60 for *one minute*."""
        value = number_of(slot.value)
        for said in self._said:
            if value is None or said.number is None or said.quoted:
                continue
            if said.number == value:
                plural = said.unit == "s" and 100 <= value < 600 and self.asked[said.end - 2 : said.end - 1].isdigit()
                return (replace(said, unit="") if plural else said), 1.0
            unit = literals.UNITS.get(said.unit)
            if said.number and unit is not None and unit[0] != "share":
                for other in literals.UNITS.values():
                    if other[0] == unit[0] and abs(said.number * unit[1] / other[1] - value) < 1e-9 * abs(value):
                        return said, unit[1] / other[1]
            if said.number and unit and unit[0] == "share" and abs(said.number * unit[1] - value) < 1e-9:
                return said, unit[1]
            scale = value / said.number if said.number else 0
            if self.asked[said.start : said.end].lower().endswith("k") and scale == 1.024:
                return replace(said, source=literals.plain(said.number / 1000), unit="kb"), 1024.0
        return None

    @cached_property
    def _said(self) -> list[literals.Said]:
        text = re.sub(r"(?<=[a-z])-(?=[a-z])", " ", self.asked)
        return literals.values(re.sub(r"\b(?:once|twice)\b", lambda match: {"once": "1", "twice": "2"}[match[0]], text))

    # -- values ------------------------------------------------------------------------------------------------------

    def _values(self) -> Iterator[Slot]:
        src, seen = self.text.src, set()
        texts = {one for node in (*src.functions, *src.classes) if (one := docstring(node)) is not None}
        for node in src.nodes:
            if isinstance(node, ast.JoinedStr):
                yield from self._text(node, "text")
            if not isinstance(node, ast.Constant) or any(isinstance(one, ast.JoinedStr) for one in src.ancestors(node)):
                continue
            if isinstance(node.value, str):
                yield from self._text(node, "docstring" if src.parents.get(node) in texts else "text")
            elif node.value is None or isinstance(node.value, bool):
                yield from self._slot("constant", node)
            elif isinstance(node.value, int | float):
                top = _whole(src.parents, node)
                if top not in seen:
                    seen.add(top)
                    yield from self._slot("number", top)
        for node in src.nodes:
            empty = isinstance(node, ast.List | ast.Dict | ast.Tuple) and not list(ast.iter_child_nodes(node))[1:]
            if empty and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                yield from self._slot("constant", node)

    def _slot(
        self, sort: str, node: ast.AST, value: str | None = None, span: Span | None = None, role: str = ""
    ) -> Iterator[Slot]:
        src = self.text.src
        span = span or src.span(node)
        brought = self.brought(span)
        if brought < 0:
            return
        words, near = called(src, node, self.asked)
        own = frozenset(name.lower() for name in slot_of(src, node).names)  # type: ignore[arg-type]
        role = role or role_of(src, node)
        yield Slot(
            sort,
            src.text[span[0] : span[1]] if value is None else value,
            (span,),
            brought,
            role,
            frozenset(words),
            frozenset(near),
            node,
            own=own,
        )

    def _text(self, node: ast.Constant | ast.JoinedStr, sort: str) -> Iterator[Slot]:
        src = self.text.src
        start, end = src.span(node)
        code = src.text[start:end]
        opened = re.match(r"[A-Za-z]*(?:\"\"\"|'''|\"|')", code)
        if opened is None:
            return
        quote = len(opened[0].lstrip("rbfuRBFU"))
        inner = code[opened.end() : len(code) - quote]
        parent = src.parents.get(node)
        if isinstance(parent, ast.Dict) and node in parent.keys:
            sort = "key"
        elif isinstance(parent, ast.Subscript) and parent.slice is node:
            sort = "key" if isinstance(parent.ctx, ast.Store) else "lookup"
        elif re.fullmatch(r"--?[a-z][\w-]*", inner) and isinstance(parent, ast.Call):
            sort = "option"
        yield from self._slot(sort, node, inner, role=sort if sort in ("key", "option", "lookup") else "")
        for found in re.finditer(r"(?<![\d.{:])\d+(?![\d.\w}])", inner):
            span = start + opened.end() + found.start(), start + opened.end() + found.end()
            if self.brought(span) == 2 or (self.brought(span) == 1):
                yield from (
                    replace(one, near=one.near | beside(found[0], self.asked))
                    for one in self._slot("number", node, found[0], span, "in text")
                )
        for found in _SPEC.finditer(code):
            group = 1 if found[1] else 2
            span = start + found.start(group), start + found.end(group)
            for one in self._slot("number", node, found[group], span, "format"):
                yield replace(one, words=_FORMAT)

    # -- names -------------------------------------------------------------------------------------------------------

    def _names(self) -> Iterator[Slot]:
        """What has its name from the answer: every place of it is new."""
        names = dict.fromkeys(use.name for use in self.meanings.uses if self.brought(use.span) == 2)
        for name in names:
            if name in ("self", "cls", "_"):
                continue
            for one in self.meanings.meanings(name):
                if not one.how or not all(self.brought(span) == 2 for span in one.spans):
                    continue
                role = self._kind(one)
                if role in ("function", "class", "method") and any(
                    node.name == name for node in (*self.text.was.functions, *self.text.was.classes)
                ):
                    continue
                if role:
                    known = re.search(rf"(?<!\w){name}(?!\w)", self.text.was.text) is not None
                    words = {*ROLES[role].split(), "name"}
                    near = set(parts(getattr(one.owner, "name", "")))
                    inner = known or one.owner in self.text.made
                    new = 1 if known and role in ("variable", "parameter") else 2
                    yield Slot(
                        "name", name, one.spans, new, role, frozenset(words), frozenset(near), one.owner, inner=inner
                    )
        for node in self.text.new(ast.Call):
            if isinstance(node, ast.Call):
                given = target_name(node.func).rpartition(".")[2] in _GIVEN
                for item in node.keywords:
                    if item.arg and self.brought(span := self._keyword(item)) == 2:
                        said = frozenset({"key", "field", "name"} if given else {"keyword", "argument"})
                        yield Slot("key", item.arg, (span,), 1 + given, "keyword", said, node=item)

    def _keyword(self, item: ast.keyword) -> Span:
        start = self.text.src.offset(item.lineno, item.col_offset)
        return start, start + len(item.arg or "")

    def _kind(self, one: Meaning) -> str:
        if {"import", "alias"} & one.how or (one.name.startswith("__") and one.name.endswith("__")):
            return ""
        if "class" in one.how:
            return "class"
        if "function" in one.how:
            return "method" if one.is_member else "function"
        if "hanging" in one.how:
            stored = [
                node
                for node in self.text.new(ast.Attribute)
                if isinstance(node, ast.Attribute) and node.attr == one.name
            ]
            options = re.search(rf"[\"']--{re.escape(one.name).replace('_', '[-_]')}[\"']", self.text.src.text)
            return "attribute" if options or any(isinstance(node.ctx, ast.Store) for node in stored) else ""
        if "parameter" in one.how:
            return "parameter"
        if one.name.isupper() and len(one.name) > 1:
            return "constant"
        return ("attribute" if one.how == {"attribute"} else "field") if one.is_member else "variable"

    # -- terms of the language ---------------------------------------------------------------------------------------

    def _terms(self) -> Iterator[Slot]:
        src = self.text.src
        members = {node.name: [one for item in node.body for one in _assigned(item)] for node in src.classes}
        hints = list(_hints(src.nodes))
        for hint in hints:
            yield from self._slot("type", hint)
        for node in src.nodes:
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _SIGNS:
                low, high = src.span(node.left)[1], src.span(node.comparators[0])[0]
                sign = _SIGNS[type(node.ops[0])]
                at = src.text.find(sign, low, high)
                if at >= 0:
                    yield from self._slot("operator", node, sign, (at, at + len(sign)))
            if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
                continue
            if any(isinstance(one, ast.JoinedStr) or one in hints for one in (node, *src.ancestors(node))):
                continue
            last = node.attr if isinstance(node, ast.Attribute) else node.id
            end = src.span(node)[1]
            span = (end - len(last), end)
            base = target_name(node.value) if isinstance(node, ast.Attribute) else ""
            if last in members.get(base, []):
                yield from self._slot("member", node, last, span, " ".join(members[base]))
            elif last.lower() in LEVELS and re.search(r"log", base, re.I):
                yield from self._slot("level", node, last, span)
            elif sort_of(last) == "error" and not (isinstance(src.parents.get(node), ast.ClassDef)):
                for one in self._slot("error", node, src.segment(node)):
                    caught = any(
                        isinstance(up, ast.ExceptHandler) and up.type in (node, src.parents.get(node))
                        for up in src.ancestors(node)
                    )
                    yield replace(one, words=_CAUGHT if caught else _RAISED)
            elif last in _FAMILY and isinstance(call := src.parents.get(node), ast.Call) and call.func is node:
                yield from self._slot("called", node, last, span, " ".join(sorted(_FAMILY[last])))


def number_of(source: str) -> float | int | None:
    """The value of a number, or of a product of some."""
    out: float | int = 1
    for one in source.split("*"):
        value = literals.as_number(one.strip())
        if value is None:
            return None
        out *= value
    return out


def _whole(parents: dict[ast.AST, ast.AST], node: ast.expr) -> ast.expr:
    """The sign and the product to which a number belongs."""
    at: ast.expr = node
    while True:
        parent = parents.get(at)
        if (isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub)) or (
            isinstance(parent, ast.BinOp)
            and isinstance(parent.op, ast.Mult)
            and all(
                isinstance(one, ast.BinOp | ast.Constant | ast.Mult)
                and isinstance(getattr(one, "value", 0), int | float)
                for one in ast.walk(parent)
            )
        ):
            at = parent
        else:
            return at


def _assigned(item: ast.stmt) -> Iterator[str]:
    for target in (
        item.targets if isinstance(item, ast.Assign) else [item.target] if isinstance(item, ast.AnnAssign) else []
    ):
        if isinstance(target, ast.Name):
            yield target.id


def _hints(nodes: Iterable[ast.AST]) -> Iterator[ast.expr]:
    for node in nodes:
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(hint, ast.expr):
                yield hint
        if isinstance(node, ast.keyword) and node.arg == "type" and hasattr(builtins, getattr(node.value, "id", "")):
            yield node.value
