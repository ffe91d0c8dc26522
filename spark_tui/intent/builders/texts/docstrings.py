"""Calls that change docstrings and comments, and that give values a name."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.texts.docstrings import own_parameters
from spark_tui.intent.builders.texts.messages import as_shown
from spark_tui.intent.building.building import (
    Built,
    builder,
    call,
    filled,
    found,
    from_entry,
    place,
    table,
    word,
)
from spark_tui.intent.context.anchors import Anchor, Search, anchors, finder, parsed, same_tree, weighted
from spark_tui.intent.context.lookup import words_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.texts.samples import shown_texts
from spark_tui.intent.values.converters.texts import style_named
from spark_tui.intent.values.literals.constant_words import constant_below, constant_value
from spark_tui.pysource.source import Definition, Function, Source, docstring
from spark_tui.pysource.syntax.walking import names_in, walk

_DIRECTIVE = re.compile(r"%[-#]?[A-Za-z]|\{[^{}]*\}")
_ALIKE = 0.6
"""How alike two texts are of which one stands for the other."""

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
    near = [one for one in at.source.definitions if at.source.qualname(one) in at.context.near]
    for one in near[-1:] or at.source.definitions[:6]:
        symbol = f"{at.source.path}::{at.source.qualname(one)}"
        bare = 0.3 if docstring(one) is not None and "write" in at.context.reading.intent else 1.0
        yield Anchor(Area(""), one, 0.9 * bare, _lost(at.context, one), {"documented": symbol})


def _lost(context: Context, node: ast.AST | None) -> tuple[str, ...]:
    """A doubt where a text would take the place of a docstring that has no word in common with it."""
    said = docstring(node) if node is not None else None
    if context.reading.intent != "set_docstring" or said is None:
        return ()
    old, new = (
        {each.lower() for each in re.findall(r"\w{4,}", one)}
        for one in (ast.unparse(said), context.text("text"))
    )
    return () if old & new else ("the docstring that is there goes",)


@finder
def block(at: Search) -> Iterator[Anchor]:
    """Statements that may have an else."""
    for one in walk(at.root):
        if isinstance(one, _BLOCKS):
            yield Anchor(Area(""), one, weight=1.0 if isinstance(one, ast.If) else 0.6)


# -- docstrings and comments -------------------------------------------------------------------------


@builder("write_docstring")
def write_docstring(context: Context) -> Iterator[Built]:
    every = found(context, "documented", "function or class")
    bare = [one for one in every if not _has_docstring(one.node)]
    if every and not bare:
        name = every[0].words["documented"].partition("::")[2]
        raise Unresolved(f"{name} already has a docstring", nothing=True)
    for anchor in bare:
        made = call("set_docstring", target=anchor.words["documented"], text=described(anchor.node))
        yield Built((made,), anchor.weight * 0.8, (*anchor.doubts, "the text was made from the name"))


@builder("document_parameters")
def document_parameters(context: Context) -> Iterator[Built]:
    for anchor in found(context, "function", "function"):
        bare = not _has_docstring(anchor.node)
        summary = described(anchor.node) if bare else ""
        named = style_named(context.situation.instruction)
        styles = filled(context, "{style:style}", anchor) or [Option(named)]
        target = word(context, "function", anchor)
        text = _about(context.source(anchor.path), anchor.node)
        made = call(
            "document_parameters", target=target, style=styles[0].text, summary=summary, described=text
        )
        doubts = (*anchor.doubts, "the descriptions were made from the names")
        yield Built((made,), anchor.weight, doubts)


def _about(source: Source, node: ast.AST | None) -> str:
    """Descriptions of the parameters and the result of a function, made from their names."""
    if not isinstance(node, Function):
        return ""
    lines = [f"{one.arg}: The {' '.join(words_of(one.arg))}." for one in own_parameters(source, node)]
    own = [one for one in walk(node) if isinstance(one, ast.Return) and source.function_of(one) is node]
    lines += ["return: The result."] if any(one.value is not None for one in own) else []
    return f"[{', '.join(lines)}]"


@builder("document_parameter")
def document_parameter(context: Context) -> Iterator[Built]:
    for anchor in found(context, "parameter:parameter", "parameter"):
        name = anchor.words["parameter"]
        said = filled(context, "{text:text}", anchor)
        texts = said or [
            Option(f"The {' '.join(words_of(name))}.", 0.8, ("the text was made from the name",))
        ]
        for option in texts[:1]:
            target = word(context, "function", anchor)
            made = call("document_parameter", target=target, name=name, text=option.text)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def _has_docstring(node: ast.AST | None) -> bool:
    return node is not None and docstring(node) is not None


def described(node: ast.AST | None) -> str:
    """A docstring from the name of a definition."""
    name = getattr(node, "name", "") or "module"
    parts = words_of(name)
    if isinstance(node, Function) and name == "__init__":
        return "Set up the object."
    return f"{' '.join(parts).capitalize()}."


@builder("add_comment")
def add_comment(context: Context) -> Iterator[Built]:
    if not context.has("text"):
        raise Unresolved("the instruction gives no text for the comment")
    spots = anchors(context, "statement:code") if context.has("code") or context.situation.selection else []
    if context.has("code") and not spots:
        spots = anchors(context, "expression:code")
    if not spots and not context.has("code") and context.situation.line is None:
        spots = anchors(context, "definition")
    text = context.text("text").strip("`'\"").lstrip("# ")
    for anchor in spots[:4]:
        where = word(context, "line", anchor)
        yield Built((call("add_comment", place=where, text=text),), anchor.weight, anchor.doubts)
    if not spots and (lines := context.lines()) is not None:
        made = call("add_comment", place=f"{context.situation.path}:{lines[0]}", text=text)
        yield Built((made,), 0.9)
    elif not spots:
        raise Unresolved("the instruction does not say where to put the comment")


@builder("replace_text")
def replace_text(context: Context) -> Iterator[Built]:
    """In strings, or else in the comments that have the text; without one, in the string that is like it."""
    if shown := shown_texts(context) if context.has("new") else []:
        yield from as_shown(context, shown)
        return
    if not context.has("old") and context.has("new"):
        new = context.text("new").strip("`'\"")
        for anchor, old in alike_text(context, new):
            made = call("replace_in_strings", place=place(context, anchor), old=old, new=new)
            yield Built((made,), anchor.weight, anchor.doubts)
        return
    if not context.reading.slots.get("new"):
        raise Unresolved("the instruction does not say what replaces it")
    try:
        yield from from_entry(context, table()["replace_text"])
    except Unresolved:
        old, new = context.text("old").strip("`'\""), context.text("new").strip("`'\"")
        spots = anchors(context, "comment:old") if old and new else []
        if not any(old in one.words["old"] for one in spots):
            raise
        for anchor in spots[: context.most_places]:
            text = anchor.words["old"].replace(old, new)
            made = call("set_comment", place=anchor.words["line"], text=text)
            yield Built((made,), anchor.weight, anchor.doubts)


def alike_text(context: Context, new: str) -> list[tuple[Anchor, str]]:
    """The strings in which a part is like a text that is to stand there: the same fields in other order."""
    wanted = sorted(_DIRECTIVE.findall(new))
    found: list[tuple[float, Anchor, str]] = []
    for area, source, root in context.trees():
        outer = set(_named_texts(source, root))
        for one in [*walk(root), *outer]:
            if not isinstance(one, ast.Constant) or not isinstance(one.value, str) or one.value == new:
                continue
            if source.span(one)[0] < 0 or isinstance(source.parents.get(one), ast.Expr):
                continue
            part = _same_fields(one.value, wanted) if len(wanted) > 1 else ""
            score = 1.0 if part else difflib.SequenceMatcher(None, one.value.lower(), new.lower()).ratio()
            if score >= _ALIKE and part != new:
                doubts = ("it may be used elsewhere too",) if one in outer else ()
                found.append((score, Anchor(area, one, 0.9, doubts), part or one.value))
    top = max((score for score, *_ in found), default=0.0)
    best = {anchor.node: (anchor, part) for score, anchor, part in found if score == top}
    return [(one, best[one.node][1]) for one in weighted(context, [each for each, _ in best.values()])]


def _same_fields(text: str, wanted: list[str]) -> str:
    """The part of a text that has the same fields as another one, in whatever order."""
    fields = list(_DIRECTIVE.finditer(text))
    for at in range(len(fields) - len(wanted) + 1):
        run = fields[at : at + len(wanted)]
        if sorted(one[0] for one in run) == wanted:
            return text[run[0].start() : run[-1].end()]
    return ""


def _named_texts(source: Source, root: ast.AST) -> Iterator[ast.expr]:
    """The values of the constants of the file that a function uses."""
    names = names_in(root) if root is not source.tree else set()
    for one in getattr(source.tree, "body", ()):
        if (
            isinstance(one, ast.Assign)
            and isinstance(one.targets[0], ast.Name)
            and one.targets[0].id in names
        ):
            yield one.value


# -- logging -----------------------------------------------------------------------------------------


@builder("extract_constant")
def extract_constant(context: Context) -> Iterator[Built]:
    spots = anchors(context, "literal:value") or found(context, "expression:value", "value like that")
    # What stands in a file more than once has one name, unless a place is named or described.
    digit = re.fullmatch(r"-?\d", context.text("value")) is not None
    whole = len(spots) > 1 and not context.placed and not digit
    whole = whole and spots[1].weight > 0.9 * spots[0].weight
    # What an edit wrote has the name wherever it stands, and not only there.
    whole = whole or (context.situation.focused and not digit and _is_written(context))
    for anchor in spots[: context.most_places]:
        node = anchor.node
        assert isinstance(node, ast.expr)
        source = context.source(anchor.path)
        if whole:
            anchor = replace(anchor, doubts=anchor.area.doubts)
        names = filled(context, "{name:constant_name}", anchor)
        if names is None:
            names = [Option(_constant_name(source, node), 0.8, ("the name was made up",))]
        where = word(context, "in", anchor) if context.has("function") else place(context, anchor)
        for option in names:
            for spot in dict.fromkeys((where, f"in {anchor.path}")):
                weight = 1.0 if (spot == where) != whole else 0.1 if whole else 0.4
                fields = {"place": spot, "value": source.segment(node), "name": option.text}
                told = {
                    "below": constant_below(context, anchor.path),
                    "set_to": constant_value(context, option.text, node),
                }
                made = call("extract_constant", **fields, **told)
                yield Built((made,), anchor.weight * option.weight * weight, (*anchor.doubts, *option.doubts))


def _is_written(context: Context) -> bool:
    """Whether a literal stands in the lines that the edit before wrote."""
    lines, wanted = context.situation.selection, parsed(context.text("value"))
    source = context.source(context.situation.path)
    return lines is not None and any(
        isinstance(one, ast.Constant) and lines[0] <= one.lineno <= lines[1] and same_tree(one, wanted)
        for one in walk(source.tree)
    )


def _constant_name(source: Source, node: ast.expr) -> str:
    """A name for a literal from what it is used for."""
    from spark_tui.codemods.places.displays import names_of_value
    from spark_tui.intent.finders.blocks import default_name

    for one in (*names_of_value(source, node), *default_name(source, node)):
        parts = words_of(re.sub(r"\W+", "_", one))
        if parts:
            return "_".join(parts).upper()
    if (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and (parts := re.findall(r"[A-Za-z]+", node.value))
    ):
        return "_".join(parts[:3]).upper()
    inside = source.function_of(node)
    return f"{inside.name.strip('_').upper()}_VALUE" if inside is not None else "VALUE"


@builder("add_main_guard")
def add_main_guard(context: Context) -> Iterator[Built]:
    for area in context.areas[:2]:
        yield Built((call("add_main_guard", path=area.path),), area.weight, area.doubts)


@builder("remove_comments")
def remove_comments(context: Context) -> Iterator[Built]:
    text = context.text("text").strip("`'\"# ")
    line = context.situation.line
    lines = context.situation.selection or ((line, line) if line else None)
    for area in context.areas[:3]:
        where = area.place
        if (line or not context.named) and lines and context.situation.path == area.path:
            where = f"{area.path}:{lines[0]}-{lines[1]}"
        doubts = area.doubts if text else (*area.doubts, *_named_comment(context, area))
        yield Built((call("remove_comments", place=where, text=text),), area.weight, doubts)


def _named_comment(context: Context, area: Area) -> Iterator[str]:
    """A doubt where a word of the instruction stands in one of several comments: only that may be meant."""
    texts = [one.text.lower() for one in context.source(area.path).comments]
    for said in re.findall(r"[^\W\d_]{4,}", context.beside_slots().lower()):
        if 0 < sum(re.search(rf"(?<!\w){said}(?!\w)", one) is not None for one in texts) < len(texts):
            yield f"only the comment with “{said}” may be meant"
            return
