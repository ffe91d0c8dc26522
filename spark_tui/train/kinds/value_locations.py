"""Finds the values of a window and the words that fit only one of them, such as "the payment term"."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from spark_tui.train.kinds.base import Draw
from spark_tui.train.referring_phrases import words_of
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.tables import table

wording = table("wording/roles")

Add = Callable[..., None]
DULL = frozenset(
    [
        "default",
        "my",
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "is",
        "as",
        "use",
        "self",
        "get",
        "set",
        "num",
        "value",
        "no",
        "int",
        "str",
    ]
)
_CANONICAL = {word: group[0] for group in wording["same"] for word in group}


@dataclass(frozen=True, slots=True)
class ValueLocation:
    """A literal. `words` come from the name that it is given to; `around` from the function, class or call
    that holds it."""

    node: ast.Constant
    name: str
    words: tuple[str, ...]
    around: frozenset[str]
    form: str
    sort: str

    @property
    def exact(self) -> bool:
        """Whether the name is in the code."""
        return self.form not in ("compare", "sleep", "round", "status")

    @property
    def meant(self) -> frozenset[str]:
        return canonical(self.words) | self.around


def canonical(words: Iterable[str]) -> frozenset[str]:
    """Words without endings, with synonyms mapped to one word."""
    out = set()
    for word in words:
        low = word.lower()
        stem = low[:-1] if low.endswith("s") and len(low) > 3 and not low.endswith("ss") else low
        out.add(_CANONICAL.get(low) or _CANONICAL.get(stem) or stem)
    return frozenset(out)


def _sort(node: ast.AST) -> str:
    if not isinstance(node, ast.Constant):
        return ""
    if isinstance(node.value, bool):
        return "flag"
    if isinstance(node.value, int | float):
        return "number"
    return "text" if isinstance(node.value, str) else ""


def spots(window: SourceWindow) -> list[ValueLocation]:
    """Every literal that is given to something with a name."""
    out: list[ValueLocation] = []

    def add(node: ast.AST | None, name: str, form: str, more: Sequence[str] = ()) -> None:
        if not isinstance(node, ast.Constant) or not _sort(node) or node.lineno != node.end_lineno:
            return
        source = window.source(node)
        if not re.fullmatch(r"\d+|\d+\.\d+|True|False|(['\"])[^'\"\\\n]*\1", source):
            return
        function = window.function_of(node)
        owner = next((c for c in window.classes if c.lineno <= node.lineno <= (c.end_lineno or 0)), None)
        around = [
            *(words_of(function.name) if function else ()),
            *(words_of(owner.name) if owner else ()),
            *more,
        ]
        out.append(
            ValueLocation(node, name, tuple(words_of(name)), canonical(around) - DULL, form, _sort(node))
        )

    defined = {f.name: f for f in window.functions}
    for node in window.nodes:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name):
                add(node.value, target.id, "constant" if target.id.isupper() else "variable")
            elif isinstance(target, ast.Attribute):
                add(node.value, target.attr, "attribute")
            if isinstance(target, ast.Name | ast.Attribute) and isinstance(node.value, ast.Dict):
                _entries(node.value, words_of(window.source(target)), add)
        elif isinstance(node, Function):
            args = node.args
            pairs = list(
                zip(reversed([*args.posonlyargs, *args.args]), reversed(args.defaults), strict=False)
            )
            pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
            for item, default in pairs:
                add(default, item.arg, "default", words_of(node.name))
        elif isinstance(node, ast.Call):
            _call(node, window, defined, add)
        elif isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and node.value.elts:
            last = node.value.elts[-1]
            if isinstance(last, ast.Constant) and last.value in range(200, 600) and len(node.value.elts) == 2:
                add(last, "status_code", "status", [])
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE):
            left, bound = node.left, "max" if isinstance(node.ops[0], ast.Gt | ast.GtE) else "min"
            if isinstance(left, ast.Call) and window.source(left.func) == "len" and len(left.args) == 1:
                thing = window.source(left.args[0])
                name = f"{bound}_{thing.split('.')[-1]}_length"
            else:
                thing = window.source(left)
                name = f"{bound}_{thing.split('.')[-1]}"
            if re.fullmatch(r"[\w.]+", thing) and len(node.ops) == 1:
                add(node.comparators[0], name, "compare")
    first: dict[ast.Constant, ValueLocation] = {}
    for spot in out:
        first.setdefault(spot.node, spot)
    return list(first.values())


def _entries(value: ast.Dict, holder: Sequence[str], add: Add) -> None:
    for key, item in zip(value.keys, value.values, strict=True):
        if (
            isinstance(key, ast.Constant)
            and isinstance(key.value, str)
            and re.fullmatch(r"[A-Za-z_][\w -]*", key.value)
        ):
            add(item, re.sub(r"[ -]", "_", key.value), "entry", holder)


def _call(node: ast.Call, window: SourceWindow, defined: dict[str, Function], add: Add) -> None:
    source = window.source(node.func)
    last = source.rpartition(".")[2]
    if "\n" in source:
        return
    option = (
        node.args[0].value
        if last == "add_argument" and node.args and isinstance(node.args[0], ast.Constant)
        else None
    )
    for item in node.keywords:
        if item.arg == "default" and isinstance(option, str):
            add(item.value, option.strip("-").replace("-", "_"), "option")
        elif item.arg and item.arg != "help":
            add(item.value, item.arg, "keyword", words_of(last))
    numbers = [a for a in node.args if isinstance(a, ast.Constant)]
    if last == "sleep" and len(numbers) == len(node.args) == 1:
        add(numbers[0], "sleep_seconds", "sleep")
    elif last == "round" and len(node.args) == 2:
        add(node.args[1], "decimals", "round")
    elif (
        last in ("get", "getenv")
        and len(node.args) == 2
        and isinstance(numbers[0] if numbers else None, ast.Constant)
    ):
        key = node.args[0]
        if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier():
            add(node.args[1], key.value, "fallback")
    elif last in defined and not any(isinstance(a, ast.Starred) for a in node.args):
        names = [
            a.arg
            for a in [*defined[last].args.posonlyargs, *defined[last].args.args]
            if a.arg not in ("self", "cls")
        ]
        for name, value in zip(names, node.args, strict=False):
            add(value, name, "argument", words_of(last))


_SHARE = {
    "argument": 0.3,
    "compare": 0.5,
    "round": 2.0,
    "sleep": 2.5,
    "status": 2.0,
    "option": 2.0,
    "fallback": 2.0,
    "default": 1.6,
    "keyword": 1.6,
}


def drawn(found: Sequence[ValueLocation], sort: str, draw: Draw) -> list[ValueLocation]:
    """Values of a type in random order, those that people change more often first."""
    return sorted(
        (s for s in found if s.sort == sort), key=lambda s: draw.rng.random() ** _SHARE.get(s.form, 1.0)
    )


def phrase(
    spot: ValueLocation, others: Sequence[ValueLocation], draw: Draw
) -> tuple[str, frozenset[str]] | None:
    """Words for what the value is given to that fit no other value of its type."""
    for _ in range(6):
        words = [w for w in spot.words if w not in DULL or len(spot.words) == 1]
        if not words:
            return None
        if draw.chance(0.55) and len(words) > 1:
            words = [w for w in words if w not in wording["units"]] or words
        if len(words) > 2 and draw.chance(0.35):
            words.pop(draw.rng.randrange(len(words)))
        extra = draw.choice(sorted(spot.around) or [""]) if draw.chance(0.2) else ""
        said = canonical([*words, *([extra] if extra else [])])
        mine = [o for o in others if o is not spot and o.sort == spot.sort and said <= o.meant]
        if mine or len("".join(words)) < 2:
            continue
        return _ordered(words, extra if extra not in canonical(words) else "", draw), said
    return None


def _ordered(words: Sequence[str], extra: str, draw: Draw) -> str:
    told = [
        draw.choice(wording["ways"][w]) if w in wording["ways"] and draw.chance(0.4) else w for w in words
    ]
    if "max" in words and len(words) > 1:
        rest = " ".join(t for w, t in zip(words, told, strict=True) if w != "max")
        text = draw.choice(
            [
                f"max {rest}",
                f"maximum {rest}",
                f"{rest} limit",
                f"{rest} max",
                f"max. {rest}",
                f"limit for {rest}",
                f"limit of {rest}",
                f"maximum number of {rest}" if words[-1].endswith("s") else f"maximum {rest}",
                f"upper limit for {rest}",
                f"biggest allowed {rest}",
            ]
        )
    elif "min" in words and len(words) > 1:
        rest = " ".join(t for w, t in zip(words, told, strict=True) if w != "min")
        text = draw.choice(
            [
                f"min {rest}",
                f"minimum {rest}",
                f"{rest} minimum",
                f"lowest {rest}",
                f"smallest allowed {rest}",
                f"lower limit for {rest}",
            ]
        )
    elif len(words) == 2 and draw.chance(0.2):
        text = f"{told[1]} {draw.choice(['of', 'for', 'of the', 'for the'])} {told[0]}"
    else:
        text = " ".join(told)
    if len(words) == 1 and len(words[0]) <= 4 and draw.chance(0.3):
        text = text.upper()
    if extra:
        text = draw.choice([f"{extra} {text}", f"{text} for {extra}", f"{text} of the {extra}"])
    return text
