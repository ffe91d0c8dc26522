# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Imports (add, remove, sort) and tests (a call, an expected exception)."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Words
from spark_tui.train.windows import Function, Window, arguments

MODULES = ("os", "sys", "re", "json", "logging", "time", "math", "random", "itertools", "functools", "collections", "subprocess", "shutil",
            "hashlib", "datetime", "threading", "asyncio", "typing", "contextlib", "csv", "uuid", "tempfile", "warnings", "copy")  # fmt: skip


_FROM = ("from pathlib import Path", "from typing import Any", "from dataclasses import dataclass", "from collections import defaultdict",
         "from functools import lru_cache", "from contextlib import contextmanager", "from datetime import datetime", "from collections import Counter",
         "from functools import partial", "from itertools import chain", "from typing import Optional", "from enum import Enum")  # fmt: skip


def insert_import(window: Window, line: str) -> str | None:
    """The window with an import added behind the last one, or at the top."""
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
    "add {i}",
    "import {m}",
    "add [an|the|] import [of|for] {m}",
    "{m} is not imported[, fix that|]",
    "[the|] import [of|for] {m} is missing",
    "we need to import {m}",
    "put {i} at the top",
    "{m} has to be imported",
    weight=1.0,
)
def add_import(window: Window, draw: Draw) -> Made | None:
    line = draw.choice(_FROM) if draw.chance(0.45) else f"import {draw.choice(MODULES)}"
    after = insert_import(window, line)
    bound = line.split()[-1]
    if after is None or re.search(rf"(?m)^(import|from) [^\n]*\b{bound}\b", window.text):
        return None
    what: Slot = (
        Name(bound) if line.startswith("import") else draw.slot(Name(bound), Code(f"{bound} from {line.split()[1]}"))
    )
    if line.startswith("from"):
        what = Code(f"{bound} from {line.split()[1]}")
    return Made(window.text, after, {"i": Code(line), "m": what})


@kind(
    "remove_import",
    "remove the [unused|] import [of|] {m}",
    "{m} is [imported but unused|not used][, remove the import|]",
    "drop the [unused|] import of {m}",
    "delete the import [of|for] {m}",
    "we don't need [to import|] {m}",
    "remove unused imports",
    "clean up unused imports",
    needs=r"(?m)^(import|from) ",
    weight=1.2,
)
def remove_import(window: Window, draw: Draw) -> Made | None:
    """An import that nothing uses is put in first, in half the cases; the answer takes it out."""
    unused = draw.choice(MODULES)
    if unused in window.names or re.search(rf"\b{unused}\b", window.text):
        return None
    imports = [n for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom) and n.lineno == n.end_lineno]
    if not imports:
        return None
    used = {n.id for n in window.nodes if isinstance(n, ast.Name)}
    others = [a for n in imports for a in n.names if (a.asname or a.name).split(".")[0] not in used]
    line = draw.choice(imports).lineno
    at = window.starts[line - 1]
    before = window.text[:at] + f"import {unused}\n" + window.text[at:]
    phrases = tuple(p for p in _NO_IMPORT if others == [] or "{m}" in p)
    return Made(before, window.text, {"m": Name(unused)}, phrases)


_NO_IMPORT = (
    "remove the [unused|] import [of|] {m}",
    "{m} is [imported but unused|not used][, remove the import|]",
    "remove [the|] unused imports",
    "drop the [unused|] import of {m}",
    "delete the import [of|for] {m}",
    "clean up [the|] unused imports",
    "we don't need [to import|] {m}",
    "there is an unused import, remove it",
)


@kind(
    "sort_imports",
    "sort the imports",
    "sort [the|] imports alphabetically",
    "[the|] imports should be sorted",
    "put the imports in [alphabetical|] order",
    "order the imports",
    "isort",
    "alphabetise the imports",
    needs=r"(?m)^import \w+\nimport \w+",
    weight=0.5,
)
def sort_imports(window: Window, draw: Draw) -> Made | None:
    lines = window.lines
    block: list[int] = []
    for number, line in enumerate(lines):
        if re.fullmatch(r"import [\w.]+", line) and (not block or block[-1] == number - 1):
            block.append(number)
        elif block:
            break
    if not 3 <= len(block) <= 8 or any(isinstance(n, ast.ImportFrom) for n in window.tree.body):
        return None
    texts = [lines[n] for n in block]
    ordered = sorted(texts)
    if ordered == texts or len(set(texts)) != len(texts):
        texts = draw.shuffled(texts)
    if ordered == texts:
        return None
    head, tail = lines[: block[0]], lines[block[-1] + 1 :]
    return Made("\n".join([*head, *texts, *tail]) + "\n", "\n".join([*head, *ordered, *tail]) + "\n", {})


@kind(
    "add_test",
    "add a test [for|of] {f} that checks {call} {is} {value}",
    "write a [pytest|] test for {f}: {call} [should be|is|gives|==] {value}",
    "test that {call} [returns|gives|is] {value}",
    "add test_{n}: {call} == {value}",
    "[we need|I want] a test that {call} returns {value}",
    "add a unit test: {call} should return {value}",
    "cover {f} with a test, {call} == {value}",
    "assert in a test that {call} is {value}",
    weight=0.9,
)
def add_test(window: Window, draw: Draw) -> Made | None:
    tops = [f for f in window.tree.body if isinstance(f, ast.FunctionDef) and not f.name.startswith("_")]
    if not tops or f"test_{tops[0].name}" in window.text:
        return None
    function = draw.choice(tops)
    values = ("1", "2", "0", '"a"', '"x"', "None", "True", "[1, 2]", "[]", '"abc"', "3.5", "{}", "10")
    given = ", ".join(draw.choice(values) for _ in arguments(function)[: draw.rng.randint(1, 3)])
    call, value = f"{function.name}({given})", draw.choice(values)
    slots: dict[str, Slot] = {
        "f": fname(function),
        "call": Code(call),
        "value": Code(value),
        "is": Words(draw.choice(["is", "equals", "=="])),
        "n": Exact(function.name),
    }
    phrases: tuple[str, ...] = ()
    raises = draw.chance(0.35)
    if raises:
        error = draw.choice(["ValueError", "TypeError", "KeyError", "RuntimeError"])
        slots["err"] = Name(error)
        lines = [f"def test_{function.name}_raises():", f"    with pytest.raises({error}):", f"        {call}"]
        phrases = ("add a test that {call} raises {err}", "test that {call} raises {err}", "write a [pytest|] test: {call} should raise {err}",
                   "{call} should raise {err}, add a test", "add a pytest.raises test for {f}: {err} on {call}", "check in a test that {call} fails with {err}")  # fmt: skip
    else:
        test = f"{call} is {value}" if value in ("None", "True") else f"{call} == {value}"
        lines = [f"def test_{function.name}():", f"    assert {test}"]
    after = window.text.rstrip("\n") + "\n\n\n" + "\n".join(lines) + "\n"
    return Made(window.text, after, slots, phrases)
