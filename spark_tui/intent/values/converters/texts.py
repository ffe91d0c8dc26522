"""Converters of texts: messages, statements, levels, counts, files and modules."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.intent.context import areas
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import SlotWords, converter, literal, source_of
from spark_tui.intent.values.converters.statements import Spoken
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import CODE
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import find_nodes


def unquoted(text: str) -> str:
    """A text without quotes around it."""
    text = text.strip()
    if len(text) > 1 and text[0] in "'\"`“‘«" and text[-1] in "'\"`”’»":
        return text[1:-1]
    return text


@converter
def text(slot: SlotWords) -> list[Option]:
    """Plain text, as it is: of a quoted one also the spaces at its ends, of another one the slash behind it,
    which ends no sentence."""
    plain = unquoted(slot.span.text)
    behind = slot.context.situation.instruction[slot.span.end :] if slot.span.end > 0 else ""
    if not slot.span.quoted and re.match(r"/(?:\s|\Z)", behind):
        plain += "/"
    inner = (
        slot.context.situation.instruction[piece.inner_start : piece.inner_end]
        for piece in tokenize(slot.context.situation.instruction).quoted
        if piece.start <= slot.span.start and slot.span.end <= piece.end
    )
    return [Option(next((item for item in inner if item.strip() == plain), plain))]


@converter
def message(slot: SlotWords) -> list[Option]:
    """A string literal; an f-string where braces hold names of the function."""
    source = source_of(slot.context, slot.anchor)
    plain = unquoted(slot.span.text)
    tree = parsed(plain)
    if tree is not None and re.match(r"[fF]?['\"]", plain) and not isinstance(tree, ast.Tuple | ast.Compare):
        return [Option(plain)]
    if _is_argument(slot, plain):
        return [Option(plain)]
    holes = re.findall(r"\{([^{}]+)\}", plain)
    if holes:
        visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
        inner = [hole.partition("!")[0].partition(":")[0] for hole in holes]
        if all(not hole.isdecimal() and visible.expression(hole) is not None for hole in inner):
            return [Option("f" + literal(plain, source))]
    return [Option(literal(plain, source))]


def _is_argument(slot: SlotWords, plain: str) -> bool:
    """Whether a text is shown as the argument of a call, without quotes, and names what is seen there."""
    start, end = slot.span.start, slot.span.end
    tree, instruction = parsed(plain), slot.context.situation.instruction
    if tree is None or (start != CODE and instruction[max(start - 1, 0) : end + 1] != f"({plain})"):
        return False
    visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
    return all(visible.knows(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name))


@converter
def level(slot: SlotWords) -> list[Option]:
    found = phrases.level(slot.span.text)
    return [Option(found)] if found else []


@converter
def count(slot: SlotWords) -> list[Option]:
    found = phrases.number(slot.span.text)
    visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
    spelled = None if found else visible.expression(slot.span.text)
    return [Option(found or spelled or "")] if found or spelled else []


@converter
def style(slot: SlotWords) -> list[Option]:
    found = style_named(slot.span.text)
    return [Option(found)] if found else []


def style_named(text: str) -> str:
    """The style of docstrings that a text names."""
    known = {"google": "google", "numpy": "numpy", "sphinx": "sphinx", "rest": "sphinx", "rst": "sphinx"}
    found = re.search(r"\b(google|numpy|sphinx|rest|rst)\b", text, re.IGNORECASE)
    return known[found[1].lower()] if found else ""


@converter
def quote(slot: SlotWords) -> list[Option]:
    """Which quotes are meant, by the first word that names them."""
    words = [slot.span.text, *re.findall(r"[^\W\d_]+|['\"]", slot.span.text)]
    found = next((one for word in words if (one := phrases.lookup("quotes", word))), None)
    return [Option(found)] if found else []


@converter
def code(slot: SlotWords) -> list[Option]:
    plain = slot.span.text.strip().strip("`").strip()
    if plain.startswith("--"):
        return _statements_in_words(slot)
    tree = parse(plain)
    if tree is None:
        return _statements_in_words(slot)
    first = tree.body[0] if tree.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Attribute) and tree.body == [first]:
        called = any(ast.unparse(node.func) == plain for node in find_nodes(_tree(slot), ast.Call))
        return [Option(f"{plain}()", 1.0, () if called else (f"{plain} was read as a call",))]
    if tree.body and not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Name)):
        return [Option(plain)]
    if tree.body and plain.isidentifier():
        visible = slot.context.visible(slot.anchor.path, slot.anchor.node or slot.anchor.area.node)
        known = visible.knows(plain)
        if known and hasattr(builtins, plain) and (told := _statements_in_words(slot)):
            return told  # `quit` of the connection, and not of Python
        if known:
            return [Option(f"{plain}()", 0.7, (f"{plain} was read as a call",))]
        return _statements_in_words(slot)
    return []


def _tree(slot: SlotWords) -> ast.AST | None:
    source = source_of(slot.context, slot.anchor)
    return source.tree if source is not None else None


def _statements_in_words(slot: SlotWords) -> list[Option]:
    """Statements that are told in words, perhaps with the verb before them."""
    spoken = Spoken(slot.context, slot.anchor, start=slot.span.start)
    before = slot.context.situation.instruction[: max(slot.span.start, 0)].split()[-1:]
    lines = spoken.statements(slot.span.text) or spoken.statements(" ".join((*before, slot.span.text)))
    shown = " ".join("; ".join(lines).split())
    doubt = assumed(f"{slot.span.text.strip()} was assumed to be {shown}")
    return [Option("\n".join(lines), 0.8, (doubt,))] if lines else []


@converter
def file(slot: SlotWords) -> list[Option]:
    """A file of the repository, or a new one."""
    found = areas.paths_named(slot.context.repo, slot.span.text)
    if found:
        return [Option(path, weight) for path, weight in found[:3]]
    plain = slot.span.text.strip().strip("`'\"").removeprefix("./")
    near = slot.anchor.path or slot.context.situation.path
    return [Option(beside_path(plain, near), 0.9)] if re.fullmatch(r"[\w./-]+\.\w+", plain) else []


@converter
def beside(slot: SlotWords) -> list[Option]:
    """The new name or path of a file that is named, or of the open one; a bare file name stays in its folder,
    unless only the folder can be new."""
    new = unquoted(slot.span.text).removeprefix("./")
    found = areas.paths_named(slot.context.repo, slot.context.text("file"))
    old = found[0][0] if found else "" if slot.context.has("file") else slot.context.situation.path
    moved = old.rpartition("/")[2] != new and "." in new
    return [Option(beside_path(new, old) if old and moved else new)]


def beside_path(name: str, path: str) -> str:
    """A file name without a folder, in the folder of another file."""
    folder = path.rpartition("/")[0]
    return name if "/" in name or not folder else f"{folder}/{name}"


@converter
def module(slot: SlotWords) -> list[Option]:
    plain = slot.span.text.strip().strip("`'\"").rstrip(",;.")
    plain = re.sub(r"\A(?:import|from)\s+|\s+module\Z|\Athe\s+", "", plain)
    if plain.endswith(".py"):
        plain = plain.removesuffix(".py").replace("/", ".")
    return [Option(plain)] if re.fullmatch(r"\.*[\w.]+", plain) else []
