"""Uses of an attribute that may need no object, or come before `__init__` has set it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from spark_tui.codemods.classes.fields import init_of
from spark_tui.codemods.classes.inits import calls_init, reaches
from spark_tui.codemods.plan import Refusal, Unfollowed
from spark_tui.codemods.uses.callsites import find_words, is_passed_on
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, SuperValue
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import walk, walk_each
from spark_tui.pysource.words import word_set

MAKING_FIELDS = word_set("dataclass define frozen mutable attrs s attributes")
"""Decorators that make fields of what a class sets."""
LIKE_CLASS = re.compile(r"(?:^|[._])(?:cls|klass|class_?|__class__|[A-Z]\w*)$|^type\(")
_OF_CLASS = ("cls", "type(self)", "self.__class__", "super()", "__class__")


def other_uses(repo: Repository, owner: ClassValue, name: str) -> Iterator[Unfollowed]:
    """Doubts about uses that may need no object. Refuses where the attribute is read without one, or where
    something else would be set after it."""
    scopes, node = repo.index.scopes(owner.path), owner.node
    variable = scopes.variable(name, scopes.scope_of[node])
    for use in variable.occurrences if variable is not None else ():
        if use.role is Role.LOAD:
            raise Refusal(f"line {getattr(use.node, 'lineno', 0)}: the body of {node.name} uses {name}")
    family = repo.classes.descendants(owner)
    unknown: list[tuple[str, ast.Attribute]] = []
    for below in family:
        nodes = repo.classes.own_members(below).get(name, ()) if below != owner else ()
        if any(not isinstance(one, ast.Attribute) for one in nodes):
            raise Refusal(f"{below.node.name} has {name} of its own")
        init = init_of(below.node)
        if below != owner and MAKING_FIELDS.intersection(decorator_names(below.node)):
            raise Refusal(
                f"{below.node.name} is a dataclass, whose __init__ does not call that of {node.name}"
            )
        if init is None or below == owner:
            continue
        calls = [one for one in walk(init) if calls_init(one)]
        first = next((one for one in init.body if not set(walk(one)).isdisjoint(calls)), None)
        if not isinstance(first, ast.Expr):
            raise Refusal(f"__init__ of {below.node.name} does not call that of {node.name}")
        early = walk_each(init.body[: init.body.index(first)])
        used = {one.attr for one in early if isinstance(one, ast.Attribute)}
        if reaches(repo.classes.ancestors(below), used, name):
            raise Refusal(f"__init__ of {below.node.name} uses {name} first")
    for path in sorted({owner.path, *repo.index.files_with(name)}):
        for attribute in repo.index.scopes(path).attributes_by_name.get(name, ()):
            values = repo.infer.values(path, attribute.node.value, attribute.scope)
            of_class = any(isinstance(value, ClassValue) and value in family for value in values)
            above = any(isinstance(value, SuperValue) and value.of in family for value in values)
            shown = ast.unparse(attribute.node.value)
            if of_class or above or (shown in _OF_CLASS and _is_within(repo, path, attribute.node, family)):
                raise Refusal(f"{path}:{attribute.node.lineno} uses {shown}.{name}, without an object")
            if UNKNOWN in values and LIKE_CLASS.search(shown):
                reason = f"{shown}.{name} may be read of the class, which lacks it"
                yield Unfollowed(path, attribute.node.lineno, reason)
            elif UNKNOWN in values and isinstance(attribute.node.ctx, ast.Load):
                unknown.append((path, attribute.node))
    if unknown and _are_passed_on(repo, family):
        path, read = unknown[0]
        reason = f"{ast.unparse(read.value)} may be the class {node.name} itself, which lacks {name}"
        yield Unfollowed(path, read.lineno, reason)


def _are_passed_on(repo: Repository, family: Sequence[ClassValue]) -> bool:
    """Whether one of some classes is a value that code is given, or keeps."""
    names = {one.node.name for one in family}
    files = map(repo.index.scopes, repo.index.files_with(*names))
    return any(is_passed_on(scopes.source, use) for scopes in files for use, _ in find_words(scopes, names))


def _is_within(repo: Repository, path: str, node: ast.AST, family: list[ClassValue]) -> bool:
    around = repo.index.source(path).class_of(node)
    return any(one.node is around for one in family)
