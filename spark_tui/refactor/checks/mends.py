"""What a complaint asks for: `.get` for a key that may be missing, a guard where nothing is there, what may fail tried.

Comes in: an order that complains. Goes out: edits of the one place where that trouble can come from. Must not know: how
an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import importing, put, text_literal
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.checks.suspects import Suspect, suspects
from spark_tui.refactor.checks.trouble import Remedy, Trouble, reading_of, trouble_in
from spark_tui.refactor.checks.wrap import wrapped
from spark_tui.refactor.naming import naming_in, parts, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import value
from spark_tui.refactor.source import Change, Function, Source

_SAID = (
    "right currently moment actually when if whenever while for on in of by with without at because since it its it's is are was were be there has have had been being isn't isnt aren't not no never any yet nothing none empty missing unknown gone such one that this those these "
    "exist exists doesn't doesnt does don't do did already an a the my our your you i we they someone user users people type types typed enter enters entered pass passes passed given got get gets give gives gave call called calling calls then so and or but just "
    "sometimes always often may might could can from input list lists dict dicts string strings value values key keys item items element elements entry entries file files folder row rows line lines number numbers numeric letter letters text words garbage valid invalid "
    "broken corrupt malformed json default added add found set sent present absent optional left out zero 0 only now still today again please make makes should must let fix handle handles guard protect against check case all data thing things object "
    "error errors exception exceptions traceback happens happening bug problem issue nobody nothing one like something anything else real integer int float too short known names ids id unfortunately courses yields fine program script argument arguments course"
)
_ASKED = re.compile(
    r"\b(?:if|when|whenever|for|of|on|without|with|no|in case|should|may|might|optional|missing|sometimes)\b|->|=>|→",
    re.I,
)


def _mends(order: Order) -> Iterator[Edit]:
    src, reading = order.src, reading_of(order)
    if src.tree is None:
        return
    functions = _functions(reading)
    trouble = trouble_in(reading)
    if trouble is None or not (trouble.sure or trouble.complained or (trouble.remedy and _ASKED.search(trouble.said))):
        return
    if _OTHERS.search(order.said) or (not reading.named and reading.strangers()):
        return
    if trouble.inside and not reading.named:
        functions = [one for one in functions if one.name == trouble.inside] or functions
    for kind in trouble.kinds:
        made: list[Edit] = []
        found = [(one, each) for one in functions for each in suspects(src, one, kind, trouble)]
        found = _meant(src, found, trouble, order, reading.named)
        for function, suspect in found:
            names = _names(function, suspect)
            near = {word for name in names for word in parts(name)}
            near |= {singular(word) for word in near} | {f"{word}s" for word in near}
            change = _change(src, function, suspect, trouble)
            if change is not None:
                made.append(order.edit(change, *reading.used, _SAID, *near, *names, *_shown(src, trouble, order)))
        if made:
            yield from made
            return


def _functions(reading: Reading) -> list[Function]:
    """Those that are named; a plain word counts too where one function has that name and nothing else of the code."""
    found = reading.functions()
    if reading.named:
        return found
    for word in re.finditer(r"(?<![\w.'\"`])[^\W\d]\w*(?![\w'\"`])", reading.rest):
        same = [one for one in reading.src.functions if one.name == word[0]]
        if len(same) == 1 and len(word[0]) > 2:
            reading.cut(*word.span())
            reading.named = True
            return same
    return found


_OTHERS = re.compile(
    r"\b(?:catch\w*|except|excepts|retr(?:y|ies)|wrap\w*|raise (?:an?|the)|re-?raise|finally|instead of|rather than|rename|log\w*|import\w*|parameter|docstring|comment|404|400|40[139]|abort)\b",
    re.I,
)
"""Orders that say how: others read them."""


def _shown(src: Source, trouble: Trouble, order: Order) -> list[str]:
    """Lines of the file that a traceback shows."""
    if trouble.line is None:
        return []
    return [line for line in src.lines if len(line.strip()) > 3 and line.strip() in order.said]


def _names(function: Function, suspect: Suspect) -> set[str]:
    """Names and keys of a place; what the function and its parameters are called too."""
    found = {function.name, *suspect.words}
    for node in (*ast.walk(function.args), *ast.walk(suspect.statement)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found.add(node.value)
    return found


def _meant(
    src: Source, found: list[tuple[Function, Suspect]], trouble: Trouble, order: Order, named: bool
) -> list[tuple[Function, Suspect]]:
    """Of the places those that the traceback shows, or that the circumstances name."""
    if len(found) < 2:
        return found
    if trouble.line is not None:
        at = trouble.line - order.first_line
        there = [one for one in found if src.first_line(one[1].statement) <= at < src.last_line(one[1].statement)]
        shown = _shown(src, trouble, order)
        there = there or [
            one for one in found if any(src.segment(one[1].statement).split("\n")[0] == line.strip() for line in shown)
        ]
        if there:
            return there
    said = {singular(word) for word in re.findall(r"[a-z]+|\d+", trouble.said.lower())}
    best = [one for one in found if {singular(word) for word in (*one[1].words, *parts(one[0].name))} & said]
    best = best or found
    if not named and len({one[0].name for one in best}) > 1:
        return best if trouble.sure or best is not found else []
    if len(best) > 1 and len({ast.unparse(one[1].node) for one in best}) == 1 and best[0][1].kind != "key":
        return best[:1]
    return best


def _change(src: Source, function: Function, suspect: Suspect, trouble: Trouble) -> list[Change] | None:
    """How the trouble of one place ends."""
    naming = naming_in(src, function)
    remedy = trouble.remedy
    code = value(naming, remedy.code) if remedy is not None and remedy.code is not None else None
    if remedy is not None and remedy.code is not None and code is None:
        return None
    if suspect.made is not None:
        return suspect.made if remedy is None else None
    if suspect.kind == "key" and isinstance(suspect.node, ast.Subscript):
        return _got(src, function, suspect, remedy, code)
    if suspect.test is not None:
        deed = _deed(src, function, suspect, remedy, code)
        if deed is None or f"if {suspect.test}:" in src.segment(function):
            return None
        at = src.first_line(suspect.statement) if suspect.behind is None else src.last_line(suspect.behind)
        indent = src.indent(suspect.statement if suspect.behind is None else suspect.behind)
        lines, imported = deed
        return [put(src, at, [f"{indent}if {suspect.test}:", *(indent + src.step + one for one in lines)]), *imported]
    if suspect.error is not None and remedy is not None:
        return _tried(src, function, suspect, remedy, code)
    return None


def _deed(
    src: Source, function: Function, suspect: Suspect, remedy: Remedy | None, code: str | None
) -> tuple[list[str], list[Change]] | None:
    told = [f"print({text_literal(src, remedy.told)})"] if remedy is not None and remedy.told else []
    if remedy is None:
        return ([f"return {suspect.usual}".rstrip()], []) if suspect.usual is not None else None
    loop = any(isinstance(one, ast.For | ast.While) for one in _around(src, suspect.statement, function))
    if remedy.kind == "skip":
        return [*told, "continue" if loop else "return"], []
    if remedy.kind == "exit":
        imported = importing(src, "sys")
        return ([*told, "sys.exit(1)"], imported) if imported is not None else None
    if remedy.kind in ("nothing", "told"):
        return [*told, "return"], []
    if remedy.kind == "use":
        target = suspect.statement.targets[0] if isinstance(suspect.statement, ast.Assign) else None
        if target is not None and suspect.error is not None:
            return [*told, f"{src.segment(target)} = {code}"], []
        if not isinstance(suspect.statement, ast.Return):
            return None
    return [*told, f"return {code}"], []


def _around(src: Source, node: ast.AST, function: Function) -> Iterator[ast.AST]:
    for one in src.ancestors(node):
        if one is function:
            return
        yield one


def _tried(src: Source, function: Function, suspect: Suspect, remedy: Remedy, code: str | None) -> list[Change] | None:
    """The statement tried; what is done where it fails."""
    statement = suspect.statement
    deed = _deed(src, function, suspect, remedy, code)
    if deed is None or any(isinstance(one, ast.Try) for one in _around(src, statement, function)):
        return None
    if remedy.kind == "told" and not isinstance(statement, ast.Expr | ast.Return | ast.With):
        return None
    first, last = src.first_line(statement), src.last_line(statement)
    indent = src.indent(statement)
    body = wrapped(src, first, last, [f"{indent}try:"], src.step)
    if body is None:
        return None
    lines, imported = deed
    if remedy.kind == "told" and not isinstance(statement, ast.Return):
        lines = lines[:-1]
    new = [*body, f"{indent}except {suspect.error}:", *(indent + src.step + one for one in lines)]
    return [(*src.line_span(first, last), "".join(f"{one}\n" for one in new)), *imported]


def _got(
    src: Source, function: Function, suspect: Suspect, remedy: Remedy | None, code: str | None
) -> list[Change] | None:
    """A key that may be missing: `.get`, or a guard where something else than a value is wanted."""
    node = suspect.node
    assert isinstance(node, ast.Subscript)
    key, of = src.segment(node.slice), node.value
    parent = src.parents.get(node)
    returned = isinstance(suspect.statement, ast.Return) and parent is suspect.statement
    if remedy is not None and remedy.told is None and code is not None and (remedy.kind == "use" or returned):
        text = isinstance(parent, ast.Attribute | ast.Subscript)
        if text and not re.match(r"[\"'\[{]", code):
            return None
        got = f".get({key})" if code == "None" else f".get({key}, {code})"
        return [(src.span(of)[1], src.span(node)[1], got)]
    if remedy is None or remedy.kind == "use" or not isinstance(of, ast.Name | ast.Attribute):
        return None
    guard = Suspect("key", node, suspect.statement, test=f"{key} not in {src.segment(of)}")
    deed = _deed(src, function, guard, remedy, code)
    if deed is None or f"if {guard.test}:" in src.segment(function):
        return None
    indent = src.indent(suspect.statement)
    lines, imported = deed
    at = src.first_line(suspect.statement)
    return [put(src, at, [f"{indent}if {guard.test}:", *(indent + src.step + one for one in lines)]), *imported]


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"Error\b|\bcrash|\bblow|\bdies?\b|\bfail|\bbreak|\bbroke|\bexplode|\bfalls? over|\bbarf|\bchoke|\bthrow|\braise|\berror|\bsurvive|\bcope|\bhandle|\bempty|\bno\b|\bwithout\b|\bmissing|\bunknown|\bexist|\bnot\b|n't\b|\bnt\b|\bzero\b|\boptional|\binvalid|out of range",
            re.I,
        ),
        _mends,
    ),
)
