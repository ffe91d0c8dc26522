"""Calls that change docstrings, comments and logging."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.docstrings import style_in
from spark_tui.codemods.families.texts.docstrings import own_parameters
from spark_tui.codemods.plan import Refused
from spark_tui.intent.builders.texts.drafted_docstrings import (
    document_several,
    has_docstring,
    of_module_too,
    spoken_parts,
    write_docstring_from_name,
)
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, word
from spark_tui.intent.context.anchors import Anchor, Search, anchors, finder
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.values.converters.texts import style_named
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, drafted
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.walking import find_nodes, walk

_BLOCKS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try)


@finder
def documented(at: Search) -> Iterator[Anchor]:
    """What a docstring is for: the definition or file that is named, or around the cursor."""
    if isinstance(at.root, Definition) or at.context.has("file"):
        symbol = (
            f"{at.source.path}::{at.source.qualname(at.root)}"
            if isinstance(at.root, Definition)
            else at.source.path
        )
        yield Anchor(Area(""), at.root, 1.0, _lost(at.context, at.root), {"documented": symbol})
        return
    other_words = at.context.beside_slots().lower()
    alone = not at.source.definitions and not at.context.has("function") and not at.context.has("class")
    if alone or phrases.any_stands_in(phrases.words("module_docstring"), other_words):
        doubts = _lost(at.context, at.root)
        yield Anchor(Area(""), at.root, 1.0, doubts, {"documented": at.source.path})
        return
    told = [
        definition
        for definition in at.source.definitions
        if (old := _plain(definition)) and old in other_words
    ]
    if len(told) == 1:
        symbol = f"{at.source.path}::{at.source.qualname(told[0])}"
        yield Anchor(Area(""), told[0], words={"documented": symbol})
        return
    near = [
        definition
        for definition in at.source.definitions
        if at.source.qualname(definition) in at.context.near
    ]
    held = [one for one in (at.root, *at.source.definitions) if docstring(one) is not None]
    likely = held if at.context.reading.intent == "remove_docstring" else []
    for item in near[-1:] or (likely or at.source.definitions)[:6]:
        inner = isinstance(item, Definition)
        symbol = f"{at.source.path}::{at.source.qualname(item)}" if inner else at.source.path
        bare = 0.3 if docstring(item) is not None and "write" in at.context.reading.intent else 1.0
        yield Anchor(Area(""), item, 0.9 * bare, _lost(at.context, item), {"documented": symbol})


def _plain(node: Definition) -> str:
    """The docstring of a definition as it may be quoted; empty for one word."""
    found = docstring(node)
    text = str(found.value.value) if found is not None and isinstance(found.value, ast.Constant) else ""
    text = " ".join(text.split()).rstrip(".").lower()
    return text if " " in text else ""


def _lost(context: Context, node: ast.AST | None) -> tuple[str, ...]:
    """A doubt where a text would take the place of a docstring that has no word in common with it."""
    doc = docstring(node) if node is not None else None
    if context.reading.intent != "set_docstring" or doc is None:
        return ()
    old, new = (
        {text.lower() for text in re.findall(r"\w{4,}", item)}
        for item in (ast.unparse(doc), context.text("text"))
    )
    return () if old & new else ("the docstring that is there goes",)


@finder
def block(at: Search) -> Iterator[Anchor]:
    """Statements that may have an else."""
    for node in walk(at.root):
        if isinstance(node, _BLOCKS):
            yield Anchor(Area(""), node, weight=1.0 if isinstance(node, ast.If) else 0.6)


# -- docstrings and comments -------------------------------------------------------------------------


@builder("write_docstring")
def write_docstring(context: Context) -> Iterator[Built]:
    if together := list(document_several(context)):
        yield from together
        return
    every = found(context, "documented", "function or class")
    bare = [item for item in every if not has_docstring(item.node)]
    if every and not bare:
        path, _, name = every[0].words["documented"].partition("::")
        # Of a file it is the docstring of the module, which says nothing of every function in it.
        several = phrases.any_stands_in(phrases.words("several"), context.situation.instruction.lower())
        raise Unresolved(f"{name or path} already has a docstring", nothing=bool(name) or not several)
    for anchor in bare:
        text = write_docstring_from_name(anchor.node)
        body = getattr(anchor.node, "body", [])
        if len(body) == 1 and isinstance(body[0], ast.Pass) and "pass" in context.beside_slots().split():
            source = context.source(anchor.path)
            line = f"{anchor.path}:{source.first_line(body[0]) + 1}"
            made = call("replace_statements", place=line, code=f'"""{text}"""')
        else:
            made = call("set_docstring", target=anchor.words["documented"], text=text)
        calls = (*of_module_too(context, anchor.path), made)
        yield build_at(anchor, *calls, weight=0.8, doubts=(drafted("the text was made from the name"),))


@builder("document_parameters")
def document_parameters(context: Context) -> Iterator[Built]:
    for anchor in found(context, "function", "function"):
        bare = not has_docstring(anchor.node)
        summary = write_docstring_from_name(anchor.node) if bare else ""
        named = style_named(context.situation.instruction)
        source = context.source(anchor.path)
        styles = filled(context, "{style:style}", anchor) or [Option(named or _style_beside(source))]
        target = word(context, "function", anchor)
        text = _about(source, anchor.node)
        made = call(
            "document_parameters", target=target, style=styles[0].text, summary=summary, described=text
        )
        left = _undescribed(source, anchor.node) if isinstance(made.plan(context.repo), Refused) else []
        further = (call("document_parameter", target=target, name=one, text=_drafted(one)) for one in left)
        doubts = (*anchor.doubts, drafted("the descriptions were made from the names"))
        yield Built(tuple(further) or (made,), anchor.weight, doubts)


def _undescribed(source: Source, node: ast.AST | None) -> list[str]:
    """The parameters of a function without an entry in its docstring."""
    doc = docstring(node) if isinstance(node, Function) else None
    if not isinstance(node, Function) or doc is None:
        return []
    text = source.segment(doc)
    entry = r"(?m)^\s*(?::param\b[^:\n]*?)?\*{{0,2}}(?<!\w){}(?:\s*[:(]|\s*$)"
    names = (one.arg for one in own_parameters(source, node))
    return [name for name in names if not re.search(entry.format(re.escape(name)), text)]


def _drafted(name: str) -> str:
    return f"The {' '.join(spoken_parts(name))}."


def _about(source: Source, node: ast.AST | None) -> str:
    """Descriptions of the parameters and the result of a function, made from their names."""
    if not isinstance(node, Function):
        return ""
    lines = [f"{one.arg}: {_drafted(one.arg)}" for one in own_parameters(source, node)]
    own = [inner for inner in find_nodes(node, ast.Return) if source.function_of(inner) is node]
    lines += ["return: The result."] if any(inner.value is not None for inner in own) else []
    return f"[{', '.join(lines)}]"


@builder("document_parameter")
def document_parameter(context: Context) -> Iterator[Built]:
    for anchor in found(context, "parameter:parameter", "parameter"):
        name = anchor.words["parameter"]
        text_text = filled(context, "{text:text}", anchor)
        texts = text_text or [Option(_drafted(name), 0.8, (drafted("the text was made from the name"),))]
        named = style_named(context.situation.instruction) or _style_beside(context.source(anchor.path))
        guessed = () if named else (assumed("the style of the section was assumed"),)
        for option in texts[:1]:
            target = word(context, "function", anchor)
            made = call("document_parameter", target=target, name=name, text=option.text, style=named)
            doubts = (*anchor.doubts, *option.doubts, *guessed)
            yield Built((made,), anchor.weight * option.weight, doubts)


def _style_beside(source: Source) -> str:
    """The style in which the docstrings of a file document parameters; empty where none of them does."""
    known = style_in(source.text)
    return known.value if known is not None else ""


_TAG = re.compile(r"\b(todo|fixme|xxx)\b(?!\s*:)", re.IGNORECASE)


def _tagged(context: Context, text: str) -> str:
    """The text of a comment with the tag that is asked for: *put a todo above it*."""
    tag = _TAG.search(context.beside_slots())
    return f"{tag[1].upper()}: {text}" if tag is not None and not _TAG.match(text) else text


@builder("add_comment")
def add_comment(context: Context) -> Iterator[Built]:
    if not context.has("text"):
        raise Unresolved("the instruction gives no text for the comment")
    spots = anchors(context, "statement:code") if context.has("code") or context.situation.selection else []
    if context.has("code") and not spots:
        spots = anchors(context, "expression:code")
    if not spots and not context.has("code") and context.situation.line is None:
        spots = anchors(context, "definition")
    text = _tagged(context, context.text("text").strip("`'\"").lstrip("# "))
    for anchor in spots[:4]:
        where = word(context, "line", anchor)
        yield build_at(anchor, call("add_comment", place=where, text=text))
    if not spots and (lines := context.lines()) is not None:
        made = call("add_comment", place=f"{context.situation.path}:{lines[0]}", text=text)
        yield Built((made,), 0.9)
    elif not spots:
        raise Unresolved("the instruction does not say where to put the comment")
