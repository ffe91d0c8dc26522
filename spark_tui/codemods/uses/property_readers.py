"""What reads a property, and calls it once it is a method; and the places where no call can stand, which name
it in a text, a pattern or a template, or stand in for its object."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import starmap

from spark_tui.codemods.plan import Edit, Places, Unfollowed
from spark_tui.codemods.uses.by_string import attribute_by_string, find_naming_strings
from spark_tui.codemods.uses.hidden import find_mentions
from spark_tui.codemods.uses.looked_up import lookups_by_word, texts_looked_up
from spark_tui.codemods.uses.mocks import find_method_stand_ins
from spark_tui.codemods.uses.shown_members import in_templates
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.values import ClassValue, class_behind, is_common_member, is_unknown
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function


def call_readers(
    repo: Repository, target: Target, owner: ClassValue, doubts: list[Unfollowed]
) -> Iterator[Edit]:
    """Calls in the place of what reads a property. Adds a doubt for each place that only may read it."""
    name = target.name
    only = not is_common_member(name) and len(repo.index.symbols(name)) == 1
    below = repo.classes.descendants(owner)
    family = [*repo.classes.ancestors(owner), *below]
    doubts += starmap(Unfollowed, _by_name(repo, target, owner, family))
    for path in repo.index.files_with_member(name):
        source = repo.index.source(path)
        for use in repo.index.scopes(path).attributes_by_name.get(name, ()):
            values = repo.infer.values(path, use.node.value, use.scope)
            of = [found for value in values if (found := class_behind(value)) in family]
            end = source.span(use.node)[1]
            if not (of or is_unknown(values)):
                continue
            # An object of a base may be one of another class below that.
            sure = len(of) == len(values) and all(one in below for one in of)
            read = isinstance(use.node.ctx, ast.Load) and not any(
                isinstance(one, ClassValue) for one in values
            )
            if follows := (sure or only) and read and end >= 0:
                yield Edit(path, end, end, "()")
            if not (sure and follows):
                reason = f"{ast.unparse(use.node)} {'was assumed to' if follows else 'may'} read it"
                doubts.append(Unfollowed(path, use.node.lineno, reason))


def _by_name(repo: Repository, target: Target, owner: ClassValue, family: list[ClassValue]) -> Places:
    """The places that have the name of a property, and may read it without an attribute."""
    name = target.name
    yield from find_mentions(repo, [name])
    yield from lookups_by_word(repo, {name})
    yield from texts_looked_up(repo, owner, {name})
    yield from in_templates(repo, re.compile(rf"\.{re.escape(name)}(?!\w)"))
    for load in target.variable.loads if target.variable is not None else ():
        yield target.path, getattr(load.node, "lineno", target.line), f"{name} may be read as a property"
    if isinstance(target.node, Function):
        located = [(target.path, target.node)]
        for path, line in find_naming_strings(repo, located):
            yield path, line, "a text names it"
        yield from ((one.path, one.line, one.reason) for one in find_method_stand_ins(repo, located))
    for path in sorted(repo.index.files_with(name)):
        scopes = repo.index.scopes(path)
        for call in scopes.calls if name in scopes.quoted_words else ():
            found = attribute_by_string(call, name)
            of = repo.infer.values(path, found[0], scopes.scope_at[call]) if found and found[2] else ()
            if of and is_unknown(of):
                yield path, call.lineno, f"{ast.unparse(call)} may read it"
        for _, call in scopes.calls_by_name.get("attrgetter", ()):
            texts = [str(one.value) for one in call.args if isinstance(one, ast.Constant)]
            if any(name in text.split(".") for text in texts):
                yield path, call.lineno, f"{ast.unparse(call)} may read it"
        for keyword in scopes.keywords:
            matched = keyword.call
            if keyword.name == name and isinstance(matched, ast.MatchClass):
                values = repo.infer.values(path, matched.cls, scopes.scope_at.get(matched, scopes.module))
                if is_unknown(values) or any(class_behind(value) in family for value in values):
                    yield path, matched.lineno, f"{ast.unparse(matched)} may read it"


def find_setting(repo: Repository, name: str) -> Iterator[Unfollowed]:
    """Where an attribute is set or deleted, which a property does not allow."""
    for path in repo.index.files_with_member(name):
        for use in repo.index.scopes(path).attributes_by_name.get(name, ()):
            if not isinstance(use.node.ctx, ast.Load):
                what = "set" if isinstance(use.node.ctx, ast.Store) else "deleted"
                reason = f"{ast.unparse(use.node)} is {what} here, which a property does not allow"
                yield Unfollowed(path, use.node.lineno, reason)
