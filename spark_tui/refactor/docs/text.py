"""Docstrings as text: how the file writes them, one made from a name, where one goes.

Comes in: a source and definitions of it. Goes out: lines of docstrings, and changes that put them in or take them out.
Must not know: instructions.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.source import Change, Definition, Function, Source, docstring, indent_of

GOOGLE, NUMPY, REST = "google", "numpy", "rest"
SECTIONS = {
    GOOGLE: re.compile(r"(?m)^[ \t]*(?:Args|Arguments|Parameters|Returns|Raises|Yields):[ \t]*$"),
    NUMPY: re.compile(r"(?m)^[ \t]*(?:Parameters|Returns|Raises|Yields)[ \t]*\n[ \t]*-{3,}[ \t]*$"),
    REST: re.compile(r"(?m)^[ \t]*:(?:param|returns?|raises?)\b"),
}


def text_of(node: Definition | ast.Module) -> str | None:
    found = docstring(node)
    return str(found.value.value) if found is not None and isinstance(found.value, ast.Constant) else None


def style_of(text: str) -> str | None:
    return next((style for style, pattern in SECTIONS.items() if pattern.search(text)), None)


def style_in(src: Source) -> str | None:
    """The style of most docstrings that have sections."""
    found = [style for node in (*src.functions, *src.classes) if (style := style_of(text_of(node) or ""))]
    return max(found, key=found.count) if found else None


def humanised(name: str) -> str:
    """`load_user_data` in words: Load user data."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).strip("_").replace("_", " ").lower().split()
    said = " ".join(words)
    return f"{said[:1].upper()}{said[1:]}." if said else "Do it."


def about(name: str) -> str:
    return "The " + name.strip("_").replace("_", " ") + "."


def listed(function: Function) -> list[ast.arg]:
    """The parameters that a docstring lists."""
    spec = function.args
    return [one for one in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs) if one.arg not in ("self", "cls")]


def returns(src: Source, function: Function) -> bool:
    """Whether it gives something back itself."""
    return any(
        isinstance(node, ast.Return) and node.value is not None and src.function_of(node) is function
        for node in ast.walk(function)
    )


def sections(src: Source, function: Function, style: str) -> list[str]:
    """Parameters and result, as the style lists them; described by their names."""
    args = listed(function)
    types = {one.arg: src.segment(one.annotation) if one.annotation else "" for one in args}
    gives = returns(src, function)
    out: list[str] = []
    if style == GOOGLE:
        out += ["", "Args:"] if args else []
        out += [
            f"    {name} ({kind}): {about(name)}" if kind else f"    {name}: {about(name)}"
            for name, kind in types.items()
        ]
        out += ["", "Returns:", "    The result."] if gives else []
    elif style == NUMPY:
        out += ["", "Parameters", "----------"] if args else []
        for name, kind in types.items():
            out += [f"{name} : {kind}" if kind else name, f"    {about(name)}"]
        out += ["", "Returns", "-------", "The result."] if gives else []
    else:
        out += [""] if args or gives else []
        out += [f":param {name}: {about(name)}" for name in types]
        out += [":return: The result."] if gives else []
    return out


def quotes(src: Source) -> str:
    """What stands around the docstrings of the file."""
    found = [docstring(node) for node in (*src.functions, *src.classes)]
    around = {src.segment(one).lstrip("rRuU")[:3] for one in found if one is not None}
    return "'''" if around == {"'''"} else '"""'


def written(src: Source, text: str, indent: str) -> list[str] | None:
    """The lines of a docstring; None where quotes and backslashes in it would change what it says."""
    around = quotes(src)
    if around in text or text.endswith(around[0]) or "\\" in text or not text.strip():
        return None
    lines = text.split("\n")
    if len(lines) == 1:
        return [f"{indent}{around}{text}{around}"]
    return [(indent + line).rstrip() for line in (around + lines[0], *lines[1:], around)]


def inner_indent(src: Source, node: Definition) -> str:
    first = node.body[0]
    if first.lineno == node.lineno or src.first_line(first) == src.line_at(src.span(node)[0]):
        return src.indent(node) + src.step
    return indent_of(src.lines[src.first_line(first)])


def put_in(src: Source, node: Definition, text: str) -> list[Change] | None:
    """A docstring as the first thing of a body."""
    lines = written(src, text, inner_indent(src, node))
    if lines is None:
        return None
    first = node.body[0]
    block = "".join(f"{line}\n" for line in lines)
    at = src.first_line(first)
    start = src.span(first)[0] if not getattr(first, "decorator_list", None) else src.starts[at]
    head = src.text[src.starts[at] : start]
    if head.strip():  # the body stands behind the colon
        rest = src.text[start : src.starts[at + 1]]
        return [
            (start - (len(head) - len(head.rstrip())), src.starts[at + 1], f"\n{block}{inner_indent(src, node)}{rest}")
        ]
    while at > 0 and (not src.lines[at - 1].strip() or src.lines[at - 1].lstrip().startswith("#")):
        at -= 1
    blank = isinstance(node, ast.ClassDef) and isinstance(first, Function) and bool(src.lines[at].strip())
    return [(src.starts[at], src.starts[at], block + ("\n" if blank else ""))]


def put_in_module(src: Source, text: str) -> list[Change] | None:
    """A docstring at the top of the file."""
    lines = written(src, text, "")
    if lines is None or src.headers:
        return None
    at = 0
    while at < min(2, len(src.lines)) and re.match(r"#!|#.*coding[:=]", src.lines[at]):
        at += 1
    gap = "\n" if at < len(src.lines) and src.lines[at].strip() else ""
    return [(src.starts[at], src.starts[at], "".join(f"{line}\n" for line in lines) + gap)]


def replaced(src: Source, node: Definition | ast.Module, text: str) -> list[Change] | None:
    """Another text in place of a docstring."""
    old = docstring(node)
    if old is None:
        return None
    lines = written(src, text, indent_of(src.lines[src.first_line(old)]))
    return None if lines is None else [(*src.span(old), "\n".join(lines).lstrip())]


def taken_out(src: Source, node: Definition | ast.Module) -> list[Change] | None:
    """The body without the docstring, and without the blank lines behind it."""
    old = docstring(node)
    if old is None:
        return None
    first, last = src.first_line(old), src.last_line(old)
    alone = src.text[src.starts[first] : src.starts[last]].strip() == src.segment(old)
    if len(node.body) == 1 and not isinstance(node, ast.Module):
        return [(*src.span(old), "pass")]
    if not alone:
        return None
    while last < len(src.lines) and not src.lines[last].strip():
        last += 1
    return [(*src.line_span(first, last), "")]
