"""What a sum begins with: the kinds of numbers that `sum` adds as a loop with `+=` does."""

from __future__ import annotations

import ast

from spark_tui.codemods.patterns.hole_needs import Holes, is_set_by_functions
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.scopes import Occurrence, Scope
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function

_MODULES = {
    **dict.fromkeys(("int", "float", "complex"), "builtins"),
    "Decimal": "decimal",
    "Fraction": "fractions",
    **dict.fromkeys(("timedelta", "datetime", "date"), "datetime"),
}
"""The immutable numbers and times, with the modules that have them."""
_ROUNDED = ("float", "complex")
_OWN = "an own class"
_PLAIN_DECORATORS = ("dataclass", "total_ordering", "final")
_MAKING = ("__init__", "__new__", "__post_init__")


def need_start(at: Holes) -> None:
    """Refuse what may be a list or a text, and what acts or gives something else once the iterable of a loop
    comes first."""
    node, text = at.found[0].node, at.found[0].text
    if node is None or _type(at, node, at.scope) not in (*_MODULES, _OWN):
        raise Refusal(f"sum may add to {text} in another way")
    if isinstance(node, ast.Constant) and type(node.value) is int and not node.value:
        raise Refusal("a sum begins at 0 by itself")
    if isinstance(node, ast.Call) and not _has_constants_only(node):
        raise Refusal(f"{text} may do something")
    if isinstance(node, ast.Name) and is_set_by_functions(at, node):
        raise Refusal(f"a function may set {text} before sum reads it")


def need_exact_start(at: Holes) -> None:
    """Refuse a number whose sum `sum` may round in another way."""
    node, text = at.found[0].node, at.found[0].text
    if node is None or _type(at, node, at.scope) in _ROUNDED:
        raise Refusal(f"{text} is a float")


def _has_constants_only(call: ast.Call) -> bool:
    given = (*call.args, *(keyword.value for keyword in call.keywords))
    values = (one.operand if isinstance(one, ast.UnaryOp) else one for one in given)
    return all(isinstance(one, ast.Constant) for one in values)


def _type(at: Holes, node: ast.expr | None, scope: Scope) -> str:
    """The name of the class of a start; empty where the code does not show one."""
    match node:
        case ast.Constant(value):
            return type(value).__name__
        case ast.UnaryOp(ast.USub(), ast.Constant(value)):
            return type(value).__name__
        case ast.Call(func=func):
            return _class_name(at, func, scope) or (_OWN if _makes_own(at, func, scope) else "")
        case ast.Name():
            return _type_of_name(at, node, scope)
    return ""


def _class_name(at: Holes, node: ast.expr | None, scope: Scope) -> str:
    """The class of the table that an expression means: `Decimal`, `decimal.Decimal`."""
    match node:
        case ast.Name(name) if name in _MODULES:
            return name if _is_imported(at, name, scope, _MODULES[name], name) else ""
        case ast.Attribute(ast.Name(module), name) if name in _MODULES:
            return name if _is_imported(at, module, scope, _MODULES[name], "") else ""
    return ""


def _is_imported(at: Holes, bound: str, scope: Scope, module: str, name: str) -> bool:
    """Whether a name is a module or a name of it. What a fragment of a file does not import is meant too."""
    scopes = at.repo.index.scopes(at.source.path)
    home = scopes.lookup(bound, scope)
    if home is None:
        return bool(name) or bound == module
    variable = scopes.variable(bound, home)
    for one in variable.bindings if variable else ():
        statement = scopes.aliases.get(one.node) if isinstance(one.node, ast.alias) else None
        said = (getattr(statement, "module", ""), one.node.name) if isinstance(one.node, ast.alias) else ()
        if said != ((module, name) if name else ("", module)):
            return False
    return variable is not None and module != "builtins"


def _makes_own(at: Holes, func: ast.expr, scope: Scope) -> bool:
    """Whether a call makes an object of a class of the repository that adds by `__add__` alone."""
    values = at.repo.infer.values(at.source.path, func, scope)
    iterable = at.match.holes.get("_s")
    acting = iterable is not None and iterable.node is not None and has_effects(iterable.node)
    return bool(values) and all(
        isinstance(one, ClassValue) and _adds_anew(one.node, acting) for one in values
    )


def _adds_anew(node: ast.ClassDef, acting: bool) -> bool:
    own = {one.name for one in node.body if isinstance(one, Function)}
    plain = not node.bases and not node.keywords and set(decorator_names(node)) <= {*_PLAIN_DECORATORS}
    made_alone = not (acting and own & {*_MAKING})
    return plain and made_alone and "__add__" in own and "__iadd__" not in ast.unparse(node)


def _type_of_name(at: Holes, node: ast.Name, scope: Scope) -> str:
    """The class of all that a name is set to."""
    scopes = at.repo.index.scopes(at.source.path)
    home = scopes.lookup(node.id, scope)
    variable = scopes.variable(node.id, home) if home is not None else None
    found = {_type_of_binding(at, one) for one in (variable.bindings if variable else ())}
    return found.pop() if len(found) == 1 else ""


def _type_of_binding(at: Holes, one: Occurrence) -> str:
    node = one.node
    if isinstance(node, ast.arg):
        function = one.scope.node
        if not isinstance(function, Function) or node in (function.args.vararg, function.args.kwarg):
            return ""
        outside = one.scope.outer or one.scope
        if node.annotation is not None:
            return _class_name(at, node.annotation, outside)
        default = defaults(function).get(node.arg)
        return "" if isinstance(default, ast.Name) else _type(at, default, outside)
    setting = at.repo.index.scopes(at.source.path).setting(node)
    if isinstance(setting, ast.AnnAssign):
        return _class_name(at, setting.annotation, one.scope)
    value = setting.value if isinstance(setting, ast.Assign) else None
    return "" if isinstance(value, ast.Name) else _type(at, value, one.scope)
