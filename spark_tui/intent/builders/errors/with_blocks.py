"""A `with` in the place of calls that open and close: `lock.acquire()` … `lock.release()`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.boolean_values import is_boolean
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_BEGIN = ("acquire",)
_END = ("release", "close", "quit", "shutdown", "disconnect", "stop")


_CLOSED_BY_WITH = word_set(
    "open fdopen urlopen create_connection socket SMTP SMTP_SSL FTP FTP_TLS Popen Session ZipFile TarFile"
    " NamedTemporaryFile ThreadPoolExecutor ProcessPoolExecutor"
)
_LEAVES = (ast.Return, ast.Raise)


@dataclass(frozen=True)
class _Held:
    """The statement that opens, those after it, all that close, and the context manager with its name."""

    first: ast.stmt
    inner: list[ast.stmt]
    ends: list[ast.stmt]
    manager: str
    name: str

    @property
    def is_unknown(self) -> bool:
        """Whether it is not known that a `with` closes it."""
        called = self.manager.partition("(")[0].rpartition(".")[2]
        return bool(self.name) and called not in _CLOSED_BY_WITH


def in_place_of(context: Context, text: str) -> Iterator[Built]:
    """A `with` in the place of what does the same: a `try` that passes, or calls that open and close."""
    yield from list(_suppressed(context, text)) or opened_and_closed(context, text)


def _suppressed(context: Context, text: str) -> Iterator[Built]:
    """`suppress(KeyError)` in the place of `except KeyError: pass`."""
    manager = parsed(text)
    if not isinstance(manager, ast.Call) or called_name(manager) != "suppress" or not manager.args:
        return
    kind = ast.unparse(manager.args[0] if len(manager.args) == 1 else ast.Tuple(manager.args, ast.Load()))
    found = [
        Anchor(area, node)
        for area, _, node in context.find(ast.Try)
        if [one.type is not None and ast.unparse(one.type) for one in node.handlers] == [kind]
        and isinstance(node.handlers[0].body[0], ast.Pass)
    ]
    for anchor in found:
        made = call("apply_pattern", name="suppress", place=place(context, anchor))
        doubts = (places_fit(len(found)),) if len(found) > 1 else ()
        yield build_at(anchor, made, weight=1 / len(found), doubts=doubts)


def opened_and_closed(context: Context, text: str) -> Iterator[Built]:
    """What stands between the calls, under a `with`; the calls that it makes unnecessary go."""
    for area, source, root in context.trees():
        suites = [
            suite
            for owner in walk(root)
            for suite in (getattr(owner, name, ()) for name in ("body", "orelse", "finalbody"))
            if isinstance(suite, list)
        ]
        for held in (one for suite in suites if (one := _held(source, suite, text)) is not None):
            gone = [call("delete_statements", place=place(context, Anchor(area, item))) for item in held.ends]
            low = source.first_line(held.inner[0]) + 1
            high = source.last_line(held.inner[-1]) - len(held.ends) + 1
            run = line_range(area.path, low, high)
            made = call("wrap_in_with", place=run, context=held.manager, name=held.name)
            first = call("delete_statements", place=place(context, Anchor(area, held.first)))
            doubts = (
                (assumed(f"{held.manager} was assumed to be what a with can hold"),)
                if held.is_unknown
                else ()
            )
            yield build_at(area, *gone, made, first, weight=0.9, doubts=doubts)


def under_flag(context: Context, anchor: Anchor, manager: ast.expr | None) -> Iterator[Built]:
    """The statements under an `if`, where what is named is True or False: no `with` can hold that."""
    if manager is not None and is_boolean(context.source(anchor.path), manager):
        made = call("wrap_in_if", place=anchor.words["tried"], condition=ast.unparse(manager))
        yield build_at(anchor, made, doubts=("an if was assumed to be meant, not a with",))


def _held(source: Source, suite: list[ast.stmt], text: str) -> _Held | None:
    """The statement of a suite that opens what is named, up to the one that closes it."""
    for at, one in enumerate(suite):
        manager, name = _opened(one, text) if isinstance(one, ast.Expr | ast.Assign) else ("", "")
        last = [to for to in range(at + 2, len(suite)) if _called_on(suite[to], name or manager) in _END]
        if not manager or not last:
            continue
        inner = suite[at + 1 : last[0]]
        nodes = [node for row in inner for node in walk(row) if isinstance(node, ast.stmt)]
        early = [node for node in nodes if _called_on(node, name or manager) in _END]
        if not all(_leaves_behind(source, node) for node in early):
            raise Unresolved(f"{manager} is closed by hand in a branch there")
        ends = sorted((suite[last[0]], *early), key=lambda node: -node.lineno)
        return _Held(one, inner, ends, manager, name)
    return None


def _leaves_behind(source: Source, node: ast.stmt) -> bool:
    """Whether a statement of one line stands right in front of one that leaves the function."""
    behind = source.following(node)[:1]
    return source.first_line(node) + 1 == source.last_line(node) and any(
        isinstance(stmt, _LEAVES) for stmt in behind
    )


def _opened(node: ast.Expr | ast.Assign, text: str) -> tuple[str, str]:
    """What a statement opens as words name it: `self.lock`, or `smtplib.SMTP(host)` with its name."""
    if isinstance(node, ast.Expr):
        begins = node.value.func if isinstance(node.value, ast.Call) else None
        begun = isinstance(begins, ast.Attribute) and begins.attr in _BEGIN
        if isinstance(node.value, ast.Call) and (node.value.args or node.value.keywords):
            begun = False  # a timeout would get lost
        owner = begins.value if begun and isinstance(begins, ast.Attribute) else None
        shown = ast.unparse(owner) if owner is not None else ""
        return (
            (shown, "")
            if shown and key(shown.rpartition(".")[2]) == key(text.rpartition(".")[2])
            else ("", "")
        )
    value, target = node.value, node.targets[0]
    if not isinstance(value, ast.Call) or not isinstance(target, ast.Name):
        return "", ""
    called = called_name(value)
    words = {key(item) for item in (called, target.id, ast.unparse(value))}
    return (
        (ast.unparse(value), target.id) if key(text) in words or text == ast.unparse(value.func) else ("", "")
    )


def _called_on(node: ast.stmt, owner: str) -> str:
    """The method that a statement calls on something, of any owner where it is empty."""
    value = node.value if isinstance(node, ast.Expr) else None
    called = value.func if isinstance(value, ast.Call) else None
    if not isinstance(called, ast.Attribute) or (owner and ast.unparse(called.value) != owner):
        return ""
    return called.attr
