# ruff: noqa: E501 - tables of words and forms read better unbroken
"""Code that is put around other code: *wrap the assert in self.subTest(n=n)*, *wrap the handler call in wait_for*.

Comes in: an order. Goes out: edits that open a `with` above lines, or hand an expression to a call. Must not know: what
may be raised (the family `checks` does).
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.naming import expression
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Source, body_behind_docstring, indent_of
from spark_tui.refactor.statements.new import needed
from spark_tui.refactor.statements.talk import Talk, talk_of
from spark_tui.refactor.statements.where import Clause, clauses, definitions, find

_WITH = r"(?P<with>(?:a |an |the )?with(?: block| statement)?(?: (?:of|on|for|using))? )?"
_FORMS = tuple(
    re.compile(f"{form}$", re.I)
    for lazy in (
        rf"(?:wrap|put|enclose|surround|run|do|nest|indent|guard|protect|hold|move) (?P<x>.+?) (?:in|inside|into|with|under|by)(?: an?| the)? {_WITH}(?P<c>\S.*?)(?P<more>(?:,| with| and)+ [a-z_]+=.+)?",
        rf"(?:(?:use|put|add|have|open|take|hold)(?: an?| the)? )?{_WITH}(?P<c>\S.*?)(?: block)? around (?P<x>.+?)",
    )
    for form in (lazy, lazy.replace("(?P<x>.+?)", "(?P<x>.+)(?<! in)(?<! into)"))
)
_CONTEXTS = re.compile(
    r"(?:^|[._])(?:subTest|assert(?:Raises|Warns|Logs|NumQueries)\w*|raises|warns|suppress|[a-z_]*lock|Lock|RLock|[a-z_]*sem(?:aphore)?|Semaphore|patch|ThreadPoolExecutor|ProcessPoolExecutor|TemporaryDirectory|NamedTemporaryFile|nullcontext|redirect_std\w+|ExitStack|closing|catch_warnings|atomic|transaction|begin|begin_nested|no_grad|inference_mode|localcontext|chdir|override_settings|app_context|test_request_context|start_as_current_span|monkeypatch\.context)(?:\(|$)"
)
_BUILTINS = frozenset(dir(builtins))
_ASYNC = re.compile(r"(?:^|\.)(?:wait_for|shield|timeout|timeout_at)$")
_BODY = re.compile(r"(?:the |its )?(?:whole |entire )?(?:body|code|contents?)(?: (?:of|in) (?P<f>.+))?$|(?:everything|all)(?: (?:of|in) (?P<g>.+))?$", re.I)  # fmt: skip
_CALL = re.compile(r"(?:the |a |that )?(?:calls? (?:to|of) )?(?P<n>[\w.]+?)(?:\(\))?(?: calls?| expression)?$", re.I)


def _wrap(order: Order) -> Iterator[Edit]:
    talk = talk_of(order)
    for clause in clauses(talk):
        for form in _FORMS:
            match = form.match(clause.text)
            code = _code(talk, match["c"]) if match is not None else ""
            if match is None or not code:
                continue
            found = list(_made(order, talk, clause, match["x"], code, match))
            if found:
                yield from found
                return


def _code(talk: Talk, piece: str) -> str:
    """What is put around: a call or a name with a dot."""
    text = (talk.code(piece) or talk.as_said(piece)).strip(" `")
    tree = expression(re.sub(r" as \w+$", "", text))
    return text if isinstance(tree, ast.Call | ast.Attribute) or (isinstance(tree, ast.Name) and text in talk.order.identifiers | _BUILTINS) else ""  # fmt: skip


def _made(order: Order, talk: Talk, clause: Clause, what: str, code: str, match: re.Match[str]) -> Iterator[Edit]:
    more = (match.groupdict().get("more") or "").lstrip(", ")
    given = re.sub(r"^(?:with|and)\s+", "", talk.as_said(more))
    if match["with"] or (_CONTEXTS.search(code) and not given):
        for first, last in _lines(talk, clause, what):
            yield order.edit_text(_below_a_with(order.src, first, last, code, talk), *clause.used)
        return
    held = _expressions(talk, clause, what)
    if len(held) != 1 or (code.endswith(")") and not re.search(r"\((?:\.\.\.)?\)$", code)):
        return
    name = code.partition("(")[0]
    if _ASYNC.search(name) and not isinstance(order.src.parents.get(held[0]), ast.Await):
        return
    changes = [(*order.src.span(held[0]), f"{name}({order.src.segment(held[0])}{', ' if given else ''}{given})")]
    imported = with_import(order.src, needed(talk, [name])) if needed(talk, [name]) else None
    yield order.edit([*changes, *([imported] if imported is not None else [])], *clause.used)


def _lines(talk: Talk, clause: Clause, what: str) -> list[tuple[int, int]]:
    src = talk.src
    if (body := _BODY.match(what)) is not None:
        owner = body["f"] or body["g"] or ""
        low, high = clause.within or (-1, -1)
        nodes = definitions(talk, owner) if owner else [one for one in src.functions if (src.first_line(one), src.last_line(one)) == (low, high)]  # fmt: skip
        bodies = [body_behind_docstring(one) for one in nodes]
        return [(src.first_line(one[0]), src.last_line(one[-1])) for one in bodies if one]
    found = [spot for spot in find(talk, what, clause.within) if spot.node is not None]
    if not found and (call := _CALL.match(what)) is not None:
        found = find(talk, f"call to {call['n']}", clause.within)
    return [(spot.first, src.last_line(spot.node)) for spot in found if spot.node is not None]


def _below_a_with(src: Source, first: int, last: int, code: str, talk: Talk) -> str:
    indent = indent_of(src.lines[first])
    inner = [src.step + line if line.strip() else line for line in src.lines[first:last]]
    start, end = src.line_span(first, last)
    text = "".join(f"{line}\n" for line in [f"{indent}with {code}:", *inner])
    imported = with_import(src, needed(talk, [code])) if needed(talk, [code]) else None
    return src.changed([(start, end, text), *([imported] if imported is not None else [])])


def _expressions(talk: Talk, clause: Clause, what: str) -> list[ast.expr]:
    """The expression that is meant: spelled, or the one call of that name."""
    src = talk.src
    low, high = clause.within or (0, len(src.lines))
    inside = [one for one in src.nodes if isinstance(one, ast.expr) and low <= src.first_line(one) < high]
    spelled = re.sub(r"^the ", "", (talk.code(what) or talk.as_said(what)).strip())
    same = [one for one in inside if src.segment(one) == spelled and not isinstance(one, ast.Name)]
    calls = [one for one in inside if isinstance(one, ast.Call)]
    if same:
        owner = src.parents.get(same[0])
        return [owner] if isinstance(owner, ast.Call) and owner.func is same[0] and len(same) == 1 else same
    match = _CALL.match(what)
    return [one for one in calls if match is not None and f".{ast.unparse(one.func)}".endswith(f".{match['n']}")]


RULES = (Rule(re.compile(r"\b(?:wrap|enclose|surround|nest|around|hold|run|put|do|indent|guard|protect|move)\b", re.I), _wrap),)  # fmt: skip
