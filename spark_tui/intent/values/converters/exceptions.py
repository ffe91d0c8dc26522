"""Which class of errors is meant by words: by the words alone, or by what the tried statements can raise, as
far as what they call tells it: `input()` and EOFError."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_ARTICLES = re.compile(
    r"\A(?:the|an?|any|every|ein(?:e[nrms]?)?|d(?:er|ie|as|en|em)|une?|l[ae]s?|una?|el|los)\s+"
)


def class_of_words(text: str) -> str | None:
    """The class that some words name: `the missing-file case` is FileNotFoundError."""
    plain = text.strip(" .,;!`'\"").lower()
    for item in (plain, _bare(plain), _bare(plain).replace("-", " ")):
        if found := phrases.lookup("exceptions", item):
            return found
    return None


def _bare(text: str) -> str:
    """The text without an article and without words such as *case* and *error* after it."""
    text = _ARTICLES.sub("", text)
    ends = "|".join(map(re.escape, phrases.words("failing")))
    return re.sub(rf"(?<=\S)\s+(?:{ends})\Z", "", text)


def classes_of_failure(source: Source, node: ast.AST, text: str) -> list[str]:
    """The classes that may be meant by what goes wrong, of those that what is tried at a node raises."""
    known = {
        name
        for names, listed in phrases.table()["failures"].items()
        if any(phrases.stands_in(item, text.lower()) for item in listed)
        for name in names.split()
    }
    tried = list(_tried(source, node))
    raised = dict.fromkeys(name for inner in tried for name in raised_by(inner))
    told = dict.fromkeys(name for inner in tried for name in _raised_with(inner, text))
    return [*told, *(name for name in raised if name in known and _is_bound(source, name))]


def _raised_with(node: ast.AST, text: str) -> Iterator[str]:
    """The class that a `raise` raises with a message that has words of the text."""
    made = node.exc if isinstance(node, ast.Raise) else None
    if isinstance(made, ast.Call) and made.args and isinstance(made.func, ast.Name):
        first = next((inner.value for inner in find_nodes(made.args[0], ast.Constant)), "")
        words = set(re.findall(r"\w{3,}", _bare(text.lower())))
        if words & set(re.findall(r"\w{3,}", str(first).lower())):
            yield made.func.id


def _tried(source: Source, node: ast.AST) -> Iterator[ast.AST]:
    """What runs in the `try` of a handler, else in the node itself, and in the functions of the file that are
    called there."""
    holder = source.parents.get(node) if isinstance(node, ast.ExceptHandler) else None
    inside = [
        inner for stmt in (holder.body if isinstance(holder, ast.Try) else [node]) for inner in walk(stmt)
    ]
    yield from inside
    called = {
        inner.func.id for inner in inside if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name)
    }
    for definition in source.definitions if isinstance(node, ast.ExceptHandler) else ():
        if definition.name in called:
            yield from walk(definition)


def raised_by(node: ast.AST) -> Iterator[str]:
    """The classes of errors that a node can raise, as far as what it calls tells it."""
    known: Mapping[str, str] = phrases.table()["raised_by"]
    if isinstance(node, ast.Call):
        yield from known.get(called_name(node), "").split()
    elif (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and not isinstance(node.slice, ast.Slice)
    ):
        text = is_string(node.slice)
        number = isinstance(node.slice, ast.UnaryOp | ast.Constant) and not text
        yield from [
            name for name in known["__getitem__"].split() if not (number if name == "KeyError" else text)
        ]
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield "ModuleNotFoundError"


def _is_bound(source: Source, name: str) -> bool:
    """Whether a class is built in, or of a module that is imported as it is called."""
    module = name.rpartition(".")[0]
    return not module or any(
        alias.name == module and alias.asname is None
        for statement in source.statements
        if isinstance(statement, ast.Import)
        for alias in statement.names
    )


def failing_statements(context: Context, kind: str) -> list[Anchor]:
    """The statements that can raise a class of errors and stand in no `try` of their function."""
    found: dict[ast.stmt, Anchor] = {}
    for area, source, node in context.find(ast.AST):
        if kind.rpartition(".")[2] not in (text.rpartition(".")[2] for text in raised_by(node)):
            continue
        statement = source.statement(node)
        around = [] if statement is None else [*source.ancestors(statement)]
        simple = isinstance(statement, ast.Assign | ast.Expr | ast.Return | ast.AugAssign | ast.With)
        if simple and statement is not None and not any(isinstance(ancestor, ast.Try) for ancestor in around):
            found.setdefault(statement, Anchor(area, statement, 0.9))
    return weighted(context, list(found.values()))
