"""Functions that become coroutines and back, and calls that have to be awaited.

Comes in: orders. Goes out: edits. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.signatures.heads import calls_of
from spark_tui.refactor.signatures.talk import (
    TARGET,
    accounted,
    aims,
    as_function,
    functions,
    mended,
    mentions,
    plain_words,
)
from spark_tui.refactor.signatures.words import NOISE
from spark_tui.refactor.source import Change, Function, Source

_ASYNC_WORDS = NOISE | frozenset(
    words(
        """async asynchronous asynchronously asyncio coroutine coroutines def defs sync synchronous asyncify async-ify ify make turn convert change into be becomes become put write add front before declare needs need should awaited await awaits can could
        to it as is then mark must one back normal ordinary regular plain again remove drop strip without no longer not keyword callers caller calls call too adapt where awaitable have get wants prefix def_ missing so do going an with blocks loop event yet rewrite understands declare blocking for will become becomes what we"""
    )
)
_ASYNC = re.compile(r"\b(?:async\w*(?:[- ]ify)?|coroutines?|awaitable)\b|\bawaited\b", re.I)
_SYNC = re.compile(
    r"\b(?:not|no longer|without|drop|remove|strip|no need)\b.{0,20}\basync\b|\bsync(?:hronous)?\b|\basync\b.{0,30}\b(?:not needed|unnecessary|gone|away|pointless)\b|\b(?:normal|ordinary|regular|plain)\b.{0,10}\b(?:function|method|def)\b",
    re.I,
)
_STOP = re.compile(
    r"\b(?:and await (?!it|them)|import|rename|sleep|http\w*|requests|library|asyncio\.\w+|gather|use asyncio|thread\w*|queue|port|tests?|pytest|context manager|generator|iterator|comprehension|async (?:with|for))\b",
    re.I,
)
_CALLERS = re.compile(r"\b(?:callers?|calls?|await (?:it|them)|where it is (?:called|used))\b", re.I)


def to_async(order: Order) -> Iterator[Edit]:
    for aim in aims(order, functions(order)):
        text = mended(aim.text, _ASYNC_WORDS, order.identifiers)
        function = as_function(aim.node)
        is_async = isinstance(function, ast.AsyncFunctionDef)
        if not _ASYNC.search(text) or _STOP.search(text) or re.match(r"(?:why|what|which|how)\b", text, re.I):
            continue
        if TARGET not in text and len(order.src.functions) > 1:
            continue
        src = order.src
        start = src.offset(function.lineno, function.col_offset)
        calls = calls_of(src, function)
        changes: list[Change] = []
        if _SYNC.search(re.sub(r"\b(?:is )?not async(?: yet)?\b.*\bmake\b", "make", text)):
            inner = [node for node in _own(function) if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith)]
            if not is_async or inner:
                continue
            changes.append((start, start + len("async "), ""))
            changes += [change for call in calls if (change := _not_awaited(src, call)) is not None]
        else:
            if is_async:
                continue
            changes.append((start, start, "async "))
            told = _CALLERS.search(text) is not None
            for call in calls:
                owner = src.function_of(call)
                if isinstance(owner, ast.AsyncFunctionDef) or (told and owner is not None):
                    changes += _awaited(src, call)
                if told and isinstance(owner, ast.FunctionDef) and owner is not function:
                    at = src.offset(owner.lineno, owner.col_offset)
                    changes += [(at, at, "async ")] if (at, at, "async ") not in changes else []
        yield aim.edit(changes, "async", *accounted(aim.text, _ASYNC_WORDS))


def _own(function: Function) -> list[ast.AST]:
    out: list[ast.AST] = []
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop()
        out.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            todo += ast.iter_child_nodes(node)
    return out


def _awaited(src: Source, call: ast.Call) -> list[Change]:
    """Nothing where it is awaited, or given to what awaits it."""
    parent = src.parents.get(call)
    if isinstance(parent, ast.Await):
        return []
    start, end = src.span(call)
    if isinstance(parent, ast.Attribute | ast.Subscript) and parent.value is call:
        return [(start, start, "(await "), (end, end, ")")]
    return [(start, start, "await ")]


def _not_awaited(src: Source, call: ast.Call) -> Change | None:
    parent = src.parents.get(call)
    if not isinstance(parent, ast.Await):
        return None
    return src.span(parent)[0], src.span(call)[0], ""


_AWAIT_WORDS = NOISE | frozenset(
    words(
        """await awaits awaited awaiting missing forgot forgotten forgets lacks coroutine never was add put write before front call calls calling needs need must be has to without runtimewarning result in on of the is isn't
        not there runtime returns should async gets got get we where when an runs run else nothing happens real promise"""
    )
)
_AWAIT = re.compile(r"\bawait\w*\b|\bcoroutine\b.*\bnever\b", re.I)


def add_await(order: Order) -> Iterator[Edit]:
    src = order.src
    text = plain_words(order)
    vocabulary = _AWAIT_WORDS
    if not _AWAIT.search(mended(text, vocabulary, order.identifiers)) or _STOP.search(text):
        return
    if re.search(r"\b(?:remove|drop|delete|without|make|turn|be async|async def)\b", text, re.I) and not re.search(
        r"\bmiss|\bforg", text
    ):
        return
    free = [
        call
        for node in src.nodes
        if isinstance(call := node, ast.Call)
        and not isinstance(src.parents.get(call), ast.Await)
        and isinstance(src.function_of(call), ast.AsyncFunctionDef)
    ]
    named: list[tuple[ast.Call, str]] = []
    for call in free:
        name = src.segment(call.func)
        last = name.rpartition(".")[2]
        if "\n" not in name and (name in text or mentions(text, [last])):
            named.append((call, name))
    full = [(call, name) for call, name in named if name in text and "." in name]
    named = full or named
    lines = order.numbered or ([order.here] if order.here else [])
    if lines:
        at = [
            (call, name)
            for call, name in named or [(one, src.segment(one.func)) for one in free]
            if lines[0][0] <= src.line_at(src.span(call)[0]) < lines[0][1]
        ]
        named = at or named
    inside = {node.name for node in src.functions if mentions(text, [node.name])}
    within = [
        (call, name) for call, name in named if (owner := src.function_of(call)) is not None and owner.name in inside
    ]
    if not within and inside - {name.rpartition(".")[2] for _, name in named}:
        return
    named = within or named
    names = {name for _, name in named}
    if not named or len(names) > 1:
        return
    places = re.findall(r"\b(?:line|ln|l)\s*#?\d+\b", order.said, re.I)
    used = [*names, *inside, *places, *accounted(text, vocabulary)]
    groups = (
        [named]
        if len(named) == 1 or re.search(r"\b(?:all|every|each|calls|everywhere)\b", text, re.I) or not within
        else [[one] for one in named]
    )
    for group in groups:
        changes = [change for call, _ in group for change in _awaited(src, call)]
        if changes:
            yield order.edit(changes, *used)


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"a[sy]{1,2}n?[bc]|as[yn]+c|coroutin|await|sync", re.I), to_async),
    Rule(re.compile(r"aw?ai?t|coroutin", re.I), add_await),
)
