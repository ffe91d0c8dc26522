"""Types that an instruction says in words, in their order, and which of them is what a function returns."""

from __future__ import annotations

import ast
import builtins
import re
import typing

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source

_WORD = re.compile(r"[^\W_][\w.]*(?:\[[^\]]*\]+)?|->")
_LONGEST = 6
_NEAR = 3
"""How many words before or after a type tell that it is returned."""
_VAGUE = ("Any", "object", "Callable")
_DECLARING = ("NamedTuple", "TypedDict", "BaseModel")
"""Bases of classes whose fields have types: without one it is no field."""


def _is_of_typing(name: str) -> bool:
    return hasattr(builtins, name.lower()) and hasattr(typing, name)


def types_said(context: Context, path: str) -> list[tuple[str, tuple[int, int]]]:
    """The types in the instruction, each with the first and last of its words."""
    words = _words(context)
    known = context.visible(path, None).module.values() if path in context.repo.index.paths else ()
    # *tuples* are no `typing.Tuple`, which has to be spelled.
    classes = {
        item: item for item in known if item[:1].isupper() and (item in words or not _is_of_typing(item))
    }
    names = [*classes, *(f"{cls}s" for cls in classes)]
    out: list[tuple[str, tuple[int, int]]] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            text = " ".join(words[at : at + length])
            code = phrases.type_code(text, names) if _is_type(text, names) else None
            if code is not None and code.partition("[")[0] not in _VAGUE:
                out.append((classes.get(code.removesuffix("s"), code), (at, at + length - 1)))
                at += length - 1
                break
        at += 1
    return out


def _is_type(text: str, classes: list[str]) -> bool:
    """Whether a text may be a type and not only a word that is spelled like one."""
    bare = phrases.without_articles(text)
    known = bare in classes or bare in phrases.words("type_names")
    return known or phrases.type_code(text) not in (None, bare)


def said_parts(context: Context, path: str, count: int) -> tuple[list[str], str]:
    """The types of so many parameters as they are said in a row, and that of the result."""
    words, taken, result = _words(context), list[str](), ""
    found = types_said(context, path)
    for at, (code, (low, high)) in enumerate(found):
        before = found[at - 1][1][1] + 1 if at else 0
        behind = found[at + 1][1][0] if at + 1 < len(found) else len(words)
        front = words[max(before, low - _NEAR) : low]
        back = words[high + 1 : min(behind, high + 1 + _NEAR)]
        if not result and (_mentions(front, "returning_words") or _mentions(back, "returned_words")):
            result = code
            continue
        if at == len(found) - 1 and taken and len(taken) == count and not result:
            result = code
            continue
        many = next((int(text) for text in map(phrases.number, front[-1:]) if text and text.isdigit()), 1)
        every = any(phrases.is_said(kind, word) for kind in ("both", "every") for word in front)
        taken += [code] * (count if every else many)
    return taken, result


def _mentions(words: list[str], kind: str) -> bool:
    return any(phrases.is_said(kind, word) for word in words)


def _words(context: Context) -> list[str]:
    """The words of the instruction, without those of the named function."""
    text = context.situation.instruction
    for item in context.reading.slots.get("function", ()):
        if item.start >= 0:
            text = text[: item.start] + " " * (item.end - item.start) + text[item.end :]
    return _WORD.findall(text)


def declares_fields(node: ast.ClassDef) -> bool:
    """Whether the fields of a class are the names in it that have types."""
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return not bases.isdisjoint(_DECLARING) or any(
        "dataclass" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def type_of_default(tree: ast.expr | None, source: Source) -> str:
    """The type of a default: of a literal, a constant of the module, a member of a class, an object that is
    made. Words that are no code are a text."""
    if tree is None:
        return "str"
    if isinstance(tree, ast.Name):
        named = [one for one in source.body if tree.id in _names_set(one)]
        hints = [ast.unparse(one.annotation) for one in named if isinstance(one, ast.AnnAssign)]
        kinds = {literal_type(one.value) for one in named if isinstance(one, ast.Assign)}
        known = hints[0] if hints else kinds.pop() if len(kinds) == 1 else ""
        return (known if known != "None" else "") or ("object" if named else "str")
    owner = tree.value if isinstance(tree, ast.Attribute) else getattr(tree, "func", None)
    if isinstance(owner, ast.Name) and owner.id[:1].isupper() and not owner.id.isupper():
        return owner.id
    kind = literal_type(tree)
    return "object" if kind == "None" or (not kind and owner is not None) else kind or "str"


def _names_set(node: ast.stmt) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else []
    targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
    return [ast.unparse(one) for one in targets]
