"""Imports (add, remove, sort) and tests (a call, an expected exception)."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow, arguments, docstring_node
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/imports")

MODULES = (
    "os",
    "sys",
    "re",
    "json",
    "logging",
    "time",
    "math",
    "random",
    "itertools",
    "functools",
    "collections",
    "subprocess",
    "shutil",
    "hashlib",
    "datetime",
    "threading",
    "asyncio",
    "typing",
    "contextlib",
    "csv",
    "uuid",
    "tempfile",
    "warnings",
    "copy",
)


_FROM = (
    "from pathlib import Path",
    "from typing import Any",
    "from dataclasses import dataclass",
    "from collections import defaultdict",
    "from functools import lru_cache",
    "from contextlib import contextmanager",
    "from datetime import datetime",
    "from collections import Counter",
    "from functools import partial",
    "from itertools import chain",
    "from typing import Optional",
    "from enum import Enum",
)


_UNNAMED = 0.3
"""Share of removed imports that the instruction does not name, if nothing else is unused."""


def insert_import(window: SourceWindow, line: str) -> str | None:
    """The window with an import added after the last one, or at the top."""
    imports = [n for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if any(window.source(n) == line for n in imports):
        return None
    if imports:
        at = window.starts[window.last_line(imports[-1])]
        return window.text[:at] + line + "\n" + window.text[at:]
    first = window.tree.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return None
    heavy = isinstance(first, Function | ast.ClassDef)
    return line + "\n" + ("\n\n" if heavy else "\n") + window.text


@kind(
    "add_import",
    *wording["add"],
    weight=0.5,
)
def add_import(window: SourceWindow, draw: Draw) -> Made | None:
    line = draw.choice(_FROM) if draw.chance(0.45) else f"import {draw.choice(MODULES)}"
    after = insert_import(window, line)
    bound = line.split()[-1]
    if after is None or re.search(rf"(?m)^(import|from) [^\n]*\b{bound}\b", window.text):
        return None
    what: Slot = (
        NameSlot(bound)
        if line.startswith("import")
        else draw.slot(NameSlot(bound), CodeSlot(f"{bound} from {line.split()[1]}"))
    )
    if line.startswith("from"):
        what = CodeSlot(f"{bound} from {line.split()[1]}")
    return Made(window.text, after, {"i": CodeSlot(line), "m": what})


@kind(
    "remove_import",
    *wording["remove"],
    needs=r"(?m)^(import|from) ",
    weight=0.6,
)
def remove_import(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes an unused import. In half of the cases it is added to the text before."""
    unused = draw.choice(MODULES)
    if unused in window.names or re.search(rf"\b{unused}\b", window.text):
        return None
    imports = [
        n for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom) and n.lineno == n.end_lineno
    ]
    if not imports:
        return None
    used = {n.id for n in window.nodes if isinstance(n, ast.Name)}
    others = [a for n in imports for a in n.names if (a.asname or a.name).split(".")[0] not in used]
    line = draw.choice(imports).lineno
    at = window.starts[line - 1]
    before = window.text[:at] + f"import {unused}\n" + window.text[at:]
    if others:
        phrases = tuple(p for p in wording["remove"] if "{m}" in p or p == HELD_OUT)
    else:
        phrases = wording["remove_unnamed"] if draw.chance(_UNNAMED) else wording["remove"]
    return Made(before, window.text, {"m": NameSlot(unused)}, phrases)


@kind(
    "sort_imports",
    *wording["sort"],
    weight=1.8,
)
def sort_imports(window: SourceWindow, draw: Draw) -> Made | None:
    """Sorts the plain imports of a window that has no others; the text before has them in random order,
    mostly with a few more."""
    lines = window.lines
    block: list[int] = []
    for number, line in enumerate(lines):
        if re.fullmatch(r"import [\w.]+", line) and (not block or block[-1] == number - 1):
            block.append(number)
        elif block:
            break
    if any(isinstance(n, ast.ImportFrom) for n in window.tree.body) or len(block) > _MOST_SORTED:
        return None
    if not block and docstring_node(window.tree) is not None:
        return None
    first = block[0] if block else 0
    texts = lines[first : first + len(block)]
    wanted = draw.rng.randint(3, _MOST_SORTED)
    more = [
        f"import {name}" for name in draw.shuffled([*MODULES, *_MORE_MODULES]) if name not in window.names
    ]
    if len(texts) < 3 or draw.chance(0.6):
        texts = [*texts, *more[: max(0, wanted - len(texts))]]
    ordered = sorted(set(texts))
    texts = draw.shuffled(ordered)
    if ordered == texts or len(texts) < 3:
        return None
    head, tail = lines[:first], lines[first + len(block) :]
    if not block:
        tail = ["", *([""] if isinstance(window.tree.body[0], Function | ast.ClassDef) else []), *tail]
    before, after = ("\n".join([*head, *found, *tail]) + "\n" for found in (texts, ordered))
    return Made(before, after, {}, block=True)


_MOST_SORTED = 7
_MORE_MODULES = (
    "numpy",
    "pandas",
    "torch",
    "requests",
    "yaml",
    "click",
    "flask",
    "pytest",
    "attr",
    "sqlite3",
    "socket",
    "struct",
    "string",
    "operator",
    "argparse",
    "pathlib",
    "pickle",
    "queue",
    "select",
    "signal",
    "textwrap",
    "traceback",
    "types",
    "unittest",
    "urllib.parse",
    "os.path",
    "xml.etree.ElementTree",
    "concurrent.futures",
    "importlib",
    "inspect",
    "io",
    "glob",
    "gzip",
    "heapq",
    "html",
    "base64",
    "bisect",
    "abc",
    "ast",
    "decimal",
    "difflib",
    "enum",
    "errno",
    "fnmatch",
    "getpass",
    "locale",
    "platform",
    "pprint",
    "secrets",
    "statistics",
    "stat",
    "weakref",
    "zlib",
    "jinja2",
    "httpx",
    "rich",
    "django",
    "matplotlib",
    "scipy",
    "sklearn",
    "email.utils",
    "logging.config",
    "collections.abc",
)


@kind(
    "add_test",
    *wording["test"],
    weight=1.4,
)
def add_test(window: SourceWindow, draw: Draw) -> Made | None:
    tops = [f for f in window.tree.body if isinstance(f, ast.FunctionDef) and not f.name.startswith("_")]
    if not tops or f"test_{tops[0].name}" in window.text:
        return None
    function = draw.choice(tops)
    values = ("1", "2", "0", '"a"', '"x"', "None", "True", "[1, 2]", "[]", '"abc"', "3.5", "{}", "10")
    given = ", ".join(draw.choice(values) for _ in arguments(function)[: draw.rng.randint(1, 3)])
    call, value = f"{function.name}({given})", draw.choice(values)
    slots: dict[str, Slot] = {
        "f": fname(function),
        "call": CodeSlot(call),
        "value": CodeSlot(value),
        "is": WordsSlot(draw.choice(["is", "equals", "=="])),
        "n": ExactSlot(function.name),
    }
    phrases: tuple[str, ...] = ()
    raises = draw.chance(0.35)
    if raises:
        error = draw.choice(["ValueError", "TypeError", "KeyError", "RuntimeError"])
        slots["err"] = NameSlot(error)
        lines = [
            f"def test_{function.name}_raises():",
            f"    with pytest.raises({error}):",
            f"        {call}",
        ]
        phrases = wording["test_raises"]
    else:
        test = f"{call} is {value}" if value in ("None", "True") else f"{call} == {value}"
        lines = [f"def test_{function.name}():", f"    assert {test}"]
    after = window.text.rstrip("\n") + "\n\n\n" + "\n".join(lines) + "\n"
    return Made(window.text, after, slots, phrases)
