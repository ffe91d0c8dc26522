"""What a function does where the condition that an edit put around its statements does not hold: *return
False for those*, *raise an error otherwise*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from textwrap import dedent

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.builders.control_flow.guard_errors import raise_options
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.situation import Area
from spark_tui.intent.followups.written.syntax import NodeRewrite, WrittenSyntax

_LIKELY = 0.9


def return_unless(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A return in front of the statements, where the opposite holds."""
    for node in _branches_around(written):
        options = written.read("result", "expression", node)[:1]
        code = f"return {options[0].text}" if options else "return"
        yield _left(written, node, code, options[0].doubts if options else ())


def raise_unless(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A raise in front of the statements, where the opposite holds."""
    for node in _branches_around(written):
        function = written.source.function_of(node)
        anchor = Anchor(Area(written.path, function), function)
        unless = negate_code(written.source.segment(node.test))
        for option in raise_options(written.context, anchor, unless)[:1] if function is not None else ():
            yield _left(written, node, option.text, option.doubts)


def _branches_around(written: WrittenSyntax) -> Iterator[ast.If]:
    """The conditions that were written around statements that stood there before."""
    for node in reversed(written.nodes):
        if isinstance(node, ast.If) and not node.orelse and node.test in written.nodes:
            inner = any(one in written.nodes for one in node.body)
            if not inner and not any(isinstance(one, ast.Return | ast.Raise) for one in node.body):
                yield node


def _left(written: WrittenSyntax, node: ast.If, ending: str, doubts: tuple[str, ...]) -> NodeRewrite:
    source, column = written.source, " " * node.col_offset
    low, high = source.span(node.body[0])[0], source.span(node.body[-1])[1]
    inner = " " * node.body[0].col_offset
    body = dedent(inner + source.text[low:high])
    lines = [f"if {negate_code(source.segment(node.test))}:", f"{column}    {ending}"]
    lines += [re.sub(r"(?m)^(?=.)", column, body)]
    return NodeRewrite(node, "\n".join(lines), _LIKELY, doubts)
