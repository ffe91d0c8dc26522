"""Docstrings: add, in three styles, change, complete, remove."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow, arguments, docstring_node
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, Slot, WordsSlot

wording = table("wording/docs")


def _plain_body(window: SourceWindow, function: Function) -> bool:
    return window.own_lines(function.body[0])


def humanised(name: str) -> str:
    """`load_user_data` -> `Load user data.`, as a first docstring would say."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).strip("_").replace("_", " ").lower().split()
    return (" ".join(words)[:1].upper() + " ".join(words)[1:] + ".") if words else "Do it."


@kind(
    "add_docstring",
    *wording["add"],
    weight=0.8,
)
def add_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        if docstring_node(function) is not None or not _plain_body(window, function):
            continue
        text = draw.choice(
            [
                humanised(function.name),
                draw.choice(draw.pools.strings).capitalize() + ".",
                humanised(draw.choice(draw.pools.functions)),
            ]
        )
        text = text.replace('"', "").replace("\\", "")
        first = function.body[0]
        at = window.starts[window.first_line(first) - 1]
        after = window.text[:at] + window.indent(first) + f'"""{text}"""\n' + window.text[at:]
        return Made(window.text, after, {"d": ExactSlot(text, quoted=True), "f": fname(function)})
    return None


_STYLES = {"google": "Google", "numpy": "NumPy", "rest": "reST"}


def docstring_lines(function: Function, window: SourceWindow, style: str, summary: str) -> list[str]:
    """A docstring with a section on parameters and the result; each parameter is described by its name in
    words."""
    args = arguments(function)
    types = {a.arg: window.source(a.annotation) if a.annotation else "" for a in args}
    about = {a.arg: "The " + a.arg.strip("_").replace("_", " ") + "." for a in args}
    returns = any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))
    out = [f'"""{summary}']
    if style == "google":
        if args:
            out += [
                "",
                "Args:",
                *(f"    {n} ({types[n]}): {about[n]}" if types[n] else f"    {n}: {about[n]}" for n in types),
            ]
        if returns:
            out += ["", "Returns:", "    The result."]
    elif style == "numpy":
        if args:
            out += ["", "Parameters", "----------"]
            for n in types:
                out += [f"{n} : {types[n]}" if types[n] else n, f"    {about[n]}"]
        if returns:
            out += ["", "Returns", "-------", "The result."]
    else:
        if args or returns:
            out.append("")
        out += [f":param {n}: {about[n]}" for n in types]
        if returns:
            out.append(":return: The result.")
    return [*out, '"""']


@kind(
    "add_styled_docstring",
    *wording["styled"],
    weight=2.4,
)
def add_styled_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        if (
            docstring_node(function) is not None
            or not _plain_body(window, function)
            or len(arguments(function)) > 5
        ):
            continue
        style = draw.choice(list(_STYLES))
        first = function.body[0]
        indent = window.indent(first)
        lines = docstring_lines(function, window, style, humanised(function.name))
        if len(lines) < 3:
            continue
        at = window.starts[window.first_line(first) - 1]
        new = "".join((indent + line).rstrip() + "\n" for line in lines)
        named = {
            "google": ["Google", "google"],
            "numpy": ["NumPy", "numpy"],
            "rest": ["reST", "Sphinx", "rst", "sphinx"],
        }[style]
        slots: dict[str, Slot] = {"style": WordsSlot(draw.choice(named)), "f": fname(function)}
        return Made(window.text, window.text[:at] + new + window.text[at:], slots)
    return None


@kind(
    "add_plain_docstring",
    *wording["plain"],
    weight=2.6,
    exact=False,
)
def add_plain_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        if (
            docstring_node(function) is not None
            or not _plain_body(window, function)
            or function.name.startswith("__")
        ):
            continue
        first = function.body[0]
        at = window.starts[window.first_line(first) - 1]
        after = (
            window.text[:at] + window.indent(first) + f'"""{humanised(function.name)}"""\n' + window.text[at:]
        )
        return Made(window.text, after, {"f": fname(function)})
    return None


@kind(
    "remove_docstring",
    *wording["remove"],
    needs=r'"""|\'\'\'',
    weight=0.3,
)
def remove_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        node = docstring_node(function)
        if (
            node is None
            or len(function.body) < 2
            or (node.end_lineno or 0) - node.lineno > 15
            or not _plain_body(window, function)
        ):
            continue
        last = node.end_lineno or node.lineno
        while last < len(window.lines) and not window.lines[last].strip():
            last += 1
        start, end = window.line_span(node.lineno, last)
        return Made(window.text, window.text[:start] + window.text[end:], {"f": fname(function)})
    return None


@kind(
    "change_docstring",
    *wording["change"],
    needs=r'"""|\'\'\'',
    weight=0.6,
)
def change_docstring(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        node = docstring_node(function)
        if node is None or not _plain_body(window, function) or (node.end_lineno or 0) - node.lineno > 10:
            continue
        text = draw.choice(
            [draw.choice(draw.pools.strings).capitalize() + ".", humanised(draw.choice(draw.pools.functions))]
        )
        text = text.replace('"', "").replace("\\", "")
        start, end = window.span(node)
        after = window.text[:start] + f'"""{text}"""' + window.text[end:]
        return Made(window.text, after, {"d": ExactSlot(text, quoted=True), "f": fname(function)})
    return None
