"""What fills the holes of a pattern at a place, and conditions on its values and on what stands around."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from spark_tui.codemods.checks.oldest_python import too_old
from spark_tui.codemods.checks.value_kinds import ValueKind, value_kind
from spark_tui.codemods.patterns.forms import Filled, Match
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.pysource.names.scopes import Scope
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, Span, parameters
from spark_tui.pysource.syntax.parsing import values_set
from spark_tui.pysource.words import word_set

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *_COMPREHENSIONS)

_ASKING = word_set(
    "startswith endswith isdigit isdecimal isnumeric isalpha isalnum isspace isupper islower istitle exists"
    " isfile isidentifier isdir islink is_file is_dir is_symlink is_absolute issubset issuperset isdisjoint"
)
"""Methods and functions that give True or False."""


@dataclass(frozen=True, slots=True)
class Holes:
    """A match, and what fills the holes that a condition names."""

    repo: Repository
    source: Source
    match: Match
    found: list[Filled]

    @property
    def span(self) -> Span:
        return self.source.span(self.match.nodes[0])[0], self.source.span(self.match.nodes[-1])[1]

    @property
    def scope(self) -> Scope:
        return self.repo.index.scopes(self.source.path).of_function(self.match.nodes[0])


def is_set_by_functions(at: Holes, node: ast.Name) -> bool:
    """Whether a function that may run meanwhile sets a name, by `global` or `nonlocal`."""
    scopes = at.repo.index.scopes(at.source.path)
    home = scopes.lookup(node.id, at.scope)
    variable = scopes.variable(node.id, home) if home is not None else None
    return variable is not None and any(one.scope is not home for one in variable.bindings)


def refuse_older(at: Holes) -> None:
    if reason := too_old(at.repo, 9, "removeprefix"):
        raise Refusal(reason)


def need_affix(at: Holes, full: bool = False) -> None:
    """Refuse what may be several texts, or with `full` an empty one."""
    text, node = at.found[0].text, at.found[0].node
    if isinstance(node, ast.Tuple):
        raise Refusal(f"{text} is several texts")
    known = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) else ""
    if full and not known:
        raise Refusal(f"{text} may be empty, and then the slice leaves nothing")


def need_text(at: Holes) -> None:
    """The hole is a text: a list can be compared with a slice, too."""
    node = at.found[0].node
    literal = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    if node is None or literal:
        return
    if value_kind(at.repo, at.source.path, node, at.scope) is not ValueKind.TEXT:
        raise Refusal(f"{at.found[0].text} may be no text")


def refuse_rows(at: Holes) -> None:
    """Refuse what may be a row of a database, in which `in` asks for a value."""
    if re.search(r"\bsqlite3\b|\brow_factory\b", at.source.text):
        raise Refusal(f"{at.found[0].text} may be a row of a database, in which `in` asks for a value")


def refuse_default(at: Holes) -> None:
    """Refuse a dictionary that makes a missing item by itself, which `get` does not, also where one is given
    under its name in a file that imports this one."""
    text, index = at.found[0].text, at.repo.index
    name = text.rpartition(".")[2]
    missing = (symbol.qualname.split(".")[-2:-1] for _, symbol in index.symbols("__missing__"))
    makers = {"defaultdict", "Counter", *(owner for one in missing for owner in one)}
    near = {at.source.path, *index.importers(at.source.path)}
    for path in sorted(near.intersection(index.files_with(*makers))):
        statements = index.source(path).statements
        given = [one.value for call in index.scopes(path).calls for one in call.keywords if one.arg == name]
        for value in (*values_set(statements, text), *values_set(statements, name), *given):
            if isinstance(value, ast.Call) and last_name(value.func) in makers:
                raise Refusal(f"{text} makes a missing item by itself, which get does not")


def refuse_sent(at: Holes) -> None:
    """Refuse where something is sent to a generator, which would go on to what it goes through."""
    if re.search(r"\.(?:send|throw)\(", at.source.text):
        raise Refusal("what is sent to the generator may go on to what it goes through")


def refuse_async(at: Holes) -> None:
    if isinstance(at.source.function_of(at.match.nodes[0]), ast.AsyncFunctionDef):
        raise Refusal("an async function cannot yield from anything")


def need_own_super(at: Holes) -> None:
    """Refuse unless the arguments of super are the class around and the first parameter of its method, which
    super() finds by itself."""
    method, owner = method_around(at.source, at.match.nodes[0])
    if method is None or owner is None:
        raise Refusal("super() has to stand in a method itself")
    first, named = next(iter(parameters(method)), None), [item.text for item in at.found]
    if first is None or named != [owner.name, first.arg]:
        raise Refusal(f"super({', '.join(named)}) is not of this class and object")


def method_around(source: Source, node: ast.AST) -> tuple[Function | None, ast.ClassDef | None]:
    """The method that code stands in itself, and its class; none where a dataclass with slots is made anew,
    so that super() looks for the class that it was."""
    around = [one for one in source.ancestors(node) if isinstance(one, _SCOPES)]
    method, owner = (*around, None, None)[:2]
    if not (isinstance(method, Function) and isinstance(owner, ast.ClassDef)):
        return None, None
    anew = any("slots=True" in ast.unparse(one) for one in owner.decorator_list)
    return (None, None) if anew else (method, owner)


def need_boolean(at: Holes) -> None:
    """The hole is True or False: a comparison of plain values, a negation, or isinstance."""
    if not (at.found[0].node is not None and _is_boolean(at.found[0].node)):
        raise Refusal(f"{at.found[0].text} may be another value than True or False")


def _is_boolean(node: ast.expr) -> bool:
    """Whether the value of an expression is True or False."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_boolean, node.values))
    if isinstance(node, ast.Compare):
        # What is asked for in an `if` is no array.
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _ASKING
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("isinstance", "issubclass", "callable", "any", "all", "bool", "hasattr")
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def need_length(at: Holes) -> None:
    """The first hole is the length of the string in the second one: `text[: len(prefix)] == prefix` needs
    none once it is `text.startswith(prefix)`."""
    if len(at.found) > 1 and not _measures(at.source, at.found[0].node, at.found[1].node):
        raise Refusal(f"{at.found[0].text} is not the length of {at.found[1].text}")


def acts(node: ast.AST | None, fewer: bool) -> bool:
    """Whether evaluating may do something. Nobody misses a length that is asked for `fewer` times."""
    return node is not None and has_effects(node) and not (fewer and _measured(node) is not None)


def _measures(source: Source, count: ast.AST | None, text: ast.AST | None) -> bool:
    """Whether the first is the length of the second: a string, or a name of one."""
    if (named := _measured(count)) is not None:
        return text is not None and ast.unparse(named) == ast.unparse(text)
    if isinstance(text, ast.Name) and text.id.isupper():
        set_to = [
            one
            for one in source.body
            if isinstance(one, ast.Assign) and text.id in map(ast.unparse, one.targets)
        ]
        text = set_to[0].value if len(set_to) == 1 else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str) and isinstance(count, ast.Constant):
        return bool(count.value == len(text.value))
    return False


def _measured(node: ast.AST | None) -> ast.expr | None:
    """What is measured by a plain `len(name)`."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() | ast.Attribute() as named], keywords=[]):
            return named
    return None
