"""Converters of texts: messages, statements, levels, counts, files and modules."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.intent.context import areas
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Option
from spark_tui.intent.values.converters.of_slots import Said, converter, literal, source_of
from spark_tui.intent.values.converters.options import option_call
from spark_tui.intent.values.converters.statements import Spoken
from spark_tui.intent.words import phrases
from spark_tui.intent.words.tokens import tokenize


def unquoted(text: str) -> str:
    """A text without quotes around it."""
    text = text.strip()
    if len(text) > 1 and text[0] in "'\"`“‘«" and text[-1] in "'\"`”’»":
        return text[1:-1]
    return text


@converter
def text(said: Said) -> list[Option]:
    """Plain text, as it is: of a quoted one also the spaces at its ends."""
    plain = unquoted(said.span.text)
    inner = (
        said.context.situation.instruction[piece.inner_start : piece.inner_end]
        for piece in tokenize(said.context.situation.instruction).quoted
        if piece.start <= said.span.start and said.span.end <= piece.end
    )
    return [Option(next((item for item in inner if item.strip() == plain), plain))]


@converter
def message(said: Said) -> list[Option]:
    """A string literal; an f-string where braces hold names of the function."""
    source = source_of(said.context, said.anchor)
    plain = unquoted(said.span.text)
    tree = parsed(plain)
    if tree is not None and re.match(r"[fF]?['\"]", plain) and not isinstance(tree, ast.Tuple | ast.Compare):
        return [Option(plain)]
    if _is_argument(said, plain):
        return [Option(plain)]
    holes = re.findall(r"\{([^{}]+)\}", plain)
    if holes:
        visible = said.context.visible(said.anchor.path, said.anchor.node or said.anchor.area.node)
        if all(visible.expression(hole.partition("!")[0].partition(":")[0]) is not None for hole in holes):
            return [Option("f" + literal(plain, source))]
    return [Option(literal(plain, source))]


def _is_argument(said: Said, plain: str) -> bool:
    """Whether a text is shown as the argument of a call, without quotes, and names what is seen there."""
    start, end = said.span.start, said.span.end
    tree = parsed(plain)
    if tree is None or said.context.situation.instruction[max(start - 1, 0) : end + 1] != f"({plain})":
        return False
    visible = said.context.visible(said.anchor.path, said.anchor.node or said.anchor.area.node)
    return all(visible.knows(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name))


@converter
def level(said: Said) -> list[Option]:
    found = phrases.level(said.span.text)
    return [Option(found)] if found else []


@converter
def count(said: Said) -> list[Option]:
    found = phrases.number(said.span.text)
    visible = said.context.visible(said.anchor.path, said.anchor.node or said.anchor.area.node)
    spelled = None if found else visible.expression(said.span.text)
    return [Option(found or spelled or "")] if found or spelled else []


@converter
def style(said: Said) -> list[Option]:
    found = style_named(said.span.text)
    return [Option(found)] if found else []


def style_named(text: str) -> str:
    """The style of docstrings that a text names."""
    known = {"google": "google", "numpy": "numpy", "sphinx": "sphinx", "rest": "sphinx", "rst": "sphinx"}
    found = re.search(r"\b(google|numpy|sphinx|rest|rst)\b", text, re.IGNORECASE)
    return known[found[1].lower()] if found else ""


@converter
def quote(said: Said) -> list[Option]:
    """Which quotes are meant, by the first word that names them."""
    words = [said.span.text, *re.findall(r"[^\W\d_]+|['\"]", said.span.text)]
    found = next((one for word in words if (one := phrases.lookup("quotes", word))), None)
    return [Option(found)] if found else []


@converter
def code(said: Said) -> list[Option]:
    """Statements."""
    plain = said.span.text.strip().strip("`").strip()
    if plain.startswith("--"):
        return _told(said)
    try:
        tree = ast.parse(plain)
    except (SyntaxError, ValueError):
        return _told(said)
    if tree.body and not (isinstance(tree.body[0], ast.Expr) and isinstance(tree.body[0].value, ast.Name)):
        return [Option(plain)]
    if tree.body and plain.isidentifier():
        visible = said.context.visible(said.anchor.path, said.anchor.node or said.anchor.area.node)
        known = visible.knows(plain)
        if known and hasattr(builtins, plain) and (told := _told(said)):
            return told  # `quit` of the connection, and not of Python
        if known:
            return [Option(f"{plain}()", 0.7, (f"{plain} was read as a call",))]
        return _told(said)
    return []


def _told(said: Said) -> list[Option]:
    """Statements that are told in words."""
    if option := option_call(said.context, said.anchor, said.span):
        return [Option(option, 0.8, (f"{said.span.text.strip()} was assumed to be {option}",))]
    lines = Spoken(said.context, said.anchor, start=said.span.start).statements(said.span.text)
    shown = " ".join("; ".join(lines).split())
    doubt = f"{said.span.text.strip()} was assumed to be {shown}"
    return [Option("\n".join(lines), 0.8, (doubt,))] if lines else []


@converter
def file(said: Said) -> list[Option]:
    """A file of the repository, or a new one."""
    found = areas.paths_named(said.context.repo, said.span.text)
    if found:
        return [Option(path, weight) for path, weight in found[:3]]
    plain = said.span.text.strip().strip("`'\"").removeprefix("./")
    near = said.anchor.path or said.context.situation.path
    return [Option(beside_path(plain, near), 0.9)] if re.fullmatch(r"[\w./-]+\.\w+", plain) else []


@converter
def beside(said: Said) -> list[Option]:
    """The new name or path of a file that is named; a bare file name stays in its folder, unless only the
    folder can be new."""
    new = unquoted(said.span.text).removeprefix("./")
    old = areas.paths_named(said.context.repo, said.context.text("file"))
    moved = bool(old) and old[0][0].rpartition("/")[2] != new and "." in new
    return [Option(beside_path(new, old[0][0]) if moved else new)]


def beside_path(name: str, path: str) -> str:
    """A file name without a folder, in the folder of another file."""
    folder = path.rpartition("/")[0]
    return name if "/" in name or not folder else f"{folder}/{name}"


@converter
def module(said: Said) -> list[Option]:
    plain = said.span.text.strip().strip("`'\"").rstrip(",;.")
    plain = re.sub(r"\A(?:import|from)\s+|\s+module\Z|\Athe\s+", "", plain)
    if plain.endswith(".py"):
        plain = plain.removesuffix(".py").replace("/", ".")
    return [Option(plain)] if re.fullmatch(r"\.*[\w.]+", plain) else []
