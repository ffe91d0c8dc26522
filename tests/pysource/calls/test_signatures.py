"""Calls of Python's own functions that do not fit them."""

from __future__ import annotations

import ast

import pytest

from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.pysource.calls.signatures import builtin_signature, fit
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository


@pytest.mark.parametrize(
    ("call", "fits"),
    [
        ("callable(x)", True),
        ("callable(x, '__call__')", False),
        ("len()", False),
        ("sorted(x, key=len, reverse=True)", True),
        ("sorted(x, keys=len)", False),
        ("sorted(*x, **y)", True),
        ("print(1, 2, 3, end='')", True),
        ("open(x, encoding='utf-8')", True),
        ("isinstance(x)", False),
        ("ValueError('no', x)", True),
        ("ValueError('no', code='none')", False),
        ("KeyError(**x)", True),
    ],
)
def test_a_builtin_is_called_as_it_can_be(call: str, fits: bool) -> None:
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)
    signature = builtin_signature(tree.func.id)
    assert signature is not None and (not fit(signature, tree).problem) is fits


@pytest.mark.parametrize("name", ["no_such_name", "True", "ImportError"])
def test_what_python_does_not_tell_is_not_known(name: str) -> None:
    assert builtin_signature(name) is None


@pytest.mark.parametrize(("shadow", "found"), [("", 1), ("    callable = min\n", 0)])
def test_a_call_that_does_not_fit_a_builtin_is_found(shadow: str, found: int) -> None:
    text = f"def f(fn):\n{shadow}    if hasattr(fn, '__call__'):\n        return fn\n"
    repo = Repository(DictTree({"m.py": text}))
    plan = registry.parse("replace_expression 'in m.py' hasattr callable").plan(repo)
    reasons = [finding.reason for finding in checked(plan, repo).findings]  # type: ignore[arg-type]
    assert reasons == ["callable(…) does not fit: callable takes 1 positional arguments, not 2"] * found
