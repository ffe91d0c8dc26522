"""None as a default or value, where the code takes something from it before it asks whether there is one."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterator
from functools import partial

from spark_tui.codemods.families.functions.arguments import SetArgument
from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.families.statements.errors import is_name
from spark_tui.codemods.slots import Place, Symbol
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.facts.optional_values import may_be_none
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.inference.known_types import BUILTIN_TYPES
from spark_tui.pysource.modules import is_python
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import ORDERED, find_nodes, walk
from spark_tui.pysource.words import word_set

_FAILING = word_set(
    "range len int float sum sorted sleep set frozenset list tuple dict iter enumerate reversed zip round"
    " timedelta call_later call_at csv.reader csv.writer DictReader DictWriter hmac.new"
    " ljust rjust center zfill startswith endswith removeprefix removesuffix partition rpartition expandtabs"
    " encode decode strftime chr ord abs pow divmod hex bin oct any all min max open Path os.path.join"
    " re.compile re.match re.search re.fullmatch re.findall re.finditer re.split re.sub issubclass"
    " Queue LifoQueue PriorityQueue JoinableQueue Semaphore BoundedSemaphore randint randrange uniform"
    " math.log math.log2 math.log10 math.sqrt math.pow math.exp math.floor math.ceil math.trunc math.isclose"
    " math.hypot math.sin math.cos math.atan2 math.radians math.degrees math.fmod math.copysign"
)
"""What takes no None."""
_OPTIONAL = word_set("key default encoding errors newline")
"""Arguments of these that may be None."""
_Position = tuple[int, int]
_END = (10**9, 0)


def doubts_of_none(found: RankedEdit) -> tuple[str, ...]:
    """That a parameter or variable becomes None, and what is done with it never asks whether it is."""
    index = found.situation.repo.index
    for one in found.executed.calls:
        target, name = getattr(one, "target", None), str(getattr(one, "name", ""))
        given = getattr(one, "default", None) or getattr(one, "value", None)
        if lost := _lost_meaning(index, one):
            return (assumed(lost),)
        if option := _option(index, one):
            return (assumed(f"it was assumed that None is meant: {option} is never compared with None"),)
        if given != "None" or not isinstance(target, Symbol) or target.path not in index.paths:
            continue
        name = name or target.name.rpartition(".")[2]
        if _fails(index, target, name, is_default=hasattr(one, "default")):
            return (assumed(f"it was assumed that None is meant: {name} is never compared with None"),)
    repo, plan = found.situation.repo, found.executed.plan
    python = [edit for edit in plan.edits if is_python(edit.path)]
    taking = dict.fromkeys(edit.path for edit in python if ")." in edit.new)
    giving = dict.fromkeys(edit.path for edit in python if "None" in edit.new)
    after = repo.with_changes(plan.texts(repo)).index if taking or giving else index
    for path in taking:
        new = _taken_of_calls(after.source(path)) - _taken_of_calls(index.source(path))
        if shown := next((code for code in sorted(new) if code not in found.situation.instruction), ""):
            return (
                assumed(f"{shown.rpartition('.')[0]} may be None, which has no {shown.rpartition('.')[2]}"),
            )
    for path in giving:
        had = {ast.unparse(call) for call in find_nodes(index.source(path).tree, ast.Call)}
        calls = [
            call for call in find_nodes(after.source(path).tree, ast.Call) if ast.unparse(call) not in had
        ]
        for source, node, name in (one for call in calls for one in _getting(after, call, _is_none)):
            if _fails_in(after, source, node, name):
                return (assumed(f"it was assumed that None is meant: {name} is never compared with None"),)
    return ()


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _taken_of_calls(source: Source) -> set[str]:
    """What is taken from calls that may give None: `row.get(key).strip`."""
    taken = (node for node in find_nodes(source.tree, ast.Attribute) if may_be_none(source, node.value))
    return {ast.unparse(node) for node in taken}


def _option(index: Index, one: object) -> str:
    """The option of a command line whose default becomes None, where the file takes something from it."""
    place, new = getattr(one, "place", None), parsed(str(getattr(one, "new", "")))
    if not isinstance(place, Place) or place.path not in index.paths:
        return ""
    tree = index.source(place.path).tree
    if isinstance(one, SetArgument):
        calls = [call for call in find_nodes(tree, ast.Call) if call.lineno == place.first]
        is_none = one.name == "default" and one.value == "None"
    else:
        calls = [new] if isinstance(new, ast.Call) else []
        given = (item.value for call in calls for item in call.keywords if item.arg == "default")
        is_none = any(isinstance(value, ast.Constant) and value.value is None for value in given)
    for call in calls if is_none else ():
        names = [str(arg.value) for arg in call.args if isinstance(arg, ast.Constant)]
        name = names[-1].lstrip("-").replace("-", "_") if names else ""
        is_it = partial(_is_one_of, {name}, ast.Attribute)
        if last_name(call.func) == "add_argument" and _is_used_plainly(tree, is_it):
            return name
    return ""


def _lost_meaning(index: Index, one: object) -> str:
    """That a function asks whether a parameter is None, which stood for all and is nothing or 0 now, or for
    what a call gave."""
    value = parsed(one.default) if isinstance(one, SetDefault) else None
    if not isinstance(one, SetDefault) or value is None or one.target.path not in index.paths:
        return ""
    is_none = ast.unparse(value) in ("0", "''", "()", "[]", "-1", "False")
    source = index.source(one.target.path)
    for node in (each for each in source.functions if source.qualname(each) == one.target.name):
        was, is_it = defaults(node).get(one.name), partial(_is_one_of, {one.name}, ast.Name)
        of_object = partial(_is_one_of, _kept(node, one.name), ast.Attribute)
        asked = [
            each
            for root, fits in ((node, is_it), (source.tree, of_object))
            for each in find_nodes(root, ast.Compare)
            if fits(each.left) and _is_none(each.comparators[0])
        ]
        stores = (each for each in find_nodes(node, ast.Name) if isinstance(each.ctx, ast.Store))
        is_set = any(map(is_it, stores))
        set_to = [walk(each.value) for each in find_nodes(node, ast.Assign) if any(map(is_it, each.targets))]
        made = any(any(map(_is_call, each)) and not any(map(is_it, each)) for each in set_to)
        lost = made or (is_none and not is_set)
        if lost and was is not None and _is_none(was) and asked:
            return f"{node.name} asks whether {one.name} is None, which it is not by default any more"
    return ""


def _fails(index: Index, target: Symbol, name: str, *, is_default: bool) -> bool:
    source = index.source(target.path)
    if not is_default:
        holder = target.name.rpartition(".")[0]
        inside: list[ast.AST | None] = [one for one in source.functions if source.qualname(one) == holder]
        paths = {target.path} if holder else {target.path, *index.files_with(name)}
        roots = inside or [index.source(path).tree for path in paths]
        kinds = [partial(_is_one_of, {name}, kind) for kind in (ast.Name, ast.Attribute)]
        asked = any(_is_asked(root, is_it) for root in roots for is_it in kinds)
        return not asked and any(_is_used_plainly(root, is_it) for root in roots for is_it in kinds)
    node = next((item for item in source.definitions if source.qualname(item) == target.name), None)
    return node is not None and _fails_in(index, source, node, name)


def _fails_in(index: Index, source: Source, node: ast.AST, name: str) -> bool:
    """Whether a function takes something from a parameter, or gives it to one that does."""
    given = partial(_is_one_of, {name}, ast.Name)
    is_it = partial(_is_one_of, {name, *_further_names(node, given)}, ast.Name)
    kept = _kept(node, name)
    of_object = partial(_is_one_of, kept, ast.Attribute)
    if _is_used_plainly(node, is_it) or (kept and _is_used_plainly(source.tree, of_object)):
        return True
    users = source.functions if kept and not _is_asked(source.tree, of_object) else ()
    for user, names in ((user, {*_further_names(user, of_object)}) for user in users):
        if names and _is_used_plainly(user, partial(_is_one_of, names, ast.Name)):
            return True
    passed = [(call, is_it) for call in find_nodes(node, ast.Call)]
    passed += [(call, of_object) for call in find_nodes(source.tree, ast.Call)] if kept else []
    return not _is_asked(node, is_it) and any(_is_taken_by(index, *one) for one in passed)


def _kept(node: ast.AST, name: str) -> set[str]:
    """The attributes that a function sets to a name."""
    stores = (item.targets[0] for item in find_nodes(node, ast.Assign) if is_name(item.value, name))
    return {goal.attr for goal in stores if isinstance(goal, ast.Attribute)}


def _further_names(node: ast.AST, is_it: Callable[[ast.AST], bool]) -> Iterator[str]:
    """What is set to a value, or is it by default, in a function."""
    for one in walk(node):
        if isinstance(one, ast.Assign) and is_it(one.value):
            yield from (goal.id for goal in one.targets if isinstance(goal, ast.Name))
        elif isinstance(one, Function | ast.Lambda):
            yield from (each for each, value in defaults(one).items() if is_it(value))


def _is_taken_by(index: Index, call: ast.Call, is_it: Callable[[ast.AST], bool]) -> bool:
    """Whether a value is given to a function of the repository that takes something from it."""
    given = _getting(index, call, is_it)
    return any(_is_used_plainly(node, partial(_is_one_of, {name}, ast.Name)) for _, node, name in given)


def _getting(
    index: Index, call: ast.Call, is_it: Callable[[ast.AST], bool]
) -> Iterator[tuple[Source, Function, str]]:
    """The functions of the repository that may be called, with the parameters that get a value; none where
    the call may be that of a method of Python, like `get`."""
    at = [where for where, value in enumerate(call.args) if is_it(value)]
    named = {item.arg for item in call.keywords if item.arg and is_it(item.value)}
    called = called_name(call)
    known = isinstance(call.func, ast.Attribute) and any(
        hasattr(getattr(builtins, one), called) for one in BUILTIN_TYPES
    )
    for path, symbol in index.symbols(called) if (at or named) and not known else ():
        inner = f"{symbol.name}.__init__" if symbol.kind == "class" else symbol.qualname
        source = index.source(path)
        for node in (one for one in source.functions if source.qualname(one) == inner):
            bound = symbol.kind == "class" or isinstance(call.func, ast.Attribute)
            names = [item.arg for item in node.args.args][bound and source.class_of(node) is not None :]
            for name in (*named, *(names[where] for where in at if where < len(names))):
                yield source, node, name


def _is_used_plainly(root: ast.AST | None, is_it: Callable[[ast.AST], bool]) -> bool:
    """Whether code takes something from a value before it asks whether it is None or empty; of an attribute,
    without asking anywhere."""
    return _first(root, is_it, _taken) < _first(root, is_it, _asked)


def _is_asked(root: ast.AST | None, is_it: Callable[[ast.AST], bool]) -> bool:
    return _first(root, is_it, _asked) < _END


def _first(
    root: ast.AST | None, is_it: Callable[[ast.AST], bool], parts: Callable[[ast.AST], list[ast.expr]]
) -> _Position:
    """Where some parts of the nodes hold a value first; asking for an attribute counts from the start."""
    places = []
    for node in walk(root):
        for part in filter(is_it, parts(node)):
            whole = node if parts is _asked and isinstance(node, ast.IfExp) else part
            early = parts is _asked and isinstance(part, ast.Attribute)
            places.append((0, 0) if early else (getattr(whole, "lineno", 0), getattr(whole, "col_offset", 0)))
    return min(places, default=_END)


def _asked(node: ast.AST) -> list[ast.expr]:
    """What a node asks to be true, empty or None."""
    tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else []
    tests = [*tests, *(one.values[-1] for one in tests if isinstance(one, ast.BoolOp))]
    tests += [each for one in tests for each in _asked(one)]
    tests += node.values[:-1] if isinstance(node, ast.BoolOp) else []
    tests += [node.operand] if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else []
    sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
    if any(isinstance(side, ast.Constant) and side.value is None for side in sides):
        tests += sides
    return tests


def _taken(node: ast.AST) -> list[ast.expr]:
    """What fails at a node where it is None."""
    held: list[ast.expr] = []
    match node:
        case ast.Compare(left=left, ops=[sign, *_], comparators=others):
            held = others[:1] if isinstance(sign, ast.In | ast.NotIn) else []
            held += [left, *others] if isinstance(sign, ORDERED) else []
        case ast.Attribute(value=value) | ast.Subscript(value=value):
            held = [value]
        case ast.For(iter=value) | ast.comprehension(iter=value):
            held = [value]
        case ast.BinOp(left=left, op=sign, right=right):
            held = [left, right]
            many = (left, right) if isinstance(sign, ast.Mult) else ()
            held += [item for one in many if isinstance(one, ast.List | ast.Tuple) for item in one.elts]
        case ast.AugAssign(target=left, value=right):
            held = [left, right]
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert(), operand=value):
            held = [value]
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=parts)):
            held = [one.value for one in parts if isinstance(one, ast.FormattedValue)]
        case ast.Call():
            fails = called_name(node) in _FAILING or ast.unparse(node.func) in _FAILING
            named = (one.value for one in node.keywords if one.arg not in _OPTIONAL)
            given = [*node.args, *named] if fails else []
            held = [node.func, *(one.values[-1] if isinstance(one, ast.BoolOp) else one for one in given)]
    return held


def _is_one_of(names: Collection[str], kind: type[ast.Name | ast.Attribute], node: ast.AST) -> bool:
    called = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
    return isinstance(node, kind) and called in names
