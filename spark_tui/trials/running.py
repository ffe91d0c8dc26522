"""Finds and runs the tests of a module as pytest does, as far as that is plain. Runs in the child."""

from __future__ import annotations

import ast
import asyncio
import inspect
import io
import os
import sys
import tempfile
import types
import unittest
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

_PYTEST: Any = sys.modules["pytest"]
"""What stands in for it here."""
Skipped, rows_of = _PYTEST.Skipped, _PYTEST.rows_of

_EXAMPLE = ">>> "


class Unknown(Exception):
    """A test needs what is not here."""


def test_names(module: types.ModuleType) -> list[str]:
    """The names of the tests of a module, those of a class behind `::`."""
    found = []
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            found.append(name)
        elif inspect.isclass(value) and value.__module__ == module.__name__ and _holds_tests(name, value):
            found += [f"{name}::{one}" for one in dir(value) if one.startswith("test")]
    return found


def _holds_tests(name: str, value: type) -> bool:
    return issubclass(value, unittest.TestCase) or name.startswith("Test")


def run_test(module: types.ModuleType, name: str, folder: str) -> str:
    """Run a test, with each of its rows of arguments. An example, code behind `>>> `, gives its value."""
    if name.startswith(_EXAMPLE):
        return repr(_value(module, name.removeprefix(_EXAMPLE)))
    owner, _, method = name.rpartition("::")
    holder = getattr(module, owner) if owner else None
    if holder is not None and issubclass(holder, unittest.TestCase):
        _run_case(holder(method))
        return ""
    test = getattr(holder, method) if holder is not None else getattr(module, method)
    if getattr(test, "spark_skip", False):
        raise Skipped
    for row in rows_of(test):
        with ExitStack() as stack:
            needs = _Needs(module, folder, stack, row)
            instance = holder() if holder is not None else None
            if instance is not None:
                getattr(instance, "setup_method", lambda *_: None)(*_given(instance, "setup_method", test))
            needs.automatic()
            _call(getattr(instance, method) if instance is not None else test, needs)
    return ""


def _given(instance: Any, name: str, test: Any) -> tuple[Any, ...]:
    method = getattr(instance, name, None)
    return (test,) if method is not None and inspect.signature(method).parameters else ()


def _value(module: types.ModuleType, code: str) -> Any:
    """The value of the last expression of some code, in a module."""
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<example>", "exec"), module.__dict__)
    if last is None:
        return None
    assert isinstance(last, ast.Expr)
    value = eval(compile(ast.Expression(last.value), "<example>", "eval"), module.__dict__)
    return list(value) if isinstance(value, Iterator) else value


def _run_case(case: unittest.TestCase) -> None:
    result = unittest.TestResult()
    case.run(result)
    if result.skipped:
        raise Skipped
    for _, shown in [*result.failures, *result.errors]:
        raise AssertionError(shown.strip().splitlines()[-1])


class _Captured(NamedTuple):
    out: str
    err: str


class _Capsys:
    """The fixture `capsys`."""

    def __init__(self, stack: ExitStack) -> None:
        self._out, self._err = io.StringIO(), io.StringIO()
        stack.enter_context(redirect_stdout(self._out))
        stack.enter_context(redirect_stderr(self._err))

    def readouterr(self) -> _Captured:
        found = _Captured(self._out.getvalue(), self._err.getvalue())
        for stream in (self._out, self._err):
            stream.seek(0)
            stream.truncate()
        return found


class _MonkeyPatch:
    """The fixture `monkeypatch`."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack

    def setattr(self, target: Any, name: Any, *value: Any, **_: Any) -> None:
        if isinstance(target, str):
            value, (owner, name) = (name,), target.rsplit(".", 1)
            target = sys.modules.get(owner) or __import__(owner, fromlist=["x"])
        old = getattr(target, name, _MonkeyPatch)
        setattr(target, name, *value)
        if old is _MonkeyPatch:
            self._stack.callback(delattr, target, name)
        else:
            self._stack.callback(setattr, target, name, old)

    def setitem(self, target: Any, name: Any, value: Any) -> None:
        old = dict(target)
        target[name] = value
        self._stack.callback(lambda: (target.clear(), target.update(old)))

    def delitem(self, target: Any, name: Any, **_: Any) -> None:
        old = dict(target)
        target.pop(name, None)
        self._stack.callback(lambda: (target.clear(), target.update(old)))

    def setenv(self, name: str, value: str, **_: Any) -> None:
        self.setitem(os.environ, name, value)

    def delenv(self, name: str, **_: Any) -> None:
        self.delitem(os.environ, name)

    def chdir(self, path: Any) -> None:
        self._stack.callback(os.chdir, Path.cwd())
        os.chdir(path)


class _Needs:
    """The arguments of a test: its row, the fixtures of its module and conftest, and those of pytest."""

    def __init__(self, module: types.ModuleType, folder: str, stack: ExitStack, row: dict[str, Any]) -> None:
        self._stack, self._folder, self._values = stack, folder, dict(row)
        conftests = [one for name, one in sys.modules.items() if name.rpartition(".")[2] == "conftest"]
        self._made = {
            value.spark_fixture: value
            for holder in [*conftests, module]
            for value in list(vars(holder).values())
            if hasattr(value, "spark_fixture")
        }

    def automatic(self) -> None:
        for name, made in self._made.items():
            if made.spark_auto:
                self.get(name)

    def get(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._make(name)
        return self._values[name]

    def _make(self, name: str) -> Any:
        if name in self._made:
            made = self._made[name]
            if made.spark_params:
                self._values["request"] = types.SimpleNamespace(param=made.spark_params[0])
            value = _call(made, self)
            if not inspect.isgenerator(value):
                return value
            return self._stack.enter_context(contextmanager(lambda: value)())
        known: dict[str, Callable[[], Any]] = {
            "tmp_path": lambda: Path(tempfile.mkdtemp(dir=self._folder)),
            "tmpdir": lambda: Path(tempfile.mkdtemp(dir=self._folder)),
            "capsys": lambda: _Capsys(self._stack),
            "monkeypatch": lambda: _MonkeyPatch(self._stack),
        }
        if name not in known:
            raise Unknown(f"the fixture {name}")
        return known[name]()


def _call(function: Any, needs: _Needs) -> Any:
    wanted = [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.default is one.empty
    ]
    value = function(**{name: needs.get(name) for name in wanted})
    return asyncio.run(value) if inspect.iscoroutine(value) else value
