"""Parameters that calls have to name: one that is said, or all of a function."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, builder, call, of_table, word
from spark_tui.intent.context.anchors import Anchor, functions_meant
from spark_tui.intent.context.exceptions_said import is_excepted
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.values.anchor_details import preparer
from spark_tui.intent.words.phrases import is_said, mentions
from spark_tui.pysource.source import Function

_FILE_PATTERN = re.compile(r"(?<!\w)\*\.\w")
"""A star of file names, as in `*.bak`."""
_NEW_NAME = re.compile(r"(?i:\b(?:be|is|get) (?:named|called)) [`'\"]?(?!only\b)\w+[`'\"]?\W*\Z")
"""A new name at the end of a message. *Has to be named* without one is about the calls."""

_POSITIONAL = re.compile(
    r"(?i)\b(?:make|be|become|allow|accept|take)\b[^.;,]{0,60}"
    r"\b(?:positional(?: (?:parameter|argument)s?)?|by position)\W*\Z"
    r"|\b(?:need not|needn't|no longer|(?:do|does|is|should)(?:n't| not))"
    r" (?:need to )?(?:be )?keyword[- ]only"
)
_FORBIDDEN = re.compile(
    r"(?i)\b(?:never|no one|nobody|not|\w+n't|stop|forbid|disallow)\b(?! (?:need to )?(?:be )?keyword)"
)
"""Words for the opposite; and those that turn it around."""


@builder("make_keyword_only")
def make_keyword_only(context: Context) -> Iterator[Built]:
    if _FILE_PATTERN.search(context.situation.instruction):
        raise Unresolved("the star stands for names of files")
    if _NEW_NAME.search(context.situation.instruction):
        raise Unresolved("a new name was not understood")
    if mentions("positional_only", context.situation.instruction):
        raise Unresolved("no parameter is made positional-only")
    if _POSITIONAL.search(text := context.situation.instruction) and not _FORBIDDEN.search(text):
        raise Unresolved("a keyword-only parameter is not made positional")
    parameter = context.text("parameter")
    if parameter and not is_said("all_of", parameter):
        yield from of_table(context, "make_keyword_only")
        return
    constructor = mentions("constructor", context.beside_slots())
    for anchor in functions_meant(context):
        node = anchor.node
        if not isinstance(node, Function) or (constructor and node.name != "__init__"):
            continue
        given = [one.arg for one in node.args.args if one.arg not in ("self", "cls")]
        if given and not node.args.posonlyargs:
            target = word(context, "function", anchor)
            yield build_at(anchor, call("make_keyword_only", target=target, name=given[0]))


@preparer
def first_named(context: Context, anchor: Anchor) -> Iterator[Anchor]:
    """The parameter that is named, or the next one where those after it or all but it are meant."""
    node, name = anchor.node, anchor.words["parameter"]
    parameter_text = re.findall(r"\w+", context.text("parameter"))
    at = next((at for at, one in enumerate(parameter_text) if key(one) == key(name)), 0)
    before = " ".join(parameter_text[: parameter_text.index(name)]) if name in parameter_text else ""
    is_rest = is_excepted(name, context.situation.instruction) or mentions("after", before)
    if is_rest and isinstance(node, Function):
        names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
        rest = names[names.index(name) + 1 :] if name in names else []
        if rest:
            yield replace(anchor, doubts=(), words={**anchor.words, "parameter": rest[0]})
    elif not at or not isinstance(node, Function) or name in parameter_text:
        yield anchor
