"""Messages about how a written branch ends: return in place of raise, perhaps after a line that prints or
logs why, raise in place of return, or an assert in place of the whole branch."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.conditions import used_things
from spark_tui.intent.followups.written.left_early import (
    catch_instead,
    raise_for_missing,
    raise_unless,
    return_unless,
)
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function

BRANCHES = (ast.If, ast.ExceptHandler, ast.For, ast.While)
_STATEMENTS = (ast.Return, ast.Pass, ast.Continue, ast.Break)
_FIRST = 0.9
_TELLING = re.compile(r"(?:print|(?:\w+\.)*(?:debug|info|warning|error|exception))\Z")
_ENDING = re.compile(r"(?:sys\.exit|exit|quit|os\._exit|os\.abort)\(")
_LOGGER = re.compile(r"_?log(?:ger)?\Z", re.IGNORECASE)


def return_instead(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A return in the place of a raise, or of what else ends a branch."""
    told = {kind for kind in ("print", "log") if says_any(kind, text=written.instruction)}
    goes_on, skips = (says_any(item, text=written.instruction) for item in ("goes_on", "skips"))
    result = "" if says_any(*told, text=written.said("result")) else written.said("result")
    raises = not result and says_any("raises", text=written.instruction)
    if not raises and not told and (early := list(return_unless(written))):
        yield from early
        return
    for weight, node in find_written_exits(written, ast.Raise) if not raises else ():
        line = _telling_line(written, node, told) if told else ""
        if told and not line:
            continue  # nothing that could be told
        options = written.read("result", "expression", node)[:2] if result else []
        branch = written.source.parents.get(node)
        named = (
            used_things(branch.test)
            if isinstance(branch, ast.If) and says_any("sets", text=written.instruction)
            else []
        )
        if len(named) == 1 and options:
            yield NodeRewrite(node, f"{named[0]} = {options[0].text}", weight, options[0].doubts)
            return
        quoted = any(span.quoted for span in written.reading.slots.get("result", ()))
        for option in options:
            if option.text[1:-1] == result.strip() and not quoted:
                continue  # words that mean nothing there
            ends = _ENDING.match(option.text) is not None  # it does not come back, and gives nothing
            code = _lines(node, line, option.text if ends else f"return {option.text}")
            yield NodeRewrite(node, code, weight * option.weight, option.doubts)
        if not result:
            end = _going_on(written, node, bool(line), skips) if goes_on or skips else "return"
            yield NodeRewrite(node, _lines(node, line, end), weight)


def says_more(reading: Reading, instruction: str) -> bool:
    """Whether words say more of what ends a branch than that it returns, or that an error is caught."""
    if reading.intent == "amend.raise_instead":
        return says_any("catches", text=instruction)
    more = any(says_any(kind, text=instruction) for kind in followup_table()["told"])
    return more and reading.intent == "amend.return_instead"


def says_any(*kinds: str, text: str) -> bool:
    """Whether a text has words of a kind that are not negated."""
    words = [item for kind in kinds for item in followup_table()["told"][kind]]
    for word in words:
        for found in re.finditer(_word(word), text, re.IGNORECASE):
            before = text[: found.start()].rstrip().lower()
            if not any(
                before.endswith(item) for item in (*phrases.words("denials"), "without", "instead of")
            ):
                return True
    return False


def _word(word: str) -> str:
    return re.escape(word) if phrases.has_cjk(word) else rf"(?<!\w){re.escape(word)}(?!\w)"


def _telling_line(written: WrittenSyntax, node: ast.stmt, told: set[str]) -> str:
    """The line that prints or logs what a raise says."""
    raised_ = node.exc if isinstance(node, ast.Raise) else None
    if not isinstance(raised_, ast.Call) or not raised_.args:
        return ""
    words = [written.source.segment(arg) for arg in raised_.args]
    if "print" in told:
        return f"print({', '.join(words)})"
    names = (item for item in written.visible(node).bound if _LOGGER.match(item))
    return f"{next(iter(sorted(names)), 'logging')}.warning({words[0]})"


def _going_on(written: WrittenSyntax, node: ast.stmt, is_told: bool, skips: bool) -> str:
    """How it goes on after a branch: with the next round of a loop, or with what stands there if that is not
    skipped."""
    loops = ast.For | ast.AsyncFor | ast.While
    around = (
        ancestor for ancestor in written.source.ancestors(node) if isinstance(ancestor, loops | Function)
    )
    if isinstance(next(around, None), loops):
        return "continue"
    if skips:
        return "return"
    return "" if is_told else "pass"


def _lines(node: ast.stmt, *lines: str) -> str:
    """Statements as they stand in the place of one."""
    between = "\n" + " " * node.col_offset
    return between.join(filter(None, lines))


def break_instead(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A break in the place of what ends a branch in a loop, unless another condition is given for it."""
    for weight, node in find_written_exits(written, ast.Continue) if not written.said("condition") else ():
        inside = isinstance(written.source.parents.get(node), BRANCHES)
        loops = (
            one for one in written.source.ancestors(node) if isinstance(one, ast.For | ast.While | Function)
        )
        if inside and isinstance(next(loops, None), ast.For | ast.While):
            yield NodeRewrite(node, "break", weight)


def raise_instead(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A raise in the place of what ends a branch and of the line that tells why, or of another raise."""
    bare = written.reading.intent == "amend.exception"
    if says_any("catches", text=written.instruction) and (caught := list(catch_instead(written))):
        yield from caught
        return
    if not bare and (early := [*raise_unless(written), *raise_for_missing(written)]):
        yield from early
        return
    for weight, node in find_written_exits(written, *_STATEMENTS):
        if bare and not (isinstance(node, ast.Raise) and node.exc is None):
            continue  # the lines say which error is meant
        if isinstance(written.source.parents.get(node), Function) and not written.is_whole(node):
            continue  # what a function always returned is not what it is to raise
        if (whole := written.called("exception")) is not None:
            yield NodeRewrite(node, f"raise {whole}{_cause(written, node)}", weight)
            continue
        was = node.exc if isinstance(node, ast.Raise) else None
        given = written.read("exception", "exception", node)[:1]
        message = written.message(node)
        if isinstance(node, ast.Raise) and not (given or message):
            continue
        if isinstance(written.source.parents.get(node), ast.ExceptHandler) and not (given or message or bare):
            yield NodeRewrite(node, _lines(node, _kept(written, node), "raise"), weight)
            continue
        called = was.func if isinstance(was, ast.Call) else was
        name = given[0].text if given else written.source.segment(called) if called else "ValueError"
        arguments = was.args if isinstance(was, ast.Call) else []
        told = _telling(written, node)
        arguments = told.value.args if told is not None and isinstance(told.value, ast.Call) else arguments
        words = [message[0].text] if message else [written.source.segment(argument) for argument in arguments]
        code = f"raise {name}({', '.join(words)})" if words else f"raise {name}"
        first = told if told is not None else node
        doubts = tuple(doubt for item in (*given, *message) for doubt in item.doubts)
        yield NodeRewrite(first, code, weight, doubts, last=node)


def _kept(written: WrittenSyntax, node: ast.stmt) -> str:
    """What a handler does before it raises the error again."""
    return "" if isinstance(node, _STATEMENTS) else written.source.segment(node)


def _cause(written: WrittenSyntax, node: ast.stmt) -> str:
    """`from error`, where the words say so and the handler around a raise has that name."""
    match = re.search(r"\bfrom (\w+)", written.instruction)
    around = (
        ancestor
        for ancestor in written.source.ancestors(node)
        if isinstance(ancestor, ast.ExceptHandler | Function)
    )
    handler = next(around, None)
    named = isinstance(handler, ast.ExceptHandler) and match is not None and handler.name == match[1]
    return f" from {match[1]}" if named and match is not None else ""


def _telling(written: WrittenSyntax, node: ast.stmt) -> ast.Expr | None:
    """The written statement in front of one that prints or logs why it ends."""
    body = getattr(written.source.parents.get(node), "body", [])
    at = body.index(node) if node in body else 0
    before = body[at - 1] if at else None
    is_call = isinstance(before, ast.Expr) and isinstance(before.value, ast.Call) and before in written.nodes
    if not isinstance(before, ast.Expr) or not isinstance(before.value, ast.Call) or not is_call:
        return None
    return before if _TELLING.match(ast.unparse(before.value.func)) else None


def find_written_exits(written: WrittenSyntax, *first: type[ast.AST]) -> Iterator[tuple[float, ast.stmt]]:
    """Written statements that end a branch or function: of the likeliest kinds, in a branch, the last. Where
    there is none, calls that are all of a branch, or else what ends a branch around what was written."""
    parents = written.source.parents
    found: list[ast.stmt] = [node for node in written.nodes if isinstance(node, (*_STATEMENTS, ast.Raise))]
    found = found or [
        node for node in written.nodes if isinstance(node, ast.Expr) and _is_alone(parents.get(node))
    ]
    around = (parents.get(node) for node in written.nodes)
    ends = (one.body[-1] for one in around if isinstance(one, ast.If | ast.ExceptHandler))
    found = found or list(dict.fromkeys(end for end in ends if isinstance(end, (*_STATEMENTS, ast.Raise))))

    def rank(node: ast.AST) -> tuple[bool, bool]:
        return isinstance(node, first), isinstance(parents.get(node), BRANCHES)

    found.reverse()
    found.sort(key=rank, reverse=True)
    weight = _FIRST
    for stmt in found:
        yield weight, stmt
        weight *= SECOND


def _is_alone(branch: ast.AST | None) -> bool:
    return isinstance(branch, ast.If | ast.ExceptHandler) and len(branch.body) == 1
