"""Tuples with names, written as classes that say the types of their fields."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.imports.unused import exchange_lost_imports
from spark_tui.codemods.places.named import comment_lines_above, find_region, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, one_line, plan_edits, replace_lines
from spark_tui.codemods.slots import Place
from spark_tui.pysource.inference.plain_types import joined_type, plain_type
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, InstanceValue
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.names.undefined import is_fragment
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, docstring
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_MAKERS = ("namedtuple", "collections.namedtuple", "NamedTuple", "typing.NamedTuple")
_OWN = word_set("__new__ __init__ __getnewargs__ _fields _field_defaults _make _replace _asdict _source")
"""What a class of NamedTuple cannot define."""
_FREE = word_set("super __class__ __dict__ cached_property setattr vars")
"""What needs another base class, or objects with a dictionary."""
Made = ast.Assign | ast.ClassDef


@dataclass(eq=False)
class Field:
    """A field: its name and where that stands alone, its type as far as that is said, and its default."""

    name: str
    node: ast.expr | None = None
    hint: str = ""
    value: ast.expr | None = None


@codemod
class ToTypedTuple:
    """Write a namedtuple as a class of `typing.NamedTuple` with types."""

    place: Place = slot("where: the line of the namedtuple, or `in shop/cart.py`")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, scopes = within.source, repo.index.scopes(within.path)
        heads = within.heads(ast.stmt)
        found = [one for one in heads if isinstance(one, Made) and named_tuple(one) is not None]
        edits: list[Edit] = []
        left: list[Unfollowed] = []
        doubts: list[Unfollowed] = []
        for stmt in found:
            try:
                fields = _fields(source, stmt)
                doubts += _check_kinds(repo, source, stmt, {one.name for one in fields})
                doubts += _set_types(repo, source, stmt, fields)
                base = _typing(scopes, "NamedTuple")
                lines = [_line(source, scopes, one) for one in fields]
                if isinstance(stmt, ast.Assign):
                    edits += _assigned(source, stmt, lines, fields, base, found)
                else:
                    edits += _derived(source, stmt, lines, base)
            except Refusal as error:
                left.append(Unfollowed(source.path, stmt.lineno, str(error)))
        if not edits:
            raise Refusal(
                left[0].reason if left else "there is no namedtuple", why="unfit" if left else "nothing"
            )
        if is_fragment(scopes) and not any(_root(one) in scopes.module.bound for one in found):
            return plan_edits(repo, edits, [*doubts, *left], given=("NamedTuple", "Any"))
        return plan_edits(repo, [*edits, *_imports(repo, source.path, edits)], [*doubts, *left])


def named_tuple(stmt: ast.AST) -> ast.Call | None:
    """The call of namedtuple that a statement gives a name, or that a class derives from."""
    match stmt:
        case (
            ast.Assign([ast.Name()], ast.Call() as call)
            | ast.ClassDef(bases=[ast.Call() as call], keywords=[])
        ):
            return call if ast.unparse(call.func) in _MAKERS else None
    return None


def _root(stmt: Made) -> str:
    call = named_tuple(stmt)
    return next(iter(names_within(call.func))) if call is not None else ""


def _fields(source: Source, stmt: Made) -> list[Field]:
    """The fields that a call of namedtuple names."""
    call = named_tuple(stmt)
    assert call is not None
    given = {one.arg: one.value for one in call.keywords}
    named = call.args[1] if len(call.args) == 2 else given.pop("field_names", None)
    defaults = _row(given.pop("defaults", None))
    title = call.args[0] if call.args else None
    if given or named is None or defaults is None or not isinstance(title, ast.Constant):
        raise Refusal(f"what {ast.unparse(call.func)} is given cannot be read")
    if isinstance(stmt, ast.Assign) and ast.unparse(stmt.targets[0]) != title.value:
        raise Refusal(f"its name is {title.value!r}, which objects show")
    out: list[Field] = []
    said = [*defaults]
    if isinstance(named, ast.Constant) and isinstance(named.value, str):
        out = [Field(name) for name in named.value.replace(",", " ").split()]
    for one in _row(named) or ():
        match one:
            case ast.Constant(str(name)):
                out.append(Field(name, one))
            case ast.Tuple([ast.Constant(str(name)), hint]):
                out.append(Field(name, one, one_line(source, hint)))
                said.append(hint)
            case _:
                raise Refusal(f"{ast.unparse(one)} is no name of a field")
    for field, value in zip(reversed(out), reversed(defaults), strict=False):
        field.value = value
    names = [field.name for field in out]
    if not names or len(set(names)) < len(names):
        raise Refusal("its fields cannot be read")
    for name in names:
        if not name.isidentifier() or keyword.iskeyword(name) or name in ("Any", "NamedTuple"):
            raise Refusal(f"{name} cannot be the name of a field")
        if name.startswith("_") or name in names_within(*said):
            raise Refusal(f"{name} would mean something else in the class")
    return out


def _row(node: ast.expr | None) -> list[ast.expr] | None:
    """The items of a list or tuple that is written out, or of one item several times."""
    match node:
        case None:
            return []
        case ast.Tuple(items) | ast.List(items):
            return None if any(isinstance(one, ast.Starred) for one in items) else items
        case ast.BinOp(ast.Tuple([one]) | ast.List([one]), ast.Mult(), ast.Constant(int(count))):
            return [one] * count
    return None


def _check_kinds(repo: Repository, source: Source, stmt: Made, names: set[str]) -> Iterator[Unfollowed]:
    """Refuse where the name means something else too, or a class does what one of NamedTuple cannot; doubts
    where something may."""
    scopes = repo.index.scopes(source.path)
    for name in (_root(stmt), "Any", "NamedTuple"):
        variable = scopes.variable(name, scopes.module)
        if variable is not None and not all(isinstance(one.node, ast.alias) for one in variable.bindings):
            raise Refusal(f"{name} is not that of the library")
    if isinstance(stmt, ast.Assign):
        if len(scopes.resolve(scopes.by_node[stmt.targets[0]]).bindings) > 1:
            raise Refusal(f"{ast.unparse(stmt.targets[0])} is set more than once")
        return
    own = ClassValue(source.path, stmt)
    members = repo.classes.own_members(own)
    for name, nodes in members.items():
        if name in _OWN | names or isinstance(nodes[0], ast.Attribute):
            raise Refusal(f"{stmt.name} sets {name} itself")
    if any(isinstance(one, ast.AnnAssign) for one in stmt.body):
        raise Refusal(f"what is annotated in {stmt.name} would be a field too")
    if "__slots__" in members and not any(map(_sets_slots, stmt.body)):
        raise Refusal(f"{stmt.name} has slots of its own")
    for inner in walk(stmt):
        name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
        if name in _FREE and not (name == "__class__" and isinstance(inner, ast.Attribute)):
            raise Refusal(f"line {getattr(inner, 'lineno', 0)}: {name} needs a class of its own")
    for path in (
        sorted({source.path, *repo.index.importers(source.path)}) if "__slots__" not in members else ()
    ):
        for use in repo.index.scopes(path).attributes:
            if isinstance(use.node.ctx, ast.Store):
                values = repo.infer.values(path, use.node.value, use.scope)
                if any(isinstance(value, InstanceValue) and value.of == own for value in values):
                    raise Refusal(f"{path}:{use.node.lineno} sets {ast.unparse(use.node)}")
                if UNKNOWN in values:
                    reason = f"{ast.unparse(use.node)} is set: objects of {stmt.name} take that no more"
                    yield Unfollowed(path, use.node.lineno, reason)


# -- types


def _set_types(repo: Repository, source: Source, stmt: Made, fields: list[Field]) -> Iterator[Unfollowed]:
    """Give the fields the types of what all calls pass for them, or of their defaults."""
    name = stmt.name if isinstance(stmt, ast.ClassDef) else ast.unparse(stmt.targets[0])
    seen: dict[str, set[str]] = {field.name: set() for field in fields}
    for path in sorted({source.path, *repo.index.importers(source.path)} & set(repo.index.files_with(name))):
        for _, call in repo.index.scopes(path).calls_by_name.get(name, ()):
            whole = any(isinstance(one, ast.Starred) for one in call.args)
            given = dict(zip(seen, () if whole else call.args, strict=False))
            given |= {one.arg: one.value for one in call.keywords if one.arg}
            for field in fields:
                sure = not whole and all(one.arg for one in call.keywords)
                value = given.get(field.name) or (field.value if sure else None)
                seen[field.name].add(plain_type(repo.index.source(path), value))
    old = bool(too_old(repo, 10, "|"))
    guessed = []
    for field in fields:
        default = {plain_type(source, field.value)} if field.value is not None else set()
        from_calls = joined_type(seen[field.name] | default, old)
        hint = field.hint or from_calls or joined_type(default, old)
        guessed += [field.name] * bool(hint not in (field.hint, from_calls))
        # A type that a field is called like would mean the field.
        field.hint = "" if hint.partition(" ")[0] in seen and not field.hint else hint
    if guessed:
        reason = f"the type of {' and '.join(guessed)} was read from the default"
        yield Unfollowed(source.path, stmt.lineno, reason)


# -- the edits


def _typing(scopes: Scopes, name: str) -> str:
    """How a file calls a name of typing."""
    whole = "typing" in scopes.module.bound and name not in scopes.module.bound
    return f"typing.{name}" if whole else name


def _line(source: Source, scopes: Scopes, field: Field) -> str:
    default = f" = {one_line(source, field.value)}" if field.value is not None else ""
    return f"{field.name}: {field.hint or _typing(scopes, 'Any')}{default}"


def _assigned(
    source: Source,
    stmt: ast.Assign,
    lines: list[str],
    fields: list[Field],
    base: str,
    found: Sequence[ast.stmt],
) -> Iterator[Edit]:
    """The class in the place of an assignment, with the comments that stand at the fields."""
    first, last = own_lines(source, [stmt])
    newline, indent, suite = source.newline, source.indent(stmt), source.suite(stmt)
    low, high = source.line_span(first, last)
    end = source.span(stmt)[1]
    behind = "".join(f"  {text}" for text in comments_in(source, end, high))
    text = f"{indent}class {ast.unparse(stmt.targets[0])}({base}):{behind}{newline}"
    done = low
    for at, (line, field) in enumerate(zip(lines, fields, strict=True)):
        row = source.line_number(source.span(field.node)[0]) if field.node is not None else 0
        until = source.starts[row] if row else low
        after = fields[at + 1].node if at + 1 < len(fields) else None
        shared = after is not None and source.line_number(source.span(after)[0]) == row
        notes = [one for one in source.comments if done <= one.span[0] < min(until, end)]
        beside = (
            notes.pop() if notes and not shared and source.line_number(notes[-1].span[0]) == row else None
        )
        text += "".join(f"{indent}{source.indent_unit}{one.text}{newline}" for one in notes)
        text += f"{indent}{source.indent_unit}{line}{f'  {beside.text}' if beside else ''}{newline}"
        done = max(done, until)
    if any(one not in text for one in comments_in(source, low, high)):
        raise Refusal("a comment in it would be lost")
    wanted = 2 if suite is source.body else 1
    at = suite.index(stmt)
    above = comment_lines_above(source, first)
    blank = next((n for n in range(above) if source.lines[above - 1 - n].strip()), above)
    if at and suite[at - 1] not in found and blank < wanted:
        yield Edit(source.path, source.starts[above], source.starts[above], newline * (wanted - blank))
    below = next((n for n, line in enumerate(source.lines[last:]) if line.strip()), 0)
    more = at + 1 < len(suite) and below < wanted
    yield replace_lines(source, first, last, text + newline * (wanted - below) * more)


def _derived(source: Source, stmt: ast.ClassDef, lines: list[str], base: str) -> Iterator[Edit]:
    """The fields in the body of a class, with the base exchanged."""
    refuse_inline(source, stmt.body)
    low, high = source.span(stmt.bases[0])
    if comments_in(source, low, high):
        raise Refusal("a comment in it would be lost")
    yield Edit(source.path, low, high, base)
    newline, indent = source.newline, source.indent(stmt.body[0])
    text = "".join(f"{indent}{line}{newline}" for line in lines)
    doc = docstring(stmt)
    gone = [one for one in stmt.body if isinstance(one, ast.Pass) or _sets_slots(one)]
    rest = [one for one in stmt.body if one is not doc and one not in gone]
    for one in gone:
        first, last = own_lines(source, [one])
        while one is not stmt.body[-1] and not source.lines[last].strip():
            last += 1
        yield replace_lines(source, first, last, "")
    line = source.last_line(doc) if doc is not None else own_lines(source, [stmt.body[0]])[0]
    front = newline if doc is not None else ""
    heads = rest and (doc is None or source.lines[source.last_line(doc)].strip())
    at = source.starts[line if doc is not None else comment_lines_above(source, line)]
    ended = newline if not source.text[:at].endswith(("\n", "\r")) else ""
    yield Edit(source.path, at, at, ended + front + text + (newline if heads else ""))


def _sets_slots(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Assign) and ast.unparse(stmt) in ("__slots__ = ()", "__slots__ = []")


def _imports(repo: Repository, path: str, edits: list[Edit]) -> list[Edit]:
    """The imports of what the classes need, without those of what nothing uses any more."""
    scopes = repo.index.scopes(path)
    used = ("Any", "NamedTuple") if any(": Any" in edit.new for edit in edits) else ("NamedTuple",)
    needed = [name for name in used if _typing(scopes, name) == name and name not in scopes.module.bound]
    return exchange_lost_imports(repo, path, edits, "typing", needed)
