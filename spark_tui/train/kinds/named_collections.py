"""Named collections as applications have them: lists of names, tables of prices, records by number.

A window without one can be given one.
"""

from __future__ import annotations

import ast
import re

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw
from spark_tui.train.snippet_generator import NOUNS
from spark_tui.train.source_windows import SourceWindow

_NAMES = [
    "tesla",
    "apple",
    "bmw",
    "berlin",
    "paris",
    "tokyo",
    "alice",
    "bob",
    "carol",
    "dave",
    "euro",
    "dollar",
    "gold",
    "silver",
    "milk",
    "bread",
    "rice",
    "coffee",
    "tea",
    "red",
    "green",
    "blue",
    "python",
    "rust",
    "java",
    "linux",
    "windows",
    "monday",
    "friday",
    "january",
    "admin",
    "guest",
    "editor",
    "tcp",
    "udp",
    "json",
    "csv",
    "pdf",
    "amazon",
    "google",
    "spotify",
    "netflix",
    "vienna",
    "oslo",
    "madrid",
    "maria",
    "ahmed",
    "chen",
]
Collection = ast.Dict | ast.List | ast.Set | ast.Tuple


def some_word(draw: Draw) -> str:
    return draw.choice(_NAMES) if draw.chance(0.6) else draw.choice(NOUNS)


def _fresh(draw: Draw) -> str:
    """Source of a random collection: three to six entries of one type."""
    count = draw.rng.randint(3, 6)
    seen = list(dict.fromkeys(some_word(draw) for _ in range(count)))
    style = draw.choice(["plain", "plain", "upper", "title"])
    told = [w if style == "plain" else w.upper() if style == "upper" else w.capitalize() for w in seen]
    form = draw.choice(
        [
            "list",
            "list",
            "set",
            "tuple",
            "numbers",
            "dict",
            "dict",
            "dict",
            "dict",
            "record",
            "record",
            "by number",
            "records",
            "pairs",
        ]
    )
    fields = draw.rng.sample(NOUNS, 2)
    value = draw.choice(["number", "number", "text", "share", "flag", "seconds"])
    number = settings_modules.literal

    def one(_: int = 0) -> str:
        return f'"{draw.choice(NOUNS)}"' if value == "text" else number(value, draw.rng)

    def record() -> str:
        return (
            "{"
            + f'"name": "{some_word(draw).capitalize()}", "{fields[0]}": {number("number", draw.rng)}'
            + (f', "{fields[1]}": {number("share", draw.rng)}' if len(seen) % 2 else "")
            + "}"
        )

    if form in ("list", "set", "tuple"):
        items = [f'"{w}"' for w in told]
    elif form == "numbers":
        items = [number("number", draw.rng) for _ in seen]
    elif form == "dict":
        items = [f'"{w}": {one()}' for w in told]
    elif form == "record":
        items = [f'"{w}": {record()}' for w in told]
    elif form == "by number":
        items = [
            f"{at}: {record() if draw.chance(0.7) or value == 'flag' else chr(34) + w + chr(34)}"
            for at, w in enumerate(told, draw.choice([0, 1, 1, 100]))
        ]
    elif form == "records":
        items = [record() for _ in seen]
    else:
        items = [f'("{w}", {number("number", draw.rng)})' for w in told]
    marks = {"set": "{}", "tuple": "()", "dict": "{}", "record": "{}", "by number": "{}"}.get(form, "[]")
    opening, closing = marks[0], marks[1]
    if len("".join(items)) > 60 or draw.chance(0.5):
        return opening + "\n" + "".join(f"    {item},\n" for item in items) + closing
    return opening + ", ".join(items) + closing


def with_collection(window: SourceWindow, draw: Draw) -> SourceWindow:
    """The window with one or two collections below its imports."""
    documented = isinstance(window.tree.body[0], ast.Expr)
    heads = [n for n in window.tree.body[documented:] if not isinstance(n, ast.Import | ast.ImportFrom)]
    if not heads:
        return window
    names = [
        draw.choice(
            [
                f"{draw.choice(NOUNS)}s",
                f"{draw.choice(['known', 'allowed', 'default', 'all', 'blocked'])}_{draw.choice(NOUNS)}s",
                f"{draw.choice(NOUNS)}_{draw.choice(['map', 'names', 'prices', 'ids', 'limits', 'list'])}",
            ]
        )
        for _ in range(draw.choice([1, 1, 2]))
    ]
    block = "".join(
        f"{name.upper() if draw.chance(0.7) else name} = {_fresh(draw)}\n"
        for name in dict.fromkeys(names)
        if name not in window.names
    )
    at = window.starts[window.first_line(heads[0]) - 1]
    above = window.text[:at].rstrip("\n")
    text = (
        (above + "\n\n" if above else "")
        + block
        + ("\n\n" if isinstance(heads[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else "")
        + window.text[at:]
    )
    return settings_modules.made(window, text)


def collections(window: SourceWindow) -> list[tuple[str, Collection]]:
    """Collections that are bound to a name once."""
    out: list[tuple[str, Collection]] = []
    for node in window.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, Collection):
            target = node.targets[0]
            name = (
                target.id
                if isinstance(target, ast.Name)
                else target.attr
                if isinstance(target, ast.Attribute)
                else ""
            )
            if name and len(re.findall(rf"\b{name} = ", window.text)) == 1:
                out.append((name, node.value))
    return out
