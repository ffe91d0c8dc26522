"""What tests use of `pytest`, for a process that has only the standard library. Runs in the child."""

from __future__ import annotations

import contextlib
import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any


class Skipped(BaseException):
    """A test that is not to run here."""


class Raised:
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
def warns(*_: Any, **__: Any) -> Iterator[list[Any]]:
    import warnings

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        yield found
    assert found, "did not warn"


class _Approx:
    """A value, or a collection of values, that is nearly equal."""

    def __init__(self, expected: Any, rel: float | None = None, abs: float | None = None, **_: Any) -> None:
        self.expected, self.rel, self.abs = expected, 1e-6 if rel is None else rel, abs or 1e-12

    def _near(self, one: Any, two: Any) -> bool:
        if isinstance(two, Mapping):
            return len(one) == len(two) and all(key in one and self._near(one[key], two[key]) for key in two)
        if isinstance(two, Sequence) and not isinstance(two, str | bytes):
            return len(one) == len(two) and all(map(self._near, one, two))
        if isinstance(two, int | float) and isinstance(one, int | float):
            return math.isclose(one, two, rel_tol=self.rel, abs_tol=self.abs)
        return bool(abs(one - two) <= max(self.abs, self.rel * abs(two))) if one != two else True

    def __eq__(self, other: object) -> bool:
        return self._near(other, self.expected)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"approx({self.expected!r})"


class _Param:
    def __init__(self, *values: Any, **_: Any) -> None:
        self.values = values


class _Mark:
    """`pytest.mark`: parametrize and skip are kept with the test, all others say nothing here."""

    def __getattr__(self, name: str) -> Any:
        if name == "parametrize":
            return _parametrize
        if name in ("skip", "skipif", "xfail"):
            return functools.partial(_skip, name)
        return _plain


def _plain(*args: Any, **_: Any) -> Any:
    return args[0] if len(args) == 1 and callable(args[0]) else lambda test: test


def _skip(kind: str, *args: Any, **_: Any) -> Any:
    if len(args) == 1 and callable(args[0]):
        args[0].spark_skip = True
        return args[0]
    wanted = kind == "skip" or bool(args and args[0]) or (kind == "xfail" and not args)

    def mark(test: Any) -> Any:
        test.spark_skip = wanted
        return test

    return mark


def _parametrize(names: Any, rows: Any, **_: Any) -> Callable[[Any], Any]:
    listed = [one.strip() for one in names.split(",")] if isinstance(names, str) else list(names)
    made = []
    for row in rows:
        values = row.values if isinstance(row, _Param) else row if len(listed) > 1 else (row,)
        made.append(dict(zip(listed, values, strict=True)))

    def mark(test: Any) -> Any:
        test.spark_rows = [*getattr(test, "spark_rows", []), made]
        return test

    return mark


def rows_of(test: Any) -> list[dict[str, Any]]:
    """The arguments of each run of a test."""
    tables = getattr(test, "spark_rows", [])
    return [{key: value for row in rows for key, value in row.items()} for rows in product(*tables)]


def fixture(*args: Any, **kwargs: Any) -> Any:
    def mark(made: Any) -> Any:
        made.spark_fixture, made.spark_auto = (
            kwargs.get("name") or made.__name__,
            kwargs.get("autouse", False),
        )
        made.spark_params = list(kwargs.get("params") or ())
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


approx, param, mark = _Approx, _Param, _Mark()
MonkeyPatch = Any
CaptureFixture = Any
