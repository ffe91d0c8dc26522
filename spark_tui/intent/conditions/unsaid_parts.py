"""What the words of a condition say and the test that they are taken for does not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.conditions.condition_phrases import Phrase, alike, numbers_said, signs_said, word_list
from spark_tui.intent.conditions.condition_words import plain_text
from spark_tui.intent.conditions.predicates import predicate_of
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.words.doubts import not_said, taken_for
from spark_tui.intent.words.phrases import without_articles
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import identifier_words, word_set

_NEGATIVE, _EMPTY, _SAME, _COUNTED, _UNITS = map(
    word_list, ("negative", "emptiness", "sameness", "counted_nouns", "time_units")
)
_OPERATOR = re.compile(r"[<>=!+*/%–-]+|&&|\|\||\.\.+")
_POSITIVE = word_set("true not_none eq in exists folder is_a digits contains starts ends")

_PRESENT = word_set("given provided set present any some existing the no not if when unless with")


def find_unsaid_parts(test: ast.expr, root: ast.AST, source: Source, text: str) -> Iterator[str]:
    """Why a test may not be what a condition in words means."""
    yield from _other_names(test, text)
    yield from _hidden_names(test, source, text)
    yield from _never_none(test, root if isinstance(root, Function) else source.function_of(root) or root)
    if parsed(text) is None:
        yield from _unnamed(test, root, source, text)
        yield from _numbers(test, text)
        yield from _relations(test, text)
        yield from _texts(test, text)


def leaves_out_kind(test: ast.expr, text: str) -> bool:
    """Whether a name alone is tested where the words say of what kind it is: *an unknown command*."""
    said = without_articles(text.strip("` ")).lower().split()
    if not isinstance(test, ast.Name | ast.Attribute) or len(said) != 2 or said[0] in _PRESENT:
        return False
    own = identifier_words(ast.unparse(test))
    return said[1] in own and said[0] not in own


def _tested(test: ast.expr) -> list[str]:
    return [word for item in re.findall(r"\w+", ast.unparse(test)) for word in identifier_words(item)]


def _unnamed(test: ast.expr, root: ast.AST, source: Source, text: str) -> Iterator[str]:
    """That the words name what is used there, or a field of a class, and the test does not."""
    function = root if isinstance(root, Function) else source.function_of(root) or root
    called = {id(node.func) for node in find_nodes(function, ast.Call)}
    used = (node for node in walk(function) if id(node) not in called)
    names = {node.attr for node in used if isinstance(node, ast.Attribute)} | _fields(source)
    rounds = {
        node.target.id
        for node in walk(function)
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.target, ast.Name)
    }
    tested = _tested(test)
    for word in sorted(Phrase(text).content - word_list("path_names")):
        is_used = word in names or word in rounds
        if is_used and not any(alike(word, item) for item in tested):
            yield not_said(f"{ast.unparse(test)} does not say {word}")


def _hidden_names(test: ast.expr, source: Source, text: str) -> Iterator[str]:
    """That a class has an attribute of the same name with an underscore, for something else."""
    for node in find_nodes(test, ast.Attribute):
        shown, hidden = ast.unparse(node), f"{ast.unparse(node.value)}._{node.attr}"
        used = {
            ast.unparse(one) for one in find_nodes(source.tree, ast.Attribute) if one.attr == f"_{node.attr}"
        }
        gets = [one for one in source.functions if one.name == node.attr]
        alike = any(
            isinstance(one, ast.Attribute) and one.attr == f"_{node.attr}"
            for get in gets
            for one in walk(get)
        )
        if hidden in used and not alike and not re.search(rf"\b{re.escape(shown)}\b", text):
            yield taken_for(node.attr, shown)


def _other_names(test: ast.expr, text: str) -> Iterator[str]:
    """A name that is said with other underscores than the one that is tested."""
    tested = set(re.findall(r"\w+", ast.unparse(test)))
    for said in re.findall(r"(?<!\w)_\w+|\w+_(?!\w)", text):
        if said not in tested and said.strip("_") in tested:
            yield not_said(f"{said.strip('_')} is tested, not {said}")


def _never_none(test: ast.expr, function: ast.AST) -> Iterator[str]:
    """What is tested for None and never is: what a star collects, and what is only set to new objects."""
    asked = [node.left for node in find_nodes(test, ast.Compare) if is_none(node.comparators[0])]
    names = [node.id for node in asked if isinstance(node, ast.Name)]
    values: dict[str, list[ast.expr]] = {}
    stores = [node.id for node in find_nodes(function, ast.Name) if isinstance(node.ctx, ast.Store)]
    for node in walk(function):
        if isinstance(node, ast.Assign):
            for goal in node.targets:
                values.setdefault(ast.unparse(goal), []).append(node.value)
        elif isinstance(node, Function):
            stores += [item.arg for item in parameters(node)]
            names_of_stars = [star.arg for star in (node.args.vararg, node.args.kwarg) if star is not None]
            yield from (f"{name} is never None" for name in names if name in names_of_stars)
    for name in names:
        made = [last_name(value.func) for value in values.get(name, ()) if isinstance(value, ast.Call)]
        if made and len(made) == stores.count(name) and all(item[:1].isupper() for item in made):
            yield f"{name} is never None"


def _fields(source: Source) -> set[str]:
    """The attributes that the classes of the file set on their objects."""
    stored = find_nodes(source.tree, ast.Attribute)
    return {
        node.attr for node in stored if isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }


def _numbers(test: ast.expr, phrase: str) -> Iterator[str]:
    """That a number is said and not tested, or is a size, or stands for a time of unknown unit."""
    numbers = [item for item in numbers_said(phrase) if item not in ("0", "1")]
    tested = _tested(test)
    inside = {id(inner) for node in find_nodes(test, ast.Subscript) for inner in walk(node.slice)}
    written = (node for node in walk(test) if id(node) not in inside)
    amounts = (
        any(map(str.isdigit, str(node.value))) if isinstance(node, ast.Constant) else _is_constant(node)
        for node in written
    )
    if numbers and not any(amounts) and ast.unparse(test).count("len(") < 2:
        yield not_said(f"{ast.unparse(test)} does not say {numbers[0]}")
    words = re.findall(r"\w+", phrase)
    sizes = [two for one, two in pairwise(words) if two in _COUNTED and numbers_said(one)]
    sizes = [size for size in sizes if not any(alike(size, item) for item in tested)]
    if sizes and "len(" not in ast.unparse(test):
        yield not_said(f"{ast.unparse(test)} does not say {sizes[0]}")
    constants = (str(node.value) for node in find_nodes(test, ast.Constant))
    reckoned = any(text[:1].isdigit() and text not in (*numbers, "0", "1") for text in constants)
    if numbers and reckoned and set(tested) & _UNITS:
        yield not_said(f"{ast.unparse(test)} does not say {numbers[0]}")


def _texts(test: ast.expr, text: str) -> Iterator[str]:
    """That a text or sign is said, and neither tested nor a name there."""
    shown = ast.unparse(test)
    written = [node.value for node in find_nodes(test, ast.Constant)]
    for said in (item for item in signs_said(text) if not _OPERATOR.fullmatch(item)):
        named = said.isalnum() and said in shown
        if not named and not any(said in str(value) for value in written):
            yield not_said(f"{shown} does not say {said!r}")
            return


def _relations(test: ast.expr, text: str) -> Iterator[str]:
    """That words deny something and the test does not, or say more of two things than that they are equal."""
    known = predicate_of(test)
    if known is None:
        return
    positive = known.kind in _POSITIVE
    if positive and not known.right.startswith("-") and words_denying(text):
        yield not_said(f"{ast.unparse(test)} does not say no")
    elif known.kind in ("eq", "ne") and re.fullmatch(r"[a-z_][\w.]*", known.right):
        kind = re.search(rf"\b(?:is|are|isn't|not) an? {known.right}\b", text)
        if kind is not None:
            yield taken_for(known.right, "a value, not for a kind")
        tested = _tested(test)
        more = Phrase(text).content - _SAME - _NEGATIVE
        for word in sorted(item for item in more if not any(alike(item, each) for each in tested))[:1]:
            yield not_said(f"{ast.unparse(test)} does not say {word}")


def words_denying(text: str) -> bool:
    """Whether words deny something, and not only that something is empty or unknown."""
    words = set(re.findall(r"\w+", plain_text(text)))
    return bool(words & _NEGATIVE) and not words & _EMPTY


def are_positive(text: str) -> bool:
    """Whether no word denies something or says that it is empty or unknown."""
    return not set(re.findall(r"\w+", plain_text(text))) & (_NEGATIVE | _EMPTY)


def _is_constant(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.isupper()
