"""Doubts are sentences for people; what is decided about them goes by their kinds."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import spark_tui
from spark_tui.intent.words import doubts
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of, places_fit, without
from spark_tui.pysource.garbage_collection import no_collection

ROOT = Path(spark_tui.__file__).parent
ROOMS = ("cli", "codemods", "evals", "intent", "jobs", "next_edit", "session", "train", "tui")
LOOKING = ("startswith", "endswith", "removeprefix", "partition", "search", "match", "fullmatch", "compile")
WORDS = re.compile(r"[a-z]{2,}(?: [a-z]{2,})+")
"""Words in a row, in a text or a pattern."""
Node = ast.Call | ast.Compare | ast.Assign


@cache
def sources() -> dict[Path, str]:
    own = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    return {path: path.read_text("utf-8") for path in own}


def nodes() -> Iterator[tuple[Path, list[Node]]]:
    """The calls, comparisons and assignments of each file."""
    for path, text in sources().items():
        with no_collection():
            yield path, [node for node in ast.walk(ast.parse(text)) if isinstance(node, Node)]


def called(node: ast.AST) -> str:
    func = node.func if isinstance(node, ast.Call) else None
    return getattr(func, "id", getattr(func, "attr", ""))


def texts(node: ast.AST) -> set[str]:
    found = (item.value for item in ast.walk(node) if isinstance(item, ast.Constant))
    return {text for text in found if isinstance(text, str)}


def kinds(node: ast.AST) -> set[str]:
    """The kinds of the doubts that are made in some code."""
    made = (item for item in ast.walk(node) if called(item) == "Doubt")
    return {part.attr for item in made for part in ast.walk(item) if isinstance(part, ast.Attribute)}


def test_a_doubt_is_a_sentence_of_a_kind() -> None:
    several = places_fit(3)
    assert several == "3 places fit"
    assert (several.kind, several.number) == (DoubtKind.PLACES, 3)
    assert is_of(several, DoubtKind.MEANT, DoubtKind.PLACES)
    assert not is_of(several, DoubtKind.MEANT)
    assert not is_of("3 places fit", DoubtKind.PLACES)
    left = without((several, "it stays", Doubt("x was read as y", DoubtKind.READ_AS)), DoubtKind.PLACES)
    assert left == ("it stays", "x was read as y")


def test_every_kind_is_made_somewhere() -> None:
    own = Path(doubts.__file__)
    helpers = {
        name: kinds(item)
        for item in ast.parse(sources()[own]).body
        for name in ([item.name] if isinstance(item, ast.FunctionDef) else map(ast.unparse, targets(item)))
    }
    made: set[str] = set()
    for path, text in sources().items():
        if path != own and "doubts" in text:
            tree = ast.parse(text)
            used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
            made |= kinds(tree).union(*(helpers[name] for name in used & helpers.keys()))
    assert {kind.name for kind in DoubtKind} <= made


def targets(item: ast.stmt) -> list[ast.expr]:
    return item.targets if isinstance(item, ast.Assign) else []


def test_nothing_is_decided_by_the_words_of_a_doubt() -> None:
    makers = {"Doubt", *(name for name in vars(doubts) if not name.startswith("_"))}
    sentences, decided = set[str](), list[tuple[str, str]]()
    for path, found in nodes():
        sentences.update(text for node in found for text in said(node, makers))
        decided += [(f"{path.relative_to(ROOT)}:{node.lineno}", text) for node, text in looked_for(found)]
    whole = "\n".join(sentences)
    assert "was assumed" in whole
    assert [item for item in decided if any(words in whole for words in WORDS.findall(item[1]))] == []


def said(node: ast.AST, makers: set[str]) -> set[str]:
    return texts(node) if isinstance(node, ast.Call) and called(node) in makers else set()


def looked_for(nodes: list[Node]) -> list[tuple[ast.expr, str]]:
    """The texts that code looks for in others, and those that it keeps in a tuple."""
    found: list[tuple[ast.expr, str]] = []
    for node in nodes:
        if isinstance(node, ast.Compare):
            found += [(node, text) for text in texts(node)]
        elif isinstance(node, ast.Call) and called(node) in LOOKING:
            found += [(node, text) for given in node.args for text in texts(given)]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple):
            rows = [node.value, *(item.value for item in node.value.elts if isinstance(item, ast.Starred))]
            kept = (
                item for row in rows for item in getattr(row, "elts", ()) if isinstance(item, ast.Constant)
            )
            found += [(item, text) for item in kept for text in texts(item)]
    return found
