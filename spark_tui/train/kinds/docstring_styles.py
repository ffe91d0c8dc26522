"""Docstrings from one style to another (reST, Google, NumPy), and a parameter that a list of them lacks."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.kinds.docstrings import humanised
from spark_tui.train.source_windows import Function, SourceWindow, arguments, docstring_node
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/docs")

_NAMED = {
    "google": ("Google", "google"),
    "numpy": ("NumPy", "numpy", "numpydoc"),
    "rest": ("reST", "Sphinx", "rst", "sphinx"),
}
_MOST_PARAMETERS = 5


def section_lines(style: str, summary: str, about: dict[str, str], result: str) -> list[str]:
    """A whole docstring in a style; `about` has the text for each parameter."""
    out = [f'"""{summary}']
    if style == "google":
        out += ["", "Args:", *(f"    {name}: {text}" for name, text in about.items())] if about else []
        out += ["", "Returns:", f"    {result}"] if result else []
    elif style == "numpy":
        if about:
            out += ["", "Parameters", "----------"]
            out += [line for name, text in about.items() for line in (name, f"    {text}")]
        out += ["", "Returns", "-------", result] if result else []
    else:
        out += [""] if about or result else []
        out += [f":param {name}: {text}" for name, text in about.items()]
        out += [f":return: {result}"] if result else []
    return [*out, '"""']


def _described(function: Function, draw: Draw) -> tuple[str, dict[str, str], str]:
    """The content of a docstring: read from a plain reST one, or made up of words of the code."""
    node = docstring_node(function)
    text = node.value if node is not None and isinstance(node.value, str) else ""
    found = dict(re.findall(r"(?m)^\s*:param (\w+): (\S[^\n]{2,60})$", text))
    returned = re.search(r"(?m)^\s*:returns?: (\S[^\n]{2,60})$", text)
    about = {}
    for item in arguments(function):
        words = item.arg.strip("_").replace("_", " ")
        made = [f"The {words}.", f"the {words}", draw.choice(draw.pools.strings).capitalize() + "."]
        about[item.arg] = found.get(item.arg) or draw.choice(made)
    gives = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))
    result = returned[1] if returned else draw.choice(["The result.", "the result", "What was found."])
    summary = text.strip().split("\n")[0].strip() if found else humanised(function.name)
    return summary, about, result if gives or returned else ""


@kind(
    "convert_docstring",
    *wording["convert"],
    needs=r"def \w+\([^)\n]*\w",
    weight=0.7,
)
def convert_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        node, first = docstring_node(function), function.body[0]
        if not 1 <= len(arguments(function)) <= _MOST_PARAMETERS or not window.own_lines(first):
            continue
        if node is not None and (len(function.body) < 2 or (node.end_lineno or 0) - node.lineno > 25):
            continue
        summary, about, result = _described(function, draw)
        if not re.fullmatch(r"[^\"\\]{3,90}", summary) or any(
            re.search(r'["\\]', text) for text in about.values()
        ):
            continue
        old, new = draw.rng.sample(sorted(_NAMED), 2)
        lines = window.lines
        begin = window.first_line(first) - 1
        end = window.last_line(first) if node is not None else begin
        indent = window.indent(first)
        texts = []
        for style in (old, new):
            body = [(indent + line).rstrip() for line in section_lines(style, summary, about, result)]
            texts.append("\n".join([*lines[:begin], *body, *lines[end:]]) + "\n")
        slots: dict[str, Slot] = {
            "f": fname(function),
            "old": WordsSlot(draw.choice(_NAMED[old])),
            "new": WordsSlot(draw.choice(_NAMED[new])),
        }
        return Made(texts[0], texts[1], slots)
    return None


@kind(
    "document_parameter",
    *wording["parameter"],
    needs=r":param |Args:|def \w+\([^)\n]*,",
    weight=2.4,
)
def document_parameter(window: SourceWindow, draw: Draw) -> Made | None:
    """The result is the window, or the window with a list of parameters; one line of the list is removed
    from the text before."""
    for function in draw.shuffled(window.functions):
        made = _listed(window, function, draw) or (
            _made_up(window, function, draw) if draw.chance(0.5) else None
        )
        if made is not None:
            return made
    return None


_LISTED = re.compile(r"\s*(?::param (\w+): |(\w+)(?: \(([^)]*)\))?: )(\S[^\n]{3,70})$")


def _listed(window: SourceWindow, function: Function, draw: Draw) -> Made | None:
    """A line of the list. If it has a type that differs from the annotation, the instruction says it."""
    node = docstring_node(function)
    types = {a.arg: window.source(a.annotation) if a.annotation else "" for a in arguments(function)}
    if node is None:
        return None
    for line in draw.shuffled(range(node.lineno + 1, node.end_lineno or node.lineno)):
        match = _LISTED.match(window.lines[line - 1])
        following = window.lines[line] if line < len(window.lines) else ""
        indent = len(window.lines[line - 1]) - len(window.lines[line - 1].lstrip())
        deeper = len(following) - len(following.lstrip()) > indent and following.strip()
        name = (match[1] or match[2]) if match else ""
        if not match or name not in types or deeper:
            continue
        start, end = window.line_span(line, line)
        told: Slot = NameSlot(name)
        if match[3] and match[3] != types[name]:
            told = CodeSlot(f"{name} ({match[3]})")
        slots: dict[str, Slot] = {"p": told, "f": fname(function), "d": ExactSlot(match[4], quoted=True)}
        return Made(window.text[:start] + window.text[end:], window.text, slots)
    return None


def _made_up(window: SourceWindow, function: Function, draw: Draw) -> Made | None:
    """Replaces a missing or one-line docstring by a full one."""
    node, first = docstring_node(function), function.body[0]
    if not 2 <= len(arguments(function)) <= _MOST_PARAMETERS or not window.own_lines(first):
        return None
    if node is not None and (len(function.body) < 2 or node.lineno != node.end_lineno):
        return None
    summary, about, result = _described(function, draw)
    if node is not None and isinstance(node.value, str):
        summary = node.value.strip()
    if not re.fullmatch(r"[^\"\\]{3,90}", summary) or any(
        re.search(r'["\\]', text) for text in about.values()
    ):
        return None
    style = draw.choice(("google", "rest"))
    name = draw.choice(list(about))
    begin = window.first_line(first) - 1
    end = window.last_line(first) if node is not None else begin
    indent = window.indent(first)
    texts = []
    for listed in ({key: text for key, text in about.items() if key != name}, about):
        body = [(indent + line).rstrip() for line in section_lines(style, summary, listed, result)]
        texts.append("\n".join([*window.lines[:begin], *body, *window.lines[end:]]) + "\n")
    slots: dict[str, Slot] = {
        "p": NameSlot(name),
        "f": fname(function),
        "d": ExactSlot(about[name], quoted=True),
    }
    return Made(texts[0], texts[1], slots)
