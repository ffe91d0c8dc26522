"""Generates small whole programs: a docstring, imports in groups, constants, classes, functions that use
them, and a start. Parts are drawn from templates, and each name that is used is defined or imported."""

from __future__ import annotations

import builtins
import re
import symtable
from collections.abc import Iterable, Iterator, Sequence
from random import Random

from spark_tui.pysource.syntax.parsing import compiles
from spark_tui.train.generated import program_names
from spark_tui.train.generated.program_names import FROM, MODULES, STANDARD, ProgramNames
from spark_tui.train.generated.snippet_generator import snippet
from spark_tui.train.source_windows import parse
from spark_tui.train.templates.tables import table

_TABLES = {name: table(f"skeletons/{name}") for name in ("web", "tools", "jobs", "models")}
_COMMON, _SHARED, _USES = (_TABLES["models"][key] for key in ("common", "shared", "uses"))
GENRES: dict[str, tuple[str, ...]] = {
    genre: tuple("---\n".join(texts[key] for key in keys) for keys in parts)
    for texts in _TABLES.values()
    for genre, parts in texts["genres"].items()
}
"""What a program is about: templates of its classes, of its functions and of its end."""
_GIVEN: dict[str, tuple[str, ...]] = _TABLES["web"]["given"] | _TABLES["tools"]["given"]
"""Names at the top of a module, with what they are bound to where a part uses them."""
_BUILTIN = frozenset([*dir(builtins), "__file__", "__name__", "__doc__"])
LONGEST = 138
SHARED = 0.4
"""Share of programs, of any genre, with a class of their own things and functions that use it."""


def program(rng: Random, words: Sequence[str] = (), most: int = 95) -> str | None:
    """The source of one program of at most `most` lines; None if the parts do not fit together."""
    genre = rng.choice(sorted(GENRES))
    cast = ProgramNames(rng, words)
    low, high = 24, most - 4
    target = rng.randint(low, high) if rng.random() < 0.4 else rng.randint((low + high) // 2, high)
    parts = _parts(genre, cast, target)
    if not parts:
        return None
    body = "\n\n\n".join(part.strip("\n") for part in parts)
    body = re.sub(r"\n{4,}", "\n\n\n", re.sub(r"(?m)[ \t]+$", "", body))
    text = _with_head(body, cast, genre)
    if (
        text is None
        or not text.isascii()
        or max(map(len, text.split("\n"))) > LONGEST
        or text.count("\n") > most
    ):
        return None
    return text


def _parts(genre: str, cast: ProgramNames, target: int) -> list[str]:
    """Classes first, then functions, then the start of the program, as many as there is room for."""
    rng = cast.rng
    tables = GENRES[genre]
    classes = [("class", part) for part in program_names.split(tables[0])]
    functions = [("def", part) for part in program_names.split(tables[1])]
    ends = program_names.split(tables[2])
    others = [("def", part) for part in program_names.split(_COMMON)]
    if rng.random() < SHARED:
        classes = [("class", part) for part in program_names.split(_SHARED)]
        functions = functions[:6] + [("def", part) for part in program_names.split(_USES)]
    some = [*rng.sample(classes, min(len(classes), rng.choice((0, 1, 1, 2))))]
    some += rng.sample(functions, min(len(functions), 7))
    if rng.random() < 0.5:
        some += rng.sample(others, 2)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        _, constants, text = snippet(rng)
        cast.constants.update({line.split(" = ")[0]: line for line in constants})
        some.append(("def" if text.startswith("def") else "class", text.replace("$", "")))
    end = program_names.fill(rng.choice(ends), cast) if ends and rng.random() < 0.7 else ""
    size = 14 + end.count("\n")
    made: dict[str, list[str]] = {"class": [], "def": []}
    for sort, part in [*some[:1], *rng.sample(some[1:], len(some) - 1)]:
        text = program_names.fill(part, cast)
        if size + text.count("\n") + 3 > target + 6:
            continue
        made[sort].append(text)
        size += text.count("\n") + 3
    if not made["class"] and not made["def"]:
        return []
    return [*made["class"], *rng.sample(made["def"], len(made["def"])), *([end] if end else [])]


def free_names(text: str) -> list[str]:
    """The names that a module reads and does not bind."""
    found: set[str] = set()
    top = symtable.symtable(text, "program", "exec")
    bound = {item.get_name() for item in top.get_symbols() if item.is_assigned() or item.is_imported()}
    bound |= {item.get_name() for item in top.get_symbols() if item.is_namespace()}

    def visit(table: symtable.SymbolTable) -> None:
        for item in table.get_symbols():
            if item.is_referenced() and (item.is_global() or table is top):
                found.add(item.get_name())
        for child in table.get_children():
            visit(child)

    visit(top)
    return sorted(found - bound - _BUILTIN)


def _with_head(body: str, cast: ProgramNames, genre: str) -> str | None:
    """The docstring, imports, constants and module-level objects that the body needs."""
    rng = cast.rng
    if not compiles(body + "\n"):  # a name twice in one signature
        return None
    given: list[str] = []
    for _ in range(3):
        missing = [name for name in free_names("\n".join([*given, body])) if name in _GIVEN]
        made = [
            program_names.fill(rng.choice(_GIVEN.get(f"{genre} {name}") or _GIVEN[name]), cast).strip("\n")
            for name in missing
        ]
        if not made:
            break
        given = [*made, *given]
    used = free_names("\n".join([*given, body]))
    constants = [line for name, line in cast.constants.items() if name in used or rng.random() < 0.15]
    top = [*constants, *given]
    if parse("\n".join(top)) is None:
        return None
    missing = free_names("\n".join([*top, body]))
    missing = [name for name in missing if name not in cast.constants]
    if rng.random() < 0.3:
        missing += rng.sample(sorted(STANDARD), rng.randint(1, 2))
    imports = _imports(dict.fromkeys(missing), cast, genre)
    if imports is None:
        return None
    head = [f'"""{cast.sentence()}"""'] if rng.random() < 0.72 else []
    if head and imports and rng.random() < 0.75:
        head.append("")
    blank_between = "\n" * rng.choice((1, 1, 2))
    above = "\n".join([*head, *imports])
    plain = [item for item in given if not item.startswith("@")]
    middle = "\n".join(constants) + (blank_between if constants and plain else "") + "\n".join(plain)
    body = "\n\n\n".join([*(item for item in given if item.startswith("@")), body])
    text = above + ("\n\n" if above and middle else "") + middle
    text = text + ("\n\n\n" if text else "") + body + "\n"
    return text if parse(text) is not None and not free_names(text) else None


def _import(key: str, names: Sequence[str]) -> str:
    return f"from {key} import {', '.join(sorted(set(names)))}" if names else key


def _imports(wanted: Iterable[str], cast: ProgramNames, genre: str) -> list[str] | None:
    """Import lines in groups: the standard library, others, and the program's own package."""
    rng = cast.rng
    groups: tuple[dict[str, list[str]], ...] = ({}, {}, {})
    for name in wanted:
        if name in MODULES:
            line = MODULES[name]
            groups[0 if name in STANDARD else 1].setdefault(line, [])
        elif name in FROM:
            module = rng.choice(FROM.get(f"{genre} {name}") or FROM[name])
            groups[0 if module.split(".")[0] in STANDARD else 1].setdefault(module, []).append(name)
        elif name[:1].isupper():
            groups[2].setdefault(f"{cast.package}.{cast.one('models_module', cast.models_names)}", []).append(
                name
            )
        elif name.islower() and len(name) > 2:
            groups[2].setdefault(
                f"{cast.package}.{cast.one('services_module', cast.service_names)}", []
            ).append(name)
        else:
            return None
    grouped = rng.random() < 0.75
    manner = rng.choice(("first", "mixed", "chance"))
    out: list[str] = []
    for group in groups:
        lines = [(key, _import(key, names)) for key, names in group.items()]
        if manner == "first":
            lines.sort(key=lambda item: (item[1].startswith("from"), item[0]))
        elif manner == "mixed":
            lines.sort(key=lambda item: item[0].removeprefix("import "))
        else:
            rng.shuffle(lines)
        if lines and out and grouped:
            out.append("")
        out += [line for _, line in lines]
    return out


def programs(rng: Random, words: Sequence[str], count: int, most: int = 95) -> Iterator[tuple[str, str]]:
    """Paths and sources of `count` programs."""
    for _ in range(4 * count):
        if count == 0:
            return
        text = program(rng, words, most)
        if text is not None:
            count -= 1
            yield _path(text, rng, words), text


_FOLDERS = (
    *("app", "src", "bot", "jobs", "tools", "core", "scripts", "api", "service", "shop"),
    *("app/routes", "backend"),
)


def _path(text: str, rng: Random, words: Sequence[str]) -> str:
    name = program_names.snake(rng, words)
    if re.search(r"(?m)^def test_", text):
        return f"tests/test_{name}.py"
    return f"{name}.py" if rng.random() < 0.5 else f"{rng.choice(_FOLDERS)}/{name}.py"
