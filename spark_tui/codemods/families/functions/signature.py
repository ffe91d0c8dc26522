"""Change signatures: add, remove and reorder parameters, set and remove defaults. Calls follow everywhere."""

from __future__ import annotations

import ast
import keyword
from collections.abc import Iterator

from spark_tui.codemods.plan import Plan, Refusal
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.edits import explain_capture
from spark_tui.codemods.rewriting.edits import is_same_tree, read_expression
from spark_tui.codemods.rewriting.evaluation import ACTS
from spark_tui.codemods.signatures import rearrange
from spark_tui.codemods.signatures.edits import (
    Head,
    SignatureChange,
    add_argument,
    match_arguments,
    read_head,
    start_change,
)
from spark_tui.codemods.slots import CALLABLE, Annotation, Expression, NewName, Symbol
from spark_tui.codemods.uses.callsites import Located
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.pysource.calls.brackets import insertion
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, parameters


@codemod
class AddParameter:
    """Add a parameter to a function and to the methods that override it; calls pass the given value."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    name: NewName = slot("the name of the parameter")
    annotation: Annotation = slot("its type", default=Annotation(""))
    default: Expression = slot("its default: calls stay as they are", default=Expression(""))
    value: Expression = slot("what every call passes, if there is no default", default=Expression(""))
    keyword_only: bool = slot("whether calls have to name it", default=False)

    def plan(self, repo: Repository) -> Plan:
        if not self.name.isidentifier() or keyword.iskeyword(self.name):
            raise Refusal(f"{self.name!r} is not a valid parameter name", why="name")
        for text in (self.annotation, self.default, self.value):
            if text:
                read_expression(text)
        change = start_change(repo, self.target)
        for path, function in list(self._lacking(change)):
            scope = repo.index.scopes(path).scope_of[function]
            if self.name in scope.bound:
                raise Refusal(f"{function.name} ({path}:{function.lineno}) uses the name {self.name} already")
            reason = explain_capture(repo.index.scopes(path), scope, self.name)
            if reason:
                raise Refusal(reason)
            if function.args.kwarg is not None:
                self._taken_by_name(change, function)
                self._taken_from_rest(change, path, function, function.args.kwarg.arg)
            if self.name in KNOWN:
                change.unsure(path, function.lineno, f"the parameter hides the builtin {self.name}")
            self._in_head(change, path, read_head(repo.index.source(path), function))
        if not self.default:
            self._calls(change)
        return change.done(calls_follow=not self.default)

    def _lacking(self, change: SignatureChange) -> Iterator[Located]:
        """The functions without such a parameter. Where some of a family have it as it is to be, the others
        get it, if calls stay as they are."""
        having: list[Refusal] = []
        for path, function in change.functions:
            taken = [parameter for parameter in parameters(function) if parameter.arg == self.name]
            if taken:
                having.append(self._there(function, taken[0]))
                if parameters(function)[-1] is not taken[0]:
                    reason = f"{self.name} is not the last parameter of {function.name} here"
                    change.unsure(path, function.lineno, reason)
            else:
                yield path, function
        every = len(having) == len(change.functions)
        for refusal in sorted(having, key=lambda one: one.refused.why == "nothing"):
            if every or refusal.refused.why != "nothing":
                raise refusal
            if not self.default:
                raise Refusal(refusal.refused.reason)

    def _there(self, function: Function, parameter: ast.arg) -> Refusal:
        """Why it cannot be added where there is one of its name: it may be as it is to be."""
        default = rearrange.default_of(function, self.name)
        asked = {self.annotation: parameter.annotation, self.default: default}
        differs = [said for said, there in asked.items() if said and not _reads(said, there)]
        has = f", with the default {ast.unparse(default)}" if default is not None else ""
        reason = f"{function.name} already has the parameter {self.name}{has}"
        by_position = self.keyword_only and parameter not in function.args.kwonlyargs
        return Refusal(reason, why="unfit" if differs or self.value or by_position else "nothing")

    def _taken_by_name(self, change: SignatureChange, function: Function) -> None:
        """Name the calls whose argument of this name went to `**` until now, or may have."""
        for site in change.sites.sites:
            given = [keyword.arg for keyword in site.call.keywords]
            if site.function is function and (self.name in given or None in given):
                reason = f"{self.name} was a part of ** here: the new parameter takes it"
                change.unsure(site.path, site.call.lineno, reason)

    def _taken_from_rest(self, change: SignatureChange, path: str, function: Function, rest: str) -> None:
        """Say that what the function does with its `**` no longer gets an argument of this name."""
        if any(isinstance(node, ast.Name) and node.id == rest for node in ast.walk(function)):
            change.unsure(path, function.lineno, f"{self.name} no longer reaches **{rest}")

    def _in_head(self, change: SignatureChange, path: str, found: Head) -> None:
        spec = found.function.args
        text = self.name + (f": {self.annotation}" if self.annotation else "")
        if self.default:
            text += f" = {self.default}" if self.annotation else f"={self.default}"
        stars = [at for at, one in enumerate(found.names) if one.startswith("**")]
        end = stars[0] if stars else len(found.names)
        named = [at for at, one in enumerate(found.names) if one.startswith("*") and not one.startswith("**")]
        if named or self._by_keyword(change):
            index = end
            text = text if named else f"*, {text}"
        elif self.default or not spec.defaults:
            index = end
        else:
            # Required ones stand in front of those with a default.
            index = found.index([*spec.posonlyargs, *spec.args][-len(spec.defaults)].arg)
        change.put(path, insertion(found.source, found.brackets, index, text))

    def _by_keyword(self, change: SignatureChange) -> bool:
        """A required one in front of defaults would shift positional arguments: it is keyword-only
        instead."""
        shifted = not self.default and any(function.args.defaults for _, function in change.functions)
        return self.keyword_only or shifted

    def _calls(self, change: SignatureChange) -> None:
        sites = change.sites
        if sites.sites and not self.value:
            first = sites.sites[0]
            count = len(sites.sites)
            where = f"{first.path}:{first.call.lineno}"
            who = "1 call needs" if count == 1 else f"{count} calls need"
            raise Refusal(f"{who} a value for {self.name} ({where}): give value= or default=")
        for site in sites.sites:
            inner = change.repo.index.source(site.path).function_of(site.call)
            passes_on = any(inner is function for _, function in change.functions)
            add_argument(change, site, f"{self.name}={self.name if passes_on else self.value}")


def _reads(said: str, there: ast.expr | None) -> bool:
    """Whether an expression of the code is the one that is said."""
    return there is not None and is_same_tree(read_expression(said), there)


_CACHES = ("cache", "lru_cache", "cached", "memoize")


@codemod
class RemoveParameter:
    """Remove a parameter that its function does not use; calls no longer pass it."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    name: NewName = slot("the parameter")

    def plan(self, repo: Repository) -> Plan:
        change = start_change(repo, self.target)
        removed = False
        for path, function in change.functions:
            found = read_head(repo.index.source(path), function)
            if self.name not in [parameter.arg for parameter in parameters(function)]:
                continue
            if self.name in (found.names[0], "self", "cls") and _is_method(repo, path, function):
                raise Refusal(f"{self.name} is what the method is called on")
            scopes = repo.index.scopes(path)
            variable = scopes.variable(self.name, scopes.scope_of[function])
            occurrences = variable.occurrences if variable is not None else []
            used = [one for one in occurrences if one.role is not Role.PARAMETER]
            own = [one for one in used if not _only_passed_on(change, path, one.node, self.name)]
            if own:
                line = scopes.source.line_number(own[0].span[0])
                raise Refusal(f"{function.name} uses {self.name} ({path}:{line})")
            for place in local_lookups(found.source, function):
                change.unsure(*place)
            if not set(_CACHES).isdisjoint(decorator_names(function)):
                reason = f"the cache no longer tells calls apart by {self.name}"
                change.unsure(path, function.lineno, reason)
            rearrange.remove_from_head(change, path, found, self.name)
            removed = True
        if not removed:
            names = [parameter.arg for parameter in parameters(change.functions[0][1])]
            raise Refusal(f"{change.functions[0][1].name} has no parameter {self.name}", tuple(names))
        for site in change.sites.sites:
            rearrange.remove_argument(change, site, self.name)
        return change.done()


def _is_method(repo: Repository, path: str, function: Function) -> bool:
    """Whether the first parameter of a function is what it is called on."""
    owner = repo.index.source(path).class_of(function)
    return owner is not None and "staticmethod" not in decorator_names(function)


def _only_passed_on(change: SignatureChange, path: str, node: ast.AST, name: str) -> bool:
    """Whether a use is the argument of a call that loses it too: `super().add(qty=qty)`."""
    sites = [site for site in change.sites.sites if site.path == path]
    return any(match_arguments(site).arguments.get(name) is node for site in sites)


@codemod
class ReorderParameters:
    """Reorder the parameters of a function; positional arguments of calls follow."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    order: tuple[NewName, ...] = slot("the parameters in their new order, without self")

    def plan(self, repo: Repository) -> Plan:
        change = start_change(repo, self.target)
        for path, function in change.functions:
            rearrange.reorder_head(change, path, function, self.order)
        for site in change.inner_first():
            if sum(map(_acts, site.call.args)) > 1:
                change.unsure(site.path, site.call.lineno, "its arguments are evaluated in another order now")
            rearrange.reorder_call(change, site, self.order)
        if not change.edits and len(self.order) < 2:
            raise Refusal("there is no other parameter")
        if not change.edits:
            raise Refusal("the parameters are in that order already", why="nothing")
        return change.done()


def _acts(argument: ast.expr) -> bool:
    """Whether an argument may do something, or depend on what another one does."""
    return any(
        isinstance(inner, ACTS)
        and not (isinstance(inner, ast.Call) and last_name(inner.func) in KNOWN - {"next", "input", "print"})
        for inner in ast.walk(argument)
    )


@codemod
class SetDefault:
    """Give a parameter a default, or another one, which its docstring then says, too."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    name: NewName = slot("the parameter")
    default: Expression = slot("the default")

    def plan(self, repo: Repository) -> Plan:
        read_expression(self.default)
        change = start_change(repo, self.target, related=False)
        path, function = change.functions[0]
        return rearrange.set_default(change, path, function, self.name, self.default)


@codemod
class RemoveDefault:
    """Make a parameter required; calls that left it out pass the old default."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    name: NewName = slot("the parameter")

    def plan(self, repo: Repository) -> Plan:
        change = start_change(repo, self.target, related=False)
        path, function = change.functions[0]
        return rearrange.remove_default(change, path, function, self.name)


@codemod
class MakeKeywordOnly:
    """Make a parameter and those after it keyword-only; calls name them."""

    target: Symbol = slot("the function, method or class", kinds=CALLABLE)
    name: NewName = slot("the first parameter that has to be named")

    def plan(self, repo: Repository) -> Plan:
        return rearrange.make_keyword_only(start_change(repo, self.target), self.name)
