"""One parameter in a docstring that documents others, or in one that documents none."""

from __future__ import annotations

import re

from spark_tui.codemods.docstrings import PARAMETER_SECTIONS, SECTION, Style, dedent_docstring
from spark_tui.codemods.families.texts.docstrings import own_parameters, put_docstring
from spark_tui.codemods.places.named import need_definition
from spark_tui.codemods.plan import Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import one_line
from spark_tui.codemods.slots import CALLABLE, NewName, Symbol, Text
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring

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
        source, _, node = need_definition(repo, self.target, CALLABLE)
        assert isinstance(node, Function)
        order = [parameter.arg for parameter in own_parameters(source, node)]
        doc = docstring(node)
        if self.name not in order:
            raise Refusal(f"{node.name} has no parameter {self.name}")
        if doc is None:
            raise Refusal(f"{node.name} has no docstring")
        lines = dedent_docstring(doc)
        after = order[order.index(self.name) + 1 :]
        fields = [at for at, line in enumerate(lines) if _FIELD.match(line)]
        head = next(
            (
                at
                for at, line in enumerate(lines)
                if (found := SECTION.match(line)) and found[1] in PARAMETER_SECTIONS
            ),
            None,
        )
        if fields:
            new = _in_fields(lines, fields, order, self.name, self.text)
        elif head is not None:
            new = _in_section(lines, head, after, self.name, self.text, _hint(source, node, self.name))
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
    typed = any(
        re.match(r"\s*\*{0,2}\w+ ?[(:] ?\S", lines[at]) and "(" in lines[at].split(":")[0] for at in entries
    )
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
