"""Constants of a group as the members of an enumeration."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.checks.oldest_python import old_python_doubts, too_old
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.constants import constant_name
from spark_tui.codemods.places.named import need_source, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import FilePath, NewName
from spark_tui.pysource.names.scopes import Role, ScopeKind, Variable
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source

_TAKEN = ("mro", "name", "value")
"""Names that members cannot have."""


@codemod
class ToEnum:
    """Make the constants whose names begin alike the members of an enumeration, and use these in the file."""

    path: FilePath = slot("the file")
    prefix: NewName = slot("what the names of the constants begin with: STATUS for STATUS_NEW")
    name: NewName = slot("the name of the enumeration; empty for that of the prefix", default=NewName(""))

    def plan(self, repo: Repository) -> Plan:
        source, scopes = need_source(repo, self.path), repo.index.scopes(self.path)
        run = next((one for one in constant_groups(source) if prefix_of(one) == self.prefix.strip("_")), [])
        if not run:
            raise Refusal(f"{self.path} has no texts or numbers beside each other named {self.prefix}_…")
        name = self.name or enum_name(self.prefix)
        if not name.isidentifier() or any(one.name == name for one in scopes.variables):
            raise Refusal(f"{name} cannot be the name of the enumeration", why="name")
        values = [one.value.value for one in run if isinstance(one.value, ast.Constant)]
        if len(set(values)) < len(values):
            raise Refusal("two of them have the same value, so that one would be another name of the other")
        members = {constant_name(one): constant_name(one)[len(self.prefix.strip("_")) + 1 :] for one in run}
        if wrong := [old for old, new in members.items() if not new.isidentifier() or new in _TAKEN]:
            raise Refusal(f"{wrong[0]} would have no name as a member")
        edits: list[Edit] = []
        for old, new in members.items():
            variable = scopes.variable(old, scopes.module)
            _refuse_uses_elsewhere(repo, source, old)
            edits += _used(source, variable, f"{name}.{new}") if variable is not None else ()
        text = isinstance(values[0], str)
        old_text = text and bool(too_old(repo, 11, "StrEnum"))
        base = "StrEnum" if text and not old_text else "Enum" if text else "IntEnum"
        if base in scopes.module.bound and not _is_of_enum(repo, source, base):
            raise Refusal(f"{base} means something else in {self.path}")
        if base not in scopes.module.bound:
            edits.append(insert_import(repo, self.path, "enum", base, ""))
        head = f"class {name}({'str, Enum' if old_text else base}):"
        imported = base not in scopes.module.bound
        edits += _as_class(source, run, head, members, text=old_text, imported=imported)
        doubts = list(_doubts(source, name))
        if not text:
            doubts += old_python_doubts(repo, self.path, run[0].lineno, 11, "its text as the bare number")
        return plan_edits(repo, edits, doubts)


def constant_groups(source: Source) -> Iterator[list[ast.Assign | ast.AnnAssign]]:
    """The runs of constants of a module that are texts or numbers and whose names begin alike."""
    run: list[ast.Assign | ast.AnnAssign] = []
    kind: type | None = None
    for stmt in source.body:
        one = stmt if isinstance(stmt, ast.Assign | ast.AnnAssign) else None
        value = one.value if one is not None else None
        kind_here = type(value.value) if isinstance(value, ast.Constant) else None
        name = constant_name(stmt)
        if kind_here not in (str, int) or "_" not in name.strip("_"):
            one = None
        alike = one is not None and bool(run) and kind_here is kind
        if one is not None and alike and name.split("_")[0] == constant_name(run[0]).split("_")[0]:
            run.append(one)
            continue
        if len(run) > 1:
            yield run
        run, kind = ([one] if one is not None else []), kind_here
    if len(run) > 1:
        yield run


def prefix_of(run: list[ast.Assign | ast.AnnAssign]) -> str:
    """The words with which all names of a group begin; each has one more."""
    names = [constant_name(one).split("_") for one in run]
    out: list[str] = []
    for words in zip(*(name[:-1] for name in names), strict=False):
        if len(set(words)) > 1:
            break
        out.append(words[0])
    return "_".join(out)


def enum_name(prefix: str) -> str:
    return "".join(word.capitalize() for word in prefix.strip("_").lower().split("_"))


def _refuse_uses_elsewhere(repo: Repository, source: Source, name: str) -> None:
    for path in repo.index.files_with(name):
        if path != source.path and path in repo.index.importers(source.path):
            raise Refusal(f"{path} uses {name}")
    for node in source.strings:
        if node.value == name:
            raise Refusal(f"{source.path}:{node.lineno}: the string {name!r} may mean it")


def _used(source: Source, variable: Variable, shown: str) -> Iterator[Edit]:
    """The edits of the uses of a constant, which is set once."""
    bindings = [one for one in variable.occurrences if one.role is not Role.LOAD]
    if len(bindings) != 1:
        raise Refusal(f"{variable.name} is set or declared more than once")
    for one in variable.loads:
        if one.span[0] < 0 or one.in_string:
            raise Refusal(f"{variable.name} is used in a string that cannot be edited exactly")
        if one.scope.kind is ScopeKind.CLASS and shown.partition(".")[0] in one.scope.bound:
            raise Refusal(f"{shown.partition('.')[0]} means something else in a class")
        yield Edit(source.path, *one.span, shown)


def _is_of_enum(repo: Repository, source: Source, name: str) -> bool:
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable(name, scopes.module)
    alias = variable.bindings[0].node if variable is not None and len(variable.bindings) == 1 else None
    statement = scopes.aliases.get(alias) if isinstance(alias, ast.alias) else None
    return isinstance(statement, ast.ImportFrom) and statement.module == "enum"


def _as_class(
    source: Source,
    run: list[ast.Assign | ast.AnnAssign],
    head: str,
    members: dict[str, str],
    *,
    text: bool,
    imported: bool,
) -> Iterator[Edit]:
    newline, unit = source.newline, source.indent_unit
    first, last = own_lines(source, [*run])
    above, below = _blank(source.lines[:first][::-1]), _blank(source.lines[last:])
    front = newline * max(2 - above, 0) if first else newline * imported
    for line in range(first, last):
        at = source.starts[line]
        lead = front + head + newline if line == first else ""
        if source.lines[line].strip() or lead:
            yield Edit(source.path, at, at, lead + unit)
    for one in run:
        if one.lineno != source.last_line(one):
            raise Refusal(f"line {one.lineno}: its value goes over several lines")
        low, high = source.span(one)
        value = source.span(one.value)[0] if one.value is not None else high
        yield Edit(source.path, low, value, f"{members[constant_name(one)]} = ")
    tail = f"{newline}{unit}__str__ = str.__str__{newline}" if text else ""
    blank = newline * max(2 - below, 0) if "".join(source.lines[last:]).strip() else ""
    at = source.starts[last]
    ended = not source.text[:at].endswith(("\n", "\r"))
    if tail or blank:
        yield Edit(source.path, at, at, (newline if ended else "") + tail + blank)


def _blank(lines: Sequence[str]) -> int:
    """How many blank lines stand first."""
    return next((at for at, line in enumerate(lines) if line.strip()), len(lines))


def _doubts(source: Source, name: str) -> Iterator[Unfollowed]:
    """What shows the difference between a member and its value."""
    for word, what in (
        ("!r}", "!r"),
        ("%r", "%r"),
        ("repr(", "repr"),
        ("yaml", "yaml"),
        ("pickle", "pickle"),
        ("globals(", "globals"),
    ):
        if word in source.text:
            found = source.line_number(source.text.index(word))
            yield Unfollowed(source.path, found, f"{what} shows a member of {name} as such")
