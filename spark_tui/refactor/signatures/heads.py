"""The head of a function and the calls of it, as lists of pieces that can be put in, taken out and put elsewhere.

Comes in: a source and a function, a class or a call. Goes out: changes. Must not know: instructions.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from spark_tui.refactor.source import Change, Function, Source

_TOKEN = re.compile(
    r"#[^\n]*|(?:[rbuRBU]{0,2})(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|[\[\](){},]|\s+|\w+|.",
    re.S,
)
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


@dataclass(frozen=True, slots=True)
class Listed:
    """What stands between two brackets: `open` and `close` are the offsets inside of them."""

    open: int
    close: int
    spans: tuple[tuple[int, int], ...]


def listed(text: str, start: int) -> Listed | None:
    """The pieces between the bracket at `start` and the one that closes it; comments belong to none."""
    depth, spans = 0, []
    first = last = -1
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        if token[0] in _CLOSE:
            depth -= 1
            if depth == 0:
                if first >= 0:
                    spans.append((first, last))
                return Listed(start + 1, match.start(), tuple(spans))
        if token == "," and depth == 1:
            if first >= 0:
                spans.append((first, last))
            first = -1
        elif match.start() > start and token[0] != "#" and not token.isspace():
            first = match.start() if first < 0 else first
            last = match.end()
        depth += token[0] in _OPEN
    return None


def added(text: str, of: Listed, at: int, new: str) -> Change:
    """Puts a piece in front of piece `at`, or behind all."""
    if not of.spans:
        return of.open, of.close, new
    gap = _gap(text, of)
    if at < len(of.spans):
        start = of.spans[at][0]
        return start, start, new + gap
    end = of.spans[-1][1]
    rest = text[end : of.close]
    if "#" in rest and rest.lstrip().startswith(",") and "\n" in gap:
        line = end + rest.index("\n") + 1
        return line, line, gap.rpartition("\n")[2] + new + ",\n"
    return end, end, gap + new


def _gap(text: str, of: Listed) -> str:
    """What parts two pieces."""
    between = {text[one[1] : two[0]] for one, two in pairwise(of.spans)}
    if len(between) == 1 and re.fullmatch(r",\s+", one := next(iter(between))):
        return one
    start = of.spans[-1][0]
    before = text[text.rfind("\n", 0, start) + 1 : start]
    own_line = not before.strip() and "\n" in text[of.open : start]
    return f",\n{before}" if own_line else ", "


def removed(text: str, of: Listed, at: int) -> Change:
    """Takes one piece out, with its comma."""
    start, end = of.spans[at]
    if len(of.spans) == 1:
        return of.open, of.close, ""
    if at + 1 < len(of.spans):
        return start, of.spans[at + 1][0], ""
    before = of.spans[at - 1][1]
    if "#" in text[before:start]:
        line, rest = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        if not text[line:start].strip() and rest < of.close:
            return line, rest + 1, ""
    return before, end, ""


def reordered(text: str, of: Listed, order: Sequence[int]) -> list[Change]:
    """Piece `k` becomes the one that stood at `order[k]`."""
    pieces = [text[start:end] for start, end in of.spans]
    return [(*of.spans[k], pieces[old]) for k, old in enumerate(order) if old != k]


# -- heads -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Item:
    """One parameter, or the bare `*` or `/`. `kind`: `positional`, `keyword`, `args`, `kwargs`, `mark`."""

    name: str
    kind: str
    arg: ast.arg | None
    default: ast.expr | None


@dataclass(frozen=True, slots=True)
class Head:
    """`items[k]` stands at `listed.spans[k]`."""

    function: Function
    listed: Listed
    items: tuple[Item, ...]

    def index(self, name: str) -> int:
        return next((at for at, item in enumerate(self.items) if item.name == name), -1)

    @property
    def bound(self) -> bool:
        """Whether the first parameter is given by Python."""
        return bool(self.items) and self.items[0].name in ("self", "cls", "mcs")


def head(src: Source, function: Function) -> Head | None:
    """None where it cannot be told apart."""
    start = src.offset(function.lineno, function.col_offset)
    named = re.compile(rf"(?:async\s+)?def\s+{function.name}\s*").match(src.text, start)
    if named is None:
        return None
    at = named.end()
    if src.text[at : at + 1] == "[":
        types = listed(src.text, at)
        at = src.text.find("(", types.close) if types else -1
    found = listed(src.text, at) if at >= 0 and src.text[at : at + 1] == "(" else None
    if found is None:
        return None
    items = tuple(_items(src, function, found))
    return Head(function, found, items) if len(items) == len(found.spans) else None


def _items(src: Source, function: Function, of: Listed) -> Iterator[Item]:
    spec = function.args
    places = [*spec.posonlyargs, *spec.args]
    defaults = dict(zip(reversed([one.arg for one in places]), reversed(spec.defaults), strict=False))
    for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if value is not None:
            defaults[one.arg] = value
    known = {one.arg: one for one in (*places, *spec.kwonlyargs, spec.vararg, spec.kwarg) if one is not None}
    keyword = {one.arg for one in spec.kwonlyargs}
    for start, end in of.spans:
        piece = src.text[start:end]
        name = re.match(r"\**\s*(\w*)", piece)
        what = name[1] if name else ""
        if what not in known:
            yield Item("", "mark", None, None)
            continue
        stars = len(piece) - len(piece.lstrip("*"))
        kind = ("keyword" if what in keyword else "positional", "args", "kwargs")[min(stars, 2)]
        yield Item(what, kind, known[what], defaults.get(what))


def place_for(of: Head, *, default: bool, first: bool = False) -> int:
    """The index in front of which a new parameter goes."""
    start = 1 if of.bound else 0
    if first:
        return start
    kinds = [item.kind for item in of.items]
    if "kwargs" in kinds and (default or "keyword" in kinds or "args" not in kinds):
        end = kinds.index("kwargs")
    else:
        end = len(kinds)
    if "keyword" in kinds or ("args" in kinds and default):
        return end
    if "args" in kinds:
        end = kinds.index("args")
    if not default:
        plain = [at for at, item in enumerate(of.items) if item.default is not None]
        end = min([end, *plain])
    return max(start, end)


def returns_span(src: Source, of: Head) -> tuple[int, int]:
    """Offsets of `-> T`, empty where there is none."""
    end = of.listed.close + 1
    if of.function.returns is None:
        return end, end
    return end, src.span(of.function.returns)[1]


def annotation_change(src: Source, of: Head, name: str, new: str | None) -> Change | None:
    """Writes, changes or takes away the annotation of one parameter."""
    at = of.index(name)
    item = of.items[at] if at >= 0 else None
    if item is None or item.arg is None:
        return None
    arg, default = item.arg, item.default
    start = src.offset(arg.lineno, arg.col_offset) + len(arg.arg)
    end = src.span(arg.annotation)[1] if arg.annotation is not None else start
    text = "" if new is None else f": {new}"
    if default is not None:
        between = re.compile(r"\s*=\s*").match(src.text, end)
        if between is None:
            return None
        end = between.end()
        text += " = " if new is not None else "="
    return (start, end, text) if src.text[start:end] != text else None


def default_change(src: Source, of: Head, name: str, new: str | None) -> Change | None:
    """Writes, changes or takes away the default of one parameter."""
    at = of.index(name)
    item = of.items[at] if at >= 0 else None
    if item is None or item.arg is None or item.kind in ("args", "kwargs"):
        return None
    end = of.listed.spans[at][1]
    if item.default is not None:
        start, stop = src.span(item.default)
        if new is not None:
            return start, stop, new
        return src.span(item.arg)[1], end, ""
    if new is None:
        return None
    return end, end, f" = {new}" if item.arg.annotation is not None else f"={new}"


# -- calls -----------------------------------------------------------------------------------------------------------


def calls_of(src: Source, function: Function) -> list[ast.Call]:
    """Calls that are shown, as far as the name says whose they are."""
    owner = src.class_of(function)
    if sum(one.name == function.name for one in src.functions) > 1 and function.name != "__init__":
        return []
    name = function.name if function.name != "__init__" or owner is None else owner.name
    found = []
    for node in src.nodes:
        if isinstance(node, ast.Call):
            called = node.func
            by_owner = isinstance(called, ast.Attribute) and called.attr == name and owner is not None
            by_name = isinstance(called, ast.Name) and called.id == name
            if by_owner or (by_name and (owner is None or function.name == "__init__")):
                found.append(node)
    return found


def call_list(src: Source, call: ast.Call) -> Listed | None:
    start = src.text.find("(", src.span(call.func)[1])
    found = listed(src.text, start) if start >= 0 else None
    if found is None or found.close + 1 != src.span(call)[1]:
        return None
    return found


def place_in_call(src: Source, of: Head, call: ast.Call, name: str) -> int | None:
    """Which piece of a call is the value of a parameter: None where it is not given, or cannot be told."""
    for at, given in enumerate(_given(call)):
        if given == name:
            return at
    if any(isinstance(one, ast.Starred) for one in call.args):
        return None
    places = [item.name for item in of.items if item.kind == "positional"]
    at = places.index(name) - shift(src, of, call) if name in places else -1
    return at if 0 <= at < len(call.args) else None


def _given(call: ast.Call) -> list[str]:
    """By name, in the order of the text."""
    return [""] * len(call.args) + [word.arg or "" for word in call.keywords]


def shift(src: Source, of: Head, call: ast.Call) -> int:
    """How many of the first parameters a call does not give."""
    if not of.bound:
        return 0
    owner = src.class_of(of.function)
    called = call.func.value if isinstance(call.func, ast.Attribute) else None
    by_class = isinstance(called, ast.Name) and owner is not None and called.id == owner.name
    by_self = of.items[0].name == "self" and of.function.name != "__init__"
    return 0 if by_class and by_self else 1
