"""Classes as they stand: what they hold, where a new member goes, which one an order is about.

Comes in: a piece of a file, an order. Goes out: classes, attributes, changes. Must not know: which edits there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.refactor.order import Order, _parts
from spark_tui.refactor.source import Change, Function, Source, docstring

_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
_FIELDED = frozenset({"NamedTuple", "TypedDict", "BaseModel"})
_CONTAINERS = frozenset(
    {
        "list",
        "dict",
        "set",
        "tuple",
        "deque",
        "defaultdict",
        "OrderedDict",
        "Counter",
        "List",
        "Dict",
        "Set",
        "Sequence",
        "frozenset",
    }
)


@dataclass(frozen=True)
class Held:
    """One class of a piece of a file."""

    src: Source
    node: ast.ClassDef

    @property
    def name(self) -> str:
        return self.node.name

    @cached_property
    def methods(self) -> dict[str, Function]:
        return {item.name: item for item in self.node.body if isinstance(item, Function)}

    def is_property(self, name: str) -> bool:
        return any(_last(one) in ("property", "cached_property") for one in self.methods[name].decorator_list)

    @property
    def init(self) -> Function | None:
        return self.methods.get("__init__")

    @cached_property
    def is_enum(self) -> bool:
        return any(_last(base) in _ENUMS for base in self.node.bases)

    @cached_property
    def is_dataclass(self) -> bool:
        return any(
            _last(one.func if isinstance(one, ast.Call) else one) in ("dataclass", "define", "frozen", "s")
            for one in self.node.decorator_list
        )

    @cached_property
    def has_fields(self) -> bool:
        """Whether what it holds is listed in its body, with types."""
        return self.is_dataclass or any(_last(base) in _FIELDED for base in self.node.bases)

    @cached_property
    def fields(self) -> list[ast.AnnAssign]:
        return [
            item for item in self.node.body if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
        ]

    @cached_property
    def attributes(self) -> list[str]:
        """What its instances hold, in the order of the text."""
        found = [item.target.id for item in self.fields if isinstance(item.target, ast.Name)] if self.has_fields else []
        functions = [self.init] if self.init is not None else list(self.methods.values())
        for function in functions:
            found += [one.attr for one in _own_stores(function)]
        return list(dict.fromkeys(found))

    @cached_property
    def containers(self) -> list[str]:
        """Attributes that hold several things, as far as their first value or type says."""
        out = [
            item.target.id
            for item in self.fields
            if isinstance(item.target, ast.Name) and _is_container(item.annotation)
        ]
        for node in ast.walk(self.node):
            target = (
                node.targets[0]
                if isinstance(node, ast.Assign)
                else node.target
                if isinstance(node, ast.AnnAssign)
                else None
            )
            if isinstance(target, ast.Attribute) and _is_self(target.value):
                value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
                typed = isinstance(node, ast.AnnAssign) and _is_container(node.annotation)
                if typed or (value is not None and _is_container(value)) or self._is_typed(value):
                    out.append(target.attr)
        return list(dict.fromkeys(out))

    def _is_typed(self, value: ast.expr | None) -> bool:
        """Whether a parameter of `__init__` is said to hold several things."""
        if not isinstance(value, ast.Name) or self.init is None:
            return False
        spec = self.init.args
        given = zip(reversed(spec.args), reversed(spec.defaults), strict=False)
        if any(one.arg == value.id and _is_container(default) for one, default in given):
            return True
        found = [one for one in spec.args if one.arg == value.id and one.annotation is not None]
        return bool(found) and found[0].annotation is not None and _is_container(found[0].annotation)

    def first_value(self, attribute: str) -> str | None:
        """What `__init__` gives it, where that is a literal."""
        for node in ast.walk(self.init) if self.init is not None else ():
            target = (
                node.targets[0]
                if isinstance(node, ast.Assign)
                else node.target
                if isinstance(node, ast.AnnAssign)
                else None
            )
            if isinstance(target, ast.Attribute) and _is_self(target.value) and target.attr == attribute:
                value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
                if value is not None and not any(
                    isinstance(one, ast.Name) and one.id not in ("set", "list", "dict", "deque")
                    for one in ast.walk(value)
                ):
                    return self.src.segment(value)
        return next(
            (
                made
                for item in self.fields
                if getattr(item.target, "id", "") == attribute
                for made in [_first_of(self.src, item)]
                if made
            ),
            None,
        )

    # -- places ------------------------------------------------------------------------------------------------------

    @property
    def inner(self) -> str:
        """What stands in front of its members."""
        return self.src.indent(self.node) + self.src.step if not self._body else self.src.indent(self._body[0])

    @property
    def _body(self) -> list[ast.stmt]:
        return [item for item in self.node.body if item.lineno > self.node.lineno]

    def with_method(self, lines: Sequence[str]) -> list[Change] | None:
        """Its changes, with a method behind the last member; a lonely `pass` gives way."""
        body = self._body
        if len(body) != len(self.node.body):
            return None
        own = [f"{self.inner}{line}" if line else "" for line in lines]
        last = body[-1]
        first, end = self.src.line_span(self.src.first_line(last), self.src.last_line(last))
        text = "".join(f"{line}\n" for line in own)
        if _is_nothing(last):
            lead = "\n" if len(body) > 1 else ""
            return [(first, end, lead + text)]
        return [(end, end, "\n" * self._gap + text)]

    @property
    def _gap(self) -> int:
        """Blank lines between its methods."""
        gaps = []
        for one, two in zip(self.node.body, self.node.body[1:], strict=False):
            if isinstance(one, Function) and isinstance(two, Function):
                lines = self.src.lines[self.src.last_line(one) : self.src.first_line(two)]
                gaps.append(sum(not line.strip() for line in lines))
        return max(gaps[-1], 1) if gaps else 1

    def with_lines_behind(self, item: ast.stmt, lines: Iterable[str], indent: str) -> list[Change]:
        end = self.src.line_span(0, self.src.last_line(item))[1]
        return [(end, end, "".join(f"{indent}{line}\n" for line in lines))]

    def with_field(self, line: str, behind: ast.stmt | None = None) -> list[Change] | None:
        """Behind its last field, or its docstring, or at its start."""
        body = self._body
        if len(body) != len(self.node.body):
            return None
        listed = [item for item in body if isinstance(item, ast.AnnAssign | ast.Assign)]
        at = behind or (listed[-1] if listed else docstring(self.node))
        if at is not None:
            lead = [] if listed else [""]
            return self.with_lines_behind(at, [*lead, f"{self.inner}{line}"], "")
        first = self.src.line_span(self.src.first_line(body[0]), self.src.last_line(body[0]))
        if _is_nothing(body[0]):
            return [(*first, f"{self.inner}{line}\n")]
        gap = "\n" if isinstance(body[0], Function) else ""
        return [(first[0], first[0], f"{self.inner}{line}\n{gap}")]


def classes_meant(order: Order, text: str | None = None) -> list[Held]:
    """Those that are named, also in the plural and in small letters; else the only one."""
    said = order.said if text is None else text
    there = [Held(order.src, node) for node in order.src.classes]
    spoken = [word.lower() for word in re.findall(r"[^\W\d]\w*", said)]
    found = list(order.classes(said))
    if not found:
        for one in there:
            low = one.name.lower()
            parts = _parts(one.name)
            in_row = any(
                spoken[at : at + len(parts)] in (parts, [*parts[:-1], f"{parts[-1]}s"]) for at in range(len(spoken))
            )
            if low in spoken or f"{low}s" in spoken or f"{low}es" in spoken or (parts and in_row):
                found.append(one.node)
    if found:
        return [one for one in there if one.node in found]
    if order.here is not None:
        around = [
            one for one in there if order.src.first_line(one.node) <= order.here[0] < order.src.last_line(one.node)
        ]
        if around:
            return around[-1:]
    return there if len(there) == 1 else []


def _first_of(src: Source, item: ast.AnnAssign) -> str | None:
    """What a field begins with, where it says so."""
    made = {"list": "[]", "dict": "{}", "set": "set()"}
    if isinstance(item.value, ast.Call):
        given = {one.arg: one.value for one in item.value.keywords}
        return made.get(_last(given["default_factory"])) if "default_factory" in given else None
    if item.value is not None:
        return src.segment(item.value) if isinstance(item.value, ast.Constant) else None
    kind = item.annotation.value if isinstance(item.annotation, ast.Subscript) else item.annotation
    return made.get(_last(kind).lower())


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _own_stores(function: Function) -> list[ast.Attribute]:
    found = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and _is_self(node.value)
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _is_container(node: ast.expr) -> bool:
    if isinstance(node, ast.List | ast.Dict | ast.Set | ast.Tuple | ast.ListComp | ast.DictComp | ast.SetComp):
        return True
    if isinstance(node, ast.Call):
        return _last(node.func) in _CONTAINERS
    if isinstance(node, ast.Subscript):
        return _last(node.value) in _CONTAINERS
    if isinstance(node, ast.BoolOp):
        return _is_container(node.values[-1])
    if isinstance(node, ast.IfExp):
        return _is_container(node.body) or _is_container(node.orelse)
    return _last(node) in _CONTAINERS


def _is_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...
    )
