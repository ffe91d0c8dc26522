"""Docstrings: set and remove them, and document parameters in one of three styles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.docstrings import Documented, Style, dedent_docstring, docstring_sections, edit_lines
from spark_tui.codemods.places.named import (
    insert_at_line,
    is_inline,
    need_definition,
    need_function,
    need_source,
    own_lines,
    refuse_inline,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import one_line, plan_edits
from spark_tui.codemods.slots import CALLABLE, Symbol, SymbolKind, Text
from spark_tui.pysource.names.imports import first_line
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring, parameters

_DOCUMENTED = CALLABLE | {SymbolKind.CLASS}
_HAS_SECTIONS = re.compile(
    r"(?:Args|Arguments|Parameters|Returns|Raises)\b:?\s*$|:(?:param|returns?|raises)\b"
)
Owner = Definition | ast.Module


def _owner(repo: Repository, symbol: Symbol) -> tuple[Source, Owner]:
    """What has the docstring; the path of a file stands for its module."""
    if symbol.name in repo.index.paths:
        source = need_source(repo, symbol.name)
        assert source.tree is not None
        return source, source.tree
    source, _, node = need_definition(repo, symbol, _DOCUMENTED)
    return source, node


def docstring_literal(source: Source, lines: list[str], indent: str) -> str:
    """A docstring of some lines at an indentation."""
    text = "\n".join(lines)
    raw = "r" if "\\" in text else ""
    if '"""' in text or (raw and text.endswith("\\")):
        raise Refusal('a docstring cannot hold """ or end with a backslash')
    if len(lines) == 1:
        body = text + (" " if text.endswith('"') else "")
        return f'{raw}"""{body}"""'
    shown = source.newline.join([lines[0], *(indent + line if line else "" for line in lines[1:]), indent])
    return f'{raw}"""{shown}"""'


def put_docstring(repo: Repository, source: Source, node: Owner, lines: list[str]) -> Plan:
    """The plan that gives a module, class or function a docstring; where code reads it there is a doubt."""
    return replace(_put(repo, source, node, lines), unfollowed=tuple(_read_by_code(repo, source, node)))


def _read_by_code(repo: Repository, source: Source, node: Owner) -> Iterator[Unfollowed]:
    name = getattr(node, "name", "")
    reads = re.compile(rf"(?<!\w){name}\.__doc__\b" if name else r"(?<![\w.])__doc__\b")
    for path in sorted(repo.index.files_with("__doc__")) if name else [source.path]:
        text = repo.index.text(path) or ""
        for found in reads.finditer(text) if f"{name}.__doc__" in text or not name else ():
            line = repo.index.source(path).line_number(found.start())
            yield Unfollowed(path, line, "the docstring is read there")


def _put(repo: Repository, source: Source, node: Owner, lines: list[str]) -> Plan:
    doc = docstring(node)
    indent = "" if isinstance(node, ast.Module) else source.indent(node.body[0])
    text = docstring_literal(source, lines, indent)
    if doc is not None:
        low, high = source.span(doc.value)
        if source.text[low:high] == text or dedent_docstring(doc) == lines:
            raise Refusal("it already has that docstring", why="nothing")
        return plan_edits(repo, [edit_lines(source, doc, lines) or Edit(source.path, low, high, text)])
    if isinstance(node, ast.Module):
        line = first_line(source)
        gap = source.newline if source.lines[line:] and source.lines[line].strip() else ""
        return plan_edits(repo, [insert_at_line(source, line, text + source.newline + gap)])
    refuse_inline(source, node.body)
    line = source.first_line(node.body[0])
    # Comments that stand on top of the body stay below the docstring.
    while line > node.lineno and source.lines[line - 1].strip()[:1] in ("", "#"):
        line -= 1
    gap = source.newline if isinstance(node, ast.ClassDef) and isinstance(node.body[0], Function) else ""
    return plan_edits(repo, [insert_at_line(source, line, indent + text + source.newline + gap)])


@codemod
class SetDocstring:
    """Give a function, class or module a docstring, or another one."""

    target: Symbol = slot("the function or class, or the path of a file", kinds=_DOCUMENTED)
    text: Text = slot("the docstring, without quotes")

    def plan(self, repo: Repository) -> Plan:
        source, node = _owner(repo, self.target)
        lines = [part.rstrip() for part in self.text.strip().split("\n")]
        if not lines[0]:
            raise Refusal("the docstring is empty")
        plan = put_docstring(repo, source, node, lines)
        return replace(plan, unfollowed=(*plan.unfollowed, *_dropped(source, node, lines)))


def _dropped(source: Source, node: Owner, lines: list[str]) -> tuple[Unfollowed, ...]:
    """A doubt where one line takes the place of a docstring that says more than its summary."""
    doc = docstring(node)
    rest = [item for item in dedent_docstring(doc)[1:] if item] if doc is not None and len(lines) == 1 else []
    if doc is None or not rest:
        return ()
    many = "1 line" if len(rest) == 1 else f"{len(rest)} lines"
    return (Unfollowed(source.path, doc.lineno, f"{many} below the summary of the docstring would go"),)


@codemod
class RemoveDocstring:
    """Remove a docstring; an empty body gets `pass`."""

    target: Symbol = slot("the function or class, or the path of a file", kinds=_DOCUMENTED)

    def plan(self, repo: Repository) -> Plan:
        source, node = _owner(repo, self.target)
        doc = docstring(node)
        if doc is None:
            raise Refusal("it has no docstring", why="nothing")
        first, last = own_lines(source, [doc])
        reads = _read_by_code(repo, source, node)
        if is_inline(source, node.body):
            raise Refusal(f"{source.path}:{doc.lineno}: it is on the line of the head")
        if len(node.body) == 1 and not isinstance(node, ast.Module):
            return plan_edits(repo, [Edit(source.path, *source.span(doc), "pass")], reads)
        while last < len(source.lines) and not source.lines[last].strip():
            last += 1
        return plan_edits(repo, [Edit(source.path, *source.line_span(first, last), "")], reads)


@codemod
class DocumentParameters:
    """Document the parameters, the result and the errors of a function in its docstring.

    What is not described gets its name and type. A docstring that has such a section already is left alone.
    """

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    style: Style = slot("google, numpy or sphinx", default=Style.GOOGLE)
    described: tuple[Text, ...] = slot("`name: what it is`, `return: …` and `ValueError: when`", default=())
    summary: Text = slot("the first line, if there is no docstring", default=Text(""))

    def plan(self, repo: Repository) -> Plan:
        source, _, node = need_function(repo, self.target)
        doc = docstring(node)
        lines = dedent_docstring(doc) if doc is not None else [self.summary.strip()]
        if not lines[0]:
            raise Refusal("it has no docstring: give a summary")
        if any(map(_HAS_SECTIONS.match, lines)):
            raise Refusal("its docstring already has sections", why="nothing")
        texts = dict(self._described())
        found = [
            Documented(arg.arg, one_line(source, arg.annotation), texts.pop(arg.arg, ""))
            for arg in own_parameters(source, node)
        ]
        returned, result = None, one_line(source, node.returns)
        if "return" in texts or result not in ("", "None", "NoReturn"):
            returned = Documented("", result, texts.pop("return", ""))
        raised = [Documented(name, "", text) for name, text in texts.items() if name[:1].isupper()]
        unknown = [name for name in texts if not name[:1].isupper()]
        if unknown:
            raise Refusal(f"{node.name} has no parameter {unknown[0]}")
        more = docstring_sections(self.style, found, returned, raised, source.indent_unit)
        if not more:
            raise Refusal("there is nothing to document")
        return put_docstring(repo, source, node, [*lines, "", *more])

    def _described(self) -> list[tuple[str, str]]:
        out = []
        for item in self.described:
            name, colon, text = item.partition(":")
            if not colon:
                raise Refusal(f"{item!r}: write `name: what it is`")
            out.append((name.strip(), text.strip()))
        return out


def own_parameters(source: Source, node: Function) -> list[ast.arg]:
    """The parameters of a function without the object of a method."""
    found = parameters(node)
    static = "staticmethod" in [getattr(decorator, "id", "") for decorator in node.decorator_list]
    return found[1:] if source.class_of(node) is not None and not static else found
