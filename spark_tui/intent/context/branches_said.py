"""Branches that an instruction names as places: *the print in the finally*, *in the second except*, *the else
of the loop*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import LOOPS, walk

Suite = Sequence[ast.stmt]
_HANDLER, _LOOP = "except", "loop"
_NEW = re.compile(r"\w+\s+(?:an?|eine?[mn]?|une?|una)\s", re.IGNORECASE)
_OWNERS = (_LOOP, "try", "if")
_OWNER = r"(?:(?:for|while)[\s-]*)?loop|for|while|try|if"
"""A loop, a `try` or an `if` that an `else` belongs to."""


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that is named. `owner` is what it belongs to, where that is said: `loop`, `try` or `if`; `at`
    its place among such ones, from 0; `caught` what a handler is called by."""

    kind: str
    start: int
    end: int
    owner: str = ""
    at: int | None = None
    caught: str = ""
    new: bool = False
    """Whether it may be one to be made: *in a finally*, *in try/except*."""


@lru_cache(maxsize=1)
def _said() -> re.Pattern[str]:
    """A keyword of a branch behind a word for a place, perhaps with an article: *to try* is a verb."""
    places, articles, ends = (
        "|".join(map(re.escape, phrases.words(kind))) for kind in ("in_a_line", "articles", "branches")
    )
    handlers = sorted(phrases.table()["handler_branch"]["said"], key=len, reverse=True)
    handler = "|".join(map(re.escape, handlers))
    ordinals = (item for known in phrases.table()["ordinals"].values() for item in known)
    number = "|".join(map(re.escape, filter(str.isascii, ordinals)))
    return re.compile(
        rf"(?:(?<!\w)(?:{places}|into|inside|to(?!\s+try)|(?<!instead )(?<!out )(?<!place )of)\s+"
        rf"(?:(?:{articles}|its)\s+)?|'s\s+)"
        rf"(?:(?P<at>{number})\s+)?(?:(?P<front>{_OWNER})(?:'s)?[\s-]+(?=else))?"
        rf"(?:`?(?P<before>(?-i:[A-Z]\w*))`?\s+)?"
        rf"(?:(?P<kind>finally|else|elif|try)|(?P<round>(?:(?:for|while)[\s-]+)?loop)"
        rf"|(?P<handler>{handler})|(?P<ends>{ends}))"
        rf"(?:\s+`?(?P<behind>(?-i:[A-Z]\w*))`?)?(?![\w(]|[-\s]+(?:if|for|while)\b)"
        rf"(?:{_of_owner()})?",
        re.IGNORECASE,
    )


def _of_owner() -> str:
    """A loop, a `try` or an `if` that a branch belongs to."""
    articles = "|".join(map(re.escape, phrases.words("articles")))
    owner = r"(?:(?P<loop>(?:(?:for|while)[\s-]*)?loop|for|while)|(?P<try>try)|(?P<if>if))(?!\w)"
    return rf"(?:\s+(?:branch|block|clause))?\s+(?:of|in|on|from)\s+(?:(?:{articles})\s+)?{owner}"


def owner_of_else(text: str) -> tuple[str, int, int]:
    """What the `else` belongs to that a text is about, `loop`, `try`, `if`, or nothing; and the characters
    that say it."""
    if (found := re.search(rf"(?<!\w)else{_of_owner()}", text, re.IGNORECASE)) is not None:
        return next(one for one in _OWNERS if found[one]), *found.span()
    found = re.search(rf"(?<!\w)({_OWNER})(?:'s)?[\s/-]+else(?!\w|\s+if)", text, re.IGNORECASE)
    return (_owner(found[1]), *found.span()) if found is not None else ("", 0, 0)


def _owner(word: str) -> str:
    return word.lower() if word.lower() in _OWNERS else _LOOP


def branches_said(text: str) -> list[Branch]:
    """The branches that a text names as places."""
    return list(_branches(text))


@lru_cache(maxsize=64)
def _branches(text: str) -> tuple[Branch, ...]:
    out = []
    _, low, high = owner_of_else(text)
    for found in _said().finditer(text):
        caught = found["before"] or found["behind"] or ""
        kind = found["kind"] or (_LOOP if found["round"] else _HANDLER if found["handler"] or caught else "")
        at = phrases.lookup("ordinals", found["at"]) if found["at"] else None
        owner = next((one for one in _OWNERS if found[one]), _owner(found["front"]) if found["front"] else "")
        if kind and (found["front"] or not low <= found.start() < high):
            new = _NEW.match(found[0]) is not None or text[found.end() :][:1] == "/"
            place = int(at) if at else None
            out.append(Branch(kind.lower(), *found.span(), owner, place, caught, new))
    return tuple(out)


def suites_of(source: Source, root: ast.AST | None, branch: Branch) -> list[Suite]:
    """The bodies of such branches in a function or file, in the order of the text."""
    found = [one for node in walk(root) for one in _suites(source, node, branch)] if root is not None else []
    found.sort(key=lambda suite: suite[0].lineno)
    return found if branch.at is None else found[branch.at :][:1]


def _suites(source: Source, node: ast.AST, branch: Branch) -> Iterator[Suite]:
    kind, owner = branch.kind, branch.owner
    if isinstance(node, ast.Try) and owner in ("", "try"):
        parts: dict[str, Suite] = {"try": node.body, "finally": node.finalbody, "else": node.orelse}
        yield from filter(None, (parts.get(kind),))
        caught = (one for one in node.handlers if kind == _HANDLER)
        yield from (one.body for one in caught if not branch.caught or _catches(one, branch.caught))
    elif isinstance(node, ast.If) and owner in ("", "if"):
        follows = any(
            isinstance(one, ast.If) and source.segment(one).startswith("elif") for one in node.orelse
        )
        if kind == "else" and node.orelse and not follows:
            yield node.orelse
        if kind == "elif" and source.segment(node).startswith("elif"):
            yield node.body
    elif isinstance(node, LOOPS) and kind == _LOOP:
        yield node.body
    elif isinstance(node, LOOPS) and owner in ("", _LOOP) and kind == "else" and node.orelse:
        yield node.orelse


def _catches(handler: ast.ExceptHandler, name: str) -> bool:
    return handler.type is not None and name.lower() in {one.lower() for one in names_within(handler.type)}


def is_within(source: Source, node: ast.AST, suites: Iterable[Suite]) -> bool:
    """Whether a node stands in one of some bodies."""
    around = {node, *source.ancestors(node)}
    return any(one in around for suite in suites for one in suite)


def places_in_branches(context: Context, spots: Sequence[tuple[str, ast.AST | None]]) -> list[int]:
    """The numbers of the places in the branches that are named, where some of them are in such; else all."""
    every = list(range(len(spots)))
    said = [one for one in branches_said(context.beside_slots()) if not one.new]
    if not said or not all(node is not None and not isinstance(node, Definition) for _, node in spots):
        return every
    kept = [
        at
        for at, (path, node) in enumerate(spots)
        if node is not None
        and all(
            is_within(
                context.source(path), node, suites_of(context.source(path), _root(context, path, node), one)
            )
            for one in said
        )
    ]
    return kept or every


def _root(context: Context, path: str, node: ast.AST) -> ast.AST | None:
    source = context.source(path)
    return source.function_of(node) or source.tree
