"""Logging: prints turned into log calls, log calls added."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from spark_tui.codemods.checks.early_names import is_for_types
from spark_tui.codemods.families.statements.placement import Side, insert_statements
from spark_tui.codemods.imports.callers import runs_on_import
from spark_tui.codemods.imports.lines import insert_import
from spark_tui.codemods.places.named import find_region, insert_at_line, statements
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, is_none, names_in, plan_edits, read_expression
from spark_tui.codemods.slots import Choice, Expression, Place, Statements
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.values import ClassValue, Container, FunctionValue
from spark_tui.pysource.names.imports import top_imports
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.names.type_hints import decorator_names, names_within
from spark_tui.pysource.names.undefined import is_fragment
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import targets, values_set
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_PLAIN = (ast.List, ast.Dict, ast.Set, ast.Tuple, ast.Constant, ast.JoinedStr, ast.Lambda)
_NUMBERS = ("math", "cmath", "numpy", "torch", "jax.numpy")
"""Modules that have a `log` which is a function."""
LOGGERS = ("logger", "log", "_logger", "_log", "LOG", "LOGGER", "LOGGING")
_MAKING = word_set(
    "__new__ __init__ __post_init__ __getattr__ __getattribute__ __setattr__ __delattr__ __repr__ __str__"
    " __del__ __setstate__"
)
"""The methods that may run before the attributes of an object are set, or where one is asked for."""


class Level(Choice):
    """The level of a log call."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    EXCEPTION = "exception"
    CRITICAL = "critical"


def find_or_make_logger(repo: Repository, source: Source, phrase: str = "") -> tuple[str, list[Edit]]:
    """The name by which a file logs, and the edits that make it: `import logging`, `logger = …`.

    `phrase`: the name that a person gives it. In a fragment of a file it may be defined elsewhere."""
    scopes = repo.index.scopes(source.path)
    bare = phrase.partition(".")[0]
    if phrase and (bare != phrase or bare in scopes.module.bound or is_fragment(scopes)):
        return phrase, []
    for name in LOGGERS:
        if name in scopes.module.bound and _may_log(repo, scopes, name):
            return name, []
    known = scopes.variable("logging", scopes.module)
    edits: list[Edit] = []
    if known is None or is_for_types(scopes, "logging"):
        edits.append(insert_import(repo, source.path, "logging", "", ""))
    elif any(binding.role is not Role.IMPORT for binding in known.bindings):
        raise Refusal(f"logging means something else in {source.path}")
    unbound = (variable.name for variable in scopes.variables if variable.scope is None)
    outside = {name for name in unbound if name in LOGGERS}
    used = [name for name in outside if _may_log(repo, scopes, name)]
    if known is None and used:
        # A fragment, or a name from `import *`: it logs by that name already.
        return min(used, key=LOGGERS.index), []
    if phrase == "logging" or (not edits and _logs_directly(source)):
        return "logging", edits
    newline = source.newline
    taken = {variable.name for variable in scopes.variables}
    wanted = phrase.isidentifier() and phrase not in taken
    free = (one for one in LOGGERS if one not in scopes.module.bound and one not in outside)
    name = phrase if wanted else next(free, "logger")
    text = f"{name} = logging.getLogger(__name__){newline}"
    imports = top_imports(source)
    if imports:
        edits.append(insert_at_line(source, source.last_line(imports[-1]), newline + text))
    else:
        # One edit: both stand at the same place, after the docstring.
        edits = [
            Edit(edit.path, edit.start, edit.end, edit.new.rstrip("\r\n") + newline * 2 + text + newline)
            for edit in edits
        ]
    return name, edits


def own_logger(source: Source, function: Function | None) -> str:
    """The attribute by which the methods of a class log, if it is one that a function may use."""
    owner = source.class_of(function) if function is not None else None
    if function is None or owner is None or function.name in _MAKING or not parameters(function):
        return ""
    called = (node.func for node in find_nodes(owner, ast.Call))
    levels = {level.value for level in Level}
    used = {ast.unparse(one.value) for one in called if isinstance(one, ast.Attribute) and one.attr in levels}
    own = re.compile(rf"{re.escape(parameters(function)[0].arg)}\._*(?:log|\w*logger)", re.IGNORECASE)
    used = set(filter(own.fullmatch, used))
    set_here = {ast.unparse(goal) for node in find_nodes(function, ast.Assign) for goal in node.targets}
    if len(used) != 1 or not used.isdisjoint({*set_here, f"{parameters(function)[0].arg}.{function.name}"}):
        return ""
    kinds = {*decorator_names(function)}
    name, of_class = min(used), _is_of_class(owner, min(used))
    return "" if "staticmethod" in kinds or ("classmethod" in kinds and not of_class) else name


def _is_of_class(owner: ast.ClassDef, name: str) -> bool:
    """Whether the body of a class itself sets an attribute."""
    return any(ast.unparse(one) == name.partition(".")[2] for stmt in owner.body for one in targets(stmt))


def _unset(source: Source, function: Function, name: str) -> Iterator[Unfollowed]:
    """That the logger of an object may be missing where a function logs: it is not set first of all, or the
    class asks whether there is one."""
    owner = source.class_of(function)
    if owner is None or _is_of_class(owner, name):
        return
    maker = next((one for one in owner.body if isinstance(one, Function) and one.name == "__init__"), None)
    body = maker.body if maker is not None else []
    before = takewhile(lambda stmt: name not in map(ast.unparse, targets(stmt)), body)
    calls = (call for stmt in before for call in find_nodes(stmt, ast.Call))
    handed = any(name.partition(".")[0] in names_within(call) for call in calls)
    values = list(values_set(body, name))
    held = (source.parents.get(one) for one in find_nodes(owner, ast.Attribute) if ast.unparse(one) == name)
    asked = any(isinstance(one, ast.If | ast.IfExp | ast.BoolOp | ast.Compare | ast.UnaryOp) for one in held)
    if not values or handed or asked or any(isinstance(one, ast.Constant) for one in values):
        yield Unfollowed(source.path, function.lineno, f"{name} may not be set yet, or be no logger")


def _logs_directly(source: Source) -> bool:
    """Whether a file logs by functions of the module: `logging.info(…)`."""
    called = (node.func for node in find_nodes(source.tree, ast.Call))
    levels = {level.value for level in Level}
    return any(
        isinstance(one, ast.Attribute) and one.attr in levels and ast.unparse(one.value) == "logging"
        for one in called
    )


def _may_log(repo: Repository, scopes: Scopes, name: str) -> bool:
    """Whether a name of a module is no function, class or plain value, so that it may be a logger."""
    found = repo.infer.name(scopes.source.path, name, scopes.module)
    if any(isinstance(value, FunctionValue | ClassValue | Container) for value in found):
        return False
    variable = scopes.variable(name, scopes.module)
    for binding in variable.bindings if variable is not None else ():
        if isinstance(binding.node, ast.alias):
            statement = scopes.aliases[binding.node]
            if isinstance(statement, ast.ImportFrom) and statement.module in _NUMBERS:
                return False
        value = getattr(scopes.source.statement(binding.node), "value", None)
        if binding.role is Role.ASSIGN and isinstance(value, _PLAIN):
            return False
    return True


_CATCHING = re.compile(r"\b(?:capsys|capfd|redirect_stdout)\b")


@codemod
class PrintToLogging:
    """Turn prints into log calls, with a logger if the file has none."""

    place: Place = slot("where: `in fetch`, `in app.py`, or app.py:12")
    level: Level = slot("the level", default=Level.INFO)
    logger: Expression = slot("the name of the logger; empty for that of the file", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        prints = [node for node in found.nodes(ast.Call) if _is_print(repo, source, node)]
        if not prints:
            raise Refusal("nothing prints there", why="nothing")
        name, edits = find_or_make_logger(repo, source, self.logger)
        doubts = list(_early(repo, source, name, edits, prints))
        doubts += _read_by_tests(repo, source.path)
        edits += [self._logged(source, node, name) for node in prints]
        return plan_edits(repo, edits, doubts, given=names_in(self.logger))

    def _logged(self, source: Source, call: ast.Call, name: str) -> Edit:
        low, high = source.span(call)
        if call.keywords or any(isinstance(arg, ast.Starred) for arg in call.args) or not call.args:
            raise Refusal(f"{source.path}:{call.lineno}: this print has no plain arguments")
        if not isinstance(source.parents.get(call), ast.Expr):
            raise Refusal(f"{source.path}:{call.lineno}: what this print returns is used")
        if comments_in(source, low, high):
            raise Refusal(f"{source.path}:{call.lineno}: there is a comment inside the print")
        shown = source.segment(call.args[0])
        if len(call.args) > 1:
            args = call.args[:-1] if self.level is Level.EXCEPTION and _is_caught(source, call) else call.args
            shown = _format(source, args)
        return Edit(source.path, low, high, f"{name}.{self.level.value}({shown})")


def _read_by_tests(repo: Repository, path: str) -> Iterator[Unfollowed]:
    """Where what a module prints is read: by a test, or by code that catches the output."""
    for importer in sorted(repo.index.importers(path)):
        text = repo.index.text(importer) or ""
        if found := _CATCHING.search(text):
            line = text.count("\n", 0, found.start()) + 1
            yield Unfollowed(importer, line, f"{found[0]} reads what is printed")


def _format(source: Source, args: Sequence[ast.expr]) -> str:
    """The arguments of a log call for what is printed with blanks between: a format, and the values in it."""
    bodies = [_text_of(source, arg) for arg in args]
    values = [source.segment(one) for one, body in zip(args, bodies, strict=True) if body is None]
    # Without values a message is not formatted.
    texts = [
        "%s" if body is None else source.text[slice(*body)].replace("%", "%%" if values else "%")
        for body in bodies
    ]
    message = " ".join(texts)
    if '"' in message:
        raise Refusal(f"{source.path}:{args[0].lineno}: the message has quotes in it")
    return ", ".join([f'"{message}"', *values])


def _text_of(source: Source, node: ast.expr) -> tuple[int, int] | None:
    """Where the text of a plain string stands; nothing for another value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return source.literal_body(node)
    return None


def _is_caught(source: Source, call: ast.Call) -> bool:
    """Whether the last of several arguments is the caught error, which is logged with its traceback."""
    last = call.args[-1]
    holders = (ancestor for ancestor in source.ancestors(call) if isinstance(ancestor, ast.ExceptHandler))
    handler = next(holders, None)
    return handler is not None and isinstance(last, ast.Name) and last.id == handler.name


def _early(
    repo: Repository, source: Source, name: str, made: list[Edit], nodes: Sequence[ast.expr | ast.stmt]
) -> Iterator[Unfollowed]:
    """Names code that may log before the logger is made; refuses where it is sure to."""
    ready = max((edit.start for edit in made), default=_bound_at(repo, source, name))
    scopes = repo.index.scopes(source.path)
    for node in nodes:
        function = source.function_of(node)
        own = scopes.variable(name, scopes.scope_of[function]) if function is not None else None
        if own is not None and any(binding.role is not Role.PARAMETER for binding in own.bindings):
            raise Refusal(f"{source.path}:{node.lineno}: {name} is a local name there")
        start = source.span(node)[0]
        line = source.line_number(start)
        if own is not None and function is not None and is_none(defaults(function).get(name)):
            yield Unfollowed(source.path, line, f"{name} may be None there")
        if start < ready and function is None:
            raise Refusal(f"{source.path}:{line}: it would log before there can be a logger")
        if start < ready and runs_on_import(repo, source.path, node):
            yield Unfollowed(source.path, line, "it may run before there is a logger")


def _bound_at(repo: Repository, source: Source, name: str) -> int:
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable(name, scopes.module)
    return max((binding.span[0] for binding in variable.bindings), default=0) if variable is not None else 0


def _is_print(repo: Repository, source: Source, call: ast.Call) -> bool:
    if not (isinstance(call.func, ast.Name) and call.func.id == "print"):
        return False
    scopes = repo.index.scopes(source.path)
    return scopes.resolve(scopes.by_node[call.func]).scope is None


@codemod
class AddLog:
    """Add a log call by the logger of the object or of the file, which is made where there is none."""

    place: Place = slot("where: app.py:12, `in fetch`")
    message: Expression = slot('the arguments of the call: "loading %s", path')
    level: Level = slot("the level", default=Level.INFO)
    side: Side = slot("before or after the line, or at the start or end of the body", default=Side.START)
    logger: Expression = slot("the name of the logger; empty for the one there", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        read_expression(f"log({self.message})")
        inside = Place(side="in", symbol=self.place.symbol) if self.place.symbol else self.place
        found = find_region(repo, inside)
        first = found.node or next(iter(statements(found)), None)
        function = first if first is None or isinstance(first, Function) else found.source.function_of(first)
        own = "" if self.logger else own_logger(found.source, function)
        logger = self.logger or own
        name, edits = find_or_make_logger(repo, found.source, logger)
        side = Side.BEFORE if self.place.path and self.side is Side.START else self.side
        body = getattr(found.node, "body", None) or statements(found)
        doubts = list(_early(repo, found.source, name, edits, body[:1]))
        if own and isinstance(function, Function):
            doubts += _unset(found.source, function, own)
        code = Statements(f"{name}.{self.level.value}({self.message})")
        edits.append(insert_statements(repo, self.place, side, code))
        return plan_edits(repo, edits, doubts, given=names_in(self.message, self.logger))
