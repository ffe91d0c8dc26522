"""Telling more of what happens: the error in a handler, every path that is removed, how many there were, what was added.

Comes in: an order. Goes out: edits that print or log. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.logs import logger_in, logging_with
from spark_tui.refactor.checks.put import put, quote_of, text_literal
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.naming import naming_in, parts, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function, Source, parameters

_VERB = r"(?:print|log|show|say|tell(?: me)?|output|display|write|report|include|mention|add|count)"
_TELL = re.compile(rf"\b(?P<verb>{_VERB})(?:s|ged|ging|ed|ing)?\b", re.I)
_LEVEL = re.compile(r"\b(?:at|on|with|as)\s+(?:level\s+)?(?P<level>debug|info|warning|error)(?:\s+level)?\b", re.I)
_NOT = re.compile(r"\b(?:instead|rather than|not|don'?t|no longer|remove|delete|drop the|rename|replace|before(?! (?:sleep|wait|retry|trying|giving|re-?rais|continu|going on))|parameter|argument|docstring|comment|return\w*|raise|test)\b|[`\"']", re.I)  # fmt: skip
_SAID = "print prints printing log logs logging logged show shows say says tell me us output display write report include mention add also too as well the a an it each every one all of in at on to for when whenever what was were been is are gets get how many number count them there to console screen stdout message line level debug info warning error with and that which so we should must just please after loop end file files by then out statement"

_FAMILIES = tuple(
    (frozenset(said.split()), re.compile(called))
    for said, called in (
        ("deleted removed cleaned purged dropped erased unlinked", r"(?:^|[._])(?:remove|unlink|rmtree|rmdir|delete|drop|purge)\w*$"),
        ("saved written stored inserted dumped exported", r"(?:^|[._])(?:save|write|writerow|store|insert|dump|export)\w*$"),
        ("downloaded fetched loaded requested", r"(?:^|[._])(?:get|download|fetch|load|urlopen|urlretrieve)\w*$"),
        ("copied backed moved renamed", r"(?:^|[._])(?:copy|copy2|copyfile|move|rename|backup)\w*$"),
        ("sent mailed posted notified uploaded", r"(?:^|[._])(?:send|mail|post|notify|upload|send_message)\w*$"),
        ("added appended ordered enrolled collected found booked bought put", r"(?:^|[._])(?:append|add|insert|put|extend)$"),
        ("processed handled converted parsed read checked resized", r"(?:^|[._])(?:process|handle|convert|parse|read|check|resize)\w*$"),
    )
)  # fmt: skip
"""What is done, by the calls that do it."""


def _family(word: str) -> re.Pattern[str] | None:
    return next((called for said, called in _FAMILIES if word.lower() in said), None)


# -- the error ---------------------------------------------------------------------------------------------------------

_ERROR = re.compile(
    r"\b(?:the |its |actual |real |caught )*(?:errors?|exceptions?|reason|cause|what went wrong|e|err|exc|exception (?:text|message)|error (?:text|message))\b(?: (?:itself|text|message))?",
    re.I,
)
_HANDLED = "retry loop before sleeping waiting sleep retrying trying giving up again raising continuing error errors exception exceptions reason cause what went wrong why text message itself an a try tries attempt attempts fails fail failing failed failure goes wrong except handler block there when if in actual real caught something anything there's happens download request call e err"


def _error(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    tell = _TELL.search(reading.rest)
    if tell is None or _NOT.search(order.said) or not _ERROR.search(reading.rest) or tell["verb"] == "count":
        return
    if not re.search(r"\b(?:too|also|as well|fails?|failed|except|handler|include|add|in the (?:message|output|print))\b|\b(?:print|show) (?:the )?(?:error|exception|e)\b", order.said, re.I):  # fmt: skip
        return
    functions = reading.functions()
    if not reading.named and reading.strangers():
        return
    for node in src.nodes:
        if not isinstance(node, ast.ExceptHandler) or node.body[0].lineno == node.lineno:
            continue
        if reading.named and src.function_of(node) not in functions:
            continue
        name = node.name or "error"
        told = [one for one in node.body if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call)]
        shown = [one.value for one in told if isinstance(one.value, ast.Call) and re.search(r"^print$|\.(?:debug|info|warning|error|critical)$", ast.unparse(one.value.func))]  # fmt: skip
        if node.name and any(
            isinstance(one, ast.Name) and one.id == node.name for call in shown for one in ast.walk(call)
        ):
            continue
        if any(ast.unparse(call.func).endswith(".exception") for call in ast.walk(node) if isinstance(call, ast.Call)):
            continue
        if tell["verb"].lower() == "log" and not any(ast.unparse(call.func) != "print" for call in shown):
            continue
        changes = _with_error(src, node, shown, name)
        if changes is None:
            continue
        if node.name is None:
            at = src.span(node)[0] + len("except") if node.type is None else src.span(node.type)[1]
            if isinstance(node.type, ast.Tuple) and src.text[at : at + 1] == ")":
                at += 1
            changes.append((at, at, f" Exception as {name}" if node.type is None else f" as {name}"))
        yield order.edit(changes, *reading.used, _SAID, _HANDLED)


def _with_error(src: Source, node: ast.ExceptHandler, shown: list[ast.Call], name: str) -> list[Change] | None:
    """What shows the error in a handler: one more thing that is printed, else a line of its own."""
    if len(shown) > 1:
        return None
    if not shown:
        first = node.body[0]
        if len(node.body) == 1 and isinstance(first, ast.Pass):
            return [(*src.span(first), f"print({name})")]
        return [put(src, src.first_line(first), [f"{src.indent(first)}print({name})"])]
    call = shown[0]
    if not call.args or any(isinstance(one, ast.Starred) for one in call.args):
        return None
    end = src.span(call.args[-1])[1]
    if ast.unparse(call.func) == "print":
        return [(end, end, f", {name}")]
    text = call.args[0]
    a, b = src.span(text)
    quoted = src.text[a:b]
    if isinstance(text, ast.JoinedStr) and quoted[-1] in "\"'" and not quoted.endswith(('"""', "'''")):
        return [(b - 1, b - 1, f": {{{name}}}")]
    if isinstance(text, ast.Constant) and isinstance(text.value, str) and quoted[-1] in "\"'":
        return [(b - 1, b - 1, ": %s"), (end, end, f", {name}")]
    return None


# -- every one, how many -----------------------------------------------------------------------------------------------

_EVERY = re.compile(r"\b(?:every|each|all(?: the)?)\s+(?P<a>[a-z_]+)(?:\s+(?P<b>[a-z_]+))?(?:\s+(?:that|which) (?:is|was|gets|got|were|are) (?P<c>[a-z]+))?", re.I)  # fmt: skip
_MANY = re.compile(r"\b(?:how many|(?:the )?(?:number|count) of)\s+(?P<a>[a-z_]+)(?:\s+(?P<b>[a-z_]+))?(?:\s+(?P<c>[a-z_]+))?(?:\s+(?P<d>[a-z_]+))?(?:\s+(?P<e>[a-z_]+))?", re.I)  # fmt: skip


def _done(src: Source, loop: ast.For, called: re.Pattern[str]) -> ast.stmt | None:
    """The statement of a loop that does it."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Call) and called.search(ast.unparse(node.func)):
            statement = src.statement(node)
            if statement is not None and not hasattr(statement, "body"):
                return statement
    return None


def _each(order: Order) -> Iterator[Edit]:
    """*log every removed path*, *print each price in prices*, *print how many files were deleted*."""
    src, reading = order.src, Reading(order)
    tell = _TELL.search(reading.rest)
    level = reading.take(_LEVEL)
    every, many = reading.take(_EVERY), reading.take(_MANY)
    match = every or many
    if tell is None or match is None or (every and many) or _NOT.search(order.said):
        return
    said = [one.lower() for one in match.groupdict().values() if one]
    verb = next((word for word in said if _family(word)), None)
    called = _family(verb) if verb else None
    functions = reading.functions()
    if not reading.named and reading.strangers():
        return
    loops = [node for node in src.nodes if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.body[0].lineno != node.lineno]  # fmt: skip
    loops = [node for node in loops if not reading.named or src.function_of(node) in functions]
    nouns = {singular(word) for word in said if word != verb}
    for loop in loops:
        assert isinstance(loop.target, ast.Name)
        target = loop.target.id
        at = _done(src, loop, called) if called is not None else None
        made = [one for one in loop.body if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) in nouns]
        fits = singular(parts(target)[-1]) in nouns if parts(target) else False
        if at is None and (called is not None or not (fits or made)):
            continue
        used = (*reading.used, _SAID, *said, target, *parts(target))
        if every is not None:
            shown = ast.unparse(made[0].targets[0]) if made else target
            behind = at or (made[0] if made else None)
            line, imported = _line(src, tell["verb"], verb or "", [shown], level)
            place = src.last_line(behind) if behind is not None else src.first_line(loop.body[0])
            indent = src.indent(behind if behind is not None else loop.body[0])
            yield order.edit([put(src, place, [indent + line]), *imported], *used)
        else:
            yield from _counted(order, loop, at, verb or next(iter(nouns), "count"), (tell["verb"], level), used)


def _counted(
    order: Order,
    loop: ast.For,
    at: ast.stmt | None,
    word: str,
    tell: tuple[str, re.Match[str] | None],
    used: tuple[str, ...],
) -> Iterator[Edit]:
    """Told behind the loop: the length of what was stepped through, else a count that is kept."""
    src = order.src
    indent = src.indent(loop)
    always = at is None or at in loop.body
    skips = any(isinstance(one, ast.Continue | ast.Break | ast.Return | ast.Try) for one in ast.walk(loop))
    if isinstance(loop.iter, ast.Name) and always and not skips:
        count, changes = f"len({loop.iter.id})", []
    else:
        count = word if word.isidentifier() and word not in order.identifiers else "count"
        if count in order.identifiers:
            return
        last = at or loop.body[-1]
        changes = [
            put(src, src.first_line(loop), [f"{indent}{count} = 0"]),
            put(src, src.last_line(last), [f"{src.indent(last)}{count} += 1"]),
        ]
    line, imported = _line(src, tell[0], word, [count], tell[1])
    end = put(src, src.last_line(loop), [indent + line])
    if changes and changes[-1][0] == end[0]:
        changes[-1:] = [(end[0], end[0], changes[-1][2] + end[2])]
    else:
        changes.append(end)
    yield order.edit([*changes, *imported], *used)


def _line(
    src: Source, verb: str, word: str, things: list[str], level: re.Match[str] | None
) -> tuple[str, list[Change]]:
    """The call that tells: printed, or logged where that is said."""
    if verb.lower() == "log" or (level is not None and logger_in(src)):
        name, imported = logging_with(src)
        told = text_literal(src, " ".join([*([word] if word else []), *["%s"] * len(things)]))
        return f"{name}.{level['level'].lower() if level else 'info'}({', '.join([told, *things])})", imported
    quote = quote_of(src)
    return f"print({', '.join([*([quote + word + quote] if word else []), *things])})", []


# -- what was done -----------------------------------------------------------------------------------------------------

_WHAT = re.compile(r"\b(?:what|which \w+|whatever) (?:was|were|is|are|got|gets|has been|have been|we(?:'ve)?|it|you)\s+(?:just |being )?(?P<v>[a-z]+)\b", re.I)  # fmt: skip


def _what(order: Order) -> Iterator[Edit]:
    """*log at info level what was added in add()*."""
    src, reading = order.src, Reading(order)
    tell, level, match = _TELL.search(reading.rest), reading.take(_LEVEL), reading.take(_WHAT)
    if tell is None or match is None or _NOT.search(order.said):
        return
    functions = reading.functions()
    called = _family(match["v"])
    if not reading.named or called is None:
        return
    for function in functions:
        found = [one for one in _stored(src, function, called) if one[1]]
        if not found or (len(found) > 1 and any(one not in function.body for one, _ in found)):
            continue
        statement, things = found[-1][0], list(dict.fromkeys(name for _, names in found for name in names))
        line, imported = _line(src, tell["verb"], match["v"], things, level)
        change = put(src, src.last_line(statement), [src.indent(statement) + line])
        yield order.edit([change, *imported], *reading.used, _SAID, *things)


def _stored(src: Source, function: Function, called: re.Pattern[str]) -> Iterator[tuple[ast.stmt, list[str]]]:
    """Statements that put something somewhere or do it, and the plain names that go into it."""
    naming = naming_in(src, function)
    own = {one.arg for one in parameters(function)} | {name for name in naming.names if "." not in name}
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and called.search(ast.unparse(node.value.func))
        ):
            into: list[ast.AST] = list(node.value.args)
        elif isinstance(node, ast.Assign | ast.AugAssign) and called.search("append"):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if not isinstance(target, ast.Subscript):
                continue
            into = [target.slice, node.value]
        else:
            continue
        names = [one.id for part in into for one in ast.walk(part) if isinstance(one, ast.Name) and one.id in own]
        yield node, list(dict.fromkeys(names))


_TRIGGER = r"\b(?:print|log|show|say|tell|output|display|report|include|mention|add|count)"
RULES: tuple[Rule, ...] = (
    Rule(re.compile(rf"{_TRIGGER}.*\b(?:error|exception|reason|cause|went wrong|e|err)\b", re.I), _error),
    Rule(re.compile(rf"{_TRIGGER}.*\b(?:every|each|all|how many|number of|count of)\b", re.I), _each),
    Rule(re.compile(rf"{_TRIGGER}.*\b(?:what|which|whatever)\b", re.I), _what),
)
