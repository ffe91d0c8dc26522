"""The oldest Python that a project runs on."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.repository import Repository

_CURRENT = range(10, 16)
"""The Pythons 3.N that are kept up, for projects that do not say on which they run."""
_FLAG = re.compile(r"_?(?:IS_)?PY(\d)_?(\d*)")
_COMPARING: dict[type[ast.cmpop], Callable[..., object]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ASKS = re.compile(r"(?:requires-python|python_requires)\W*>=\s*3\.(\d+)")


def oldest_python(repo: Repository) -> tuple[str, int] | None:
    """The file that says it, and the number behind `3.`."""
    for path in ("pyproject.toml", "setup.cfg", "setup.py"):
        if found := _ASKS.search(repo.index.text(path) or ""):
            return path, int(found[1])
    return None


def too_old(repo: Repository, minor: int, what: str) -> str:
    """Why something of Python 3.`minor` fails in the project; empty where it does not."""
    asked = oldest_python(repo)
    if asked is None or asked[1] >= minor:
        return ""
    return f"{asked[0]} asks for Python 3.{asked[1]}, where {what} fails"


def old_python_doubts(repo: Repository, path: str, line: int, minor: int, what: str) -> Iterator[Unfollowed]:
    if reason := too_old(repo, minor, what):
        yield Unfollowed(path, line, reason)


def holds_on_pythons(repo: Repository, test: ast.expr) -> list[bool | None]:
    """Whether a condition on the version holds, for each Python that the project runs on, the newest last;
    None where it asks for something else."""
    asked = oldest_python(repo)
    first = min(asked[1], _CURRENT[-1]) if asked is not None else _CURRENT.start
    return [_holds(test, minor) for minor in range(first, _CURRENT.stop)]


def _holds(test: ast.expr, minor: int) -> bool | None:
    if isinstance(test, ast.BoolOp):
        deciding = isinstance(test.op, ast.Or)
        found = [_holds(value, minor) for value in test.values]
        return deciding if deciding in found else None if None in found else not deciding
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = _holds(test.operand, minor)
        return None if inner is None else not inner
    try:
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            values = (_version_value(one, minor) for one in (test.left, test.comparators[0]))
            return bool(_COMPARING[type(test.ops[0])](*values))
        return bool(_version_value(test, minor)) if isinstance(test, ast.Name | ast.Attribute) else None
    except (LookupError, TypeError):
        return None


def _part(version: object, part: ast.expr) -> object:
    """A number of a version, or its first ones; raises LookupError for other parts."""
    match version, part:
        case str() | tuple(), ast.Slice(lower=None, upper=ast.Constant(value=int(end)), step=None):
            return version[:end]
        case str() | tuple(), ast.Constant(value=int(at)):
            return version[at]
    raise LookupError(ast.unparse(part))


def _version_value(node: ast.expr, minor: int) -> object:
    """What a part of a condition on the version is on Python 3.`minor`; raises LookupError for others."""
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Tuple(elts=items):
            return tuple(_version_value(item, minor) for item in items)
        case ast.Subscript(value=of, slice=part):
            return _part(_version_value(of, minor), part)
    shown = ast.unparse(node)
    if flag := _FLAG.fullmatch(shown.rpartition(".")[2]):
        return flag[1] == "3" and minor >= int(flag[2] or 0)
    version = {
        "sys.version": f"3.{minor}.0",
        "sys.hexversion": (3 << 24) + (minor << 16),
        "sys.version_info": (3, minor, 0, "final", 0),
        "sys.version_info.major": 3,
        "sys.version_info.minor": minor,
    }
    return version[f"sys.{shown}" if shown.startswith("version_info") else shown]
