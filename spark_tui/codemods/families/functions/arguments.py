"""Arguments of calls: set, add, remove and swap them where they are passed."""

from __future__ import annotations

import ast
import inspect
from contextlib import suppress

from spark_tui.codemods.checks.calls import KEEP_SIGNATURE, called_function
from spark_tui.codemods.classes.fields import declared_fields
from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import find_region, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    names_in,
    one_line,
    read_expression,
    refuse_harm,
    refuse_lost_comments,
    swap_expression,
)
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.codemods.signatures.called_parameters import (
    by_keyword_only,
    has_default,
    lacks_parameter,
    parameters_called,
)
from spark_tui.codemods.signatures.edits import call_brackets, index_of_argument
from spark_tui.codemods.slots import Expression, NewName, Place, Text
from spark_tui.pysource.calls.brackets import Bracketed, insertion, removal
from spark_tui.pysource.calls.signatures import standard_function
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes


def _call(
    repo: Repository, callee: Expression, place: Place, adds: bool = False
) -> tuple[Source, ast.Call, Bracketed]:
    """The one call of something at a place. A plain name also finds the method of that name on any object. To
    one that has only a generator without brackets arguments can be added, which gives it brackets."""
    within = find_region(repo, place)
    wanted = read_expression(callee)
    calls = within.nodes(ast.Call)
    found = [node for node in calls if is_same_tree(wanted, node.func)]
    if not found and isinstance(wanted, ast.Name):
        found = [node for node in calls if getattr(node.func, "attr", "") == wanted.id]
    call = need_one(found, f"call of {callee}", within)
    brackets = call_brackets(within.source, call)
    if brackets is None or (not adds and _bare_generator(within.source, call, brackets)):
        raise Refusal(f"{within.path}:{call.lineno}: the arguments cannot be edited exactly")
    return within.source, call, brackets


def _unknown_signature(
    repo: Repository, source: Source, call: ast.Call, name: str = ""
) -> tuple[Unfollowed, ...]:
    """A mark, unless all that is called here is a function of the repository, whose calls are checked, or of
    the standard library, and takes the keyword."""
    if name in parameters_called(repo, source, call):
        return ()
    called = _called(repo, source, call)
    if all(item is not None and KEEP_SIGNATURE.issuperset(decorator_names(item[1])) for item in called):
        passed = _passed_on(repo, called, name)
        reason = f"{passed} gets {name} too, and may not take it"
    else:
        passed, reason = "?", f"the signature of {source.segment(call.func)} is not known here"
    return (Unfollowed(source.path, call.lineno, reason),) if passed else ()


_TAKING_ALL = ("dict", "OrderedDict", "SimpleNamespace", "Namespace", "format")
_Called = tuple[str, Function, bool]


def _called(repo: Repository, source: Source, call: ast.Call) -> list[_Called | None]:
    """The functions that a call may run; None for what is not known."""
    scope = repo.index.scopes(source.path).scope_at[call]
    return [called_function(repo, value) for value in repo.infer.values(source.path, call.func, scope)]


def _takes(repo: Repository, source: Source, call: ast.Call, name: str) -> bool:
    """Whether what is called takes a keyword by its name, as a field of a data class, or takes any."""
    if name in parameters_called(repo, source, call):
        return True
    values = repo.infer.values(source.path, call.func, repo.index.scopes(source.path).scope_at[call])
    made = [
        one.node for one in values if isinstance(one, ClassValue) and "dataclass" in decorator_names(one.node)
    ]
    if not made and not any(called_function(repo, value) for value in values):
        return last_name(call.func) in _TAKING_ALL
    return bool(made) and all(name in declared_fields(node) for node in made)


def _passed_on(
    repo: Repository, called: list[_Called | None], name: str, seen: frozenset[Function] = frozenset()
) -> str:
    """What a keyword is passed on to by `**options`, and is not known to take it; empty where nothing is."""
    for path, function, _ in filter(None, called):
        options, source = getattr(function.args.kwarg, "arg", ""), repo.index.source(path)
        taken = f"{options}.pop({name!r}" in ast.unparse(function)
        for call in find_nodes(function, ast.Call) if name and options and function not in seen else ():
            spread = any(one.arg is None and ast.unparse(one.value) == options for one in call.keywords)
            if spread and any(one.arg == name for one in call.keywords):
                return source.segment(call.func)
            if not spread or taken or _takes(repo, source, call, name):
                continue
            further = _called(repo, source, call)
            open_ones = [item for item in further if item is not None and item[1].args.kwarg is not None]
            if not further or open_ones != further:
                return source.segment(call.func)
            if found := _passed_on(repo, further, name, seen | {function}):
                return found
    return ""


def _bare_generator(source: Source, call: ast.Call, brackets: Bracketed) -> bool:
    """Whether the brackets of a call are those of a generator."""
    only = call.args[0] if len(call.args) == 1 and not call.keywords else None
    return isinstance(only, ast.GeneratorExp) and source.span(only)[0] == brackets.open


def _inserted(source: Source, call: ast.Call, brackets: Bracketed, index: int, text: str) -> Edit:
    low, high, new = insertion(source, brackets, index, text)
    if _bare_generator(source, call, brackets):
        low, high = brackets.items[0]
        new = f"({source.text[low:high]}){new}"
    return Edit(source.path, low, high, new)


def _keyword(call: ast.Call, name: str) -> ast.keyword | None:
    return next((keyword for keyword in call.keywords if keyword.arg == name), None)


def _argument(call: ast.Call, which: str) -> ast.expr | ast.keyword:
    """An argument by the name of its keyword, by its number from 1, or by its text."""
    found = _keyword(call, which)
    if found is not None:
        return found
    if which.isdigit():
        if not 1 <= int(which) <= len(call.args):
            raise Refusal(f"the call has {len(call.args)} positional arguments, not {which}")
        return call.args[int(which) - 1]
    wanted = read_expression(which)
    same_ones = [arg for arg in call.args if is_same_tree(wanted, arg)]
    if len(same_ones) != 1:
        raise Refusal(f"{len(same_ones) or 'no'} arguments are {which}")
    return same_ones[0]


def _by_position(repo: Repository, source: Source, call: ast.Call, name: str) -> ast.expr | None:
    """What is passed for a parameter by its place; also to a method that is called like one of texts."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return None
    known = list(parameters_called(repo, source, call))
    if name in by_keyword_only(repo, source, call):
        return None
    method = standard_function(f"str.{call.func.attr}") if isinstance(call.func, ast.Attribute) else None
    with suppress(ValueError):  # Python does not tell
        known = known or (list(inspect.signature(method).parameters)[1:] if method is not None else [])
    return call.args[known.index(name)] if name in known[: len(call.args)] else None


@codemod
class SetArgument:
    """Set a keyword argument of a call; a missing one is added."""

    callee: Expression = slot("what is called: requests.get, or just get")
    place: Place = slot("where: `in fetch` or app.py:12")
    name: NewName = slot("the keyword, or the number of a positional argument from 1")
    value: Expression = slot("its value")

    def plan(self, repo: Repository) -> Plan:
        source, call, brackets = _call(repo, self.callee, self.place, adds=not self.name.isdigit())
        read_expression(self.value)
        given = names_in(self.value)
        if _keyword(call, self.name) is not None or self.name.isdigit():
            found = _argument(call, self.name)
            old = found if isinstance(found, ast.expr) else found.value
            return planned_change(repo, [swap_expression(source, old, self.value)], given=given)
        if not self.name.isidentifier():
            raise Refusal(f"{self.name!r} is not a valid argument name")
        passed = _by_position(repo, source, call, self.name)
        if passed is not None and _bare_generator(source, call, brackets):
            raise Refusal(f"{self.name} is the generator")
        if passed is not None:
            same = is_same_tree(read_expression(self.value), passed) and passed is call.args[-1]
            new = f"{self.name}={self.value}" if same else self.value
            return planned_change(repo, [Edit(source.path, *source.span(passed), new)], given=given)
        if lacks_parameter(repo, source, call, self.name):
            raise Refusal(f"{source.segment(call.func)} takes no {self.name}")
        if str(self.value) == str(self.name) and any(ast.unparse(one) == self.name for one in call.args):
            raise Refusal(f"{self.name} is already passed", why="nothing")
        stars = sum(keyword.arg is None for keyword in call.keywords)
        edit = _inserted(source, call, brackets, len(brackets.items) - stars, f"{self.name}={self.value}")
        unknown = _unknown_signature(repo, source, call, self.name)
        if stars:
            reason = f"** may give {self.name} already"
            unknown = (*unknown, Unfollowed(source.path, call.lineno, reason))
        return refuse_harm(repo, planned_change(repo, [edit], unknown, given=given))


@codemod
class AddArgument:
    """Add a positional argument to a call, as its last one."""

    callee: Expression = slot("what is called")
    place: Place = slot("where: `in fetch` or app.py:12")
    value: Expression = slot("the argument")

    def plan(self, repo: Repository) -> Plan:
        source, call, brackets = _call(repo, self.callee, self.place, adds=True)
        value = read_expression(self.value)
        if isinstance(value, ast.Tuple) and not self.value.strip().startswith("("):
            raise Refusal(f"{self.value} is more than one argument")
        if any(is_same_tree(value, arg) for arg in call.args):
            raise Refusal(f"{self.value} is already passed", why="nothing")
        if any(isinstance(arg, ast.Starred) for arg in call.args):
            raise Refusal("after * it is not known which parameter it would be")
        edit = _inserted(source, call, brackets, len(call.args), self.value)
        unknown, given = _unknown_signature(repo, source, call), names_in(self.value)
        return refuse_harm(repo, planned_change(repo, [edit], unknown, given=given))


@codemod
class RemoveArgument:
    """Remove an argument from a call."""

    callee: Expression = slot("what is called")
    place: Place = slot("where: `in fetch` or app.py:12")
    argument: Text = slot("the keyword, the text of the argument, or its number from 1")

    def plan(self, repo: Repository) -> Plan:
        source, call, brackets = _call(repo, self.callee, self.place)
        found = _argument(call, self.argument)
        if found in call.args and found is not call.args[-1]:
            raise Refusal("those after it would become other arguments")
        at = index_of_argument(source, brackets, found if isinstance(found, ast.expr) else found.value)
        edit = Edit(source.path, *removal(brackets, at, source.text))
        refuse_lost_comments(source, [edit])
        doubts = () if has_default(repo, source, call, found) else _unknown_signature(repo, source, call)
        value = found if isinstance(found, ast.expr) else found.value
        if has_effects(value):
            reason = f"{one_line(source, value)} is no longer evaluated"
            doubts = (*doubts, Unfollowed(source.path, call.lineno, reason))
        if any(keyword.arg is None for keyword in call.keywords):
            reason = f"** has to give {self.argument} now, if it is required"
            doubts = (*doubts, Unfollowed(source.path, call.lineno, reason))
        return refuse_harm(repo, planned_change(repo, [edit], doubts))


@codemod
class SwapArguments:
    """Swap two arguments of a call."""

    callee: Expression = slot("what is called")
    place: Place = slot("where: `in fetch` or app.py:12")
    first: Text = slot("the text of an argument, or its number from 1")
    second: Text = slot("the text of the other, or its number")

    def plan(self, repo: Repository) -> Plan:
        source, call, brackets = _call(repo, self.callee, self.place)
        one, two = _argument(call, self.first), _argument(call, self.second)
        if not (isinstance(one, ast.expr) and isinstance(two, ast.expr)):
            raise Refusal("keyword arguments mean the same in any order")
        if one is two or is_same_tree(one, two):
            raise Refusal("both are the same argument")
        if any(isinstance(arg, ast.Starred) for arg in call.args):
            raise Refusal("* passes several arguments")
        spans = [brackets.items[index_of_argument(source, brackets, item)] for item in (one, two)]
        texts = [source.text[low:high] for low, high in spans]
        edits = [Edit(source.path, *spans[0], texts[1]), Edit(source.path, *spans[1], texts[0])]
        return planned_change(repo, edits)
