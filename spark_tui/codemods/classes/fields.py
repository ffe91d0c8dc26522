"""The fields that an `__init__` sets."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TypeGuard

from spark_tui.codemods.plan import Edit, Refusal, Unfollowed
from spark_tui.codemods.rewriting.edits import one_line, read_expression
from spark_tui.pysource.names.type_hints import called_name, last_name, names_within
from spark_tui.pysource.source import Function, Source, docstring
from spark_tui.pysource.summary import is_own_attribute
from spark_tui.pysource.syntax.parsing import receiver, targets
from spark_tui.pysource.words import word_set

_COLLECTIONS = word_set(
    "list dict set deque defaultdict Counter OrderedDict ChainMap Queue LifoQueue PriorityQueue WeakSet"
)
_HOLDS = (
    r"\bself\.{0}(?:\[|\.(?:append|extend|items)\()|\bin self\.{0}\b"
    r"|\b(?:len|sorted|sum|enumerate|any|all|min|max)\(self\.{0}\)"
    r"|\bself\.{0}\b[^=\n]{{0,80}} = (?:[^\n]{{0,200}} (?:or|else) )?(?:[\[{{]|(?:sorted|tuple|frozenset)\()"
    r"|(?<!\*)\*{1}\b|\b{1}: ['\"]?(?:\w+\.)?"
    r"(?i:list|dict|(?:frozen)?set|tuple|\w*sequence|collection|\w*mapping)\b"
    r"|\b{1}(?:: [^\n,=]{{1,80}})?= ?[\[({{]"
)
"""Where the code of a class shows that an attribute has items: its use, its value, or the parameter it is."""
_MAKING = ("__init__", "__new__", "__post_init__")
_NO_FIELDS = ("ClassVar", "InitVar")
_UNHASHABLE = word_set("list dict set deque defaultdict counter ordereddict bytearray mutablemapping")
_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call)


@dataclass(frozen=True, slots=True)
class Field:
    """An attribute with its type and default as code; empty where there is none."""

    name: str
    annotation: str = ""
    default: str = ""
    mutable: bool = False
    taken: bool = True
    """Whether `__init__` takes it."""

    @property
    def kind(self) -> str:
        """The type, from the default where it is not said."""
        plain = ast.parse(self.default, mode="eval").body if self.default else None
        value = plain.value if isinstance(plain, ast.Constant) else None
        made = {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}.get(type(plain), "")
        return self.annotation or made or (type(value).__name__ if value is not None else "object")

    @property
    def declared(self) -> str:
        given = []
        if self.mutable:
            empty = {"[]": "list", "{}": "dict", "set()": "set"}
            given.append(f"default_factory={empty.get(self.default) or f'lambda: {self.default}'}")
        elif not self.taken:
            given.append(f"default={self.default}")
        given += [] if self.taken else ["init=False"]
        default = f"field({', '.join(given)})" if given else self.default
        return f"{self.name}: {self.kind}" + (f" = {default}" if default else "")


def slot_edits(source: Source, node: ast.ClassDef, name: str) -> list[Edit]:
    """The edit that adds a name to the `__slots__` of a class; nothing where it has none."""
    for stmt in node.body:
        if not any(isinstance(target, ast.Name) and target.id == "__slots__" for target in targets(stmt)):
            continue
        value = stmt.value if isinstance(stmt, ast.Assign | ast.AnnAssign) else None
        names = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else []
        if value is None or not names or not source.segment(value).startswith(("(", "[", "{")):
            raise Refusal(f"{source.path}:{stmt.lineno}: __slots__ cannot be edited exactly")
        last = source.span(names[-1])[1]
        return [Edit(source.path, last, last, f', "{name}"')]
    return []


def init_of(node: ast.ClassDef) -> Function | None:
    found = [stmt for stmt in node.body if isinstance(stmt, Function) and stmt.name == "__init__"]
    return found[0] if len(found) == 1 else None


def fields_set(node: ast.ClassDef, public: bool) -> list[str]:
    """The names of those attributes; `public`: without those of its own, where there are others."""
    names = list(_set_by_init(node))
    return [name for name in names if public and not name.startswith("_")] or names


def container_fields(node: ast.ClassDef) -> list[str]:
    """The attributes that `__init__` begins with as a collection, or with its `**options`."""
    init = init_of(node)
    named = init.args.kwarg.arg if init is not None and init.args.kwarg is not None else ""
    return [
        name
        for name, value in _set_by_init(node).items()
        if isinstance(value, _MUTABLE[:-1])
        or (isinstance(value, ast.Name) and value.id == named)
        or (isinstance(value, ast.Call) and called_name(value) in _COLLECTIONS)
    ]


def other_containers(node: ast.ClassDef, fields: list[str]) -> str:
    """Why another attribute than the first of some may be what an object holds; empty if none may."""
    loops = [one for one in ast.walk(node) if isinstance(one, ast.For | ast.comprehension)]
    looped = {ast.unparse(one.iter).removeprefix("self.") for one in loops}
    gone_through, known = looped - {*fields}, list(_set_by_init(node))
    others = [name for name in known if name in gone_through]
    if others:
        return f"{others[0]} may be meant, not {fields[0]}"
    is_clear = looped != gone_through or not known or known == container_fields(node)
    is_clear = is_clear or (len(known) == 1 and _holds_items(node, known[0]))
    return "" if is_clear else f"{fields[0]} was assumed"


def _holds_items(node: ast.ClassDef, name: str) -> bool:
    value = _set_by_init(node)[name]
    given = value.id if isinstance(value, ast.Name) else name
    return re.search(_HOLDS.format(re.escape(name), re.escape(given)), ast.unparse(node)) is not None


def hash_doubts(node: ast.ClassDef, fields: list[str]) -> list[str]:
    """Why a hash of some attributes may fail, or not stay the same."""
    later = [stmt for stmt in node.body if isinstance(stmt, Function) and stmt.name not in _MAKING]
    stores = (item for one in later for item in ast.walk(one) if isinstance(item, ast.Attribute))
    changed = {
        item.attr for item in stores if isinstance(item.ctx, ast.Store) and ast.unparse(item.value) == "self"
    }
    reasons = [f"{item} cannot be hashed" for item in sorted({*fields} & {*container_fields(node)})]
    return [*reasons, *(f"{item} changes, and the hash with it" for item in sorted({*fields} & changed))]


def declared_fields(node: ast.ClassDef, *, compared: bool = False, hashed: bool = False) -> list[str]:
    """The fields that a class declares; `compared`: that `__eq__` looks at; `hashed`: that have a hash."""
    found = []
    for item in (
        one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ):
        kind = last_name(getattr(item.annotation, "value", item.annotation))
        left_out = compared and "compare=False" in ast.unparse(item.value or item.target)
        if not left_out and kind not in _NO_FIELDS and not (hashed and kind.lower() in _UNHASHABLE):
            found.append(ast.unparse(item.target))
    return found


def _set_by_init(node: ast.ClassDef) -> dict[str, ast.expr | None]:
    init = init_of(node)
    return {} if init is None else _set_by(init.body, receiver(init))


def _set_by(body: list[ast.stmt], own: str) -> dict[str, ast.expr | None]:
    """The attributes that some statements set however they go on, each with what it is set to first."""
    found = dict[str, ast.expr | None]()
    for stmt in body:
        value: ast.expr | None = getattr(stmt, "value", None)
        if name := _set(stmt, own):
            found[name] = value
        elif isinstance(stmt, ast.If):
            ways = [_set_by(way, own) for way in (stmt.body, stmt.orelse) if not _raises(way)]
            found |= {name: ways[0][name] for name in ways[0] if name in ways[-1]} if ways else {}
        elif isinstance(stmt, ast.With):
            found |= _set_by(stmt.body, own)
        elif isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Tuple):
            goals = stmt.targets[0].elts
            alike = isinstance(value, ast.Tuple) and len(value.elts) == len(goals)
            values = value.elts if isinstance(value, ast.Tuple) and alike else [None] * len(goals)
            found |= {one.attr: each for one, each in zip(goals, values, strict=True) if _is_own(one, own)}
    return found


def _raises(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise)


def _is_own(node: ast.expr, own: str) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and is_own_attribute(node, own)


def compared_fields(node: ast.ClassDef) -> list[str]:
    """The attributes that `__eq__` compares: equal objects have one hash."""
    found = [stmt for stmt in node.body if isinstance(stmt, Function) and stmt.name == "__eq__"]
    own = receiver(found[0]) if found else ""
    inner = (one for method in found for one in ast.walk(method) if isinstance(one, ast.Attribute))
    return list(dict.fromkeys(one.attr for one in inner if ast.unparse(one.value) == own))


def _set(stmt: ast.stmt, own: str) -> str:
    if isinstance(stmt, ast.Assign | ast.AnnAssign):
        match targets(stmt):
            case [ast.Attribute(ast.Name(name), attribute)] if name == own:
                return attribute
    return ""


def stored_only(source: Source, init: Function) -> list[Field] | None:
    """The parameters of an `__init__` that stores each under its name in order and does nothing else, or
    None."""
    spec = init.args
    if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs or not spec.args:
        return None
    own, *taken = spec.args
    body = init.body
    if docstring(init) is not None or len(body) < len(taken) or not taken:
        return None
    defaults = dict(zip(reversed(taken), reversed(spec.defaults), strict=False))
    out = []
    for one, parameter in zip(body, taken, strict=False):
        value = one.value if isinstance(one, ast.Assign | ast.AnnAssign) else None
        stored = value.id if isinstance(value, ast.Name) else ""
        if not _set(one, own.arg) == stored == parameter.arg:
            return None
        hint = parameter.annotation or (one.annotation if isinstance(one, ast.AnnAssign) else None)
        default = defaults.get(parameter)
        type_text, value_text = one_line(source, hint), one_line(source, default)
        out.append(Field(parameter.arg, type_text, value_text, isinstance(default, _MUTABLE)))
    for one in body[len(taken) :]:
        made = one.value if isinstance(one, ast.Assign | ast.AnnAssign) else None
        empty = isinstance(made, ast.List | ast.Dict) and not ast.unparse(made)[1:-1]
        if made is None or not _set(one, own.arg) or not (empty or isinstance(made, ast.Constant)):
            return None
        shown = one_line(source, one.annotation) if isinstance(one, ast.AnnAssign) else ""
        out.append(Field(_set(one, own.arg), shown, one_line(source, made), empty, taken=False))
    return out


def find_missing_slots(source: Source, node: ast.ClassDef, slots: str) -> list[Unfollowed]:
    """The attributes that methods set and that would have no slot."""
    named = {inner.value for inner in ast.walk(read_expression(slots)) if isinstance(inner, ast.Constant)}
    missing = [item for item in attributes_set(node) if item not in named]
    return [Unfollowed(source.path, node.lineno, f"self.{item} is set and has no slot") for item in missing]


def attributes_set(node: ast.ClassDef) -> list[str]:
    """The attributes of itself that the methods of a class set."""
    methods = (stmt for stmt in node.body if isinstance(stmt, Function))
    found = ((inner, receiver(method)) for method in methods for inner in ast.walk(method))
    return list(dict.fromkeys(inner.attr for inner, own in found if is_own_attribute(inner, own)))


def check_slots(node: ast.ClassDef, slots: str) -> None:
    """Refuse `__slots__` with which the class could not be made."""
    value = read_expression(slots)
    if isinstance(value, ast.Constant) and not isinstance(value.value, str):
        raise Refusal(f"__slots__ holds names of attributes, not {slots}")
    named = {inner.value for inner in ast.walk(value) if isinstance(inner, ast.Constant)}
    given = [stmt for stmt in node.body if isinstance(stmt, ast.Assign | ast.AnnAssign) and stmt.value]
    bound = names_within(*(target for stmt in given for target in targets(stmt)))
    if clash := sorted(bound & named):
        raise Refusal(f"{clash[0]} has a value in the class, so it cannot be a slot")


def last_assignment(init: Function) -> ast.stmt:
    """The last plain `self.x = …` of `__init__`, or its last statement."""
    found = [stmt for stmt in init.body if isinstance(stmt, ast.Assign | ast.AnnAssign) and _sets_self(stmt)]
    return found[-1] if found else init.body[-1]


def _sets_self(stmt: ast.stmt) -> bool:
    target = targets(stmt)[0]
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)


def list_stored_fields(source: Source, init: Function) -> list[Field]:
    fields = stored_only(source, init)
    if fields is None:
        raise Refusal("its __init__ does more than store its parameters")
    seen = False
    for field in fields:
        if seen and not field.default:
            raise Refusal("a field without a default would come after one with a default")
        seen = seen or bool(field.default)
        if field.mutable and field.taken and field.default not in ("[]", "{}"):
            raise Refusal(f"the default of {field.name} is mutable")
    return fields
