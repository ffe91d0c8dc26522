"""Base classes that go: the one that is named, or those that a class has where none is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.slots import CLASS
from spark_tui.intent.building.building import Built, build_at, builder, call, found, of_table, word
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.syntax.walking import find_nodes


@builder("remove_base")
def remove_base(context: Context) -> Iterator[Built]:
    """The base that is named. Of a class whose bases are not named its only one goes, the one whose number is
    said, or all where several are; of several one may be meant, of which each is a candidate."""
    if _names_base(context) or not context.has("class"):
        yield from of_table(context, "remove_base")
        return
    text = context.situation.instruction
    for anchor in found(context, "class"):
        bases = (
            [ast.unparse(one) for one in anchor.node.bases] if isinstance(anchor.node, ast.ClassDef) else []
        )
        target, at = word(context, "class", anchor), ordinal_in(text)
        if not bases:
            name, source = plain_name(context.text("class")), context.source(anchor.path)
            derived = any(
                name in map(ast.unparse, one.bases) for one in find_nodes(source.tree, ast.ClassDef)
            )
            raise Unresolved(f"{name} has no base class", nothing=not derived)
        if at is not None:
            bases = bases[at:][:1]
        calls = [call("remove_base", target=target, base=one) for one in bases]
        if says("base_classes", "several", text) or _is_any(context):
            yield build_at(anchor, *calls)
            continue
        doubts = (f"it has {len(calls)} bases",) if len(calls) > 1 else ()
        for one in calls:
            yield build_at(anchor, one, weight=1 / len(calls), doubts=doubts)


def _names_base(context: Context) -> bool:
    """Whether the message names the base: not only by the word *base*, or by its number."""
    said = phrases.without_articles(context.text("base"))
    known = any(one.target.name == said for one in context.names.find(said, CLASS))
    plain = says("base_classes", "any", said) or ordinal_in(said) is not None or _is_any(context)
    return bool(said) and (known or not plain)


def _is_any(context: Context) -> bool:
    """Whether no base is to stay: *it should not derive from anything*."""
    said = context.text("base")
    return phrases.is_said("no_names", said) or phrases.is_said("nothing", said)
