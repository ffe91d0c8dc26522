"""The code of a method that is to be added: its parameters, and what it returns or does."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from spark_tui.codemods.classes.fields import container_fields
from spark_tui.intent.conditions.worded import parse_condition
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.held_resources import ends_of_held
from spark_tui.intent.names.names_in_words import parameters_listed
from spark_tui.intent.values.anchor_details import PREPARERS, preparer
from spark_tui.intent.values.converters.of_slots import literal, quote_of
from spark_tui.intent.values.converters.statements import Spoken
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, drafted
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.tree_comparison import parse_statement

__all__ = ["PREPARERS", "method"]
_LONGEST_TEXT = 3
"""The words that are taken as a text without quotes around them."""
_IS = re.compile(r"\bis (?:not )?[\d'\"]")
"""Words that are valid code, and never meant as such."""
_HOLE = re.compile(r"\{((?:self\.)?[A-Za-z_]\w*)(?=[}!:])")
_BESIDE = 15
"""How many characters before and after a name tell what it is the name of."""


def _around(context: Context, slot: str) -> str:
    """The words beside a slot."""
    span, text = context.span(slot), context.situation.instruction
    if span is None or span.start < 0:
        return ""
    return f"{text[max(span.start - _BESIDE, 0) : span.start]} {text[span.end : span.end + _BESIDE]}"


def _of_object(code: str, members: Mapping[str, str]) -> str:
    """An expression with `self.` in front of the names that the object has."""
    tree = parsed(code)
    names = list(find_nodes(tree, ast.Name)) if tree is not None else []
    for name in sorted(names, key=lambda node: -node.col_offset):
        own = members.get(key(name.id), "")
        if own == f"self.{name.id}" and name.lineno == name.end_lineno == 1 and code.isascii():
            code = code[: name.col_offset] + own + code[name.end_col_offset :]
    return code


def _parameters(context: Context) -> tuple[str, list[str]]:
    """The parameters that stand in brackets after the name of the method, or are listed, as code and by
    name."""
    span = context.span("name")
    instruction = span.text + context.situation.instruction[span.end :] if span is not None else ""
    found = re.match(r"`?\w+\(([^()]*)\)", instruction)
    listed = parameters_listed(context.situation.instruction) if found is None else None
    shown = found[1].strip() if found is not None else listed[2] if listed is not None else ""
    head = parse_statement(f"def _({shown}): pass") if shown else None
    if not isinstance(head, ast.FunctionDef):
        return "self", []
    names = [arg.arg for arg in (*head.args.posonlyargs, *head.args.args, *head.args.kwonlyargs)]
    own = names[:1] == ["self"]
    return shown if own else f"self, {shown}", names[own:]


@preparer
def method(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The code of a method: what it returns, or its body."""
    name = plain_name(context.text("name")).rpartition(".")[2]
    name = name if name.isidentifier() else "_".join(re.findall(r"\w+", name.lower()))
    if not name:
        raise Unresolved("the method has no name")
    head, given = _parameters(context)
    span = context.span("code") or context.span("result")
    spoken = Spoken(context, anchor, given, span.start if span is not None else -1)
    state = _told_state(context, spoken)
    by_name = "" if state or context.has("code") or context.has("result") else _by_name(anchor, name, spoken)
    if state or by_name:
        body = f"return {state or by_name}"
        doubts = (assumed(f"{by_name} was read from the name"),) if by_name else ()
        anchor = replace(anchor, doubts=(*anchor.doubts, *doubts))
    elif context.has("code"):
        body = context.text("code").strip("`")
        if body.lstrip().startswith(("def ", "async def ", "@")):
            yield replace(anchor, words={**anchor.words, "method": body})
            return
        told = spoken.statements(body) if parse(body) is None else []
        if told:
            shown = " ".join("; ".join(told).split())
            anchor = replace(anchor, doubts=(*anchor.doubts, assumed(f"{body} was assumed to be {shown}")))
            body = "\n".join(told)
        elif parse(body) is None:
            raise Unresolved(f"{body!r} is no code for the body of {name}")
    elif span is not None and not context.quote(span) and phrases.is_said("nothing", span.text):
        body = "pass"
    elif context.has("result"):
        result = _result(context, anchor, spoken)
        body, result_text = f"return {result}", context.text("result")
        if hasattr(builtins, result) and _is_prose(context):
            raise Unresolved(f"{result_text!r} was not understood as a result")  # `the list` is no `list`
        if result_text not in result and _is_prose(context):
            anchor = replace(
                anchor, doubts=(*anchor.doubts, assumed(f"{result_text} was assumed to be {result}"))
            )
        elif _is_prose(context) and (
            len(result_text.split()) > _LONGEST_TEXT or result_text != phrases.without_articles(result_text)
        ):
            raise Unresolved(f"{result_text!r} was not understood as a result")
        elif _is_prose(context):
            anchor = replace(anchor, doubts=(*anchor.doubts, "the words were read as the text"))
        elif result[:1] in "'\"" and _HOLE.search(result):
            anchor = replace(anchor, doubts=(*anchor.doubts, "nothing fills the placeholders of the text"))
    elif name == "close" and (ends := _ends(context, anchor)):
        body = "\n".join(ends)
        anchor = replace(
            anchor, doubts=(*anchor.doubts, assumed(f"{', '.join(ends)} was read from the class"))
        )
    else:
        body = "pass"
        anchor = replace(
            anchor, doubts=(*anchor.doubts, drafted("the instruction does not say what the method does"))
        )
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    read = phrases.mentions("property", _around(context, "name")) and not given
    read = read and (context.has("result") or bool(state or by_name))
    above = "@property\n" if read else ""
    yield replace(anchor, words={**anchor.words, "method": f"{above}def {name}({head}):\n{lines}\n"})


def _by_name(anchor: Anchor, name: str, spoken: Spoken) -> str:
    """What a method gives whose name says it: `is_empty`, `item_count`."""
    counted = re.fullmatch(r"(?:(\w+?)s?_count|(?:num|number_of|n)_(\w+?)s?)", name)
    if counted is not None:
        return spoken.visible.expression(f"number of {counted[1] or counted[2]}s") or ""
    if name != "is_empty" or not isinstance(anchor.node, ast.ClassDef):
        return ""
    if any(isinstance(stmt, ast.FunctionDef) and stmt.name == "__len__" for stmt in anchor.node.body):
        return "len(self) == 0"
    held = container_fields(anchor.node)
    return f"not self.{held[0]}" if len(held) == 1 else ""


def _told_state(context: Context, spoken: Spoken) -> str:
    """The test that words tell of an attribute, where they are no code that could stand there: *hp is 0*."""
    text = (context.text("code") or context.text("result")).strip("`")
    tree, members = parsed(text), spoken.visible.inner
    known = {name: code for name, code in members.items() if name not in spoken.given}
    if not text or (tree is not None and not (isinstance(tree, ast.Compare) and _IS.search(text))):
        return ""
    found = parse_condition(text, lambda said: known.get(key(said)))
    return found[0].code if found and "self." in found[0].code else ""


def _is_prose(context: Context) -> bool:
    """Whether the result is said in words, without quotes."""
    span = context.span("result")
    return span is not None and not context.quote(span) and parsed(span.text) is None


def _result(context: Context, anchor: Anchor, spoken: Spoken) -> str:
    """What a method returns, as code."""
    visible = spoken.visible
    result = context.text("result").strip("`")
    tree, span = parsed(result), context.span("result")
    own = visible.inner.get(key(result))
    named = tree is None or isinstance(tree, ast.Name)
    shown = own or (result if result in spoken.given or not named else visible.expression(result))
    if (
        (tree is None or isinstance(tree, ast.Name))
        and span is not None
        and context.quote(span) in ("'", '"')
    ):
        shown = None
    shown = (
        _of_object(shown, {at: one for at, one in visible.inner.items() if at not in spoken.given})
        if shown
        else None
    )
    text = literal(result, context.source(anchor.path), quote_of(context.source(anchor.path)))
    return shown or _with_values(text, spoken)


def _with_values(text: str, spoken: Spoken) -> str:
    """A literal; an f-string where its braces hold parameters or attributes."""
    known = {**spoken.visible.inner, **{key(name): name for name in spoken.given}}
    holes = {hole: known.get(key(hole), hole) for hole in _HOLE.findall(text)}
    seen = (code in spoken.given or code.startswith("self.") for code in holes.values())
    if not holes or text[:1] not in "'\"" or not all(seen):
        return text
    return "f" + _HOLE.sub(lambda found: "{" + holes[found[1]], text)


def _ends(context: Context, anchor: Anchor) -> list[str]:
    owner = anchor.node if isinstance(anchor.node, ast.ClassDef) else None
    return ends_of_held(context.source(anchor.path), owner) if owner is not None else []
