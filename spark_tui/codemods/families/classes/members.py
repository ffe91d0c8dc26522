"""Classes: methods, fields, special methods, base classes, dataclasses."""

from __future__ import annotations

import ast
import keyword
import re
from dataclasses import replace

from spark_tui.codemods.classes.enum_members import is_enumeration, next_member
from spark_tui.codemods.classes.fields import (
    check_slots,
    compared_fields,
    container_fields,
    declared_fields,
    fields_set,
    find_missing_slots,
    hash_doubts,
    init_of,
    last_assignment,
    other_containers,
    slot_edits,
)
from spark_tui.codemods.classes.special_methods import (
    SpecialMethod,
    adds_unknown,
    gives_count,
    write_delegating,
    write_special_method,
)
from spark_tui.codemods.families.classes.new_methods import iterable_doubts, method_doubts
from spark_tui.codemods.places.named import insert_after, insert_at_line, need_class, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, from_json, slot
from spark_tui.codemods.rewriting.edits import (
    indent_statements,
    names_in,
    plan_edits,
    read_expression,
    read_statements,
)
from spark_tui.codemods.slots import CLASS, Annotation, Expression, NewName, Statements, Symbol
from spark_tui.codemods.uses.class_doubts import field_doubts, truth_doubts
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import called, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, docstring

_COMPARING = (SpecialMethod.EQ, SpecialMethod.HASH)
_OF_CONTAINERS = (SpecialMethod.LEN, SpecialMethod.ITER, SpecialMethod.CONTAINS, SpecialMethod.GETITEM)
_OF_CLASS = re.compile(r"__\w+__|_?[A-Z][A-Z0-9_]+")
"""What is an attribute of the class, not of its objects."""


def member_names(repo: Repository, source: Source, node: ast.ClassDef) -> set[str]:
    return set(repo.classes.own_members(ClassValue(source.path, node)))


def append_definition(source: Source, node: ast.ClassDef, code: str) -> Edit:
    """The edit that puts a definition at the end of a class; a lone `pass` or `...` goes."""
    last = node.body[-1]
    refuse_inline(source, node.body)
    text = indent_statements(source, code, source.indent(node.body[0]))
    if len(node.body) == 1 and isinstance(last, ast.Pass):
        low, high = source.line_span(*own_lines(source, [last]))
        return Edit(source.path, low, high, text)
    return insert_at_line(source, own_lines(source, [last])[1], source.newline + text)


@codemod
class AddMethod:
    """Add a method to a class, after the others."""

    target: Symbol = slot("the class", kinds=CLASS)
    code: Statements = slot("the whole method: `def area(self): …`, decorators included")

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        body = read_statements(self.code).body
        if len(body) != 1 or not isinstance(body[0], Function):
            raise Refusal("write one method")
        if body[0].name in member_names(repo, source, node):
            raise Refusal(f"{target.qualname} already has {body[0].name}", why="nothing")
        doubts = method_doubts(repo, source, node, body[0])
        edit = append_definition(source, node, self.code)
        return plan_edits(repo, [edit], doubts, given=names_in(self.code))


@codemod
class AddSpecialMethod:
    """Add `__repr__`, `__eq__` and the like, written from the attributes that `__init__` sets."""

    target: Symbol = slot("the class", kinds=CLASS)
    method: SpecialMethod = slot(
        "which one: repr, str, eq, hash, lt, len, iter, contains, getitem, bool, enter_exit"
    )
    attribute: NewName = slot(
        "the attribute that len, iter, contains, getitem, bool, lt and str use; those of repr, eq and hash,"
        " with commas, where not all that `__init__` sets are meant",
        default=NewName(""),
    )

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        known = member_names(repo, source, node)
        names = [f"__{name}__" for name in self.method.value.split("_")]
        if any(name in known for name in names):
            raise Refusal(f"{target.qualname} already has {names[0]}", why="nothing")
        named = [part.strip() for part in self.attribute.split(",") if part.strip()]
        for at, item in enumerate(named):
            found = repo.classes.lookup(ClassValue(source.path, node), item)
            if found is None:
                raise Refusal(f"{target.qualname} has no attribute {item}", tuple(sorted(known)))
            if isinstance(method := found[1], Function) and not method.decorator_list:
                if delegating := write_delegating(self.method, method):
                    return plan_edits(repo, [append_definition(source, node, delegating)])
                named[at] = f"{item}()"
                if self.method is SpecialMethod.LEN and gives_count(repo.index.source(found[0].path), method):
                    code = f"def __len__(self):\n    return self.{item}()\n"
                    added = append_definition(source, node, code)
                    unsure = list(truth_doubts(repo, source, node))
                    if method.returns is None and adds_unknown(method):
                        reason = f"{item} may give something else than a whole number"
                        unsure.append(Unfollowed(source.path, method.lineno, reason))
                    return plan_edits(repo, [added], unsure)
        fields = named or (self.method is SpecialMethod.HASH and compared_fields(node)) or []
        public = self.method is SpecialMethod.REPR
        fields = fields or fields_set(node, public)
        fields = fields or declared_fields(
            node, compared=self.method in _COMPARING, hashed=self.method is SpecialMethod.HASH
        )
        if not named and self.method in _OF_CONTAINERS and len(held := container_fields(node)) == 1:
            fields = held
        made = repo.classes.descendants(ClassValue(source.path, node))
        is_base = public and any(one.node is not node for one in made)
        shown = "{type(self).__name__}" if is_base else node.name
        code = write_special_method(self.method, shown, fields)
        doubts = []
        is_guessed = not named and self.method in _OF_CONTAINERS
        if is_guessed and (reason := other_containers(node, fields)):
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        if self.method is SpecialMethod.EQ and "__hash__" not in known:
            reason = "with __eq__ and no __hash__ its objects are not hashable"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        is_error = any(ast.unparse(base).endswith(("Error", "Exception")) for base in node.bases)
        if self.method is SpecialMethod.STR and is_error and not named:
            doubts.append(
                Unfollowed(source.path, node.lineno, "the message of the error is not shown any more")
            )
        if self.method is SpecialMethod.HASH:
            doubts += [Unfollowed(source.path, node.lineno, why) for why in hash_doubts(node, fields)]
        if self.method in (SpecialMethod.ITER, SpecialMethod.GETITEM):
            doubts += iterable_doubts(repo, source)
        if self.method in (SpecialMethod.LEN, SpecialMethod.BOOL) and not known & {"__len__", "__bool__"}:
            doubts += truth_doubts(repo, source, node)
        return plan_edits(repo, [append_definition(source, node, code)], doubts)


@codemod
class AddField:
    """Add a field: of a dataclass as a line, of another class as a parameter and attribute of `__init__`."""

    target: Symbol = slot("the class", kinds=CLASS)
    name: NewName = slot("the name of the field")
    annotation: Annotation = slot("its type", default=Annotation(""))
    default: Expression = slot("its default", default=Expression(""))
    parameter: bool = slot("whether `__init__` takes it; else it is set to the default", default=True)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        if not self.name.isidentifier() or keyword.iskeyword(self.name):
            raise Refusal(f"{self.name!r} is not a valid name")
        for text in (self.annotation, self.default):
            if text:
                read_expression(text)
        if is_enumeration(node) and not self.default and not self.annotation:
            name, value = next_member(source, node, self.name)
            named = replace(self, name=NewName(name), default=Expression(value), parameter=False)
            return named.plan(repo)
        if self.name in member_names(repo, source, node):
            raise Refusal(f"{target.qualname} already has {self.name}", why="nothing")
        given = names_in(self.annotation, self.default)
        doubts = field_doubts(repo, source, node, required=not self.default)
        if is_dataclass(node):
            return plan_edits(repo, [self._declared(source, node)], doubts, given=given)
        init = init_of(node)
        if init is None and not self.annotation and _is_model(node) and not _OF_CLASS.fullmatch(self.name):
            raise Refusal("a field of a model needs a type")
        if init is None or _OF_CLASS.fullmatch(self.name):
            if self.name == "__slots__" and self.default:
                check_slots(node, self.default)
                doubts = iter((*doubts, *find_missing_slots(source, node, self.default)))
            if self.parameter and not self.default:
                why = f"{target.qualname} has no __init__" if init is None else f"{self.name} is of the class"
                raise Refusal(f"{why}: give a default and parameter=false")
            return plan_edits(repo, [self._class_level(source, node)], doubts, given=given)
        if not self.parameter and not self.default:
            raise Refusal("give a default or let __init__ take it")
        hint = f": {self.annotation}" if self.annotation and not self.parameter else ""
        value = self.name if self.parameter else self.default
        line = insert_after(source, last_assignment(init), f"self.{self.name}{hint} = {value}")
        line_and_slot = [line, *slot_edits(source, node, self.name)]
        if not self.parameter:
            return plan_edits(repo, line_and_slot, given=given)
        data = {"op": "add_parameter", "target": str(target.symbol), "name": self.name}
        data |= {"annotation": self.annotation, "default": self.default}
        head = need(from_json({key: value for key, value in data.items() if value}).plan(repo))
        return plan_edits(repo, [*head.edits, *line_and_slot], head.unfollowed, given=given)

    def _declared(self, source: Source, node: ast.ClassDef) -> Edit:
        if not self.annotation:
            raise Refusal("a field of a dataclass needs a type")
        if self.default.strip()[:1] in ("[", "{"):
            raise Refusal("a default that can change: write field(default_factory=list) or the like")
        fields = [stmt for stmt in node.body if isinstance(stmt, ast.AnnAssign)]
        if not self.default and any(field.value is not None for field in fields):
            raise Refusal("a field without a default cannot come after those with one")
        return self._class_level(source, node)

    def _class_level(self, source: Source, node: ast.ClassDef) -> Edit:
        text = self.name + (f": {self.annotation}" if self.annotation else "")
        text += f" = {self.default}" if self.default else ""
        fields = [stmt for stmt in node.body if isinstance(stmt, ast.AnnAssign | ast.Assign)]
        if fields:
            return insert_after(source, fields[-1], text)
        doc = docstring(node)
        refuse_inline(source, node.body)
        indent = source.indent(node.body[0])
        if doc is not None:
            gap = source.newline
            follows = source.newline if len(node.body) > 1 and not _blank_behind(source, doc) else ""
            new = gap + indent + text + source.newline + follows
            return insert_at_line(source, source.last_line(doc), new)
        if len(node.body) == 1 and isinstance(node.body[0], ast.Pass):
            return Edit(source.path, *source.span(node.body[0]), text)
        gap = source.newline if isinstance(node.body[0], Definition) else ""
        return insert_at_line(source, source.first_line(node.body[0]), indent + text + source.newline + gap)


def _blank_behind(source: Source, statement: ast.stmt) -> bool:
    line = source.last_line(statement)
    return line >= len(source.lines) or not source.lines[line].strip()


def _is_model(node: ast.ClassDef) -> bool:
    """Whether the fields of a class are those that it annotates, since it inherits from a model or tuple."""
    return any(last_name(base) in ("BaseModel", "NamedTuple", "TypedDict") for base in node.bases)


def is_dataclass(node: ast.ClassDef) -> bool:
    names = [ast.unparse(called(decorator)) for decorator in node.decorator_list]
    return any(name in ("dataclass", "dataclasses.dataclass") for name in names)
