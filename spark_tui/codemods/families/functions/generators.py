"""Functions that collect a list and return it, as generators, and the callers that need a list."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.families.functions.collected_items import Collected
from spark_tui.codemods.families.functions.held_between_items import acts, functions_named, kept_open
from spark_tui.codemods.families.functions.iterator_types import annotate_as_iterator
from spark_tui.codemods.imports.unused import lost_imports
from spark_tui.codemods.places.named import need_function
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_taken_builtin
from spark_tui.codemods.rewriting.wrapping import shifted_lines, widest_line
from spark_tui.codemods.signatures.edits import doubtful_callers
from spark_tui.codemods.slots import CALLABLE, Symbol
from spark_tui.codemods.uses.cached_results import fills
from spark_tui.codemods.uses.callsites import call_sites, find_overrides
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import decorator_names, last_name, names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk, walk_each
from spark_tui.pysource.words import word_set

_KEPT = word_set("staticmethod classmethod override final abstractmethod")
_TAKING_ALL = word_set("list tuple set frozenset sorted sum min max dict Counter deque")
_TAKING_SOME = word_set("any all")
_METHODS = word_set("join extend extendleft writelines")
_PASSING_ON = word_set("enumerate zip map filter")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@codemod
class ToGenerator:
    """Make a function that collects a list and returns it a generator; callers that need the list make it."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        if source.returned(node) is None:
            raise Refusal(f"{target.qualname} is a generator already", why="nothing")
        if target.variable is not None and len(target.variable.bindings) > 1:
            raise Refusal(f"{target.qualname} is defined more than once")
        if isinstance(node, ast.AsyncFunctionDef):
            raise Refusal(f"{target.qualname} is async: its callers await the list")
        if node.name.startswith("__") and node.name.endswith("__") and node.name != "__iter__":
            raise Refusal(f"Python calls {node.name} by itself, and needs what it gives")
        if other := [one for one in decorator_names(node) if one not in _KEPT]:
            raise Refusal(f"its decorator {other[0] or 'there'} may need the list")
        located = [(source.path, node)]
        if len(find_overrides(repo, source.path, node)) > 1:
            raise Refusal(f"other classes have {node.name} too")
        sites = call_sites(repo, located)
        calls: list[Edit] = []
        doubts = list(kept_open(source, node))
        later = not sites.sites
        for site in sites.sites:
            where = repo.index.source(site.path)
            if site.partial or where.span(site.call)[0] < 0:
                raise Refusal(f"{site.path}:{site.call.lineno}: the call cannot be edited exactly")
            taken = _Taken(repo, where, node, site.call)
            if not taken.is_gone_through(site.call):
                calls += _as_list(repo, where, site.call)
            later = later or taken.later
        held = source.span(node)
        inside = [one for one in calls if one.path == source.path and held[0] <= one.start < held[1]]
        collected = Collected(repo, source, node, inside)
        edits = [*(one for one in calls if one not in inside), *collected.write()]
        edits += annotate_as_iterator(repo, source, node, edits)
        lost = lost_imports(repo, source.path, edits)
        edits += [one for one in lost if not any(one.start <= known.start <= one.end for known in edits)]
        for name, line in collected.changed.items() if later else ():
            doubts.append(Unfollowed(source.path, line, f"{name} is changed here after it is yielded"))
        if later and (act := acts(repo, source, node, wide=not sites.sites, seen=set())) is not None:
            reason = f"{ast.unparse(act).splitlines()[0]} runs only when the items are asked for"
            doubts.append(Unfollowed(source.path, act.lineno, reason))
        return plan_edits(repo, edits, [*doubts, *doubtful_callers(repo, located, sites)])


def _as_list(repo: Repository, source: Source, call: ast.Call) -> Iterator[Edit]:
    """The edits that make a list of what a call gives; on lines of its own where its line would be too long,
    or its arguments are on lines of theirs."""
    refuse_taken_builtin(repo, source, call, "list")
    low, high = source.span(call)
    first = source.lines[source.position(low)[0]]
    several = first.rstrip().endswith("(") and source.position(high)[0] > source.position(low)[0]
    whole = isinstance(source.parents.get(call), ast.Assign | ast.AnnAssign | ast.Return)
    broken = several or (whole and len(first.rstrip()) + len("list()") > widest_line(source))
    if broken and not any(isinstance(one, ast.JoinedStr) for one in source.ancestors(call)):
        between = source.newline + first[: len(first) - len(first.lstrip())]
        unit = source.indent_unit
        yield Edit(source.path, low, low, f"list({between}{unit}")
        yield Edit(source.path, high, high, f"{between})")
        moved = len((between + unit).lstrip("\r\n")) - source.position(low)[1]
        yield from shifted_lines(source, low, high, moved, len(unit))
        return
    yield Edit(source.path, low, low, "list(")
    yield Edit(source.path, high, high, ")")
    yield from shifted_lines(source, low, high, len("list("))


class _Taken:
    """How the result of a call of a function is used."""

    def __init__(self, repo: Repository, source: Source, function: Function, call: ast.Call) -> None:
        self._scopes, self._source, self._function = repo.index.scopes(source.path), source, function
        self._call = call
        self.later = False
        """Whether other code runs between the items."""

    def is_gone_through(self, node: ast.AST) -> bool:
        """Whether a value is gone through once, where it stands or in the next statement."""
        outer = self._source.parents.get(node)
        match outer:
            case ast.For(iter=value, body=body) if value is node:
                self.later = True
                return not self._changes(node, body)
            case ast.comprehension(iter=value) if value is node:
                made = self._source.parents[outer]
                self.later = True
                lazy = isinstance(made, ast.GeneratorExp)
                return not self._changes(node, [made]) and (not lazy or self.is_gone_through(made))
            case ast.YieldFrom():
                self.later = True
                return True
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
                given = self._source.returned(self._function) or ()
                collected = {one.id for one in given if isinstance(one, ast.Name)}
                return self._source.function_of(outer) is self._function and name in collected
            case ast.Starred():
                return isinstance(self._source.parents.get(outer), ast.Call | ast.List | ast.Tuple | ast.Set)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]) if value is node:
                self.later = True
                return True
            case ast.Assign(targets=[ast.Tuple() | ast.List()]):
                return True
            case ast.Assign(targets=[ast.Name() as name]):
                return self._is_used_next(outer, name)
            case ast.Call(args=args) if node in args:
                return self._is_taken_by(outer)
        return False

    def _is_taken_by(self, call: ast.Call) -> bool:
        """Whether a call goes through its argument before it returns."""
        name = last_name(call.func)
        if isinstance(call.func, ast.Attribute):
            return name in _METHODS and len(call.args) == 1 and not self._changes(self._call, [call.func])
        home = self._scopes.lookup(name, self._scopes.scope_at[call])
        if home is not None and (home is not self._scopes.module or name not in ("Counter", "deque")):
            return False
        self.later = self.later or name in _TAKING_SOME
        if name in _PASSING_ON:
            return not self._changes(self._call, call.args) and self.is_gone_through(call)
        return name in _TAKING_ALL | _TAKING_SOME and len(call.args) == 1

    def _is_used_next(self, stmt: ast.Assign, name: ast.Name) -> bool:
        """Whether a variable is used only once, by the next statement, which goes through it."""
        scopes, source = self._scopes, self._source
        variable = scopes.resolve(scopes.by_node[name])
        local = variable.scope is not None and variable.scope.kind is ScopeKind.FUNCTION
        if not local or len(variable.occurrences) != 2 or len(variable.loads) != 1:
            return False
        use, following = variable.loads[0], source.following(stmt)[:1]
        if source.statement(use.node) not in following or isinstance(following[0], ast.While):
            return False
        if not isinstance(use.node, ast.Name) or not self.is_gone_through(use.node):
            return False
        around = [one for one in source.ancestors(use.node) if isinstance(one, ast.expr)]
        every = [one for one in around if isinstance(one, (ast.Lambda, *_COMPREHENSIONS))]
        outer = source.parents.get(use.node)
        return not every or (len(every) == 1 and outer is getattr(every[0], "generators", (None,))[0])

    def _changes(self, node: ast.AST, body: Iterable[ast.AST]) -> bool:
        """Whether a loop changes what the function that it goes through may read."""
        given = {
            ast.unparse(one)
            for one in walk_each((node, self._call))
            if isinstance(one, ast.Name | ast.Attribute)
        }
        named = names_within(self._function) | {last_name(one) for one in walk(self._function)}
        inner = [one for name in named for one in functions_named(self._scopes, name)]
        read = {one.attr for one in walk_each((self._function, *inner)) if isinstance(one, ast.Attribute)}
        read |= names_within(self._function) - names_set(self._function)
        return self._alters(body, given, read, {self._function.name})

    def _alters(self, body: Iterable[ast.AST], given: set[str], read: set[str], seen: set[str]) -> bool:
        """Whether code, or a function of the file that it names, changes what is `given` or has a name that
        is `read`."""
        scopes = self._scopes
        called: list[Function] = []
        for one in walk_each(body):
            name, loads = last_name(one), isinstance(getattr(one, "ctx", None), ast.Load)
            if isinstance(one, ast.Subscript | ast.Attribute) and fills(self._source, one):
                if last_name(one.value) in read or ast.unparse(one.value) in given:
                    return True
            elif (isinstance(one, ast.AugAssign) and ast.unparse(one.target) in given) or (
                name in read
                and not loads
                and (
                    isinstance(one, ast.Attribute)
                    or scopes.resolve(scopes.by_node[one]).scope is scopes.module
                )
            ):
                return True
            if loads and name not in seen:
                called += functions_named(scopes, name)
                seen.add(name)
        return bool(called) and self._alters(called, set(), read, seen)
