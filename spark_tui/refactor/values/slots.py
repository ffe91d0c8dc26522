"""Values in code and what they are called: by name, by the call that takes them, by the words around them.

Comes in: a source and words. Goes out: the slots that all words fit, the best first. Must not know: orders, edits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.refactor.source import Function, Source

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ALIKE = [
    "retry attempt try tries", "max maximum most limit upper cap ceiling up", "min minimum least lower floor", "num number count amount n many",
    "sec second secs", "minute min mins", "millisecond ms msec milli", "interval period every delay", "limit threshold cap", "timeout wait", "sleep wait pause delay nap",
    "dir directory folder", "msg message text", "path file filename", "addr address host", "host hostname server", "pwd password passwd", "cfg conf config configuration setting option",
    "len length", "idx index", "temp temperature", "moist moisture humidity", "col column", "char character letter", "db database", "width wide w", "height tall h",
    "avg average mean", "err error exception", "exception raise", "ext extension", "page per_page", "debug debugging", "verbose verbosity", "cache caching cached", "log logging logger", "title heading caption",
    "recursive recursion", "quality qual", "point score", "buf buffer", "url endpoint uri link", "prompt input question ask", "print output", "encoding decode encode charset codec", "sep separator delimiter delim", "delimiter separator",
    "mode open", "format fmt", "lang language", "prec precision decimal digit", "speed velocity", "color colour", "env environment", "ratio rate", "backoff back", "size big large", "batch chunk", "worker thread process", "ttl expiry lifetime expire", "id identifier", "root window", "cmd command", "arg argument",
    "port listen", "win won winning winner victory victorious", "lose lost loss losing loser", "greeting greet welcome hello hi", "bye goodbye farewell", "folder dir directory path", "life live lives", "price cost fee", "fps rate", "picture image photo", "person user",
]  # fmt: skip
_GROUPS: dict[str, set[int]] = {}
for _number, _group in enumerate(_ALIKE):
    for _word in _group.split():
        _GROUPS.setdefault(_word, set()).add(_number)


@lru_cache(maxsize=2048)
def stem(word: str) -> str:
    low = word.lower()
    for end, new in (("ies", "y"), ("sses", "ss"), ("ings", ""), ("ing", ""), ("es", "e"), ("ed", ""), ("s", "")):
        if low.endswith(end) and len(low) - len(end) >= 3 and not low.endswith("ss"):
            low = low[: -len(end)] + new
            break
    if len(low) > 4 and low[-1] == low[-2] and low[-1] not in "lsez":
        low = low[:-1]
    return low.removesuffix("e") if len(low) > 4 else low


_STEMMED: dict[str, set[int]] = {}
for _word, _numbers in _GROUPS.items():
    _STEMMED.setdefault(stem(_word), set()).update(_numbers)


@lru_cache(maxsize=4096)
def alike(said: str, part: str) -> bool:
    """Whether a word may stand for a part of a name: the same but for its ending, cut short, or known to mean it."""
    one, two = stem(said), stem(part)
    if one == two or (
        min(len(one), len(two)) >= 3 and (one.startswith(two) or two.startswith(one)) and abs(len(one) - len(two)) <= 6
    ):
        return True
    return bool(_STEMMED.get(one, set()) & _STEMMED.get(two, set()))


def parts(name: str) -> list[str]:
    return [part.lower() for part in _PART.findall(name)]


_BARE = frozenset(["default", "value", "initial", "fallback"])
"""Keywords that say nothing about the value: what it is called stands beside."""
_SHOWN = frozenset(["text", "message", "msg", "label", "caption", "title"])
"""Keywords for what is shown: it may go by the name of the thing that shows it."""
_LOOKUPS = frozenset(
    ["get", "getenv", "setdefault", "getint", "getboolean", "getfloat", "pop", "getattr", "set", "setattr"]
)


@dataclass(frozen=True, slots=True)
class Slot:
    """A value with what it is called. `names` are its own, `near` those around it."""

    node: ast.expr
    kind: str
    names: tuple[str, ...]
    near: tuple[str, ...]
    inner: bool = False
    """Whether it is a part of what is called so: the `1` in `f(1 + x)`."""

    def fits(
        self, said: Sequence[str], spelled: Sequence[str] = (), plain: Sequence[str] = ()
    ) -> tuple[int, list[str]] | None:
        """How well, and the words that fit; None where none of its own names is said. `plain`: words that mostly say
        nothing; they count where they are a part of its name."""
        own = [part for name in self.names for part in parts(name) if part != "self"]
        around = [part for name in self.near for part in parts(name)]
        exact = sum(
            4
            for name in self.names
            for one in spelled
            if one in (name, name.rpartition(".")[2]) or name == one.rpartition(".")[2]
        )
        strong = [word for word in said if any(alike(word, part) for part in own)]
        weak = [word for word in said if word not in strong and any(alike(word, part) for part in around)]
        common = {word for word in plain if any(stem(word) == stem(part) for part in own)}
        if not strong and not exact and not common:
            return None
        same = sum(1 for word in strong if any(stem(word) == stem(part) for part in own))
        every = [[part for part in parts(name) if part != "self"] for name in self.names]
        whole = any(
            name and all(any(alike(word, part) for word in (*said, *common)) for part in name) for name in every
        )
        return exact + 4 * len(strong) + 4 * len(common) + whole + 2 * len(weak) + same + whole, [*strong, *weak]


def target_name(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = target_name(node.value)
        return f"{base}.{node.attr}" if base else node.attr
    if isinstance(node, ast.Subscript):
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return node.slice.value
        return target_name(node.value)
    if isinstance(node, ast.Starred):
        return target_name(node.value)
    if isinstance(node, ast.Call):
        return target_name(node.func)
    return ""


def defaults(function: Function) -> Iterator[tuple[ast.arg, ast.expr]]:
    spec = function.args
    every = [*spec.posonlyargs, *spec.args]
    yield from zip(every[len(every) - len(spec.defaults) :], spec.defaults, strict=True)
    for one, default in zip(spec.kwonlyargs, spec.kw_defaults, strict=True):
        if default is not None:
            yield one, default


def slots(src: Source, wanted: type | tuple[type, ...], inside: Iterable[ast.AST] | None = None) -> list[Slot]:
    """Constants of a type, with what they are called; flags are no numbers. Docstrings are left out."""
    out = []
    for node in src.nodes if inside is None else inside:
        value = node
        if not isinstance(value, ast.Constant) or not isinstance(value.value, wanted):
            continue
        if isinstance(value.value, bool) and bool not in ((wanted,) if isinstance(wanted, type) else wanted):
            continue
        parent = src.parents.get(node)
        if isinstance(parent, ast.Expr | ast.FormattedValue | ast.JoinedStr):
            continue
        top: ast.expr = value
        if isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            top = parent
        out.append(slot_of(src, top))
    return out


def slot_of(src: Source, node: ast.expr) -> Slot:
    """What a value is called where it stands."""
    names: list[str] = []
    near: list[str] = []
    kind = ""
    at: ast.AST = node
    for parent in src.ancestors(node):
        into = names if not kind else near
        if isinstance(parent, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.IfExp):
            other = (
                parent.left if isinstance(parent, ast.BinOp) and parent.right is at else getattr(parent, "right", None)
            )
            scaled = not kind and isinstance(getattr(parent, "op", None), ast.Mult | ast.Div)
            (names if scaled else near).extend([target_name(other)] if other is not None else [])
        elif isinstance(parent, ast.keyword):
            into.append(parent.arg or "")
            if parent.arg in _BARE and not kind:
                call = src.parents.get(parent)
                names += [str(one.value) for one in getattr(call, "args", ()) if isinstance(one, ast.Constant)]
                holder = src.parents.get(call) if call is not None else None
                names += [target_name(holder.target)] if isinstance(holder, ast.AnnAssign) else []
            if parent.arg in _SHOWN and not kind and isinstance(call := src.parents.get(parent), ast.Call):
                names.append(target_name(call.func).rpartition(".")[2])
            kind = kind or "keyword"
        elif isinstance(parent, ast.Call):
            called = target_name(parent.func)
            if at is not parent.func:
                into.append(called.rpartition(".")[2])
                if not kind and called == "range" and isinstance(src.parents.get(parent), ast.For):
                    names += ["times", "tries"]
                if not kind and called.rpartition(".")[2] in _LOOKUPS and parent.args and at is not parent.args[0]:
                    names += [str(one.value) for one in parent.args[:1] if isinstance(one, ast.Constant)]
                near.append(called.rpartition(".")[0])
                near += [target_name(one) for one in parent.args if one is not at]
                near += [
                    one.value
                    for one in parent.args
                    if isinstance(one, ast.Constant) and isinstance(one.value, str) and one is not node
                ]
            kind = kind or "argument"
        elif isinstance(parent, ast.Dict):
            keys = [key for key, value in zip(parent.keys, parent.values, strict=True) if value is at]
            if keys and isinstance(keys[0], ast.Constant):
                into.append(str(keys[0].value))
            kind = kind or ("entry" if keys else "key")
        elif isinstance(parent, ast.List | ast.Tuple | ast.Set):
            into += []
            holder = src.parents.get(parent)
            if (
                not kind
                and isinstance(holder, ast.Assign)
                and isinstance(target := holder.targets[0], ast.Tuple)
                and isinstance(parent, ast.Tuple)
                and len(target.elts) == len(parent.elts)
                and at in parent.elts
            ):
                names.append(target_name(target.elts[parent.elts.index(at)]))
                kind = "assigned"
            if not kind and isinstance(src.parents.get(parent), ast.Return) and isinstance(parent, ast.Tuple):
                names += ["status", "code", "answer"]
                kind = "answer"
            kind = kind or "item"
        elif isinstance(parent, ast.Compare):
            into += [target_name(one) for one in (parent.left, *parent.comparators) if one is not at]
            kind = kind or "compare"
        elif isinstance(parent, ast.Subscript):
            into.append(target_name(parent.value))
            kind = kind or "index"
        elif isinstance(parent, ast.Assign):
            into += [target_name(one) for one in parent.targets]
            kind = kind or "assigned"
        elif isinstance(parent, ast.AnnAssign | ast.AugAssign):
            into.append(target_name(parent.target))
            near += ["step", "increment"] if isinstance(parent, ast.AugAssign) else []
            kind = kind or ("assigned" if isinstance(parent, ast.AnnAssign) else "step")
        elif isinstance(parent, ast.arguments):
            continue
        elif isinstance(parent, ast.Return):
            near.append("return")
            kind = kind or "return"
        elif isinstance(parent, ast.Raise):
            near += ["error", "exception", "message", "raise"]
        elif isinstance(parent, ast.Assert):
            near += ["assertion", "message"]
        elif isinstance(parent, Function):
            if not kind or kind == "default":
                mine = [one.arg for one, default in defaults(parent) if default is at]
                if mine:
                    names += mine
                    kind = "default"
            near.append(parent.name)
        elif isinstance(parent, ast.ClassDef):
            near.append(parent.name)
        elif isinstance(parent, ast.If | ast.While) and at is not parent.test:
            near += [one.id for one in ast.walk(parent.test) if isinstance(one, ast.Name)]
        elif isinstance(parent, ast.If):
            near += [
                one.value
                for one in ast.walk(parent.body[0])
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
        elif isinstance(parent, ast.For | ast.AsyncFor):
            near += [target_name(parent.target), target_name(parent.iter), "loop"]
        if isinstance(parent, ast.stmt) and isinstance(at, ast.expr):
            near += _said_before(src, parent)
        if not isinstance(parent, ast.arguments):
            at = parent
    inner = isinstance(src.parents.get(node), ast.BinOp)
    return Slot(node, kind, tuple(name for name in names if name), tuple(name for name in near if name), inner)


def _said_before(src: Source, statement: ast.stmt) -> list[str]:
    """Words of the text that the statement in front prints or logs: *the exit code for the usage message*."""
    block = src.block(statement)
    at = block.index(statement)
    before = block[at - 1] if at > 0 else None
    if not isinstance(before, ast.Expr) or not isinstance(before.value, ast.Call):
        return []
    texts = [one.value for one in before.value.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return [*texts, "message"] if texts else []
