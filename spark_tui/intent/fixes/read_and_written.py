"""Fixes of what is read and written: files and folders, encodings, times, numbers that are still text."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.fixes.off_by_one import edits
from spark_tui.intent.fixes.seen_error import Seen, whole
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk

_LATIN = re.compile(r"latin-?1|iso-?8859(?:-\d+)?|cp125\d|windows-125\d", re.IGNORECASE)
_BYTES = ("gzip", "bz2", "lzma", "os", "zipfile", "tarfile")
_GUESSED = "the encoding was guessed"


def whole_days(at: Seen) -> Iterator[Built]:
    """`.seconds` of a difference of times leaves the days out: `.total_seconds()`."""
    for one in at.nodes(ast.Attribute):
        if one.attr == "seconds" and isinstance(one.ctx, ast.Load) and _is_difference(at, one.value):
            high = at.source.span(one)[1]
            yield at.spliced(high - len("seconds"), high, "total_seconds()", 0.95)


def _is_difference(at: Seen, node: ast.expr) -> bool:
    if isinstance(node, ast.Name):
        within = at.source.function_of(node) or at.source.tree
        sets = [one for one in walk(within) if isinstance(one, ast.Assign)]
        return any(
            isinstance(one.value, ast.BinOp) and ast.unparse(one.targets[0]) == node.id for one in sets
        )
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)


# -- files and folders -------------------------------------------------------------------------------


def _opened(at: Seen) -> Iterator[tuple[ast.Call, ast.expr, ast.Constant | None]]:
    """The calls of `open`, each with its path and its mode."""
    for one in at.nodes(ast.Call):
        name = ast.unparse(one.func).rpartition(".")[2]
        if name != "open" or (isinstance(one.func, ast.Name) and not one.args):
            continue
        path = one.args[0] if isinstance(one.func, ast.Name) else getattr(one.func, "value", one)
        modes = [each.value for each in one.keywords if each.arg == "mode"]
        modes += one.args[1:2] if isinstance(one.func, ast.Name) else one.args[:1]
        mode = next((each for each in modes if isinstance(each, ast.Constant)), None)
        yield one, path, mode


def _writes(mode: ast.Constant | None) -> bool:
    return mode is not None and str(mode.value)[:1] in ("w", "a", "x")


def appended(at: Seen) -> Iterator[Built]:
    """A file that is opened to be written anew is appended to."""
    spots = [
        (mode, f'"{str(mode.value).replace("w", "a")}"')
        for _, _, mode in _opened(at)
        if mode is not None and str(mode.value).startswith("w")
    ]
    yield from edits(at, [(mode, new.replace('"', at.source.segment(mode)[-1])) for mode, new in spots], ())


def made_folder(at: Seen) -> Iterator[Built]:
    """The folder of a file that is written is made first; where one is made, those above it are too."""
    for one in at.nodes(ast.Call):
        low, high = at.source.span(one.func)
        if ast.unparse(one.func) == "os.mkdir":
            yield at.spliced(low, high, "os.makedirs", 0.9)
        elif isinstance(one.func, ast.Attribute) and one.func.attr == "mkdir":
            yield _with_argument(at, one, "parents=True", 0.9)
    for one, path, mode in _opened(at):
        statement = at.source.statement(one)
        if not _writes(mode) or statement is None or _is_made(at, one):
            continue
        shown = _folder(at, path)
        if not shown:
            continue
        spot = place(at.context, Anchor(at.area, statement))
        made = [call("insert_statements", place=spot, code=shown, side="before")]
        if shown.startswith("os.") and "os" not in at.context.repo.index.scopes(at.source.path).module.bound:
            made.append(call("add_import", path=at.source.path, module="os"))
        yield Built(tuple(made), 0.8 * at.area.weight)


def _is_made(at: Seen, node: ast.AST) -> bool:
    within = at.source.function_of(node) or at.source.tree
    names = [ast.unparse(one.func).rpartition(".")[2] for one in walk(within) if isinstance(one, ast.Call)]
    return any(one in ("mkdir", "makedirs") for one in names)


def _folder(at: Seen, path: ast.expr) -> str:
    """The statement that makes the folder of a path: the one that it is joined from, else its own."""
    value: ast.expr | None = path
    if isinstance(path, ast.Name):
        within = at.source.function_of(path) or at.source.tree
        sets = [one for one in walk(within) if isinstance(one, ast.Assign)]
        value = next((one.value for one in sets if ast.unparse(one.targets[0]) == path.id), path)
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div):
        return f"{whole(at.source, path)}.parent.mkdir(parents=True, exist_ok=True)"
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "os.path.join" and len(value.args) == 2:
        return f"os.makedirs({at.source.segment(value.args[0])}, exist_ok=True)"
    if isinstance(path, ast.Name | ast.Attribute):
        return f"os.makedirs(os.path.dirname(os.path.abspath({ast.unparse(path)})), exist_ok=True)"
    return ""


def no_blank_lines(at: Seen) -> Iterator[Built]:
    """A file for `csv.writer` is opened with `newline=""`."""
    for one, _, mode in _opened(at):
        within = at.source.function_of(one) or at.source.tree
        writers = [each for each in walk(within) if isinstance(each, ast.Call)]
        csv = any(ast.unparse(each.func).rpartition(".")[2] in ("writer", "DictWriter") for each in writers)
        if csv and _writes(mode) and not any(each.arg == "newline" for each in one.keywords):
            yield _with_argument(at, one, 'newline=""', 0.9)


def _with_argument(at: Seen, one: ast.Call, new: str, weight: float, doubt: str = "") -> Built:
    high = at.source.span(one)[1] - 1
    return at.spliced(high, high, f", {new}" if one.args or one.keywords else new, weight, doubt)


def decoded(at: Seen) -> Iterator[Built]:
    """A text that is not UTF-8 is decoded as what is said, else with marks for what cannot be read."""
    latin = _LATIN.search(at.context.situation.instruction)
    for one in at.nodes(ast.Call):
        name = ast.unparse(one.func).rpartition(".")[2]
        known = {each.arg for each in one.keywords}
        opens = name == "read_text" or (name == "open" and not _is_binary(one))
        if name == "decode" and not one.args and not known:
            new = f'"{latin[0].lower()}"' if latin else 'errors="replace"'
        elif opens and not known & {"encoding", "errors"}:
            new = f'encoding="{latin[0].lower()}"' if latin else 'errors="replace"'
        else:
            continue
        yield _with_argument(at, one, new, 0.8, "" if latin else _GUESSED)


def _is_binary(one: ast.Call) -> bool:
    """Whether a file is opened for bytes, by its mode or by what opens it."""
    modes = [each.value for each in one.keywords if each.arg == "mode"]
    modes += one.args[1:2] if isinstance(one.func, ast.Name) else one.args[:1]
    path = isinstance(one.func, ast.Attribute) and ast.unparse(one.func.value) in _BYTES
    return path or any(isinstance(each, ast.Constant) and "b" in str(each.value) for each in modes)


# -- texts and numbers -------------------------------------------------------------------------------


def any_blanks(at: Seen) -> Iterator[Built]:
    """`text.split(" ")` splits at any blanks."""
    for one in at.nodes(ast.Call):
        given = one.args[0] if len(one.args) == 1 else None
        split = isinstance(one.func, ast.Attribute) and one.func.attr == "split"
        if split and isinstance(given, ast.Constant) and given.value == " ":
            yield at.spliced(*at.source.span(given), "", 0.9)


def comma_number(at: Seen) -> Iterator[Built]:
    """`float(text)` of a text such as `1,5`: the comma becomes a point."""
    for one in at.nodes(ast.Call):
        if ast.unparse(one.func) == "float" and len(one.args) == 1 and "replace" not in ast.unparse(one):
            yield at.swap(one.args[0], f'{whole(at.source, one.args[0])}.replace(",", ".")', 0.8)


def number_option(at: Seen) -> Iterator[Built]:
    """An option of the command line that is still a text is read as a number."""
    said = at.context.situation.instruction
    for one in at.nodes(ast.Call):
        name = ast.unparse(one.func).rpartition(".")[2]
        flag = one.args[0] if name == "add_argument" and one.args else None
        typed = any(each.arg in ("type", "action", "choices") for each in one.keywords)
        if isinstance(flag, ast.Constant) and str(flag.value) in said.split() and not typed:
            yield _with_argument(at, one, "type=int", 0.95)
        for number, given in enumerate(one.args):
            if not isinstance(given, ast.Subscript) or isinstance(given.slice, ast.Slice):
                continue
            bare = ast.unparse(given.value) in ("sys.argv", "argv", "args")
            if bare and _takes_number(at, name, number):
                yield at.swap(given, f"int({at.source.segment(given)})", 0.9)


def _takes_number(at: Seen, called: str, number: int) -> bool:
    """Whether the parameter of a function of the file has a number as its default, or is typed as one."""
    for one in at.source.definitions:
        if isinstance(one, Function) and one.name == called:
            known = [each for each in parameters(one) if each.arg not in ("self", "cls")]
            if number < len(known):
                shown = ast.unparse(one.args)
                name = re.escape(known[number].arg)
                return re.search(rf"\b{name}(?:: ?int\b|(?:: ?\w+)? ?= ?-?\d)", shown) is not None
    return False
