"""Edits of import statements: aliases taken out, a new import put in its place, blocks sorted."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from spark_tui.codemods.imports.relative import relative_name
from spark_tui.codemods.plan import Edit
from spark_tui.codemods.rewriting.edits import replace_lines
from spark_tui.pysource.names.imports import Group, ImportNode, first_line, group, module_imports, top_imports
from spark_tui.pysource.names.type_hints import names_set
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source

Wanted = tuple[str, str, str]
"""An import as module, name (empty for the module itself) and alias."""


def exchange_imports(
    repo: Repository, path: str, gone: Mapping[ImportNode, Sequence[ast.alias]], wanted: Iterable[Wanted]
) -> Iterator[Edit]:
    """The edits that take names out of imports and import others. A name takes the place of what goes where
    that came from the same module."""
    source = repo.index.source(path)
    joined: dict[str, list[str]] = defaultdict(list)
    for module, name, alias in wanted:
        shown = f"{name} as {alias}" if name and alias else name
        joined[module if name or not alias else f"{module} as {alias}"].append(shown)
    left = dict(gone)
    for one, aliases in gone.items():
        if isinstance(one, ast.ImportFrom) and len(aliases) == len(one.names):
            module = repo.index.modules.absolute(path, one.module, one.level)
            if any(joined.get(module, ())) and source.parents.get(one) is source.tree:
                low, high = source.span(one.names[0])[0], source.span(one.names[-1])[1]
                yield Edit(path, low, high, ", ".join(sorted(joined.pop(module))))
                del left[one]
    yield from remove_aliases(source, left)
    seen: set[int] = set()
    written = {
        relative_name(repo, path, module) if any(joined[module]) else module: joined[module]
        for module in joined
    }
    added = {
        module: insert_import(repo, path, module, ", ".join(sorted(filter(None, names))), "")
        for module, names in written.items()
    }
    if len(added) > 1 and not top_imports(source):
        yield _as_block(repo, path, added)
        return
    for edit in added.values():
        # One blank line in front of several new imports is enough.
        new = edit.new.removeprefix(source.newline) if edit.start in seen else edit.new
        seen.add(edit.start)
        yield Edit(edit.path, edit.start, edit.end, new)


def _as_block(repo: Repository, path: str, added: Mapping[str, Edit]) -> Edit:
    """The first imports of a file, by their modules, as one block in groups."""
    first = next(iter(added.values()))
    newline, text = repo.index.source(path).newline, first.new.strip("\r\n")
    groups: dict[Group, list[tuple[bool, str]]] = defaultdict(list)
    for module, edit in added.items():
        line, bare = edit.new.strip("\r\n"), module.lstrip(".").partition(" ")[0]
        where = group(bare, len(module) - len(module.lstrip(".")), repo.index.modules, path)
        groups[where].append((line.startswith("from "), line))
    block = (newline * 2).join(
        newline.join(line for _, line in sorted(groups[one])) for one in sorted(groups)
    )
    return replace(first, new=first.new.replace(text, block))


def _sorted_behind(source: Source, inside: Sequence[ImportNode], new: tuple[bool, str]) -> ImportNode | None:
    """The import in front of which a new one belongs, in a sorted group with nothing between its imports."""
    if any(source.last_line(one) != source.first_line(two) for one, two in pairwise(inside)):
        return None
    keys = [
        (isinstance(node, ast.ImportFrom), (getattr(node, "module", "") or node.names[0].name).lower())
        for node in inside
    ]
    if keys != sorted(keys):
        return None
    return next((one for key, one in zip(keys, inside, strict=True) if key > new), None)


def remove_aliases(source: Source, gone: Mapping[ImportNode, Sequence[ast.alias]]) -> Iterator[Edit]:
    """The edits that remove some names from imports, and imports of which no name is left."""
    whole = {one for one, aliases in gone.items() if len(aliases) == len(one.names)}
    for statement, aliases in gone.items():
        if statement not in whole:
            yield from _some_aliases(source, statement, aliases)
    for statement in sorted(whole, key=lambda node: node.lineno):
        suite = source.suite(statement)
        last_left = all(stmt in whole for stmt in suite) and suite[-1] is statement
        if last_left and source.parents.get(statement) is not source.tree:
            start, end = source.span(statement)
            yield Edit(source.path, start, end, "pass")
        else:
            yield remove_statement(source, statement)


def remove_imports(source: Source, gone: Mapping[ImportNode, Sequence[ast.alias]]) -> Iterator[Edit]:
    """The same in bodies of functions, with the blank line that parted imports from what they stand above."""
    for edit in remove_aliases(source, gone):
        low, high = (source.line_number(at) - 1 for at in (edit.start, edit.end))
        opens = source.lines[low - 1].strip()[-1:] in ("", ":", '"', "'") and edit.start == source.starts[low]
        blank = opens and high > low and high < len(source.lines) and not source.lines[high].strip()
        yield replace(edit, end=source.starts[high + 1]) if blank else edit


def _some_aliases(source: Source, statement: ImportNode, gone: Sequence[ast.alias]) -> Iterator[Edit]:
    spans = [source.span(name) for name in statement.names]
    out = [name in gone for name in statement.names]
    last_kept = max(at for at, removed in enumerate(out) if not removed)
    for at, removed in enumerate(out):
        if removed and at < last_kept:
            yield Edit(source.path, spans[at][0], spans[at + 1][0], "")
    if last_kept + 1 < len(spans):
        yield Edit(source.path, spans[last_kept][1], spans[-1][1], "")


def remove_statement(source: Source, statement: ast.stmt) -> Edit:
    """The edit that removes a statement with its line, or only its part of a line with several."""
    start, end = source.span(statement)
    first, last = source.first_line(statement), source.last_line(statement)
    before = source.text[source.starts[first] : start]
    after = source.text[end : source.starts[last]]
    if before.strip():
        # `a; import b`: the semicolon in front goes too.
        kept = len(source.text[:start].rstrip(" \t;"))
        return Edit(source.path, kept, end, "")
    if after.lstrip(" \t").startswith(";"):
        rest = after.lstrip(" \t")[1:]
        if rest.strip():
            return Edit(source.path, start, source.starts[last] - len(rest.lstrip(" \t")), "")
    return Edit(source.path, source.starts[first], source.starts[last], "")


def insert_import(repo: Repository, path: str, module: str, name: str, alias: str) -> Edit:
    """The edit that imports a name: joined to an import of that module, or as a line in its group."""
    source = repo.index.source(path)
    level = len(module) - len(module.lstrip("."))
    bare = module.lstrip(".")
    shown = f"{name} as {alias}" if alias else name
    for node in module_imports(source) if name else ():
        same = isinstance(node, ast.ImportFrom) and (node.module or "", node.level) == (bare, level)
        if same and node.names[0].name != "*":
            return _join_name(source, node.names, shown)
    text = f"from {module} import {shown}" if name else f"import {module}" + (f" as {alias}" if alias else "")
    where = group(bare, level, repo.index.modules, path)
    newline = source.newline
    imports = top_imports(source)
    if where <= Group.STANDARD:
        imports = _above_code(source, imports)
    inside = [imported for imported in imports if _group(repo, path, imported) == where]
    if (later := _sorted_behind(source, inside, (bool(name), bare.lower()))) is not None:
        at = source.starts[source.first_line(later)]
        return Edit(path, at, at, f"{text}{newline}")
    earlier = [imported for imported in imports if _group(repo, path, imported) <= where]
    if earlier:
        line = source.last_line(earlier[-1])
        gap = newline if _group(repo, path, earlier[-1]) < where else ""
        at = source.starts[line]
        ended = newline if at and not source.text[:at].endswith(("\n", "\r")) else ""
        return Edit(path, at, at, f"{ended}{gap}{text}{newline}")
    if imports:
        at = source.starts[source.first_line(imports[0])]
        return Edit(path, at, at, f"{text}{newline}{newline}")
    line = first_line(source)
    at = source.starts[line]
    ended = newline if at and not source.text[:at].endswith(("\n", "\r", "\ufeff")) else ""
    front = newline if line else ""
    follows = line < len(source.lines) and source.lines[line].strip()
    behind = newline * blank_lines(source, line) if follows else ""
    return Edit(path, at, at, f"{ended}{front}{text}{newline}{behind}")


def _above_code(source: Source, imports: Sequence[ImportNode]) -> list[ImportNode]:
    """The imports above what the module sets or goes through, which may use what is imported. A call such
    as `sys.path.insert`, and what sets names like `__all__`, belong to the imports below them."""
    heads = (ast.Import, ast.ImportFrom, ast.Try, ast.If, ast.Expr)
    others = (one for one in source.body if not isinstance(one, heads))
    code = next((one for one in others if not all(name[:2] == "__" for name in names_set(one))), None)
    return [one for one in imports if code is None or one.lineno < code.lineno]


def _join_name(source: Source, names: Sequence[ast.alias], new: str) -> Edit:
    """One more name in an import: at its place where the names are sorted, on a line of its own where each
    has one."""
    lines = {source.first_line(name) for name in names}
    gap = " "
    if len(lines) == len(names) > 1:
        line = source.lines[max(lines)]
        gap = source.newline + line[: len(line) - len(line.lstrip())]
    keys = [name_key(name.name) for name in names]
    later = [name for name, key in zip(names, keys, strict=True) if key > name_key(new)]
    if later and keys == sorted(keys):
        at = source.span(later[0])[0]
        return Edit(source.path, at, at, f"{new},{gap}")
    end = source.span(names[-1])[1]
    if "#" in source.lines[source.position(end)[0]]:
        gap = " "  # the comment stays on the line of its name
    return Edit(source.path, end, end, f",{gap}{new}")


def blank_lines(source: Source, line: int) -> int:
    """How many blank lines belong between what is put in front of a line and the statement there."""
    below = next((stmt for stmt in source.body if source.first_line(stmt) >= line), None)
    return 2 if isinstance(below, Definition) and source.first_line(below) == line else 1


def _group(repo: Repository, path: str, node: ImportNode) -> Group:
    if isinstance(node, ast.ImportFrom):
        return group(node.module or "", node.level, repo.index.modules, path)
    return group(node.names[0].name, 0, repo.index.modules, path)


# -- sorting


def sort_imports(repo: Repository, path: str, groups: bool = True) -> Iterator[Edit]:
    """The edits that sort each block of imports that stand together, into groups or as one."""
    source = repo.index.source(path)
    blocks = _blocks(source) if groups else (run for item in _blocks(source) for run in _runs(source, item))
    for block in blocks:
        single = [item for node in block for item in _split(source, node)]
        keyed = sorted(single, key=lambda item: _key(repo, path, item[0], groups))
        parts: list[str] = []
        before: Group | None = None
        for one, line in keyed:
            here = _group(repo, path, one)
            if groups and before is not None and here != before:
                parts.append(source.newline)
            before = here
            parts.append(line)
        edit = replace_lines(source, source.first_line(block[0]), source.last_line(block[-1]), "".join(parts))
        if edit.new != source.text[edit.start : edit.end]:
            yield edit


def _split(source: Source, node: ImportNode) -> Iterator[tuple[ImportNode, str]]:
    """An import with its line; one of several modules as one for each."""
    line = _line(source, node)
    if isinstance(node, ast.ImportFrom) or len(node.names) < 2 or set("#\\;") & set(line):
        yield node, line
        return
    for alias in node.names:
        yield ast.Import([alias]), f"import {source.segment(alias)}{source.newline}"


def _line(source: Source, node: ImportNode) -> str:
    low, high = source.line_span(source.first_line(node), source.last_line(node))
    text = source.text[low:high]
    ended = text if text.endswith(("\n", "\r")) else text + source.newline
    start, end = source.span(node)
    names = [source.segment(name) for name in node.names]
    plain = isinstance(node, ast.ImportFrom) and not set("(\\*") & set(source.text[start:end])
    if plain:
        begin = source.span(node.names[0])[0]
        joined = ", ".join(sorted(dict.fromkeys(names), key=name_key))
        return ended[: begin - low] + joined + ended[end - low :]
    return ended


def name_key(name: str) -> tuple[int, str]:
    """Constants, then classes, then the rest, as isort and ruff do."""
    word = name.split(" ")[0]
    return (0 if word.isupper() and len(word) > 1 else 1 if word[:1].isupper() else 2), word


def _key(repo: Repository, path: str, node: ImportNode, groups: bool) -> tuple[int, int, str, str]:
    module = node.names[0].name if isinstance(node, ast.Import) else "." * node.level + (node.module or "")
    group = _group(repo, path, node)
    return (
        int(group if groups else min(group, Group(1))),
        int(isinstance(node, ast.ImportFrom)),
        module.lower(),
        module,
    )


def _runs(source: Source, block: list[ImportNode]) -> Iterator[list[ImportNode]]:
    """The parts of a block that stand together without a blank line."""
    run = block[:1]
    for import_node in block[1:]:
        if import_node.lineno - 1 > source.last_line(run[-1]):
            yield run
            run = []
        run.append(import_node)
    yield run


def is_grouped(source: Source) -> bool:
    """Whether the imports of a file stand in more than one group."""
    return any(sum(1 for _ in _runs(source, block)) > 1 for block in _blocks(source))


def _blocks(source: Source) -> Iterator[list[ImportNode]]:
    """Runs of imports with nothing but blank lines between them, each alone on its lines."""
    block: list[ImportNode] = []
    for stmt in source.body:
        if isinstance(stmt, ImportNode) and _alone(source, stmt):
            between = source.lines[source.last_line(block[-1]) : stmt.lineno - 1] if block else ()
            if any(line.strip() for line in between):
                yield from [block] if _has_several(block) else []
                block = []
            block.append(stmt)
        else:
            yield from [block] if _has_several(block) else []
            block = []
    yield from [block] if _has_several(block) else []


def _has_several(block: list[ImportNode]) -> bool:
    return len(block) > 1 or any(isinstance(node, ast.Import) and len(node.names) > 1 for node in block)


def _alone(source: Source, node: ast.stmt) -> bool:
    start, end = source.span(node)
    after = source.text[end : source.starts[source.last_line(node)]].strip()
    return source.position(start)[1] == 0 and (not after or after.startswith("#"))
