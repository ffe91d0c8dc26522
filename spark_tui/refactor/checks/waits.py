"""Waiting: *sleep a second between attempts*, *wait longer after every failed try*, *pause 2 seconds after each page*.

Comes in: an order. Goes out: edits that sleep in a loop, or longer. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import importing, put
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.literals import in_unit, values
from spark_tui.refactor.naming import parts, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Source

Loop = ast.For | ast.AsyncFor | ast.While
_WAIT = re.compile(
    r"\b(?:sleep\w*|wait(?:s|ing)?|paus(?:e|es|ing)|delay\w*|back(?:ing)?[- ]?off|slow (?:it )?down|take a break|nap)\b",
    re.I,
)
_FAILED = re.compile(
    r"\b(?:between (?:the |two |each |all )?(?:\w+ )?(?:attempts?|tries|retries|try)|(?:after|on|for|with) (?:each|every|a|an|the|any)?\s*(?:\w+ )?(?:failed|failing|unsuccessful|bad)?\s*(?:attempts?|try|tries|retry|retries|failures?|error)|after (?:each |every |a )?fail(?:ed|ure)(?: \w+)?|before (?:each |every |the )?(?:next )?(?:retry(?:ing)?|try(?:ing)? again|attempt|try|trying it again)|(?:when|if|whenever) (?:an? |the |one )?(?:attempt|try|request|call|it) fails|retr(?:y|ying)|in the except|after (?:an|the) (?:exception|error))\b",
    re.I,
)
_EACH = re.compile(
    r"\b(?:(?:in )?between|after|per|for|before|with)\s+(?:(?:each|every|all|the|two|one|a|single|of)\s+)*(?P<what>[a-z_]+)\b",
    re.I,
)
_ROUND = frozenset(
    [
        "round",
        "iteration",
        "loop",
        "cycle",
        "turn",
        "time",
        "pas",
        "run",
        "step",
        "poll",
        "pause",
        "check",
        "one",
        "call",
        "request",
        "element",
        "item",
        "entry",
    ]
)
_LONGER = re.compile(
    r"\b(?:longer(?: and longer)?|exponential(?:ly)?|back(?:ing)?[- ]?off|increas\w*|grow\w*|doubl\w*|more and more|twice as long|progressively)\b",
    re.I,
)
_SAID = (
    "sleep sleeps sleeping wait waits waiting pause pauses pausing delay back off backoff backing slow down take break nap add put insert a an the of for in between after before each every all two one per with so we don't do not dont hammer hit flood server api them it too hard much fast be nice polite kind to "
    "attempt attempts try tries retry retries retrying trying again failed failing fails fail failure failures unsuccessful error exception except when if next should must needs need and then call let make little bit some short long longer time times second seconds loop round rounds iteration iterations cycle until "
    "request requests page pages item items rate limit limits limiting everything from exponential exponentially increase increasing increased grow growing doubling double doubled more progressively twice as bit always there is are that this burns cpu eats busy 100 spins at end"
)


def _waits(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if re.search(r"\b(?:remove|delete|drop|no more|instead|replace|don'?t (?:sleep|wait)|without|parameter|argument|times)\b", order.said, re.I):  # fmt: skip
        return
    longer = _LONGER.search(order.said)
    functions = reading.functions()
    times = [one for one in values(reading.rest) if one.number is not None]
    if len(times) > 1 or (not times and not longer):
        return
    seconds = (in_unit(times[0], "s") if times[0].unit else times[0].source) if times else None
    if times and seconds is None:
        return
    used = (*reading.used, _SAID, reading.rest[times[0].start : times[0].end] if times else "")
    inside = set(functions) if reading.named or order.numbered else None
    if not reading.named and reading.strangers():
        return
    loops = [
        node for node in src.nodes if isinstance(node, Loop) and (inside is None or src.function_of(node) in inside)
    ]
    each = _EACH.search(reading.rest)
    failed = _FAILED.search(reading.rest)
    if longer and not failed and not reading.named and not re.search(r"back|exponential", longer[0], re.I):
        return
    if failed or longer:
        for loop in loops:
            for handler in _handlers(loop):
                yield from _in_handler(order, loop, handler, seconds, bool(longer), used)
    elif each is not None or re.search(r"\b(?:in|at the end of) the (?:main )?loop\b|\bcpu\b", order.said, re.I):
        what = singular(each["what"].lower()) if each else "loop"
        named = [one for one in loops if what in _about(one)]
        if not named and (what in _ROUND or reading.named):
            named = [one for one in loops if isinstance(one, ast.While)] or loops
        if len(named) > 1 and not any(isinstance(one, ast.While) for one in named):
            named = [one for one in named if not any(other in ast.walk(one) for other in named if other is not one)]
        for loop in named[:3]:
            last = loop.body[-1]
            if last.lineno == loop.lineno or _sleeps(loop) or isinstance(last, ast.Return | ast.Break | ast.Continue):
                continue
            call = _call(src, loop, seconds or "1")
            if call is not None:
                yield order.edit([put(src, src.last_line(last), [src.indent(loop.body[0]) + call[0]]), *call[1]], *used, what, *_about(loop))  # fmt: skip


def _about(loop: Loop) -> set[str]:
    """What a loop steps through, and what it calls in its own body."""
    heads: list[ast.AST] = [loop.target, loop.iter] if isinstance(loop, ast.For | ast.AsyncFor) else []
    names = [one.id for head in heads for one in ast.walk(head) if isinstance(one, ast.Name)]
    names += [ast.unparse(one.func) for one in ast.walk(loop) if isinstance(one, ast.Call)]
    return {singular(part) for name in names for part in parts(name)}


def _handlers(loop: Loop) -> list[ast.ExceptHandler]:
    return [handler for one in loop.body if isinstance(one, ast.Try) for handler in one.handlers]


def _sleeps(node: ast.AST) -> list[ast.Call]:
    return [
        one
        for one in ast.walk(node)
        if isinstance(one, ast.Call) and re.search(r"(?:^|\.)sleep$", ast.unparse(one.func)) and len(one.args) == 1
    ]


def _call(src: Source, node: ast.AST, seconds: str) -> tuple[str, list[Change]] | None:
    """The line that sleeps, as the file would write it, and the import that it needs."""
    function = src.function_of(node)
    if isinstance(function, ast.AsyncFunctionDef):
        imported = importing(src, "asyncio")
        return None if imported is None else (f"await asyncio.sleep({seconds})", imported)
    if re.search(r"^from time import .*\bsleep\b", src.text, re.M):
        return f"sleep({seconds})", []
    imported = importing(src, "time")
    return None if imported is None else (f"time.sleep({seconds})", imported)


def _in_handler(
    order: Order, loop: Loop, handler: ast.ExceptHandler, seconds: str | None, longer: bool, used: tuple[str, ...]
) -> Iterator[Edit]:
    src = order.src
    counted = (
        loop.target.id
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name) and "range" in ast.unparse(loop.iter)
        else None
    )
    slept = [*_sleeps(handler), *(one for one in _sleeps(loop) if one not in _sleeps(handler))]
    if slept:
        now = src.segment(slept[0].args[0])
        if longer and counted and len(slept) == 1 and counted not in now and re.fullmatch(r"[\w.]+", now):
            base = seconds or now
            told = f"2 ** {counted}" if base == "1" else f"{base} * 2 ** {counted}"
            yield order.edit([(*src.span(slept[0].args[0]), told)], *used)
        return
    if longer:
        if counted is None:
            return
        seconds = f"2 ** {counted}" if seconds in (None, "1") else f"{seconds} * 2 ** {counted}"
    call = _call(src, loop, seconds or "1")
    first, last = handler.body[0], handler.body[-1]
    if call is None or first.lineno == handler.lineno or isinstance(last, ast.Raise | ast.Return | ast.Break):
        return
    if len(handler.body) == 1 and isinstance(first, ast.Pass):
        yield order.edit([(*src.span(first), call[0]), *call[1]], *used)
        return
    at = src.first_line(last) if isinstance(last, ast.Continue) else src.last_line(last)
    yield order.edit([put(src, at, [src.indent(first) + call[0]]), *call[1]], *used)


RULES: tuple[Rule, ...] = (Rule(_WAIT, _waits),)
