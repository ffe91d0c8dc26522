"""The calls whose arguments are meant: by their name, by what they are given, or by the keyword that they
have."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.signatures.called_parameters import lacks_parameter, parameters_called
from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.described_names import is_form_of
from spark_tui.intent.context.lookup import key, plain_name, split_name
from spark_tui.intent.finders.expressions import call, keep_best
from spark_tui.intent.values.likely.likely_calls import likely_calls
from spark_tui.intent.words.phrases import is_said, without_articles
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk


@finder
def call_given(at: Search) -> Iterator[Anchor]:
    """The calls of what is named, of several those where something changes; else those that pass it or have
    the keyword."""
    named = list(call(at)) if at.context.has(at.slot) else []
    name = key(plain_name(at.context.text("argument").split("=")[0]))
    value = at.context.text("value").strip("`'\"")
    if made := _constructors(at, name):
        yield from keep_best([(0.8, node) for node in made])
        return
    if named:
        # A keyword that some of the calls have is set where it stands, and where it is another value.
        other = [
            anchor
            for anchor in ([] if at.context.reading.everywhere else named)
            if anchor.node is not None and _keywords(anchor.node).get(name, value).strip("'\"") != value
        ]
        calls = [item.node for item in other or named if isinstance(item.node, ast.Call)]
        if takers := _takers(at, calls, name):
            yield from keep_best([(0.8, node) for node in takers])
            return
        likely = likely_calls(at.context, at.source, calls)
        yield from (item for item in other or named if item.node in likely)
        return
    if at.context.has(at.slot):
        text = at.context.text(at.slot).strip("`'\"")
        declared = makers(at.root, text, declared=True)
        passing = declared or [node for node in nodes(at.root, ast.Call) if _passes(at.source, node, text)]
        passing = passing or _options(at, text) or makers(at.root, text) or _called_like(at.root, text)
        passing = passing or [node for node in nodes(at.root, ast.Call) if _passes_kind(node, text)]
        inner = [
            node for node in passing if not any(item is not node and item in walk(node) for item in passing)
        ]
        yield from keep_best([(0.8, node) for node in inner])
    elif at.context.placed or at.context.reading.intent == "remove_argument":
        passed = at.context.text("argument").partition("=")[2].strip("` ")
        given = [(node, _keywords(node)) for node in nodes(at.root, ast.Call)]
        made = [node for node, keywords in given if name in keywords and passed in ("", keywords[name])]
        yield from keep_best([(0.8, node) for node in made])


def _takers(at: Search, called: list[ast.Call], argument: str) -> list[ast.Call]:
    """The calls that are given what some calls make and take the argument, where these take none: a timeout
    for the request is one of `urlopen(request)`."""
    repo, source = at.context.repo, at.source
    if not called or not all(lacks_parameter(repo, source, node, argument) for node in called):
        return []
    made = [name for stmt in walk(at.root) for name, value in _set_by(stmt) if value in called]
    return [
        node
        for node in nodes(at.root, ast.Call)
        if any(one in called or last_name(one) in made for one in node.args)
        and argument in map(key, parameters_called(repo, source, node))
    ]


def _constructors(at: Search, argument: str) -> list[ast.Call]:
    """Calls that make what is named and are known to take the argument."""
    return [
        made
        for made in makers(at.root, at.context.text(at.slot))
        if any(
            argument == key(known) or (argument and is_form_of(argument, known))
            for known in parameters_called(at.context.repo, at.source, made)
        )
    ]


def makers(root: ast.AST, text: str, declared: bool = False) -> list[ast.Call]:
    """The calls whose values a name is set to: by assignment, as a default, or by `with`; `declared`: as a
    default or a field only."""
    name = key(plain_name(without_articles(text)))
    pairs: list[tuple[str, ast.expr | None]] = []
    for node in walk(root):
        if isinstance(node, Function):
            pairs += defaults(node).items()
        elif isinstance(node, ast.ClassDef) or not declared:
            for stmt in node.body if isinstance(node, ast.ClassDef) and declared else (node,):
                pairs += _set_by(stmt)
    return [made for one, made in pairs if isinstance(made, ast.Call) and name and key(one) == name]


def _set_by(node: ast.AST) -> list[tuple[str, ast.expr | None]]:
    """The names that a statement, or an item of `with`, sets, with what they are set to."""
    if isinstance(node, ast.withitem):
        return [(last_name(node.optional_vars), node.context_expr)] if node.optional_vars else []
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return [(last_name(target), value) for target in targets(node)] if value is not None else []


def _called_like(root: ast.AST, text: str) -> list[ast.Call]:
    """The calls that a word names in another form, else those of a module that it names: *opening*, *the
    request*. None where these are calls of several things."""
    word = without_articles(text).lower()
    if not word.isalpha():
        return []
    calls = nodes(root, ast.Call)
    called = [one for one in calls if is_form_of(word, called_name(one))]
    modules = (
        one for one in calls if any(is_form_of(word, part) for part in ast.unparse(one.func).split(".")[:-1])
    )
    called = called or [one for one in modules if isinstance(one.func, ast.Attribute)]
    return called if len({ast.unparse(one.func) for one in called}) == 1 else []


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


def _passes_kind(node: ast.Call, text: str) -> bool:
    """Whether a call is given a class that a word names in part: *deprecation* for `DeprecationWarning`."""
    given = (last_name(arg) for arg in node.args if isinstance(arg, ast.Name | ast.Attribute))
    return called_name(node) not in ("isinstance", "issubclass") and any(
        name[:1].isupper() and text.lower() in split_name(name) for name in given
    )
