"""Edits of heads and of call arguments, used by the operations on signatures."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import starmap

from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, edited, need
from spark_tui.codemods.slots import CALLABLE, Symbol, SymbolKind
from spark_tui.codemods.uses.by_string import find_naming_strings
from spark_tui.codemods.uses.callsites import (
    CallSite,
    Located,
    Sites,
    call_sites,
    find_overrides,
    find_parameter_readers,
    hidden_callers,
    is_called_by_python,
)
from spark_tui.codemods.uses.hidden import find_mentions, unread_files
from spark_tui.codemods.uses.mocks import find_method_stand_ins
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.pysource.calls.brackets import Bracketed, bracketed, insertion, joined
from spark_tui.pysource.calls.signatures import Fit, Signature, fit
from spark_tui.pysource.names.places import head_name
from spark_tui.pysource.names.type_hints import decorator_names, is_overload
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, Span
from spark_tui.pysource.words import word_set

_ACCESSORS = word_set("property cached_property getter setter deleter")


@dataclass(frozen=True, slots=True)
class Head:
    """The parameters of a function as they stand: `names` has one entry an item, with `/`, `*` and stars
    kept."""

    source: Source
    function: Function
    brackets: Bracketed
    names: tuple[str, ...]

    def text(self, index: int) -> str:
        low, high = self.brackets.items[index]
        return self.source.text[low:high]

    def index(self, name: str) -> int:
        return self.names.index(name)


def read_head(source: Source, function: Function) -> Head:
    found = bracketed(source, head_name(source, function)[1])
    if found is None:
        raise Refusal(f"the head of {function.name} in {source.path} cannot be read")
    given = filter(None, (*function.args.defaults, *function.args.kw_defaults))
    found = joined(found, list(map(source.span, given)))
    names = tuple(re.split("[:=]", source.text[low:high])[0].strip() for low, high in found.items)
    return Head(source, function, found, names)


@dataclass
class SignatureChange:
    """A change of signatures in the making."""

    repo: Repository
    functions: list[Located]
    edits: list[Edit] = field(default_factory=list)
    unfollowed: set[Unfollowed] = field(default_factory=set)

    @cached_property
    def sites(self) -> Sites:
        return call_sites(self.repo, self.functions)

    def put(self, path: str, edit: tuple[int, int, str]) -> None:
        self.edits.append(Edit(path, *edit))

    def text(self, path: str, span: Span) -> str:
        """The text of a place with the edits inside it made; they are taken back, as the text is to be
        moved."""
        low, high = span
        inside = [one for one in self.edits if one.path == path and low <= one.start and one.end <= high]
        self.edits = [edit for edit in self.edits if edit not in inside]
        moved = [Edit(path, edit.start - low, edit.end - low, edit.new) for edit in inside]
        return edited((self.repo.index.text(path) or "")[low:high], moved)

    def inner_first(self) -> list[CallSite]:
        """The calls, those that are arguments of others first."""
        spans = {id(site): self.repo.index.source(site.path).span(site.call) for site in self.sites.sites}
        return sorted(self.sites.sites, key=lambda item: spans[id(item)][1] - spans[id(item)][0])

    def brackets(self, site: CallSite) -> Bracketed | None:
        """The brackets of a call; a call that cannot be edited exactly is named."""
        found = call_brackets(self.repo.index.source(site.path), site.call)
        if found is None:
            self.unsure(site.path, site.call.lineno, "the call is where it cannot be edited exactly")
        return found

    def unsure(self, path: str, line: int, reason: str) -> None:
        self.unfollowed.add(Unfollowed(path, line, reason))

    def done(self, *, calls_follow: bool = True) -> Plan:
        """The plan. Where calls had to follow, calls that may be meant and uses as a value are named; where
        not, what may look at the parameters."""
        if calls_follow:
            for _, function in self.functions:
                if is_called_by_python(function):
                    raise Refusal(f"Python calls {function.name} by itself, with what it always gives")
            self.unfollowed.update(doubtful_callers(self.repo, self.functions, self.sites))
            for site in self.sites.sites:
                if site.partial:
                    reason = "the calls of what partial() makes do not follow"
                    self.unsure(site.path, site.call.lineno, reason)
        else:
            self.unfollowed.update(find_parameter_readers(self.repo, self.sites.values))
        return Plan(tuple(self.edits), tuple(sorted(self.unfollowed)))


def doubtful_callers(repo: Repository, functions: Sequence[Located], sites: Sites) -> Iterator[Unfollowed]:
    """What may call functions and does not follow a change of how they are called."""
    for path, function in functions:
        yield from hidden_callers(repo, path, function)
    for site in sites.unknown:
        reason = f"{ast.unparse(site.call.func)}(…): what it calls is not known"
        yield Unfollowed(site.path, site.call.lineno, reason)
    for site in sites.shared:
        reason = f"{ast.unparse(site.call.func)}(…) may call something else too"
        yield Unfollowed(site.path, site.call.lineno, reason)
    for path, node in sites.values:
        reason = f"{ast.unparse(node)} is used as a value: its calls are not followed"
        yield Unfollowed(path, node.lineno, reason)
    names = {node.name for _, node in functions if not node.name.startswith("__")}
    yield from starmap(Unfollowed, (*unread_files(repo, names), *find_mentions(repo, names)))
    yield from find_method_stand_ins(repo, functions)
    for path, line in find_naming_strings(repo, functions):
        yield Unfollowed(path, line, "a string names it: what is called in its place is not followed")


def start_change(repo: Repository, symbol: Symbol, *, related: bool = True) -> SignatureChange:
    """A change of the function that a symbol names, with the methods that override it."""
    found = need(find_symbol(repo, symbol, CALLABLE | {SymbolKind.CLASS}))
    node = function_of(found)
    if node is None:
        raise Refusal(f"{found.qualname} has no function to change")
    if _ACCESSORS.intersection(decorator_names(node)):
        raise Refusal(f"{found.qualname} is a property: Python calls it, with what it always gives")
    path = found.path
    return SignatureChange(repo, find_overrides(repo, path, node) if related else [(path, node)])


def function_of(target: Target) -> Function | None:
    """The function itself, or the `__init__` of a class; of overloads the one that is run."""
    node = target.node
    if isinstance(node, ast.ClassDef):
        found = [stmt for stmt in node.body if isinstance(stmt, Function) and stmt.name == "__init__"]
    else:
        bindings = target.variable.bindings if target.variable is not None else []
        found = [binding.node for binding in bindings if isinstance(binding.node, Function)]
    run = [stmt for stmt in found if not is_overload(stmt)]
    return next(iter(run or found), None)


def match_arguments(site: CallSite) -> Fit:
    """Which argument of a call goes to which parameter."""
    assert site.function is not None
    signature = Signature.of(site.function)
    return fit(signature.bound() if site.bound else signature, _seen(site))


def _seen(site: CallSite) -> ast.Call:
    """The call as the function sees it: without the function that `partial` takes first."""
    call = site.call
    if not site.partial:
        return call
    return ast.copy_location(ast.Call(call.args[0], call.args[1:], call.keywords), call)


def call_brackets(source: Source, call: ast.Call) -> Bracketed | None:
    """The brackets of a call with one item an argument; None where their place is not known."""
    low, high = source.span(call)
    found = bracketed(source, source.span(call.func)[1], high) if low >= 0 else None
    if found is None:
        return None
    # A bare generator spans the brackets of the call.
    given = map(source.span, (*call.args, *call.keywords))
    return joined(found, [(max(start, found.open + 1), end) for start, end in given])


def index_of_argument(source: Source, found: Bracketed, node: ast.expr) -> int:
    """The index of the item in which an argument stands."""
    low, high = source.span(node)
    if isinstance(node, ast.GeneratorExp) and len(found.items) == 1:
        return 0  # its place may be that of the call's own brackets
    return next(at for at, one in enumerate(found.items) if one[0] <= low and high <= one[1])


def is_bare_generator(source: Source, node: ast.expr, item: Span) -> bool:
    """Whether a node is a generator without brackets of its own. Beside or after a name it needs some."""
    return isinstance(node, ast.GeneratorExp) and not source.text[item[0] : item[1]].startswith("(")


def add_argument(change: SignatureChange, site: CallSite, text: str) -> None:
    """Put an argument after the others of a call, in front of a last `**mapping`."""
    source = change.repo.index.source(site.path)
    found = change.brackets(site)
    if found is None:
        return
    stars = sum(keyword.arg is None for keyword in site.call.keywords)
    alone = len(found.items) == 1 and bool(site.call.args)
    if alone and is_bare_generator(source, site.call.args[0], found.items[0]):
        low, high = found.items[0]
        change.put(site.path, (low, high, f"({source.text[low:high]}), {text}"))
        return
    change.put(site.path, insertion(source, found, len(found.items) - stars, text))


def replace_items(change: SignatureChange, path: str, found: Bracketed, texts: Sequence[str]) -> None:
    """Let the items be these, no more than there are, each in the place of an old one; the others go."""
    items = found.items
    for (low, high), text in zip(items, texts, strict=False):
        if change.repo.index.source(path).text[low:high] != text:
            change.put(path, (low, high, text))
    if len(texts) < len(items):
        source = change.repo.index.source(path)
        if texts:
            change.put(path, (items[len(texts) - 1][1], items[-1][1], ""))
        else:
            rest = source.text[items[-1][1] : found.close]
            comma = items[-1][1] + (rest.index(",") + 1 if rest.lstrip().startswith(",") else 0)
            change.put(path, (items[0][0], comma, ""))
