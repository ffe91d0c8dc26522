"""What tests use of `pytest`, for a process that has only the standard library. Runs in the child."""

from __future__ import annotations

import contextlib
import functools
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any


class Skipped(BaseException):
    """A test that is not to run here."""


class Unknown(AttributeError):
    """A test needs what is not here."""


class Partly:
    """What has a part of its model only; what is asked beyond that is unknown."""

    def __getattr__(self, name: str) -> Any:
        raise Unknown(name)


class Raised(Partly):
    """What `raises` gives: the exception, once it was raised."""

    value: Any = None
    type: Any = None

    def match(self, pattern: str) -> bool:
        assert re.search(pattern, str(self.value)), f"{pattern!r} is not in {str(self.value)!r}"
        return True


@contextlib.contextmanager
def _raising(expected: Any, match: str | None) -> Iterator[Raised]:
    found = Raised()
    try:
        yield found
    except expected as error:
        found.value, found.type = error, type(error)
    else:
        raise AssertionError(f"did not raise {expected}")
    if match is not None:
        found.match(match)


def raises(expected: Any, *args: Any, match: str | None = None, **kwargs: Any) -> Any:
    if not args:
        return _raising(expected, match)
    with _raising(expected, match) as found:
        args[0](*args[1:], **kwargs)
    return found


@contextlib.contextmanager
def warns(expected: Any = Warning, match: str = "") -> Iterator[list[Any]]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        yield found
    fitting = [one for one in found if issubclass(one.category, expected)]
    assert any(re.search(match, str(one.message)) for one in fitting), "did not warn"


class _Approx:
    """A value, or a collection of values, that is nearly equal."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None, **_: Any) -> None:
        self.expected, self.abs = expected, 1e-12 if abs is None else abs
        self.rel = (0.0 if abs is not None else 1e-6) if rel is None else rel

    def _near(self, one: Any, two: Any) -> bool:
        if isinstance(two, Mapping):
            return len(one) == len(two) and all(key in one and self._near(one[key], two[key]) for key in two)
        if isinstance(two, Sequence) and not isinstance(two, str | bytes):
            return len(one) == len(two) and all(map(self._near, one, two))
        return bool(one == two or float(abs(one - two)) <= max(self.abs, self.rel * float(abs(two))))

    def __eq__(self, other: object) -> bool:
        with contextlib.suppress(TypeError):
            return self._near(other, self.expected)
        return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"approx({self.expected!r})"


class _Param:
    def __init__(self, *values: Any, marks: Any = (), **_: Any) -> None:
        self.values, self.runs = values, not marked(marks).spark_skip


class _Mark:
    """`pytest.mark`: these are kept with the test, all others say nothing here."""

    def __getattr__(self, name: str) -> Any:
        if name == "parametrize":
            return _parametrize
        if name in ("skip", "skipif", "xfail"):
            return functools.partial(_skip, name)
        return _uses if name == "usefixtures" else _plain


def marked(marks: Any) -> Any:
    """Something that has marks: one, or a list of them."""

    def holder() -> None:
        pass

    holder.spark_skip = False  # type: ignore[attr-defined]
    for mark in marks if isinstance(marks, list | tuple) else [marks]:
        mark(holder)
    return holder


def _plain(*args: Any, **_: Any) -> Any:
    return args[0] if len(args) == 1 and callable(args[0]) else lambda test: test


def _skip(kind: str, *args: Any, **_: Any) -> Any:
    if len(args) == 1 and callable(args[0]):
        args[0].spark_skip = True
        return args[0]
    wanted = kind == "skip" or bool(args and args[0]) or (kind == "xfail" and not args)

    def mark(test: Any) -> Any:
        test.spark_skip = wanted or getattr(test, "spark_skip", False)
        return test

    return mark


def _uses(*names: str) -> Callable[[Any], Any]:
    def mark(test: Any) -> Any:
        test.spark_uses = [*getattr(test, "spark_uses", []), *names]
        return test

    return mark


def _parametrize(names: Any, rows: Any, indirect: Any = False, **_: Any) -> Callable[[Any], Any]:
    listed = [one.strip() for one in names.split(",") if one.strip()] if isinstance(names, str) else [*names]
    alone = isinstance(names, str) and len(listed) == 1
    every = [row if isinstance(row, _Param) else _Param(*([row] if alone else row)) for row in rows]
    made = [dict(zip(listed, row.values, strict=True)) for row in every if row.runs]

    def mark(test: Any) -> Any:
        test.spark_skip = bool(indirect) or getattr(test, "spark_skip", False)
        test.spark_rows = [*getattr(test, "spark_rows", []), made]
        return test

    return mark


def rows_of(holders: Sequence[Any]) -> list[dict[str, Any]]:
    """The arguments of each run of a test, by the marks of what holds it and its own."""
    tables = [rows for one in holders for rows in getattr(one, "spark_rows", [])]
    return [{key: value for row in rows for key, value in row.items()} for rows in product(*tables)]


def fixture(*args: Any, **kwargs: Any) -> Any:
    def mark(made: Any) -> Any:
        made.spark_fixture, made.spark_auto = (
            kwargs.get("name") or made.__name__,
            kwargs.get("autouse", False),
        )
        params = [one if isinstance(one, _Param) else _Param(one) for one in kwargs.get("params") or ()]
        made.spark_params = [one.values[0] for one in params if one.runs]
        return made

    return mark(args[0]) if args else mark


def fail(reason: str = "", **_: Any) -> None:
    raise AssertionError(reason)


def skip(reason: str = "", **_: Any) -> None:
    raise Skipped(reason)


def importorskip(name: str, **_: Any) -> Any:
    try:
        return __import__(name)
    except ImportError as error:
        raise Skipped(name) from error


def __getattr__(name: str) -> Any:
    raise Unknown(f"pytest.{name}")


approx, param, mark = _Approx, _Param, _Mark()
MonkeyPatch = CaptureFixture = Any
