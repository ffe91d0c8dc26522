"""What may fail is tried: *catch KeyError around line 5 and return None*, *retry the request 3 times*,
*finally close it*.

Comes in: an order. Goes out: edits that wrap statements, or give a `try` one more clause. Must not know: how
an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.checks.logs import logging_with
from spark_tui.refactor.checks.put import importing, put, text_literal
from spark_tui.refactor.checks.read import EXCEPTION, Reading
from spark_tui.refactor.checks.roles import with_names
from spark_tui.refactor.checks.wrap import target, wrapped
from spark_tui.refactor.literals import values
from spark_tui.refactor.naming import naming_in
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import value
from spark_tui.refactor.source import Change, Function, Source, body_behind_docstring, indent_of

_CLASS = r"(?:[a-z_]\w*\.)*[A-Z]\w*"
_VALUE = r"`[^`]+`|\"[^\"]*\"|'[^']*'|an? empty \w+|empty (?:list|dict|string|set|tuple)|-?\d[\d.]*|\[\]|\{\}|\(\)|[^\W\d][\w.]*(?:\([^()]*\))?"
_CAN = r"(?<!can )(?<!may )(?<!might )(?<!could )(?<!will )(?<!would )(?<!to )(?<!not )"
_ACTIONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(form, re.I))
    for kind, form in (
        ("again", r"\b(?:re-?raise|raise (?:it )?again)(?: it| the (?:error|exception))?\b"),
        ("raise", rf"{_CAN}\braise\s+(?:an?\s+|the\s+)?`?(?P<exc>{_CLASS})(?P<args>\([^()]*\))?`?(?P<from>\s+from (?:it|that|e|the (?:original|error|exception))\b)?(?P<said>\s*,?\s*(?:with (?:the )?message|saying)?\s*(?P<q>[\"'])(?P<text>[^\"']*)(?P=q))?"),
        ("return", rf"\b(?:return|give back|hand back)(?:ing)?(?:\s+(?!early|then\b|instead|if\b|when\b|and\b|in\b|on\b)(?P<v>{_VALUE}))?(?:\s+(?:early|then|instead|right away|immediately))*"),
        ("print", r"\bprint(?:ing)?\s+(?:\(?)(?P<text>\"[^\"]*\"|'[^']*'|`[^`]*`)\)?"),
        ("print it", r"\bprint (?:it|the (?:error|exception)|what went wrong)\b"),
        ("log", r"\blog(?:s|ged|ging)? (?:it|the (?:error|exception|failure|traceback)|that)\b|\bget(?:s)? logged\b"),
        ("continue", r"\b(?:continue|skip (?:it|that|this|the|that one)(?: (?:row|line|item|entry|record|one|file))?|go on with the next(?: one)?)\b"),
        ("pass", r"\b(?:then\s+)?(?:just\s+)?(?:pass|ignore(?: (?:it|that|them|the (?:error|exception)))?|do nothing|swallow(?: it)?|is nothing to worry about|carry on|go on)\b"),
        ("use", rf"\b(?:use|take|default(?:ing)? to|fall back (?:to|on)|assume|(?:set|make) it(?: to)?)\s+(?P<v>{_VALUE})(?:\s+(?:instead|then))*"),
    )
)  # fmt: skip
_SAID = (
    "wrap wrapped put surround enclose in a an the try try/except except block around round catch catches caught catching handle handles handled handling handler guard protect be defensive about it it's may might can could will would raise raises raised "
    "raising throw throws threw thrown give gives gets get error errors exception exceptions fail fails failed failing failure should line call statement when then and that this if from on at near by there is no nobody does happens production sentry reports report crash crashes crashing "
    "survive survives cope tolerate don't dont do not so clause with add using add of or case any all we need around needs being one ok happen comes else instead goes wrong ftm then: for"
)
_TRYING = re.compile(
    r"\btry\b|\bcatch|\bcaught|\bhandl|\bexcept\b|\bwrap|\bdefensive|\bswallow|nobody catches|don'?t crash",
    re.I,
)
_KNOWN: tuple[tuple[re.Pattern[str], str, str, str], ...] = tuple(
    (re.compile(words, re.I), exception, call, module)
    for words, exception, call, module in (
        (r"\b(?:if|when)?\s*(?:the |a )?(?:file|[\w-]+\.(?:json|txt|csv|ya?ml|toml|ini|cfg|log)) (?:is missing|does not exist|doesn'?t exist|is not there|isn'?t there|is not found|isn'?t found)|\b(?:a |the )?missing files?\b|\b(?:if|when) (?:there is|there's|there was) no (?:such )?file", "FileNotFoundError", r"(?:^|\.)(?:open|read_text|read_bytes|stat|getsize|remove|unlink)$", ""),
        (r"\b(?:invalid|broken|bad|malformed|corrupt(?:ed)?) json\b|\bjson is (?:invalid|broken|bad|malformed|corrupt(?:ed)?)|\b(?:is|are) not (?:valid )?json", "json.JSONDecodeError", r"(?:^|\.)(?:loads?|json)$", "json"),
        (r"\b(?:is not|isn'?t) (?:a |an )?(?:valid )?(?:number|integer|int|float|numeric)\b|\bnon-?numeric\b|\bcan(?:not|'?t) be converted", "ValueError", r"^(?:int|float|Decimal)$", ""),
        (r"\bdivision by zero\b|\bdivid(?:e|ing) by zero\b", "ZeroDivisionError", r"$^", ""),
    )
)  # fmt: skip


def _tries(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if re.search(r"\b(?:retry|retries|attempts?|tries|finally)\b|\d+ times", order.said, re.I):
        return
    reading.rest, roles = with_names(src, reading.rest)
    reading.used += roles
    meant = target(reading) or _request(reading)
    actions = _actions(reading)
    known = next((one for one in _KNOWN if one[0].search(reading.rest)), None)
    caught = reading.take(EXCEPTION)
    exception = caught["exc"] if caught else None
    module = ""
    if exception is None and known is not None:
        match = reading.take(known[0])
        exception, module = known[1], known[3]
        if not meant and match is not None:
            meant = _calling(reading, known[2])
    if exception is None and _TRYING.search(order.said):
        exception = "Exception"
    if not meant and (roles or (exception and _DISTANT.search(exception))):
        meant = _calling(reading, _ASKS)
    if exception is None or not meant or not actions or EXCEPTION.search(reading.rest):
        return
    reading.functions()
    if not (_TRYING.search(order.said) or caught or known):
        return
    for first, last in meant:
        made = _handled(src, first, last, exception, actions)
        imported = importing(src, module)
        if made is not None and imported is not None:
            changes, used = made
            yield order.edit([*changes, *imported], *reading.used, exception, _SAID, used)
            if len(changes) > 1 and any(kind == "log" for kind, _ in actions):
                yield order.edit([*changes[:1], *imported], *reading.used, exception, _SAID, used)


def _calling(reading: Reading, pattern: str) -> list[tuple[int, int]]:
    """The one statement that calls what may fail so."""
    src, functions = reading.src, reading.functions()
    found = []
    for node in src.nodes:
        if isinstance(node, ast.Call) and re.search(pattern, ast.unparse(node.func)):
            inside = not reading.named or any(
                src.first_line(one) <= src.first_line(node) < src.last_line(one) for one in functions
            )
            statement = src.statement(node)
            if (
                inside
                and statement is not None
                and (src.first_line(statement), src.last_line(statement)) not in found
            ):
                found.append((src.first_line(statement), src.last_line(statement)))
    return found if len(found) == 1 else []


def _actions(reading: Reading) -> list[tuple[str, re.Match[str]]]:
    found: list[tuple[int, str, re.Match[str]]] = []
    for kind, pattern in _ACTIONS:
        match = pattern.search(reading.rest)
        if match is None or (kind == "use" and found):
            continue
        if kind == "raise" and not match["exc"].rpartition(".")[2][:1].isupper():
            continue
        if kind == "pass" and any(one[1] in ("continue", "return", "raise", "log") for one in found):
            continue
        if any(a < match.end() and match.start() < b for a, b in (one[2].span() for one in found)):
            continue
        found.append((match.start(), kind, match))
    for _, _, match in sorted(found, key=lambda one: -one[0]):
        reading.cut(match.start(), match.end())
    return [(kind, match) for _, kind, match in sorted(found, key=lambda one: one[0])]


def _handled(
    src: Source, first: int, last: int, exception: str, actions: list[tuple[str, re.Match[str]]]
) -> tuple[list[Change], str] | None:
    statement = next((node for node in src.statements if src.first_line(node) == first), None)
    if statement is None:
        return None
    function = src.function_of(statement)
    naming = naming_in(src, function)
    lines: list[str] = []
    name = ""
    changes: list[Change] = []
    for kind, match in actions:
        if kind == "raise":
            text = match["args"] or (f"({text_literal(src, match['text'])})" if match["said"] else "")
            name = "error" if match["from"] else name
            lines.append(f"raise {match['exc']}{text}" + (" from error" if match["from"] else ""))
        elif kind == "return":
            code = value(naming, match["v"]) if match["v"] else ""
            if code is None or function is None:
                return None
            lines.append(f"return {code}".rstrip())
        elif kind == "print":
            lines.append(f"print({text_literal(src, match['text'][1:-1])})")
        elif kind == "print it":
            name = "error"
            lines.append("print(error)")
        elif kind == "log":
            logger, changes = logging_with(src)
            lines.append(
                f"{logger}.exception({text_literal(src, (function.name if function else 'it') + ' failed')})"
            )
        elif kind == "continue":
            loops = any(
                isinstance(one, ast.For | ast.While | ast.AsyncFor) for one in src.ancestors(statement)
            )
            lines.append("continue" if loops else "pass")
        elif kind == "use":
            code = value(naming, match["v"])
            if (
                code is None
                or not isinstance(statement, ast.Assign)
                or len(statement.targets) != 1
                or not isinstance(statement.targets[0], ast.Name)
            ):
                return None
            lines.append(f"{statement.targets[0].id} = {code}")
        else:
            lines.append("raise" if kind == "again" else "pass")
    head = f"except {exception} as {name}:" if name else f"except {exception}:"
    indent = src.indent(statement)
    around = src.parents.get(statement)
    if isinstance(around, ast.Try) and statement in around.body and around.handlers and len(around.body) == 1:
        outer = src.indent(around)
        if any(one.type is not None and exception in ast.unparse(one.type) for one in around.handlers):
            return None
        at = src.last_line(around.handlers[-1])
        return [put(src, at, [outer + head, *(outer + src.step + one for one in lines)]), *changes], ""
    body = wrapped(src, first, last, [f"{indent}try:"], src.step)
    if body is None:
        return None
    new = [*body, indent + head, *(indent + src.step + one for one in lines)]
    return [(*src.line_span(first, last), "".join(f"{one}\n" for one in new)), *changes], ""


# -- once more
# ---------------------------------------------------------------------------------------------------------

_AGAIN = (
    "retry retries retried retrying try tries tried again repeat repeats attempt attempts chance chances time times give up gives too soon at most max maximum up to only after failed fails fail failing error errors come comes out any exception on before giving until works work in all total "
    "network is bad flaky unreliable hiccup hiccups survive temporary get over from timeouts common are line statement call the a it with for and should can needs neefs need when then be more than timse tres if by on within around near "
    "so wrap loop of or make let that this we same every one"
)
_WAIT = re.compile(
    r"\b(?:and\s+)?(?:with(?= an? second between)|wait(?:ing)?|sleep(?:ing)?|paus(?:e|ing)|with (?:a )?(?:pause|delay|sleep) of)\s+(?:of\s+|for\s+)?(?:an?\s+)?(?P<n>[\d.]+|one|two|three|five|ten|second(?= between| in between| pause))\s*(?:s|secs?|seconds?)?\s*(?:pause\s+)?(?:in between|between(?: (?:the )?(?:attempts|tries|retries|them))?|after each(?: \w+)?)?",
    re.I,
)


def _retries(order: Order) -> Iterator[Edit]:
    if (
        re.search(r"\b(?:retr|tr[iy]|tres|attempt|chance|repeat|give up|gives up|hiccup)", order.said, re.I)
        is None
    ):
        return
    src, reading = order.src, Reading(order)
    wait = reading.take(_WAIT)
    meant = target(reading) or _request(reading)
    caught = reading.take(EXCEPTION)
    numbers = [one for one in values(reading.rest) if isinstance(one.number, int) and 1 < one.number <= 1000]
    if len(numbers) != 1 or len(meant) != 1:
        return
    times, number = numbers[0].number, reading.rest[numbers[0].start : numbers[0].end]
    reading.functions()
    first, last = meant[0]
    statement = next((node for node in src.statements if src.first_line(node) == first), None)
    if statement is None or (
        any(isinstance(one, ast.Try) for one in src.ancestors(statement)) and "attempt" in src.text
    ):
        return
    indent, step = src.indent(statement), src.step
    body = wrapped(
        src, first, last, [f"{indent}for attempt in range({times}):", f"{indent}{step}try:"], step * 2
    )
    if body is None or not isinstance(times, int):
        return
    if not isinstance(statement, ast.Return):
        body.append(f"{indent}{step * 2}break")
    body += [
        f"{indent}{step}except {caught['exc'] if caught else 'Exception'}:",
        f"{indent}{step * 2}if attempt == {times - 1}:",
        f"{indent}{step * 3}raise",
    ]
    imported: list[Change] | None = []
    if wait is not None:
        pause = value(naming_in(src, None), "1" if wait["n"] == "second" else wait["n"])
        body.append(f"{indent}{step * 2}time.sleep({pause})")
        imported = importing(src, "time")
    if imported is not None:
        yield order.edit(
            [(*src.line_span(first, last), "".join(f"{one}\n" for one in body)), *imported],
            *reading.used,
            _AGAIN,
            number,
        )


def _request(reading: Reading) -> list[tuple[int, int]]:
    """*retry the request*: the one statement that asks another machine."""
    if (
        re.search(r"\b(?:request|download|fetch|http call|api call|call to the api)\b", reading.rest, re.I)
        is None
    ):
        return []
    reading.take(
        re.compile(r"\b(?:the )?(?:request|download|fetch|http call|api call|call to the api)\b", re.I)
    )
    return _calling(reading, _ASKS)


_DISTANT = re.compile(r"^(?:requests|httpx|urllib|aiohttp)\.|^(?:Connection|Timeout|URL)Error$")
_ASKS = r"^(?:requests|httpx|session|client|self\.session|self\.client)\.(?:get|post|put|delete|patch|request|head)$|urlopen$|urlretrieve$|create_connection$"


# -- in the end
# --------------------------------------------------------------------------------------------------------

_END = (
    "finally no matter what how whatever happens even if fails fail failed try tries ends end exception exceptions without with or after before except comes come a block clause add one put call run runs executed execute done has have to should must be need needs cleanup clean up "
    "always w o in this there is it last by wth wtih ater even raised raise when error errors occurs the and its and function fn body then goes also shall followed follow"
)
_CODE = re.compile(
    r"`(?P<a>[^`]+)`|(?<![\w.`\"'])(?P<b>[^\W\d][\w.]*\([^()]*\)|[^\W\d][\w.]*\s=\s(?:None|True|False|\d+))"
)


def _finally(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    found = None
    names = {one.name for one in src.functions}
    for match in _CODE.finditer(reading.rest):
        code = (match["a"] or match["b"]).strip()
        if code.rstrip("()") in names and re.search(
            r"\b(?:in|of|within|inside|func|function|fn)\s+(?:the\s+)?`?$",
            reading.rest[: match.start()],
            re.I,
        ):
            continue
        try:
            tree = parse_code(code)
        except SyntaxError:
            continue
        if (len(tree.body) == 1 and not isinstance(tree.body[0], ast.Expr)) or isinstance(
            getattr(tree.body[0], "value", None), ast.Call
        ):
            found = (match, code)
            break
    if found is None:
        return
    reading.cut(*found[0].span())
    functions = reading.functions()
    at = reading.take_line()
    tries = [node for node in src.nodes if isinstance(node, ast.Try)]
    if reading.named:
        tries = [
            node
            for node in tries
            if any(src.first_line(one) <= src.first_line(node) < src.last_line(one) for one in functions)
        ]
    if at is not None and len(tries) > 1:
        tries = [node for node in tries if src.first_line(node) - 1 <= at[0] <= src.last_line(node)]
    if not reading.named and reading.strangers():
        return
    if not tries:
        yield from _ending(reading, functions, found[1])
        return
    for node in tries:
        indent = src.indent(node)
        if node.finalbody:
            new = [put(src, src.last_line(node), [indent + src.step + found[1]])]
        else:
            new = [put(src, src.last_line(node), [f"{indent}finally:", indent + src.step + found[1]])]
        if (
            f"{indent + src.step}{found[1]}"
            not in [src.lines[n] for n in range(src.first_line(node), src.last_line(node))][-1:]
        ):
            yield order.edit(new, *reading.used, found[1], _END)


def _ending(reading: Reading, functions: list[Function], code: str) -> Iterator[Edit]:
    """Where nothing is tried yet: the one loop without an end, else the body of the function that is
    named."""
    src = reading.src
    if not re.search(r"\bfinally\b|\bno matter\b|\balways\b|\beven (?:if|when|after)\b|\bctrl\b|\bwhatever\b", reading.order.said, re.I):  # fmt: skip
        return
    loops = [node for node in src.nodes if isinstance(node, ast.While)]
    if reading.named:
        loops = [node for node in loops if src.function_of(node) in functions]
    loops = [node for node in loops if not any(isinstance(one, ast.While) for one in src.ancestors(node))]
    if len(loops) == 1:
        first, last = src.first_line(loops[0]), src.last_line(loops[0])
    elif (
        reading.named and len(functions) == 1 and not loops and (body := body_behind_docstring(functions[0]))
    ):
        first, last = src.first_line(body[0]), src.last_line(body[-1])
    else:
        return
    indent = indent_of(src.lines[first])
    new = wrapped(src, first, last, [f"{indent}try:"], src.step)
    if new is None or code in src.text[src.starts[first] : src.starts[last]]:
        return
    new += [f"{indent}finally:", f"{indent}{src.step}{code}"]
    change = (*src.line_span(first, last), "".join(f"{line}\n" for line in new))
    yield reading.order.edit(
        [change],
        *reading.used,
        code,
        _END,
        "i hit press ctrl c ctrl-c keyboardinterrupt quit stop kill someone you user interrupted interrupt loop",
    )


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\btry\b|\bcatch|\bcaught|\bhandl|\bexcept|\bwrap|\bdefensive|\b(?:rais|throw|fail|crash|swallow)|Error\b|Exception\b|missing file|file is missing|file doesn|\.\w+ (?:is missing|does)|json|\bln? ?#?\d",
            re.I,
        ),
        _tries,
    ),
    Rule(re.compile(r"\b(?:retr(?:y|ies|ied)|tries|attempts?|chances|times|try)\b", re.I), _retries),
    Rule(
        re.compile(
            r"\bfinally\b|\bno matter\b|\bwhatever\b|\beven (?:if|after|when)\b|\bexception\b|\balways\b",
            re.I,
        ),
        _finally,
    ),
)
