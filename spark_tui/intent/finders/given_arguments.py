"""The calls whose arguments are meant: by their name, by what they are given, or by the keyword that they
have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.finders.expressions import call, keep_best
from spark_tui.intent.values.likely.likely_calls import likely_calls
from spark_tui.intent.words.phrases import is_said, without_articles
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


@finder
def call_given(at: Search) -> Iterator[Anchor]:
    """The calls of what is named, of several those where something changes; else those that pass it or have
    the keyword."""
    named = list(call(at)) if at.context.has(at.slot) else []
    name = key(plain_name(at.context.text("argument").split("=")[0]))
    value = at.context.text("value")
    if made := _constructors(at, name):
        yield from keep_best([(0.8, node) for node in made])
        return
    if named:
        # A keyword that some of the calls have is set where it stands, and where it is another value.
        other = [
            anchor
            for anchor in named
            if anchor.node is not None and _keywords(anchor.node).get(name, value) != value
        ]
        likely = likely_calls(at.context, at.source, [item.node for item in other or named])
        yield from (item for item in other or named if item.node in likely)
        return
    if at.context.has(at.slot):
        text = at.context.text(at.slot).strip("`'\"")
        passing = [node for node in nodes(at.root, ast.Call) if _passes(at.source, node, text)]
        passing = passing or _options(at, text)
        inner = [
            node for node in passing if not any(item is not node and item in walk(node) for item in passing)
        ]
        yield from keep_best([(0.8, node) for node in inner])
    elif at.context.placed or at.context.reading.intent == "remove_argument":
        passed = at.context.text("argument").partition("=")[2].strip("` ")
        given = [(node, _keywords(node)) for node in nodes(at.root, ast.Call)]
        made = [node for node, keywords in given if name in keywords and passed in ("", keywords[name])]
        yield from keep_best([(0.8, node) for node in made])


def _constructors(at: Search, argument: str) -> list[ast.Call]:
    """Calls that make what is named and take the argument."""
    name = key(plain_name(without_articles(at.context.text(at.slot))))
    return [
        node.value
        for node in nodes(at.root, ast.Assign)
        if isinstance(node.value, ast.Call)
        and any(key(ast.unparse(target).rpartition(".")[2]) == name for target in node.targets)
        and any(
            argument == key(known) or (argument and is_form_of(argument, known))
            for known in parameters_called(at.context.repo, at.source, node.value)
        )
    ]


def _options(at: Search, text: str) -> list[ast.Call]:
    """The calls that add an option which the instruction shows, where the slot only says *the option*."""
    shown = set(re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", at.context.situation.instruction))
    calls = nodes(at.root, ast.Call) if shown and is_said("option_names", without_articles(text)) else []
    return [
        call_node
        for call_node in calls
        for arg in call_node.args
        if isinstance(arg, ast.Constant) and arg.value in shown
    ]


def _keywords(node: ast.AST) -> dict[str, str]:
    """The keywords of a call, with what they are set to."""
    given = node.keywords if isinstance(node, ast.Call) else []
    return {key(keyword.arg): ast.unparse(keyword.value) for keyword in given if keyword.arg}


def _passes(source: Source, node: ast.Call, text: str) -> bool:
    """Whether a call is given a string with a text in it, or a class or value of that name."""
    return any(
        len(text) > 3 and text in source.segment(arg)
        if isinstance(arg, ast.Constant | ast.JoinedStr)
        else source.segment(arg) == text
        for arg in (*node.args, *(keyword.value for keyword in node.keywords))
    )
