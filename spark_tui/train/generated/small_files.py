"""Makes small whole files out of the parts of one module, with everyday names and without annotations.

Library code is long and documented; the files that people ask edits of mostly are not.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator
from random import Random

from spark_tui.pysource.source import docstring
from spark_tui.pysource.words import identifier_words, word_set
from spark_tui.train.generated.snippet_generator import NOUNS, VERBS, snippet
from spark_tui.train.source_windows import (
    Change,
    Function,
    SourceWindow,
    apply_changes,
    first_line,
    is_name,
    parse,
    renamed,
)
from spark_tui.train.templates.tables import table

_TABLES = table("tables/apps")

SNIPPETS = (0, 0, 1, 2, 2, 3, 4, 5, 6)
"""Numbers of everyday functions in a file; one is drawn."""
MOST_LINES = 16
"""The most lines of a function; longer ones are cut to their first statements."""
_KEPT_DECORATORS = word_set("property staticmethod classmethod contextmanager dataclass")
_FILES = sorted(
    word_set(
        "app main run cli utils helpers tools server models views "
        "jobs tasks core api store report script bot game shop common"
    )
)
_FOLDERS = sorted(word_set("app src shop api core web tools scripts bot services jobs"))


def small_files(path: str, text: str, rng: Random, *, count: int = 4) -> Iterator[SourceWindow]:
    """Up to `count` files made of parts of the module."""
    tree = parse(text)
    if tree is None:
        return
    lines = text.split("\n")
    parts = [part for node in tree.body if (part := _part(lines, node, rng))]
    for _ in range(2 * count if parts else 0):
        if count == 0:
            return
        found = _file(lines, tree, parts, rng)
        if found is not None:
            count -= 1
            yield SourceWindow(_path(path, rng), found)


def _path(path: str, rng: Random) -> str:
    if rng.random() < 0.3:
        return path
    name = rng.choice(_FILES if rng.random() < 0.4 else NOUNS)
    return f"{name}.py" if rng.random() < 0.5 else f"{rng.choice(_FOLDERS)}/{name}.py"


def _part(lines: list[str], node: ast.stmt, rng: Random) -> str:
    """A function, or a class with some of its methods, or nothing."""
    if isinstance(node, Function):
        return _function(lines, node)
    if not isinstance(node, ast.ClassDef):
        return ""
    methods = [made for item in node.body if isinstance(item, Function) and (made := _function(lines, item))]
    simple = [
        lines[item.lineno - 1]
        for item in node.body
        if isinstance(item, ast.Assign | ast.AnnAssign) and item.lineno == item.end_lineno
    ]
    if not methods:
        return ""
    first = next((made for made in methods if "def __init__" in made), "")
    others = [made for made in methods if made != first]
    taken = [made for made in others if made in rng.sample(others, min(len(others), rng.randint(1, 4)))]
    head = [lines[node.lineno - 1], *simple[:3], *([""] if simple else [])]
    if not head[0].rstrip().endswith(":"):
        return ""
    return "\n".join(head) + "\n" + "\n\n".join([*([first] if first else []), *taken])


def _function(lines: list[str], node: Function) -> str:
    """The text of a function; if it is long, only its first and last statements."""
    first = first_line(node) - 1
    end = node.end_lineno or node.lineno
    if end - first <= MOST_LINES:
        return "\n".join(lines[first:end])
    body = node.body[1:] if docstring(node) is not None and len(node.body) > 1 else node.body
    head_end = node.body[0].lineno - 1
    taken = lines[first:head_end]
    for item in body:
        if item.lineno - 1 < head_end or len(taken) + (item.end_lineno or 0) - item.lineno + 1 > MOST_LINES:
            break
        taken += lines[item.lineno - 1 : item.end_lineno]
    last = body[-1]
    if len(taken) <= head_end - first:
        return ""
    if (
        isinstance(last, ast.Return)
        and last.lineno == last.end_lineno
        and lines[last.lineno - 1] != taken[-1]
    ):
        taken.append(lines[last.lineno - 1])
    return "\n".join(taken)


def _file(lines: list[str], tree: ast.Module, parts: list[str], rng: Random) -> str | None:
    target = rng.randint(18, 60)
    made = [snippet(rng) for _ in range(rng.choice(SNIPPETS))]
    chosen: list[str] = []
    size = 6
    few = rng.sample(parts, min(len(parts), 12 if len(made) < 4 else 2))
    for part in [*(text for _, _, text in made), *few]:
        if size + part.count("\n") + 3 <= target + 4:
            chosen.append(part)
            size += part.count("\n") + 3
    if not chosen:
        return None
    body = plain("\n\n\n".join(rng.sample(chosen, len(chosen))) + "\n", rng)
    if body is None:
        return None
    used = set(re.findall(r"\w+", body))
    imports = sorted({line for lines_, _, _ in made for line in lines_ if {*re.findall(r"\w+", line)} & used})
    constants = sorted({line for _, lines_, _ in made for line in lines_ if line.split(" ")[0] in used})
    for node in tree.body:
        line = lines[node.lineno - 1]
        if node.lineno != node.end_lineno:
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound = {(item.asname or item.name).split(".")[0] for item in node.names}
            if bound & used and not line.startswith("from __future__") and line not in imports:
                imports.append(line)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            wanted = node.targets[0].id in used or (rng.random() < 0.1 and len(constants) < 3)
            constants += [line] if wanted and len(line) < 90 else []
    head = "\n".join(imports[:6]) + ("\n\n" if imports and constants else "\n" if imports else "")
    head += "\n".join(constants[:5]) + ("\n" if constants else "")
    text = (head + ("\n\n" if head.strip() else "") + body).lstrip("\n")
    text = text.rstrip("\n") + "\n" + _start(text, rng)
    if rng.random() < 0.6:
        text = everyday(text, rng)
    found = parse(text)
    longest = max(map(len, text.split("\n")))
    return (
        text if found is not None and longest <= 140 and text.isascii() and text.count("\n") >= 10 else None
    )


def plain(text: str, rng: Random) -> str | None:
    """The tree with most annotations, docstrings, decorators and comments removed at random."""
    tree = parse(text)
    if tree is None:
        return None
    window = SourceWindow("x.py", text, tree)
    bare, undocumented, undecorated = rng.random() < 0.7, rng.random() < 0.65, rng.random() < 0.8
    changes: list[Change] = []
    for node in window.nodes:
        if isinstance(node, ast.arg) and node.annotation is not None and bare:
            start, end = window.span(node)
            spaced = text[end : end + 3] == " = "
            changes.append((start + len(node.arg), end + 3 * spaced, "=" * spaced))
        if isinstance(node, ast.AnnAssign) and node.value is not None and bare:
            changes.append((window.span(node.target)[1], window.span(node.annotation)[1], ""))
        if not isinstance(node, Function | ast.ClassDef):
            continue
        if isinstance(node, Function) and node.returns is not None and bare:
            start, end = window.span(node.returns)
            arrow = text.rindex("->", 0, start)
            changes.append((len(text[:arrow].rstrip()), end, ""))
        doc = docstring(node)
        if doc is not None and len(node.body) > 1 and (undocumented or doc.lineno != doc.end_lineno):
            changes.append((*window.line_span(node.body[0].lineno, node.body[0].end_lineno or 0), ""))
        for item in node.decorator_list if undecorated else ():
            if ast.unparse(item).split("(")[0].split(".")[-1] not in _KEPT_DECORATORS:
                changes.append((*window.line_span(item.lineno, item.end_lineno or 0), ""))
    try:
        made = apply_changes(text, changes)
    except ValueError:
        return None
    if rng.random() < 0.4:
        made = re.sub(r"(?m)^ *#.*\n", "", made)
    made = re.sub(r"  # (?:type|noqa|pylint|pragma|mypy|fmt).*", "", made)
    return re.sub(r"\n{4,}", "\n\n\n", made)


def _start(text: str, rng: Random) -> str:
    """Code that runs: a main function, or a few calls."""
    tree = parse(text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)] if tree is not None else []
    if not functions or rng.random() < 0.55:
        return ""
    calls = []
    for node in rng.sample(functions, min(len(functions), rng.randint(1, 3))):
        count = len(node.args.args) - len(node.args.defaults)
        call = f"{node.name}({', '.join(rng.choice(_VALUES) for _ in range(count))})"
        calls.append(rng.choice([f"{rng.choice(NOUNS)} = {call}", f"print({call})", call]))
    known = {line.split(" = ")[0] for line in calls if " = " in line}
    calls += [f"print({name})" for name in sorted(known)]
    if rng.random() < 0.4:
        return "\n\n" + "\n".join(calls) + "\n"
    body = "".join(f"    {line}\n" for line in calls)
    guard = 'if __name__ == "__main__":\n'
    if "main" in {node.name for node in functions} or rng.random() < 0.4:
        return "\n\n" + guard + body
    return "\n\ndef main():\n" + body + "\n\n" + guard + "    main()\n"


_VALUES: tuple[str, ...] = _TABLES["values"]


def everyday(text: str, rng: Random) -> str:
    """Renames functions, classes and some variables to everyday words, the same word for the same name."""
    tree = parse(text)
    if tree is None:
        return text
    taken = set(re.findall(r"\w+", text)) | set(dir(builtins)) | set(keyword.kwlist)
    imported = {
        (item.asname or item.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for item in node.names
    }
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, Function)
            and node.name != "main"
            and not node.name.startswith("__")
            and rng.random() < 0.8
        ):
            names[node.name] = f"{rng.choice(VERBS)}_{rng.choice(NOUNS)}{rng.choice(('', '', 's'))}"
        elif isinstance(node, ast.ClassDef) and rng.random() < 0.8:
            parts = rng.sample(NOUNS, rng.choice((1, 1, 2)))
            names[node.name] = "".join(part.capitalize() for part in parts)
        elif (
            isinstance(node, ast.arg)
            and node.arg not in ("self", "cls", "args", "kwargs")
            and rng.random() < 0.5
        ):
            names[node.arg] = _noun(rng)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and rng.random() < 0.35:
            names[node.id] = _noun(rng).upper() if node.id.isupper() else _noun(rng)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and rng.random() < 0.4:
            names[node.attr] = _noun(rng)
    final: dict[str, str] = {}
    for old, new in names.items():
        if _EVERYDAY.issuperset(identifier_words(old)):
            continue
        if old in imported or hasattr(builtins, old) or new in taken or not is_name(new) or len(old) < 2:
            continue
        final[old] = new
        taken.add(new)
    return renamed(text, final)


_EVERYDAY = frozenset([*NOUNS, *VERBS, *(f"{noun}s" for noun in NOUNS)])


def _noun(rng: Random) -> str:
    roll = rng.random()
    if roll < 0.5:
        return rng.choice(NOUNS) + rng.choice(("", "", "s"))
    return f"{rng.choice(NOUNS)}_{rng.choice(NOUNS if roll < 0.7 else _TAILS)}"


_TAILS: tuple[str, ...] = _TABLES["tails"]
