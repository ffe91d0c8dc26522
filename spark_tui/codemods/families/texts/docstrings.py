"""Docstrings: set and remove them, and document all parameters, or one beside others, in one of three
styles."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.docstrings import (
    PARAMETER_SECTIONS,
    SECTION,
    Documented,
    Style,
    dedent_docstring,
    docstring_sections,
    edit_lines,
)
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
from spark_tui.codemods.slots import CALLABLE, NewName, Symbol, SymbolKind, Text
from spark_tui.pysource.inference.values import ModuleValue
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
    for path in sorted(repo.index.importers(source.path)) if not name else ():
        for use in repo.index.scopes(path).attributes_by_name.get("__doc__", ()):
            values = repo.infer.values(path, use.node.value, use.scope)
            if any(isinstance(one, ModuleValue) and one.path == source.path for one in values):
                yield Unfollowed(path, use.node.lineno, "the docstring is read there")


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
    """A doubt where one line, which is not its own, takes the place of a docstring that says more than its
    summary."""
    doc = docstring(node)
    old = dedent_docstring(doc) if doc is not None and len(lines) == 1 else []
    rest = [item for item in old[1:] if item]
    if doc is None or not rest or old[:1] == lines:
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


_FIELD = re.compile(r":(param|type|returns?|rtype|raises)\b(?:\s+(?:\S+\s+)?[\\*]*(?P<name>\w+))?\s*:")


@codemod
class DocumentParameter:
    """Describe one parameter in the docstring of its function, in the docstring's style."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    name: NewName = slot("the parameter")
    text: Text = slot("what it is")
    style: Style = slot(
        "google, numpy or sphinx, where the docstring has no section yet", default=Style.GOOGLE
    )

    def plan(self, repo: Repository) -> Plan:
        source, _, node = need_function(repo, self.target)
        order = [parameter.arg for parameter in own_parameters(source, node)]
        doc = docstring(node)
        if self.name not in order:
            raise Refusal(f"{node.name} has no parameter {self.name}")
        if doc is None:
            raise Refusal(f"{node.name} has no docstring")
        lines = dedent_docstring(doc)
        after = order[order.index(self.name) + 1 :]
        fields = [at for at, line in enumerate(lines) if _FIELD.match(line)]
        sections = [(at, found[1]) for at, line in enumerate(lines) if (found := SECTION.match(line))]
        heads = [at for at, title in sections if title in PARAMETER_SECTIONS]
        if fields:
            new = _in_fields(lines, fields, order, self.name, self.text)
        elif heads:
            new = _in_section(lines, heads[0], after, self.name, self.text, _hint(source, node, self.name))
        else:
            new = _first(lines, self.style, self.name, self.text, source.indent_unit)
        return put_docstring(repo, source, node, new)


def _hint(source: Source, node: Function, name: str) -> str:
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    hint = next((arg.annotation for arg in given if arg.arg == name), None)
    return one_line(source, hint)


def _in_fields(lines: list[str], fields: list[int], order: list[str], name: str, text: str) -> list[str]:
    """A line `:param name:` among those that are there, in the order of the parameters."""
    line = f":param {name}: {text}"
    known: dict[str, int] = {}
    for at in fields:
        found = _FIELD.match(lines[at])
        assert found is not None
        if found[1] == "param" and found["name"]:
            known.setdefault(found["name"], at)
    if name in known:
        return [*lines[: known[name]], line, *lines[known[name] + 1 :]]
    later = [known[item] for item in order[order.index(name) + 1 :] if item in known]
    others = [at for at in fields if not lines[at].startswith((":param", ":type"))]
    place = min((*later, *others), default=fields[-1] + 1)
    return [*lines[:place], line, *lines[place:]]


def _in_section(lines: list[str], head: int, after: list[str], name: str, text: str, hint: str) -> list[str]:
    """An entry in the section of the parameters, in front of the parameters that follow."""
    numpy = head + 1 < len(lines) and set(lines[head + 1].strip()) == {"-"}
    first = head + 2 if numpy else head + 1
    end = first
    while end < len(lines) and not SECTION.match(lines[end]):
        if not lines[end].strip() and (numpy or end > first) and not _goes_on(lines, end, numpy):
            break
        end += 1
    while end > first and not lines[end - 1].strip():
        end -= 1
    entries = [at for at in range(first, end) if lines[at].strip() and (not lines[at][0].isspace()) == numpy]
    deep = min((len(lines[at]) - len(lines[at].lstrip()) for at in entries), default=0 if numpy else 4)
    entries = [at for at in entries if len(lines[at]) - len(lines[at].lstrip()) == deep]
    names = {re.split(r"[\s:(]", lines[at].strip().lstrip("*"))[0]: at for at in entries}
    written = [lines[at] for at in entries if "(" in lines[at].split(":")[0]]
    typed = any(re.match(r"\s*\*{0,2}\w+ ?[(:] ?\S", line) for line in written)
    lead = " " * deep
    if numpy:
        new = [f"{lead}{name} : {hint}" if hint else f"{lead}{name}", f"{lead}    {text}"]
    else:
        new = [f"{lead}{name} ({hint}): {text}" if typed and hint else f"{lead}{name}: {text}"]
    if name in names:
        if numpy or lines[names[name]].rstrip() != f"{lead}{name}:":
            raise Refusal(f"{name} is already described", why="nothing")
        return [*lines[: names[name]], *new, *lines[names[name] + 1 :]]
    place = min((names[item] for item in after if item in names), default=end)
    return [*lines[:place], *new, *lines[place:]]


def _goes_on(lines: list[str], at: int, numpy: bool) -> bool:
    """Whether a section goes on after a blank line."""
    rest = next((line for line in lines[at:] if line.strip()), "")
    return rest[:1].isspace() and not numpy


def _first(lines: list[str], style: Style, name: str, text: str, unit: str) -> list[str]:
    """A section of its own for a docstring that has none."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if style is Style.SPHINX:
        return [*lines, "", f":param {name}: {text}"]
    if style is Style.NUMPY:
        return [*lines, "", "Parameters", "-" * len("Parameters"), name, unit + text]
    return [*lines, "", "Args:", f"{unit}{name}: {text}"]
