"""Literals described by what they are for: *the allowed schemes* of `scheme in ("http", "https")`."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.places.displays import names_of_value
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.context.anchors import Anchor, is_same_code
from spark_tui.intent.context.described_names import content_words, is_form_of
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_MOST_WORDS = 3
_NOUN = re.compile(r"(?<!\w)the ([A-Za-z]+(?: [A-Za-z]+)?) [\"'`]?\Z")
_KINDS = word_set("string text literal value number constant magic of for in is to as by and with")
_COLLECTIONS = ast.Tuple | ast.List | ast.Set


def described_literals(context: Context) -> list[Anchor]:
    """The literal of the code that is meant whose use has a name of the words, if it is the only one; the
    default of a parameter first."""
    told = context.text("value")
    words = [word.lower() for word in content_words(told)]
    used: list[Anchor] = []
    given: list[Anchor] = []
    for area, source, root in context.trees():
        defaults = _defaults(root)
        for node in walk(root):
            if not isinstance(node, ast.expr) or not _is_literal(node):
                continue
            names = [defaults[node]] if node in defaults else names_of_value(source, node)
            parts = [part.lower() for name in names for part in split_name(name)]
            if any(is_form_of(word, part) for word in words for part in parts):
                doubt = assumed(f"{source.segment(node)} was assumed to be {told}")
                found = given if node in defaults else used
                found.append(Anchor(area, node, 0.9, (*area.doubts, doubt)))
    return next((found for found in (given, used) if len(found) == 1), []) or _passed_to(context, told)


def _passed_to(context: Context, told: str) -> list[Anchor]:
    """The one text that functions get which take what is told: *the date format* of `strftime`."""
    table = phrases.table()["given_to"]
    called = {
        one
        for names, said in table.items()
        if phrases.any_stands_in(said, told.lower())
        for one in names.split()
    }
    found = [
        Anchor(area, node.args[at], 0.9, area.doubts)
        for area, _, root in (context.trees() if called else ())
        for node in find_nodes(root, ast.Call)
        if (name := called_name(node)) in called and len(node.args) > (at := int(name == "strptime"))
        if is_text(node.args[at])
    ]
    return found if len({ast.unparse(one.node) for one in found if one.node is not None}) == 1 else []


def name_of_described(context: Context, anchor: Anchor) -> str:
    """A name for a literal that words describe by what it is for: `DATE_FORMAT`."""
    words = [word for word in content_words(context.text("value")) if word.isascii() and word.isalpha()]
    name = "_".join(words).upper() if 0 < len(words) <= _MOST_WORDS else ""
    bound = context.repo.index.scopes(anchor.path).module.bound
    return (
        name
        if name and name not in bound and not is_same_code(ast.unparse(anchor.node or ast.Pass()), words[0])
        else ""
    )


def said_name(context: Context) -> str:
    """The name of a constant by the words in front of its value: *the separator "."*."""
    span = context.span("value")
    front = context.situation.instruction[: max(span.start, 0)] if span is not None else ""
    found = _NOUN.search(front)
    words = found[1].lower().split() if found is not None else []
    return "_".join(words).upper() if words and words[-1] not in _KINDS else ""


def _defaults(root: ast.AST) -> dict[ast.expr, str]:
    """The defaults of parameters with their names."""
    functions = [node for node in walk(root) if isinstance(node, Function)]
    pairs = ((default_of(node, one.arg), one.arg) for node in functions for one in parameters(node))
    return {value: name for value, name in pairs if value is not None}


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is a number or text, or a collection of some."""
    if isinstance(node, _COLLECTIONS) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return bool(node.elts) and all(map(_is_literal, node.elts))
    return isinstance(node, ast.Constant) and type(node.value) in (int, float, str, bytes)
