"""Parameters that are handed on, caching, decorators, tidied code: it does what it did, or what is asked of
it."""

from __future__ import annotations

import ast
from random import Random

from support.edit_kinds import cases, value_of

from spark_tui.train import worded_edits
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.kinds.cleanups import grouped
from spark_tui.train.source_windows import SourceWindow

CACHE = """class Store:
    def __init__(self, ttl):
        self.ttl = ttl

    def left(self, age):
        return self.ttl - age
"""
LOOP = """def names(rows):
    out = []
    for row in rows:
        out.append(row.upper())
    return out
"""
ROUTE = """@app.route("/rows")
def rows():
    return [1]
"""
IMPORTS = """import sys
import os
from flask import Flask
from app.models import Row

print(os, sys, Flask, Row)
"""


def test_a_method_takes_its_own_value_and_else_that_of_the_object() -> None:
    for case in cases("fall_back_to_attribute", CACHE):
        assert value_of(case.after, "Store(9).left(2)") == 7
        assert value_of(case.after, "Store(9).left(2, ttl=4)") == 2


def test_a_new_parameter_arrives_in_the_call() -> None:
    text = "def run(rows):\n    return send_all(rows)\n"
    for case in cases("hand_on", text):
        name = case.slots["p"].text  # type: ignore[union-attr]
        got = value_of(case.after, f"run([], {name}=8)", send_all=lambda rows, **more: more)
        assert got == {name: 8}


def test_two_keywords_stand_after_what_was_there() -> None:
    for case in cases("keyword_pair", "def run(rows):\n    return fetch_all(rows, page=2)\n"):
        call = next(n for n in ast.walk(ast.parse(case.after)) if isinstance(n, ast.Call))
        assert len(call.keywords) == 3
        assert call.keywords[0].arg == "page"


def test_a_cached_function_has_its_decorator_and_the_import_of_it() -> None:
    for case in cases("cache_results", "import os\n\n\ndef double(n):\n    return n * 2\n"):
        assert value_of(case.after, "double(4)") == 8
        assert value_of(case.after, "double.cache_info().misses") == 0


def test_a_second_decorator_goes_where_it_is_said() -> None:
    seen = set()
    for case in cases("second_decorator", ROUTE, 12):
        function = ast.parse(case.after).body[0]
        assert isinstance(function, ast.FunctionDef)
        seen.add(["app.route" in ast.unparse(item) for item in function.decorator_list].index(True))
        assert len(function.decorator_list) == 2
    assert seen == {0, 1}


def test_a_loop_over_things_does_what_the_one_over_indexes_did() -> None:
    for case in cases("plain_loop", LOOP, 10):
        assert "range(len(rows))" in case.before
        assert case.after == LOOP
        assert value_of(case.before, "names(['a', 'b'])") == ["A", "B"]


def test_a_list_becomes_a_set_only_where_nothing_needs_the_list() -> None:
    for case in cases("list_to_set", LOOP):
        assert value_of(case.after, "names(['a', 'a'])") == {"A"}
    indexed = LOOP.replace("return out", "return out[0]")
    assert all(
        worded_edits.edit(KINDS["list_to_set"], SourceWindow("a.py", indexed), Draw(Random(n))) is None
        for n in range(5)
    )


def test_a_repeated_value_is_written_once() -> None:
    text = "def a(x):\n    return x * 86400\n\n\ndef b(x):\n    return x / 86400\n"
    for case in cases("repeated_value", text):
        assert case.after.count("86400") == 1
        assert value_of(case.after, "a(2) + b(86400)") == 172801


def test_imports_are_grouped_as_isort_groups_them() -> None:
    lines = [
        "from app.models import Row",
        "import sys",
        "from flask import Flask",
        "from os import path",
        "import json",
    ]
    assert grouped(lines) == [
        "import json",
        "import sys",
        "from os import path",
        "",
        "from flask import Flask",
        "",
        "from app.models import Row",
    ]
    for case in cases("group_imports", IMPORTS):
        assert case.block
        block = case.after.split("\n\nprint")[0].split("\n")
        assert grouped([line for line in block if line]) == block


def test_one_unused_name_leaves_its_import() -> None:
    for case in cases("drop_from_import", IMPORTS):
        assert case.after == IMPORTS
        assert len(case.before) > len(IMPORTS)
