"""Names that the code gives to variables whose own say nothing."""

from __future__ import annotations

import ast

import pytest
from intent.asking import changed

from spark_tui.intent.names.names_from_code import names_for
from spark_tui.pysource.source import Function

CASES = [
    ("for l in self.loans:\n        l.close()", "l", ["loan"]),
    ("return [e.name for e in entries if e]", "e", ["entry"]),
    ("for i, b in enumerate(boxes):\n        b.open(i)", "i", ["index"]),
    ("for i, b in enumerate(boxes):\n        b.open(i)", "b", ["box"]),
    ("for k, v in prices.items():\n        print(k, v)", "v", ["price"]),
    ("p = argparse.ArgumentParser()\n    return p.parse_args()", "p", ["parser"]),
    ("d = json.load(stream)\n    return d", "d", ["data"]),
    ("c = load_config(path)\n    c.check()", "c", ["config"]),
    ("n = row['name']\n    print(n)", "n", ["name"]),
    ("with open(path) as f:\n        for l in f:\n            print(l)", "l", ["line"]),
    ("x = 3\n    print(x)", "x", []),
    ("for a in address:\n        print(a)", "a", []),
]


@pytest.mark.parametrize(("body", "old", "wanted"), CASES)
def test_what_a_variable_is_read_from_names_it(body: str, old: str, wanted: list[str]) -> None:
    module = ast.parse(f"def work(self, path):\n    {body}\n")
    function = module.body[0]
    assert isinstance(function, Function)
    assert names_for(function, old, module) == wanted


def test_a_parameter_is_named_by_its_type_or_by_what_is_passed() -> None:
    module = ast.parse("def show(s, c: ShoppingCart):\n    print(s, c)\n\n\nshow(settings, cart)\n")
    function = module.body[0]
    assert isinstance(function, Function)
    assert names_for(function, "s", module) == ["settings"]
    assert names_for(function, "c", module) == ["cart"]


def test_a_call_that_passes_nothing_at_its_place_names_nothing() -> None:
    module = ast.parse("def show(s, n=0):\n    print(s, n)\n\n\nshop.show(cart)\n")
    function = module.body[0]
    assert isinstance(function, Function)
    assert names_for(function, "n", module) == []


def test_a_name_that_is_taken_is_not_suggested() -> None:
    module = ast.parse("def work(loans, loan):\n    for l in loans:\n        print(l, loan)\n")
    function = module.body[0]
    assert isinstance(function, Function)
    assert names_for(function, "l", module) == []


def test_a_rename_without_a_new_name_asks_the_code() -> None:
    code = "def close(loans):\n    for l in loans:\n        l.end()\n"
    after = changed(code, "l is a bad name", "rename", symbol="l")
    assert "    for loan in loans:\n        loan.end()\n" in after


def test_the_name_of_a_builtin_gets_an_underscore() -> None:
    code = "def show(format):\n    return format.name\n"
    after = changed(code, "format shadows a builtin", "rename", symbol="format")
    assert after == "def show(format_):\n    return format_.name\n"
