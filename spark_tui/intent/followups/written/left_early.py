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
_PLAIN = ast.Name | ast.Attribute | ast.Constant


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


def raise_for_missing(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A raise in front of a statement that was given a look-up with `.get`, where that finds nothing."""
    for node in written.nodes:
        if not isinstance(node, ast.Return | ast.Assign):
            continue
        found = node.value
        if not isinstance(found, ast.Call) or not isinstance(found.func, ast.Attribute):
            continue
        plain = len(found.args) == 1 and not found.keywords and isinstance(found.args[0], _PLAIN)
        if found.func.attr != "get" or not plain or found not in written.nodes:
            continue
        source, column = written.source, " " * node.col_offset
        held, sought = source.segment(found.func.value), source.segment(found.args[0])
        given = written.read("exception", "exception", node)[:1]
        message = written.read("message", "value", node)[:1]
        error = given[0].text if given else "KeyError"
        told = message[0].text if message else sought
        low, high = (at - source.span(node)[0] for at in source.span(found))
        code = source.segment(node)
        code = f"{code[:low]}{held}[{sought}]{code[high:]}"
        lines = [f"if {sought} not in {held}:", f"{column}    raise {error}({told})", f"{column}{code}"]
        doubts = tuple(doubt for item in (*given, *message) for doubt in item.doubts)
        yield NodeRewrite(node, "\n".join(lines), _LIKELY, doubts)


def catch_instead(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """The statement behind a guard in a try with an error, on which it ends as the guard did."""
    for node in reversed(written.nodes):
        if not isinstance(node, ast.If) or not written.is_whole(node) or node.orelse:
            continue
        source = written.source
        behind = source.following(node)[:1]
        if not behind or not isinstance(node.body[-1], ast.Return | ast.Pass | ast.Continue):
            continue
        column = " " * node.col_offset
        (low, high), (first, last) = source.span(behind[0]), (node.body[0], node.body[-1])
        inner = source.text[low:high].replace("\n", "\n    ")
        ends = source.text[source.span(first)[0] : source.span(last)[1]]
        for given in written.read("exception", "exception", node)[:1]:
            lines = ["try:", f"{column}    {inner}", f"{column}except {given.text}:", f"{column}    {ends}"]
            yield NodeRewrite(node, "\n".join(lines), _LIKELY, given.doubts, last=behind[0])


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
