"""Guard clauses: *raise ValueError if amount is negative*, *return early when the cart is empty*, *skip blank
lines*.

Comes in: an order. Goes out: edits that put a check where the thing is known. Must not know: how an edit is
weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.checks.acts import ACTING, Act, act_in, as_fact, demanded_in, is_demand, is_opposite
from spark_tui.refactor.checks.put import importing, put, text_literal, top_line
from spark_tui.refactor.checks.read import EXCEPTION, TOP, Reading, tidy
from spark_tui.refactor.checks.unknown import unknown
from spark_tui.refactor.conditions import Condition, condition
from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.naming import Naming, naming_in, parts, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import oppose, value
from spark_tui.refactor.source import Change, Function, Source, parameters

_LOOP = re.compile(
    r"\b(?:(?:in|inside|within|of|from)\s+)?(?:the|this|that)?\s*(?:body of the )?(?:for |while )?loop(?: body)?(?: over (?P<over>[\w.]+))?\b",
    re.I,
)
_CONNECTED = re.compile(
    r"^(?:(?:only|early|right away|immediately|there|then) )*(?:if|when|whenever|unless|for|on|in case|should|once|as soon as|where|with|without|of|that|which|lines?|entries|items?)\b|^(?:an? |the )?(?:empty|blank|None|missing|negative|zero)\b",
    re.I,
)
_TYPED = ("isinstance(", "not isinstance(", "callable(", "not callable(")
Loop = ast.For | ast.AsyncFor | ast.While


_OTHER = re.compile(
    r"\b(?:catch\w*|except|excepts|retr(?:y|ies)|wrap\w*|instead of|rather than|finally)\b", re.I
)


_BESIDE = re.compile(
    r"\b(?:after|behind|below|above|before)\s+(?:the\s+|this\s+)?(?:`|line\b|call\b|return\b|loop\b|statement\b|\w+[(.]\w*)",
    re.I,
)
"""Another place than the one that is best known is meant."""


_MEEK = re.compile(
    r"\b(?:don'?t|does ?n[o']t|must ?n[o']t|should ?n[o']t|do not|not|never|stop \w+ from|without)\s+(?:crash|fail|die|dying|break|blow|rais|throw|complain)\w*",
    re.I,
)
"""What strikes is not to be an error."""


def _guards(order: Order) -> Iterator[Edit]:
    if _MEEK.search(order.said):
        return
    if _OTHER.search(order.said) or _BESIDE.search(order.said):
        return
    reading = Reading(order)
    functions = reading.functions()
    if reading.line() is not None:
        reading.take_line()
    demanded = is_demand(reading)
    act = act_in(reading) or (Act("raise") if demanded else None)
    loop = reading.take(_LOOP)
    reading.take(TOP)
    opposed = is_opposite(reading) or demanded
    if opposed:
        as_fact(reading)
    if act is None:
        act = demanded_in(reading)
        opposed = act is not None
    if act is None or EXCEPTION.search(reading.rest) is not None:
        return
    opposed = opposed or act.kind == "assert"
    pieces = reading.pieces()
    for function in functions:
        yield from _in_function(reading, function, act, pieces, opposed, loop is not None)


def _in_function(
    reading: Reading, function: Function, act: Act, pieces: list[str], opposed: bool, in_loop: bool
) -> Iterator[Edit]:
    src = reading.src
    naming = naming_in(src, function)
    if act.kind in ("continue", "break") or in_loop:
        loops = [node for node in ast.walk(function) if isinstance(node, Loop)]
        for loop in loops:
            targets = _names(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else []
            others = [
                one for one in naming.names if singular(parts(one)[-1] if parts(one) else one) not in targets
            ]
            near = Naming([*targets, *others], src.segment(loop), naming.own, naming.known)
            found, piece = _condition(pieces, near, targets[0] if len(targets) == 1 else None)
            if found is not None and (len(loops) == 1 or _roots(found.test) & set(_stored(loop))):
                yield from _made(reading, function, act, found, piece, opposed, loop)
        return
    found, piece = _condition(pieces, naming, None)
    strange = [(one, each) for each in pieces if (one := unknown(src, function, each)) is not None]
    if len(strange) == 1 and (found is None or found.test == found.subject or strange[0][1] == piece):
        found, piece = strange[0]
    elif found is None:
        return
    else:
        strange = []
    assert found is not None
    asked = re.search(re.escape(piece) + r"\s*[?:]", reading.order.said)
    if act.kind != "raise" and not opposed and not _CONNECTED.match(piece) and not asked and not strange:
        return
    if not act.plain and re.search(r" [!=]= ", found.test):
        return
    own = {one.arg for one in parameters(function)}
    if (
        not reading.named
        and len(src.functions) > 1
        and not _roots(found.test) & (own | set(_stored(function)))
    ):
        return
    yield from _made(reading, function, act, found, piece, opposed, None)


# -- what is asked
# -----------------------------------------------------------------------------------------------------


def _condition(pieces: list[str], naming: Naming, subject: str | None) -> tuple[Condition | None, str]:
    """The one piece that is a condition."""
    found = [(one, piece) for piece in pieces for one, piece in _readings(piece, naming, subject)]
    return found[0] if len(found) == 1 else (None, "")


def _readings(piece: str, naming: Naming, subject: str | None) -> list[tuple[Condition, str]]:
    one = condition(piece, naming, subject)
    if one is not None:
        bare = one.test in (one.subject, f"not {one.subject}")
        said = re.match(
            r"(?:if|when|unless|whenever|once|there)\b|`|(?:an? |the )?empty|no\b|without\b", piece, re.I
        )
        said = said or re.search(r"\s(?:empty|set|true|false|no|nothing)\b", piece, re.I)
        return [(one, piece)] if said or not bare else []
    shorter = [tidy(part) for part in re.split(r"[,;:]\s+|\s+-\s+", piece)]
    return [one for part in shorter if len(shorter) > 1 for one in _readings(part, naming, subject)]


def _roots(test: str) -> set[str]:
    return {node.id for node in ast.walk(parse_code(test, mode="eval")) if isinstance(node, ast.Name)}


def _names(target: ast.expr) -> list[str]:
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def _stored(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            yield one.id


# -- what is made
# ------------------------------------------------------------------------------------------------------


def _made(
    reading: Reading,
    function: Function,
    act: Act,
    found: Condition,
    piece: str,
    opposed: bool,
    loop: Loop | None,
) -> Iterator[Edit]:
    src = reading.src
    test = oppose(found.test) if opposed and act.kind != "assert" else found.test
    line = _deed(src, act, found, test, opposed, naming_in(src, function))
    tested = {ast.unparse(node.test) for node in ast.walk(function) if isinstance(node, ast.If | ast.Assert)}
    if line is None or tested & {_same(test), _same(oppose(test))}:
        return
    place = _in_loop(src, loop, test) if loop is not None else _place(src, function, found.test)
    imported = importing(src, found.needs)
    if place is None or imported is None:
        return
    at, indent = place
    deed = [f"{indent}{src.step}{one}" for one in (act.first, line) if one]
    body = [f"{indent}{line}"] if act.kind == "assert" else [f"{indent}if {test}:", *deed]
    if act.needs and act.needs.rpartition(" ")[2] not in src.text.partition("\ndef ")[0]:
        needed = with_import(src, act.needs)
        if needed is None:
            return
        imported = [*imported, needed]
    changes: list[Change] = [put(src, at, body), *imported]
    yield reading.order.edit(changes, *reading.used, piece)


def _same(test: str) -> str:
    return ast.unparse(parse_code(test, mode="eval"))


def _deed(src: Source, act: Act, found: Condition, test: str, opposed: bool, naming: Naming) -> str | None:
    if act.kind == "assert":
        return f"assert {test}" + (f", {text_literal(src, act.message)}" if act.message else "")
    if act.kind == "return":
        code = "" if act.code is None else value(naming, act.code)
        return f"return {code}".rstrip() if code is not None else None
    if act.kind in ("continue", "break"):
        return act.kind
    if act.kind == "line":
        return act.code
    missing = ".exists(" in test and test.startswith("not ")
    fitting = "TypeError" if test.startswith(_TYPED) else "FileNotFoundError" if missing else "ValueError"
    exception = act.code or fitting
    if act.args is not None:
        return f"raise {exception}({act.args})" if act.args else f"raise {exception}"
    message = act.message if act.message is not None else _message(found, opposed)
    return f"raise {exception}({text_literal(src, message)})"


def _message(found: Condition, opposed: bool) -> str:
    """What has to hold, as the one who broke it is told."""
    if not opposed:
        return found.message
    if found.test.endswith(" is not None"):
        return f"{found.subject} must not be None"
    match = re.search(r"^[^<>]* (>=|<=|>|<) (\S+)$", found.test)
    if match is not None:
        if match[1] == ">" and match[2] == "0":
            return f"{found.subject} must be positive"
        words = {">": "greater than", "<": "less than", ">=": "at least", "<=": "at most"}[match[1]]
        return f"{found.subject} must be {words} {match[2]}"
    demand = found.demand.replace("must not be in ", "must not be one of ")
    turned = (
        demand.replace("must not ", "must ")
        if "must not " in demand
        else demand.replace("must ", "must not ", 1)
    )
    return f"{found.subject} {'does not exist' if demand == 'already exists' else turned}"


# -- where it goes
# -----------------------------------------------------------------------------------------------------


def _in_loop(src: Source, loop: Loop, test: str) -> tuple[int, str] | None:
    """The start of the loop, or behind the statement of its body that makes what the test is about."""
    body = loop.body
    if body[0].lineno == loop.lineno:
        return None
    roots = _roots(test) - set(_names(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else ())
    for one in reversed(body):
        if isinstance(one, ast.Assign | ast.AnnAssign) and set(_stored(one)) & roots:
            return src.last_line(one), src.indent(one)
    return src.first_line(body[0]), src.indent(body[0])


def _place(src: Source, function: Function, test: str) -> tuple[int, str] | None:
    """The top for what comes in; behind its making for what the function makes."""
    roots = _roots(test) - {one.arg for one in parameters(function)}
    made = [one for one in ast.walk(function) if isinstance(one, ast.stmt) and set(_makes(one)) & roots]
    if not made:
        return top_line(src, function, test)
    one = made[0]
    if len({src.first_line(each) for each in made}) > 1:
        return None
    if isinstance(one, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith):
        inner = one.body[0]
        return None if inner.lineno == one.lineno else (src.first_line(inner), src.indent(inner))
    return src.last_line(one), src.indent(one)


def _makes(node: ast.stmt) -> Iterator[str]:
    """Names that a statement binds by itself."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign | ast.AugAssign | ast.For | ast.AsyncFor):
        targets = [node.target]
    elif isinstance(node, ast.With | ast.AsyncWith):
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
    for target in targets:
        yield from (
            one.id for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        )


RULES: tuple[Rule, ...] = (Rule(ACTING, _guards),)
