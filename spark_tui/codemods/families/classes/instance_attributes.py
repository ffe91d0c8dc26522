"""Attributes that all objects of a class share, set for each of them in `__init__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from spark_tui.codemods.classes.fields import init_of, slot_edits
from spark_tui.codemods.classes.inits import calls_init, foreign_base, needs_first, new_init
from spark_tui.codemods.families.classes.uses_without_object import MAKING_FIELDS, other_uses
from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import comment_lines_above, insert_at_line, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, reindent, replace_lines
from spark_tui.codemods.slots import Symbol, SymbolKind
from spark_tui.codemods.uses.by_string import attribute_by_string
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, FunctionValue
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import called_name, decorator_names, last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set

_DECLARED = word_set(
    "Enum IntEnum StrEnum Flag IntFlag NamedTuple TypedDict Protocol Model BaseModel Structure"
)
"""Bases that read the attributes of the class as what its objects are made of."""
_HOOKS = word_set(
    "__dict__ vars asdict __setattr__ __getattr__ __init_subclass__ __setstate__ __getstate__ __reduce__"
    " __copy__ __deepcopy__"
)
"""What tells attributes of objects from those of their class."""
_MADE_BY_NEW = word_set("str bytes int float complex tuple frozenset")
_PLAIN = word_set(
    "list dict set tuple frozenset bytearray int float str bool object len range sorted defaultdict deque"
    " Counter OrderedDict Lock RLock Event Condition Semaphore Queue SimpleQueue Path Decimal Fraction date"
    " datetime timedelta now time compile getLogger count uuid4 WeakSet WeakKeyDictionary WeakValueDictionary"
    " StringIO BytesIO"
)
"""What makes no descriptor, which works in a class only."""


@codemod
class ToInstanceAttribute:
    """Set a class attribute in `__init__`, for each object, so that they do not share it."""

    target: Symbol = slot("the attribute", kinds=frozenset((SymbolKind.ATTRIBUTE,)))

    def plan(self, repo: Repository) -> Plan:
        target = need(find_symbol(repo, self.target, frozenset((SymbolKind.ATTRIBUTE,))))
        source, owner = repo.index.source(target.path), target.owner
        if owner is None:
            raise Refusal(f"{target.qualname} is no attribute of a class")
        stmt = _setting(owner, target.name)
        init = init_of(owner.node)
        _refuse_kinds(repo, source, owner, stmt, target.name)
        doubts = [*other_uses(repo, owner, target.name), *_doubts(repo, source, owner, stmt, target.name)]
        edits = [*_moved(repo, source, owner, stmt, init, target.name)]
        edits += slot_edits(source, owner.node, target.name)
        return plan_edits(repo, with_lost_imports(repo, edits), doubts)


def _setting(owner: ClassValue, name: str) -> ast.Assign | ast.AnnAssign:
    """The one statement in the body of a class that sets an attribute."""
    found = [
        stmt
        for stmt in owner.node.body
        if (isinstance(stmt, ast.Assign) and [name] == [*map(ast.unparse, stmt.targets)])
        or (isinstance(stmt, ast.AnnAssign) and ast.unparse(stmt.target) == name and stmt.value is not None)
    ]
    inner = [one for stmt in owner.node.body if not isinstance(stmt, Definition) for one in walk(stmt)]
    stores = [one for one in inner if isinstance(one, ast.Name) and one.id == name]
    if not found and not stores:
        raise Refusal(f"{name} is set for each object already", why="nothing")
    if len(found) != 1:
        raise Refusal(f"{name} is not set once, by a statement of its own, in {owner.node.name}")
    assert isinstance(found[0], ast.Assign | ast.AnnAssign)
    return found[0]


def _refuse_kinds(
    repo: Repository, source: Source, owner: ClassValue, stmt: ast.Assign | ast.AnnAssign, name: str
) -> None:
    """Refuse classes that read their attributes, and values that depend on the body of the class."""
    node, scopes = owner.node, repo.index.scopes(source.path)
    bases = {last_name(base) for one in repo.classes.ancestors(owner) for base in one.node.bases}
    if MAKING_FIELDS.intersection(decorator_names(node)):
        raise Refusal(f"{node.name} is a dataclass, which takes field(default_factory=…)")
    for above in repo.classes.ancestors(owner)[1:]:
        if any(isinstance(one, Definition) for one in repo.classes.own_members(above).get(name, ())):
            raise Refusal(f"{name} is a method or property of {above.node.name}")
    if kind := bases & _DECLARED:
        raise Refusal(f"what is set in a {kind.pop()} is a field")
    options = [one for above in repo.classes.ancestors(owner) for one in above.node.keywords]
    if any(one.arg != "metaclass" or last_name(one.value) != "ABCMeta" for one in options):
        raise Refusal(f"the metaclass of {node.name} may read {name}")
    if name.startswith("__") and name.endswith("__"):
        raise Refusal(f"Python reads {name} of the class")
    assert stmt.value is not None
    own, init = scopes.scope_of[node], init_of(node)
    inner = scopes.scope_of[init] if init is not None else None
    made = [stmt for one in repo.classes.ancestors(owner) for stmt in one.node.body if _makes(stmt)]
    if init is None and (bases & _MADE_BY_NEW or any(len(parameters(one)) > 1 for one in made)):
        raise Refusal(f"__new__ takes what {node.name} is made of")
    if init is None and "__init__" in own.bound:
        raise Refusal(f"{node.name} has no one plain __init__")
    for read in names_within(stmt.value):
        if read in own.bound:
            raise Refusal(f"its value uses {read} of {node.name}")
        if inner is not None and read in inner.bound:
            raise Refusal(f"{read} means something else in __init__")
    values = repo.infer.values(source.path, stmt.value, own)
    if isinstance(stmt.value, ast.Lambda) or any(isinstance(value, FunctionValue) for value in values):
        raise Refusal(f"{name} is a method of the objects")


def _makes(stmt: ast.stmt) -> TypeGuard[Function]:
    return isinstance(stmt, Function) and stmt.name == "__new__"


def _doubts(
    repo: Repository, source: Source, owner: ClassValue, stmt: ast.Assign | ast.AnnAssign, name: str
) -> Iterator[Unfollowed]:
    """Other ways to an object or to the attribute, which cannot be followed."""
    node, value = owner.node, stmt.value
    assert value is not None
    yield from descriptor_doubts(repo, source, value)
    if foreign := foreign_base(repo, owner):
        yield Unfollowed(source.path, stmt.lineno, f"{foreign} may read {name} of the class")
    for decorator in decorator_names(node):
        if decorator not in ("total_ordering", "final", "runtime_checkable"):
            yield Unfollowed(source.path, node.lineno, f"@{decorator} may read {name} of the class")
    for below in repo.classes.descendants(owner):
        if below != owner and len(below.node.bases) > 1:
            reason = f"whether another base of {below.node.name} calls this __init__ is not known"
            yield Unfollowed(below.path, below.node.lineno, reason)
    scopes = repo.index.scopes(source.path)
    for known in (scopes.resolve(scopes.by_node[one]) for one in walk(value) if one in scopes.by_node):
        changes = [one for one in known.occurrences if one.role.binds or one.role is Role.DELETE]
        if len(changes) > 1 and not known.is_imported:
            reason = f"{known.name} may be another value by the time that an object is made"
            yield Unfollowed(source.path, stmt.lineno, reason)
    for one in repo.classes.ancestors(owner):
        if any(map(_makes, one.node.body)):
            reason = f"__new__ of {one.node.name} may give an object that has {name} already"
            yield Unfollowed(one.path, one.node.lineno, reason)
        for inner in walk(one.node):
            word = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            word = inner.name if isinstance(inner, Function) else word
            if word in _HOOKS:
                reason = f"{word} there has {name} of each object from now on"
                yield Unfollowed(one.path, getattr(inner, "lineno", 1), reason)
    for path in sorted(repo.index.files_with(name)):
        for string in repo.index.source(path).strings:
            if str(string.value).endswith(f"{node.name}.{name}"):
                yield Unfollowed(path, string.lineno, f"{string.value!r} may mean {name} of the class")
    for path in sorted({source.path, *repo.index.importers(source.path)}):
        for call in repo.index.scopes(path).calls:
            if attribute_by_string(call, name):
                yield Unfollowed(
                    path, call.lineno, f"{ast.unparse(call.func)}(…) may read {name} of the class"
                )
            elif last_name(call.func) == "__new__" and node.name in names_within(call) | {"cls", "self"}:
                yield Unfollowed(path, call.lineno, f"an object that __new__ makes may lack {name}")


# -- the edits


def _moved(
    repo: Repository,
    source: Source,
    owner: ClassValue,
    stmt: ast.Assign | ast.AnnAssign,
    init: Function | None,
    name: str,
) -> Iterator[Edit]:
    """The statement as one of `__init__`, which is written where there is none."""
    node, newline, unit = owner.node, source.newline, source.indent_unit
    refuse_inline(source, node.body)
    first, last = own_lines(source, [stmt])
    first = comment_lines_above(source, first)
    low, high = source.line_span(first, last)
    indent = source.indent(stmt)
    receiver = parameters(init)[0].arg if init is not None and parameters(init) else "self"
    if init is not None and (
        init.decorator_list or not parameters(init) or isinstance(init, ast.AsyncFunctionDef)
    ):
        raise Refusal(f"{node.name} has no plain __init__")
    lines = Source(source.text[low : source.span(stmt)[0]] + f"{receiver}." + _declared(source, stmt, high))
    part = Source("if x:\n" + lines.text.replace("\r\n", "\n"))
    text = reindent(part, source, indent + unit, indent).split(newline, 1)[1]
    if not text.endswith(newline):
        text += newline
    yield _deleted(source, stmt)
    if init is None:
        yield new_init(repo, source, owner, stmt, text, first=needs_first(repo, owner, name))
        return
    refuse_inline(source, init.body)
    body = [one for one in init.body if one is not docstring(init)]
    if any(_sets(one, receiver, name) for one in body):
        raise Refusal(f"__init__ sets {name} for each object already", why="nothing")
    calls = bool(body) and isinstance(body[0], ast.Expr) and calls_init(body[0].value)
    if not body:
        yield insert_at_line(source, source.last_line(init.body[-1]), text)
    elif isinstance(body[0], ast.Pass) and len(body) == 1:
        yield replace_lines(source, *own_lines(source, body), text)
    elif calls and not needs_first(repo, owner, name):
        yield insert_at_line(source, source.last_line(body[0]), text)
    else:
        yield insert_at_line(source, comment_lines_above(source, own_lines(source, [body[0]])[0]), text)


def _deleted(source: Source, stmt: ast.stmt) -> Edit:
    """The edit that takes a statement of a class away with its comments, and with the blank lines behind it
    where others stand in front."""
    first, last = own_lines(source, [stmt])
    first = comment_lines_above(source, first)
    suite = source.suite(stmt)
    if (suite[0] is stmt or not source.lines[first - 1].strip()) and suite[-1] is not stmt:
        while not source.lines[last].strip():
            last += 1
    return Edit(source.path, *source.line_span(first, last), "")


def _declared(source: Source, stmt: ast.Assign | ast.AnnAssign, end: int) -> str:
    """The text of the statement, without `ClassVar`."""
    low = source.span(stmt)[0]
    match stmt:
        case ast.AnnAssign(annotation=ast.Subscript(value, inner) as hint) if last_name(value) == "ClassVar":
            start, stop = source.span(hint)
            return source.text[low:start] + source.segment(inner) + source.text[stop:end]
        case ast.AnnAssign(annotation=hint) if last_name(hint) == "ClassVar":
            return source.text[low : source.span(stmt.target)[1]] + source.text[source.span(hint)[1] : end]
    return source.text[low:end]


def _sets(stmt: ast.stmt, receiver: str, name: str) -> bool:
    targets = stmt.targets if isinstance(stmt, ast.Assign) else [getattr(stmt, "target", None)]
    plain = isinstance(stmt, ast.Assign | ast.AnnAssign)
    return plain and any(one is not None and ast.unparse(one) == f"{receiver}.{name}" for one in targets)


def descriptor_doubts(repo: Repository, source: Source, value: ast.expr) -> Iterator[Unfollowed]:
    """Doubts about a value that is made by something unknown, or may be a function and so a method."""
    module = repo.index.scopes(source.path).module
    asked = value.func if isinstance(value, ast.Call) else value
    found = repo.infer.values(source.path, asked, module)
    if isinstance(value, ast.Call):
        own = any(isinstance(one, ClassValue) and not _describes(repo, one) for one in found)
        if called_name(value) not in _PLAIN and not own:
            reason = f"what {ast.unparse(value.func)} gives may work in a class only"
            yield Unfollowed(source.path, value.lineno, reason)
        return
    named = isinstance(value, ast.Name | ast.Attribute) and not last_name(value).isupper()
    if named and (UNKNOWN in found or not found):
        yield Unfollowed(source.path, value.lineno, f"{ast.unparse(value)} may be a function")


def _describes(repo: Repository, value: ClassValue) -> bool:
    members = {name for one in repo.classes.ancestors(value) for name in repo.classes.own_members(one)}
    return bool(members & {"__get__", "__set__", "__set_name__"}) or repo.classes.has_foreign_base(value)
