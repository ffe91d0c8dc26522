"""Other forms of what an edit wrote: *one line is enough*, *an assert*, *as an f-string*."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.written.called_instead import called_instead
from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.pysource.syntax.parsing import parse

_LIKELY = 0.9
_LIMITS = {ast.Gt: "min", ast.GtE: "min", ast.Lt: "max", ast.LtE: "max"}


def asked_form(text: str) -> str:
    """The form that a message asks for; empty where it asks for none."""
    known = followup_table()["forms"].items()
    return next((form for form, words in known if re.search(words, text, re.IGNORECASE)), "")


def other_form(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The last of the written nodes that have such a form in it."""
    asked = asked_form(written.instruction)
    if asked == "called":
        yield from called_instead(written)
    form, weight = _FORMS.get(asked), _LIKELY
    for node in reversed(written.nodes) if form is not None else ():
        made = form(written, node) if form is not None else None
        if made is not None:
            yield made._replace(weight=weight)
            weight *= SECOND


def _shorter(written: WrittenSyntax, node: ast.AST) -> NodeRewrite | None:
    """A branch that sets, returns or skips something, as one statement with what follows."""
    source = written.source
    if not isinstance(node, ast.If) or not written.is_whole(node) or len(node.body) != 1:
        return None
    rest = source.following(node)
    one, test = node.body[0], source.segment(node.test)
    if isinstance(one, ast.Assign):
        return NodeRewrite(node, _assigned(written, node, one), _LIKELY)
    if isinstance(one, ast.Return) and rest and isinstance(rest[0], ast.Return):
        was, now = (source.segment(item.value) if item.value else "None" for item in (rest[0], one))
        return NodeRewrite(node, f"return {now} if {test} else {was}", _LIKELY, last=rest[0])
    if isinstance(one, ast.Continue) and rest and not node.orelse:
        return _merged(written, node, rest)
    return None


def _assigned(written: WrittenSyntax, node: ast.If, one: ast.Assign) -> str:
    """What a branch sets, with its test in the value."""
    source, test = written.source, node.test
    name, value = source.segment(one.targets[0]), source.segment(one.value)
    other = node.orelse[0].value if node.orelse and isinstance(node.orelse[0], ast.Assign) else None
    if other is not None:
        return f"{name} = {value} if {source.segment(test)} else {source.segment(other)}"
    compared = isinstance(test, ast.Compare) and len(test.ops) == 1 and source.segment(test.left) == name
    if compared and isinstance(test, ast.Compare):
        limit = source.segment(test.comparators[0])
        if limit == value and type(test.ops[0]) in _LIMITS:
            return f"{name} = {_LIMITS[type(test.ops[0])]}({name}, {value})"
    if source.segment(test) in (f"not {name}", f'{name} == ""', f"{name} == ''", f"len({name}) == 0"):
        return f"{name} = {name} or {value}"
    return f"{name} = {value} if {source.segment(test)} else {name}"


def _merged(written: WrittenSyntax, node: ast.If, rest: list[ast.stmt]) -> NodeRewrite:
    """What follows in a round of a loop, where that is not skipped."""
    source, first = written.source, rest[0]
    unless, column = negate_code(source.segment(node.test)), " " * node.col_offset
    if len(rest) == 1 and isinstance(first, ast.If) and not first.orelse:
        test = source.segment(first.test)
        test = (
            f"({test})" if isinstance(first.test, ast.BoolOp) and isinstance(first.test.op, ast.Or) else test
        )
        head = source.text[source.span(first.test)[1] : source.span(first)[1]]
        return NodeRewrite(node, f"if {unless} and {test}{head}", _LIKELY, last=first)
    low, high = source.span(first)[0], source.span(rest[-1])[1]
    body = (column + source.text[low:high]).replace("\n", "\n    ")
    return NodeRewrite(node, f"if {unless}:\n    {body}", _LIKELY, last=rest[-1])


def _asserted(written: WrittenSyntax, node: ast.AST) -> NodeRewrite | None:
    """A branch that raises an error, as an assert of the opposite with its message."""
    raised = node.body[0] if isinstance(node, ast.If) and len(node.body) == 1 and not node.orelse else None
    if not isinstance(raised, ast.Raise) or not isinstance(node, ast.If):
        return None
    text = raised.exc.args[:1] if isinstance(raised.exc, ast.Call) else []
    words = (negate_code(written.source.segment(node.test)), *map(written.source.segment, text))
    return NodeRewrite(node, "assert " + ", ".join(words), _LIKELY)


def _formatted(written: WrittenSyntax, node: ast.AST) -> NodeRewrite | None:
    """What a call prints, as one f-string."""
    printed = isinstance(node, ast.Call) and ast.unparse(node.func) == "print" and not node.keywords
    if not printed or not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    shown = (
        f"{one.value!s}".replace("{", "{{").replace("}", "}}")
        if isinstance(one, ast.Constant)
        else f"{{{written.source.segment(one)}}}"
        for one in node.args
    )
    text = f"f{literal(' '.join(shown), written.source)}"
    return NodeRewrite(node, f"print({text})", _LIKELY) if parse(text) is not None else None


def _lazy(written: WrittenSyntax, node: ast.AST) -> NodeRewrite | None:
    """A list that is made in a comprehension, as a generator: without brackets where it stands alone."""
    if not isinstance(node, ast.ListComp):
        return None
    inner, parent = written.source.segment(node)[1:-1], written.source.parents.get(node)
    alone = isinstance(parent, ast.Call) and len(parent.args) == 1 and not parent.keywords
    return NodeRewrite(node, inner if alone and isinstance(parent, ast.Call) else f"({inner})", _LIKELY)


def _in_place(written: WrittenSyntax, node: ast.AST) -> NodeRewrite | None:
    """A sorted copy that is returned or kept under its name, as a sort of the list itself."""
    made = getattr(node, "value", None)
    name = ast.unparse(made.args[0]) if isinstance(made, ast.Call) and made.args else ""
    if not isinstance(made, ast.Call) or ast.unparse(made.func) != "sorted" or not name.isidentifier():
        return None
    more = ", ".join(f"{one.arg}={written.source.segment(one.value)}" for one in made.keywords)
    if isinstance(node, ast.Return):
        return NodeRewrite(node, f"{name}.sort({more})\n{' ' * node.col_offset}return {name}", _LIKELY)
    same = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    return NodeRewrite(node, f"{name}.sort({more})", _LIKELY) if same else None


_FORMS: Mapping[str, Callable[[WrittenSyntax, ast.AST], NodeRewrite | None]] = {
    "assert": _asserted,
    "f_string": _formatted,
    "generator": _lazy,
    "in_place": _in_place,
    "shorter": _shorter,
}
