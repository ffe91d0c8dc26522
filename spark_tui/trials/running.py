"""Finds and runs the tests of a module as pytest does, as far as that is plain. Runs in the child."""

from __future__ import annotations

import ast
import asyncio
import inspect
import io
import os
import re
import sys
import tempfile
import types
import unittest
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

_PYTEST: Any = sys.modules["pytest"]
"""What stands in for it here."""
Unknown, marked, rows_of = _PYTEST.Unknown, _PYTEST.marked, _PYTEST.rows_of
SKIPPED = (_PYTEST.Skipped, unittest.SkipTest)

_EXAMPLE = ">>> "
LOOK = "_spark_look"
"""What a probe calls with each value that it looks at."""
_MOST_LOOKED = 400
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def test_names(module: types.ModuleType) -> list[str]:
    """The names of the tests of a module, those of a class behind `::`."""
    found = []
    for name, value in list(vars(module).items()):
        if name.startswith("test") and inspect.isfunction(value):
            found.append(name)
        elif inspect.isclass(value) and value.__module__ == module.__name__ and _holds_tests(name, value):
            inner = [one for one in dir(value) if one.startswith("test") and callable(getattr(value, one))]
            found += [f"{name}::{one}" for one in inner]
    return found


def _holds_tests(name: str, value: type) -> bool:
    return issubclass(value, unittest.TestCase) or name.startswith("Test")


class ProbedValues(list[str]):
    """The values that a probe looked at, as Python shows them."""

    def __call__(self, value: Any) -> None:
        shown = repr(list(islice(value, 20)) if isinstance(value, Iterator) else value)
        self.append(_ADDRESS.sub("", shown)[:_MOST_LOOKED])


def run_test(module: types.ModuleType, name: str, folder: str) -> str:
    """Run a test, with each of its rows of arguments. An example, code behind `>>> `, gives its value."""
    if name.startswith(_EXAMPLE):
        return repr(_value(module, name.removeprefix(_EXAMPLE)))
    owner, _, method = name.rpartition("::")
    holder = getattr(module, owner) if owner else None
    if holder is not None and issubclass(holder, unittest.TestCase):
        _run_case(holder(method))
        return ""
    test = getattr(holder or module, method)
    marks = [marked(getattr(one, "pytestmark", ())) for one in (module, holder)]
    holders = [*marks, holder, test]
    rows = rows_of(holders)
    if not rows or any(getattr(one, "spark_skip", False) for one in holders):
        raise _PYTEST.Skipped
    uses = [name for one in holders for name in getattr(one, "spark_uses", [])]
    for row in rows:
        turn, turns = 0, 1
        while turn < turns:
            with ExitStack() as stack:
                instance = holder() if holder is not None else None
                needs = _Needs(module, instance, folder, stack, row, turn)
                _set_up(module, "module", module, stack)
                _set_up(holder, "class", holder, stack)
                _set_up(instance or module, "method" if instance else "function", test, stack)
                needs.automatic(uses)
                _call(getattr(instance or module, method), needs)
            turn, turns = turn + 1, needs.turns
    return ""


def _set_up(owner: Any, kind: str, subject: Any, stack: ExitStack) -> None:
    """Call `setup_KIND` of an owner now, and `teardown_KIND` at the end, where it has them."""

    def run(name: str) -> None:
        hook = getattr(owner, name, None)
        if hook is not None:
            hook(*([subject] if inspect.signature(hook).parameters else []))

    stack.callback(run, f"teardown_{kind}")
    run(f"setup_{kind}")


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
    result = _Result()
    unittest.TestSuite([case]).run(result)
    if result.skipped or result.expectedFailures or result.unexpectedSuccesses:
        raise _PYTEST.Skipped
    for error in result.raised:
        raise error


class _Result(unittest.TestResult):
    """A result that keeps what was raised."""

    def __init__(self) -> None:
        super().__init__()
        self.raised: list[BaseException] = []

    def addError(self, _: Any, error: Any) -> None:  # noqa: N802  (as unittest calls it)
        self.raised.append(error[1])

    def addFailure(self, _: Any, error: Any) -> None:  # noqa: N802
        self.raised.append(error[1])

    def addSubTest(self, _: Any, __: Any, error: Any) -> None:  # noqa: N802
        self.raised += [error[1]] if error else []


class _Captured(NamedTuple):
    out: str
    err: str


class _Capsys:
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


class _MonkeyPatch(_PYTEST.Partly):  # type: ignore[misc]
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
    """The arguments of a test: its row, the fixtures of its class, module and conftest, and those of pytest.
    A fixture with several values has another one each turn."""

    def __init__(
        self,
        module: types.ModuleType,
        instance: Any,
        folder: str,
        stack: ExitStack,
        row: dict[str, Any],
        turn: int,
    ) -> None:
        self._stack, self._folder, self._values, self._turn = stack, folder, dict(row), turn
        self.turns = 1
        conftests = [one for name, one in sys.modules.items() if name.endswith("conftest")]
        self._made = {
            value.spark_fixture: getattr(holder, name)
            for holder in [*conftests, module, instance]
            for name, value in _functions_of(holder)
            if hasattr(value, "spark_fixture")
        }

    def automatic(self, also: Sequence[str]) -> None:
        for name in [*(name for name, made in self._made.items() if made.spark_auto), *also]:
            self.get(name)

    def get(self, name: str) -> Any:
        if name not in self._values:
            self._values[name] = self._make(name)
        return self._values[name]

    def _make(self, name: str) -> Any:
        if name in self._made:
            made = self._made.pop(name)  # one that asks for its own name means another one, not known here
            params = made.spark_params
            if params:
                self.turns = max(self.turns, len(params))
                self._values["request"] = types.SimpleNamespace(param=params[self._turn % len(params)])
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


def _functions_of(holder: Any) -> list[tuple[str, Any]]:
    """The functions of a module, or of the classes of an object."""
    if holder is None:
        return []
    if isinstance(holder, types.ModuleType):
        found = dict(vars(holder))
    else:
        found = {name: value for one in reversed(type(holder).__mro__) for name, value in vars(one).items()}
    return [(name, value) for name, value in found.items() if isinstance(value, types.FunctionType)]


def _call(function: Any, needs: _Needs) -> Any:
    wanted = [
        one.name
        for one in inspect.signature(function).parameters.values()
        if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and one.default is one.empty
    ]
    value = function(**{name: needs.get(name) for name in wanted})
    return asyncio.run(value) if inspect.iscoroutine(value) else value
