"""Log lines: at the start of a function, before it returns, in its `except`; and logging in the place of
printing.

Comes in: an order. Goes out: edits that put a call in, or call another function. Must not know: how an edit
is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.checks.put import importing, put, text_literal, top_line
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.imports_of import imports_in
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function, Source

_LEVELS = "debug|info|warning|warn|error|exception|critical"
_LOGGER = r"(?:self\.|cls\.)?_?(?:log|logger|logging|LOG|LOGGER)"
METHOD = re.compile(rf"(?<![\w.])(?P<q>[`'\"]?)(?P<method>{_LOGGER}\.(?:{_LEVELS}))(?P=q)(?![\w(])")
_CALL = re.compile(
    rf"(?<![\w.])(?P<method>{_LOGGER}\.(?:{_LEVELS})|print)\((?:[^()\"']|\"[^\"]*\"|'[^']*'|\([^()]*\))*\)"
)
_LEVEL = re.compile(
    rf"\b(?:(?:at|on|with|as|to)\s+)?(?:the\s+)?(?:log\s+)?(?:level\s+)?(?P<level>{_LEVELS})\b(?:[- ](?:level|log(?:ging)?(?: line)?|message|line))?(?:\s+level)?",
    re.I,
)
_TEXT = re.compile(r"\"([^\"]*)\"|(?<!\w)'([^']*)'(?!\w)|`([^`]*)`")
_MADE = re.compile(
    r"^(?P<name>\w+)\s*=\s*(?:logging\.getLogger|logging\.Logger|getLogger|get_logger|structlog\.get_logger)\(",
    re.M,
)
_SEEN = re.compile(rf"(?<![\w.])(?P<name>{_LOGGER})\.(?:{_LEVELS})\(")

_TURNING = re.compile(
    r"\b(?:instead|innstead|rather|not|no|replac\w*|turn\w*|convert\w*|chang\w*|switch\w*|swap|use|to|s|should|has to|have to|must|everywhere|wherever|now|for|by|with|into|is)\b",
    re.I,
)
_ENTRY = re.compile(
    r"\b(?:start|top|entry|entered|entering|begin\w*|begon|first|called|runs?|before (?:it |\S+ )?(?:does|doing) anything|silently|on entry|is entered)\b",
    re.I,
)
_RETURN = re.compile(
    r"\b(?:return\w*|give\w* back|gives|result|outcome|then return|exits?|leaves?|end|done|finish\w*|bfeoore)\b",
    re.I,
)
_EXCEPT = re.compile(r"\b(?:except\w*|excpet|handler|exception|caught|fails?|failure|blows up|error)\b", re.I)
_SAID = (
    "log logs logged logging logger log-line line lines statement call calls called calling put insert add place write emit print prints printed message msg at on in the start top entry entered entering begin begins beginning begon have has "
    "first statement before after anything everything does do doing it is not there no silently starts runs run time each every should would hard to see if when so its it's thing level and then with via using visible anywhere something wrong what result of "
    "return returns returned returning give gives back exit exits end done finishes finish directly just right immediately goes front want for debugging debug next comes must be will can needs shall "
    "log-line what then dobe shoyld bfeoore shoild front fist handler handlers run first last goes there down up while here we're were down within keep its own look at looks at else stays easier read "
    "except exceptions exception excpet handler clause block catch catches caught catching fails failure failed blows up goes error errors nothing never saw we because body inside try case as own silent also start "
    "this function method happens whenever somebody one more info warning isn't isnt before"
)
_PRINTS = (
    "messages message lines entries over in down within wtihin innstead inside was were debugging wants want not and of reviewer customer like this it "
    "print prints printed printing output log logs logging logged logger use instead of rather than replace replaced replaces replacing change changed turn convert converted switch swap by with into to for from every all everywhere wherever each was were is are not ok no send sends what "
    "statement statements call calls line lines real proper debug don't dont do here now in place want wants need needs have has be function and runs as service go goes should must module level debugging stop them they it via through s prit pritn then"
)


def logger_in(src: Source) -> str | None:
    """What the file logs with."""
    made = _MADE.search(src.text)
    if made is not None:
        return made["name"]
    seen = {match["name"] for match in _SEEN.finditer(src.text)}
    if len(seen) == 1:
        return seen.pop()
    return "logging" if re.search(r"^import logging\b", src.text, re.M) else None


def logging_with(src: Source) -> tuple[str, list[Change]]:
    """A logger, and what makes it known where the file has none."""
    have = logger_in(src)
    if have is not None:
        return have, []
    found = imports_in(src)
    change = importing(src, "logging")
    if not found or not change:
        return "logger", []
    last = src.starts[max(src.last_line(one) for one in found)]
    made = "\nlogger = logging.getLogger(__name__)\n"
    start, end, text = change[0]
    if start == last:
        return "logger", [(start, end, text + made)]
    return "logger", [(start, end, text), (last, last, made)]


def _line(order: Order, reading: Reading) -> tuple[str, list[Change], str] | None:
    """The call that is asked for: as it is written, else of a method and a text; with the imports that it
    needs."""
    src = order.src
    call = _CALL.search(reading.rest)
    if call is not None:
        a, b = call.span()
        if (
            a
            and b < len(reading.rest)
            and reading.rest[a - 1] in "`'\""
            and reading.rest[b] == reading.rest[a - 1]
        ):
            a, b = a - 1, b + 1
        code = call[0]
        try:
            parse_code(code)
        except SyntaxError:
            return None
        reading.cut(a, b)
        return code, _known(src, code), code
    method = reading.take(METHOD)
    named = {one.name for one in src.functions}
    found = [
        match
        for match in _TEXT.finditer(reading.rest)
        if re.sub(r"\(\)$", "", _said(match)) not in named and (match[3] is None or " " in match[3])
    ]
    texts = [_said(match) for match in found]
    if len(found) == 1:
        reading.cut(*found[0].span())
    if method is not None and len(texts) == 1:
        return f"{method['method']}({text_literal(src, texts[0])})", _known(src, method["method"]), texts[0]
    if method is None and len(texts) == 1 and re.search(r"\blog", reading.rest, re.I):
        level = reading.take(_LEVEL)
        name, changes = logging_with(src)
        return (
            f"{name}.{level['level'].lower() if level else 'info'}({text_literal(src, texts[0])})",
            changes,
            texts[0],
        )
    return None


def _said(match: re.Match[str]) -> str:
    return match[1] or match[2] or match[3] or ""


def _known(src: Source, code: str) -> list[Change]:
    if not code.startswith("logging.") or not imports_in(src):
        return []
    return importing(src, "logging") or []


def _logs(order: Order) -> Iterator[Edit]:
    reading = Reading(order)
    line = _line(order, reading)
    if line is None:
        return
    said = reading.rest
    functions = reading.functions()
    if reading.line() is not None:
        reading.take_line()
    code, imported, text = line
    if not reading.named and reading.strangers():
        return
    for name in {one.name for one in functions} if reading.named else ():
        said = said.replace(name, "@")
    ways = [imported, []] if imported and code in order.said else [imported]
    for imports in ways:
        yield from _at(reading, functions, said, code, imports, (*reading.used, text, code, _SAID))


def _at(
    reading: Reading,
    functions: list[Function],
    said: str,
    code: str,
    imported: list[Change],
    used: tuple[str, ...],
) -> Iterator[Edit]:
    src, order = reading.src, reading.order
    if re.search(r"\b(?:instead|replace|change|remove|delete|rename|not print)\b", said, re.I):
        return
    if _EXCEPT.search(said):
        for handler in _handlers(reading, functions):
            first = handler.body[0]
            if first.lineno != handler.lineno and src.segment(first) != code:
                alone = len(handler.body) == 1 and isinstance(first, ast.Pass)
                there = (
                    (*src.span(first), code)
                    if alone
                    else put(src, src.first_line(first), [src.indent(first) + code])
                )
                yield order.edit([there, *imported], *used)
    elif _RETURN.search(said):
        for function in functions:
            if code in src.segment(function):
                continue
            ends = [
                one
                for one in _own(function)
                if isinstance(one, ast.Return)
                and src.lines[src.first_line(one)].lstrip().startswith("return")
            ]
            for one in ends[-3:] if reading.named or len(functions) == 1 else ():
                yield order.edit([put(src, src.first_line(one), [src.indent(one) + code]), *imported], *used)
    elif _ENTRY.search(said):
        for function in functions:
            place = top_line(src, function)
            if (
                place is not None
                and code not in src.segment(function)
                and (reading.named or len(functions) == 1 or function in _outer(src))
            ):
                yield order.edit([put(src, place[0], [place[1] + code]), *imported], *used)


def _outer(src: Source) -> list[Function]:
    outer = [one for one in src.functions if src.function_of(one) is None]
    return outer if len(outer) == 1 else []


def _own(function: Function) -> list[ast.stmt]:
    """The statements of a function without those of functions inside it."""
    found: list[ast.stmt] = []
    todo: list[ast.AST] = list(function.body)
    while todo:
        node = todo.pop(0)
        if isinstance(node, Function | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.stmt):
            found.append(node)
        todo += [
            one
            for one in ast.iter_child_nodes(node)
            if isinstance(one, ast.stmt | ast.ExceptHandler | ast.match_case)
        ]
    return sorted(found, key=lambda one: one.lineno)


def _handlers(reading: Reading, functions: list[Function]) -> list[ast.ExceptHandler]:
    src = reading.src
    found = [node for node in src.nodes if isinstance(node, ast.ExceptHandler)]
    if reading.named:
        found = [
            node
            for node in found
            if any(src.first_line(one) <= src.first_line(node) < src.last_line(one) for one in functions)
        ]
    at = reading.line()
    return (
        [node for node in found if src.first_line(node) <= at < src.last_line(node)] or found
        if at is not None
        else found
    )


def _log_it(order: Order) -> Iterator[Edit]:
    """*log the exception in load*: what is caught there."""
    src, reading = order.src, Reading(order)
    if _CALL.search(reading.rest) or METHOD.search(reading.rest) or _TEXT.search(reading.rest):
        return
    if not re.search(
        r"\blog\b.*\b(?:exception|error|failure|it)\b.*\b(?:except|handler|caught|fails|in|when)\b|\bexcept\b.*\blog\b",
        order.said,
        re.I,
    ):
        return
    functions = reading.functions()
    level = reading.take(
        re.compile(
            r"\b(?:at|as|with|on) (?:an? )?(?:level )?(?P<level>debug|info|warning|error|critical)\b(?: level)?",
            re.I,
        )
    )
    if not reading.named and reading.strangers():
        return
    name, imported = logging_with(src)
    handlers = _handlers(reading, functions)
    for handler in handlers:
        inside = src.function_of(handler)
        first = handler.body[0]
        if first.lineno == handler.lineno or re.search(rf"\b{_LOGGER}\.", src.segment(handler)):
            continue
        what = text_literal(src, f"{inside.name} failed" if inside else "failed")
        call = (
            f"{name}.{level['level'].lower()}({what}, exc_info=True)"
            if level
            else f"{name}.exception({what})"
        )
        indent = src.indent(first)
        only = len(handler.body) == 1 and isinstance(first, ast.Pass)
        change = (*src.span(first), call) if only else put(src, src.first_line(first), [indent + call])
        yield order.edit(
            [change, *imported], *reading.used, _SAID, "instead of swallowing swallow it pass passing"
        )


def _print_to_logging(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if _CALL.search(reading.rest) or re.search(r"\bexcept\b|\b(?:remove|delete|drop)\b", reading.rest, re.I):
        return
    if not _TURNING.search(order.said):
        return
    functions = reading.functions()
    at = reading.take_line()
    method = reading.take(METHOD)
    if not reading.named and reading.strangers():
        return
    prints = [
        node
        for node in src.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    if at is not None:
        prints = [node for node in prints if at[0] <= src.first_line(node) < at[1]]
    elif reading.named:
        prints = [
            node
            for node in prints
            if any(src.first_line(one) <= src.first_line(node) < src.last_line(one) for one in functions)
        ]
    if len(prints) > 1 and re.search(r"\bthe (?:error|exception|failure)\b", order.said, re.I):
        caught = [
            node for node in prints if any(isinstance(up, ast.ExceptHandler) for up in src.ancestors(node))
        ]
        prints = caught or prints
    imported: list[Change] = []
    level = None
    if method is None:
        if not re.search(r"\blog(?:s|ging|ger|ged)?\b", reading.rest, re.I):
            return
        level = reading.take(_LEVEL)
        name, imported = logging_with(src)
        called = f"{name}.{(level['level'] if level else 'info').lower()}"
    else:
        called = method["method"]
        imported = _known(src, called)
    changes: list[Change] = []
    for node in prints:
        change = _as_log(src, node, called)
        if change is None:
            return
        changes += change
    if changes:
        yield order.edit([*changes, *imported], *reading.used, _PRINTS, called)
        if method is not None and imported:
            yield order.edit(changes, *reading.used, _PRINTS, called)


def _as_log(src: Source, node: ast.Call, called: str) -> list[Change] | None:
    """The same text by a logger, which takes one text and what is put into it."""
    if node.keywords or not node.args or any(isinstance(one, ast.Starred) for one in node.args[1:]):
        return None
    changes: list[Change] = [(*src.span(node.func), called)]
    first = node.args[0]
    if len(node.args) > 1:
        told: list[str] = []
        rest: list[str] = []
        for one in node.args:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                if re.search(r"[%\\\n{]", src.segment(one)):
                    return None
                told.append(one.value)
            else:
                told.append("%s")
                rest.append(src.segment(one))
        quote = (
            src.segment(first)[:1]
            if isinstance(first, ast.Constant) and src.segment(first)[:1] in "\"'"
            else ""
        )
        text = " ".join(told)
        shown = f"{quote}{text}{quote}" if quote and quote not in text else text_literal(src, text)
        changes.append((src.span(first)[0], src.span(node.args[-1])[1], ", ".join([shown, *rest])))
    return changes


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\blog|\bprint\(|[._]log(?:ger|ging)?\.|logger|LOG", re.I), _logs),
    Rule(re.compile(r"\blog\b.*\b(?:exception|error|failure|it)\b|\bexcept\b.*\blog\b", re.I), _log_it),
    Rule(
        re.compile(
            r"\bpri\w*t\w*\b.*\blog|\blog.*\bpri\w*t|log\w*\..*\bpri\w*t|\bprint.*\.(?:debug|info|warning|error)",
            re.I,
        ),
        _print_to_logging,
    ),
)
