"""What the words of a condition name in the code at hand: calls, pieces, entries, members, signs."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from spark_tui.intent.conditions.said_words import condition_words, plain_text
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.context.visible import compile_phrase
from spark_tui.intent.facts.failing_expressions import Failure, failures, own_nodes
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import without_articles
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_SIGN = re.compile(r"[^\w\s\"'\\]{1,3}_?|_[^\w\s\"'\\]{1,2}")


@dataclass(frozen=True, eq=False)
class CodeAt:
    context: Context
    source: Source
    root: ast.AST

    @property
    def failures(self) -> list[Failure]:
        return failures(self.source, self.root)


def locate_code(context: Context, anchor: Anchor) -> CodeAt | None:
    node = anchor.node
    if node is None or anchor.path not in context.repo.index.paths:
        return None
    return CodeAt(context, context.source(anchor.path), node)


def make_name_reader(at: CodeAt, inner: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """What words name in the code, also by the call that gave a value, or as the pieces of a text."""

    def expression(text: str) -> str | None:
        bare = without_articles(plain_text(text).strip(" .,:;"))
        known = inner(text) or _given_by(at, bare) or _pieces(at, bare) or _character(bare) or _size(bare)
        return known or _entry(at, bare) or _member(at, text.strip(" `")) or read_sign(text)

    def _size(text: str) -> str | None:
        forms = (compile_phrase(item).fullmatch(text) for item in phrases.table()["subjects"]["len({x})"])
        counted = next((expression(form["x"]) for form in forms if form is not None), None)
        return f"len({counted})" if counted is not None else None

    return expression


def _given_by(at: CodeAt, text: str) -> str | None:
    """The one variable that is set from a call of that name: `recv`, `the result of load`."""
    wanted = key(text.rpartition(" of ")[2].removesuffix("()"))
    found = set()
    for node, target in list_assignments(at.root):
        called = node.func if isinstance(node, ast.Call) else None
        last = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        if last and key(last) == wanted:
            found.add(ast.unparse(target))
    return found.pop() if len(found) == 1 else None


def list_assignments(root: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The values that names are set to, with the names."""
    for node in own_nodes(root):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.value, node.targets[0]


def _pieces(at: CodeAt, text: str) -> str | None:
    """The one sequence whose items are taken by number, where a text says `fields` or `columns`."""
    if text not in condition_words()["pieces"]["plain"]:
        return None
    taken = {
        ast.unparse(failure.about[0])
        for failure in at.failures
        if "IndexError" in failure.errors
        and len(failure.about) == 1
        and isinstance(failure.node, ast.Subscript)
    }
    return taken.pop() if len(taken) == 1 else None


def _entry(at: CodeAt, word: str) -> str | None:
    """The one entry of a dictionary that is asked for there by that key: `data["action"]`."""
    found: dict[str, str] = {}
    for node in own_nodes(at.root):
        asked: ast.AST | None = None
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            asked = node.slice
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            asked = node.args[0] if node.args else None
        if isinstance(asked, ast.Constant) and isinstance(asked.value, str) and key(asked.value) == key(word):
            found[ast.unparse(node)] = at.source.segment(node)
    return next(iter(found.values())) if len(found) == 1 else None


def _member(at: CodeAt, name: str) -> str | None:
    """The member of the one class of the file that has a constant of that name."""
    if not name.isidentifier() or not name.isupper() or at.source.tree is None:
        return None
    owners = {
        owner.name
        for owner in walk(at.source.tree)
        if isinstance(owner, ast.ClassDef)
        for stmt in owner.body
        if isinstance(stmt, ast.Assign) and any(ast.unparse(target) == name for target in stmt.targets)
    }
    return f"{owners.pop()}.{name}" if len(owners) == 1 else None


def read_sign(text: str) -> str | None:
    """The string of some punctuation that stands by itself: `//`, `._`."""
    found = _SIGN.fullmatch(text.strip(" `"))
    return f'"{found[0]}"' if found is not None else None


def _character(text: str) -> str | None:
    """The string of a character that is said in words."""
    found = (sign for sign, phrase in condition_words()["characters"].items() if text in phrase)
    sign = next(found, None)
    return repr(sign).replace("'", '"') if sign is not None else None


def find_result_variable(context: Context, anchor: Anchor, known: list[Option]) -> list[Option]:
    """A function that is named alone means the variable that keeps its result."""
    at = locate_code(context, anchor)
    if at is None:
        return known
    made = {
        definition.name: given
        for definition in at.source.definitions
        if not isinstance(definition, ast.ClassDef) and (given := _given_by(at, definition.name))
    }
    out = []
    for option in known:
        tested = [
            node for node in walk(ast.parse(option.text)) if isinstance(node, ast.Compare | ast.UnaryOp)
        ]
        sides = [node for test in tested for node in ast.iter_child_nodes(test)]
        text = option.text
        for name in {side.id for side in sides if isinstance(side, ast.Name) and side.id in made}:
            text = re.sub(rf"(?<![\w.]){name}(?![\w(])", made[name], text)
        out.append(replace(option, text=text))
    return out
