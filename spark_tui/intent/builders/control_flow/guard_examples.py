"""Guards whose condition is shown by an example: `load(-1)`, `size=-1`."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Function, parameters

_EXAMPLE = re.compile(r"(?P<name>\w+)\((?P<given>[^()]*(?:\([^()]*\))?[^()]*)\)")
_KEYWORD = re.compile(r"(\w+)\s*=\s*([^=\s].*)")


def of_example(context: Context, span: Span, anchor: Anchor) -> list[Option]:
    """The condition on a parameter that is shown as a call, or as its argument: `load(-1)`, `size=-1`."""
    node, text = anchor.node, span.text.strip().strip("`")
    if not isinstance(node, Function):
        return []
    source = context.source(anchor.path)
    own = [parameter.arg for parameter in parameters(node) if parameter.arg not in ("self", "cls")]
    keyword = _KEYWORD.fullmatch(text)
    owner = source.class_of(node)
    called = (node.name, owner.name if owner is not None and node.name == "__init__" else node.name)
    pairs = [(keyword[1], parsed(keyword[2]))] if keyword is not None and keyword[1] in own else []
    for written in _EXAMPLE.finditer(context.situation.instruction):
        inside = written.start() <= span.start and span.end <= written.end() and text in written[0]
        begun = written.start() == span.start
        example = parsed(written[0]) if (inside or begun) and written["name"] in called else None
        if isinstance(example, ast.Call):
            pairs = [
                *zip(own, example.args, strict=False),
                *((item.arg or "", item.value) for item in example.keywords),
            ]
    tests = [test for name, value in pairs if name in own and (test := _as_test(name, value))]
    return [Option(tests[0])] if len(tests) == 1 else []


def _as_test(name: str, value: ast.expr | None) -> str:
    """When a parameter is like the value of an example: a negative number stands for all of them."""
    if value is None:
        return ""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return f"{name} < 0"
    if isinstance(value, ast.List | ast.Tuple | ast.Dict) and not list(ast.iter_child_nodes(value))[1:]:
        return f"not {name}"
    if not isinstance(value, ast.Constant):
        return ""
    if value.value is None or isinstance(value.value, bool):
        return f"{name} is {value.value}"
    return f"not {name}" if value.value in ("", b"") else f"{name} == {ast.unparse(value)}"
