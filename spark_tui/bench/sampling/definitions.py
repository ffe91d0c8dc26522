"""Random calls of the operations on definitions, patterns, text and configuration files."""

from __future__ import annotations

import ast
from typing import Any

from spark_tui.bench.sampling.places import Draw, Drawn, FileSample, law_files
from spark_tui.codemods.classes.special_methods import SpecialMethod
from spark_tui.codemods.docstrings import Style
from spark_tui.codemods.families.classes.method_kinds import MethodKind
from spark_tui.codemods.families.functions.annotations import OptionalForm
from spark_tui.codemods.families.statements.placement import Side
from spark_tui.codemods.patterns.table import pattern_table
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import operations
from spark_tui.codemods.slots import FilePath, Place, Symbol, SymbolKind
from spark_tui.pysource.names.type_hints import is_overload
from spark_tui.pysource.source import docstring, parameters

CONFIG_FILES = law_files("config")


def _definition(at: FileSample) -> Symbol | None:
    return at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD)


def _function(at: FileSample) -> Symbol | None:
    return at.symbol(SymbolKind.FUNCTION, SymbolKind.METHOD)


def _documented(at: FileSample) -> Drawn:
    kinds = ast.FunctionDef | ast.ClassDef
    return (
        at.named(at.node(ast.stmt, lambda item: isinstance(item, kinds) and docstring(item) is not None)),
    )


def _annotate_parameter(at: FileSample) -> Drawn:
    node = at.function(lambda item: bool(parameters(item)))
    return at.named(node), at.rng.choice(parameters(node)).arg, "'tuple[int, ...]'"


def _document_parameter(at: FileSample) -> Drawn:
    node = at.function(lambda item: bool(parameters(item)) and docstring(item) is not None)
    return at.named(node), at.rng.choice(parameters(node)).arg, "Sampled."


def _remove_decorator(at: FileSample) -> Drawn:
    node = at.function(lambda inner: bool(inner.decorator_list) and not is_overload(inner))
    return at.named(node), ast.unparse(node.decorator_list[0])


def _method(at: FileSample, *more: object) -> Drawn:
    node = at.function(lambda item: at.source.class_of(item) is not None and len(parameters(item)) == 1)
    return at.named(node), *more


def _class(at: FileSample) -> Symbol | None:
    return at.symbol(SymbolKind.CLASS)


def _remove_base(at: FileSample) -> Drawn:
    node = at.node(ast.ClassDef, lambda item: bool(item.bases))
    return at.named(node), ast.unparse(node.bases[0])


def _add_await(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda item: isinstance(at.source.function_of(item), ast.AsyncFunctionDef))
    return at.source.segment(call.func), at.lines(call)


def _extract_variable(at: FileSample) -> Drawn:
    kinds: Any = ast.BinOp | ast.Call | ast.Attribute
    node = at.node(kinds)
    return at.lines(node), at.source.segment(node), "sampled_name"


def _split_variable(at: FileSample) -> Drawn:
    def sets(item: ast.Name) -> bool:
        return isinstance(item.ctx, ast.Store) and at.source.function_of(item) is not None

    node = at.node(ast.Name, sets)
    return at.line(node), node.id, "sampled_name"


def _extract_constant(at: FileSample) -> Drawn:
    node = at.node(ast.Constant, lambda item: isinstance(item.value, str | int))
    return at.whole(), at.source.segment(node), "SAMPLED_NAME"


def _extract_function(at: FileSample) -> Drawn:
    node = at.node(ast.stmt, lambda item: at.source.function_of(item) is not None)
    suite = at.source.suite(node)
    last = at.rng.choice(suite[suite.index(node) :])
    return Place(at.path, at.source.first_line(node) + 1, at.source.last_line(last)), "sampled_function"


def _gives_list(at: FileSample, node: ast.stmt) -> bool:
    return "return [" in (text := at.source.segment(node)) or ".append(" in text


def _is_inner(at: FileSample, node: ast.stmt) -> bool:
    return "." in at.source.qualname(node)


def _gives_one_value(at: FileSample, node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is as most are that can be inlined."""
    return not _is_inner(at, node) and isinstance(node.body[-1], ast.Return) and len(node.body) <= 2


def _mutable_default(at: FileSample) -> Drawn:
    kinds = ast.List | ast.Dict
    return (
        at.named(at.function(lambda item: any(isinstance(default, kinds) for default in item.args.defaults))),
    )


def _move_definition(at: FileSample) -> Drawn:
    node = at.function(lambda item: at.source.parents.get(item) is at.source.tree)
    variable = at.symbol(SymbolKind.VARIABLE)
    moved = at.rng.choice([at.named(node), variable]) if variable is not None else at.named(node)
    others = [path for path in at.repo.index.paths if path != at.path]
    return (moved, FilePath(at.rng.choice(others))) if others else None


def _pattern(at: FileSample) -> Drawn:
    """A pattern that fits somewhere in the file: most fit nowhere."""
    names = sorted(pattern_table())
    at.rng.shuffle(names)
    calls = ((item, operations()["apply_pattern"](item, at.whole())) for item in names)
    fitting = next((one for one, call in calls if isinstance(call.plan(at.repo), Plan)), None)
    return (fitting, at.whole()) if fitting is not None else None


def _rewrite(at: FileSample) -> Drawn:
    old, new = at.rng.choice(
        [("len(_x) == 0", "not _x"), ("_x.append(_y)", "_x.insert(0, _y)"), ("_x and _y", "all((_x, _y))")]
    )
    return at.whole(), old, new


def _text_file(at: FileSample) -> str:
    return at.rng.choice([text for text in sorted(CONFIG_FILES) if not text.endswith(".py")])


def _key(at: FileSample) -> tuple[FilePath, str]:
    path = _text_file(at)
    keys = ["project.name", "project.version", "project.new", "tool.ruff"]
    return FilePath(path), at.rng.choice(["TITLE", "NAME", "NEW"] if path == ".env" else keys)


def _item(at: FileSample, *items: str) -> tuple[FilePath, str, str]:
    key = at.rng.choice(["tool.lists.wide", "tool.lists.flat"])
    return FilePath("settings.toml"), at.rng.choice(items), key


def _text_line(at: FileSample) -> Place:
    path = _text_file(at)
    number = at.rng.randint(1, CONFIG_FILES[path].count("\n"))
    return Place(path, number, number)


def _substitute(at: FileSample) -> Drawn:
    path = _text_file(at)
    words = [word for word in CONFIG_FILES[path].split() if word.isalpha()]
    return (FilePath(path), at.rng.choice(words), "#4321#", True) if words else None


DRAWS: dict[str, Draw] = {
    "set_docstring": lambda at: (
        _definition(at),
        at.rng.choice(["Sampled.", "Sampled.\n\n    Two \\d lines."]),
    ),
    "remove_docstring": _documented,
    "document_parameters": lambda at: (_function(at), at.rng.choice(list(Style)), (), "Sampled."),
    "annotate_parameter": _annotate_parameter,
    "annotate_return": lambda at: (_function(at), "'tuple[int, ...]'"),
    "annotate_variable": lambda at: (at.symbol(SymbolKind.VARIABLE, SymbolKind.LOCAL), "'tuple[int, ...]'"),
    "remove_annotations": lambda at: (at.named(at.function(lambda item: item.returns is not None)),),
    "rewrite_optional": lambda at: (at.whole(), at.rng.choice(list(OptionalForm))),
    "add_decorator": lambda at: (_definition(at), "print"),
    "remove_decorator": _remove_decorator,
    "change_method_kind": lambda at: _method(at, at.rng.choice(list(MethodKind))),
    "make_property": _method,
    "make_async": lambda at: (_function(at),),
    "make_sync": lambda at: (at.named(at.node(ast.AsyncFunctionDef)),),
    "to_generator": lambda at: (at.named(at.function(lambda item: _gives_list(at, item))),),
    "to_module_level": lambda at: (at.named(at.function(lambda item: _is_inner(at, item))),),
    "document_parameter": _document_parameter,
    "add_await": _add_await,
    "add_method": lambda at: (_class(at), "def sampled_method(self):\n    return 4321"),
    "add_special_method": lambda at: (_class(at), at.rng.choice(list(SpecialMethod))),
    "add_field": lambda at: (_class(at), "sampled_field", "int", "4321", at.rng.random() < 0.5),
    "to_dataclass": lambda at: (_class(at),),
    "add_base": lambda at: (_class(at), "list"),
    "remove_base": _remove_base,
    "extract_variable": _extract_variable,
    "extract_constant": _extract_constant,
    "split_variable": _split_variable,
    "inline_variable": lambda at: (at.symbol(SymbolKind.LOCAL),),
    "inline_constant": lambda at: (at.symbol(SymbolKind.VARIABLE),),
    "inline_function": lambda at: (at.named(at.function(lambda item: _gives_one_value(at, item))),),
    "extract_function": _extract_function,
    "move_definition": _move_definition,
    "apply_pattern": _pattern,
    "rewrite": _rewrite,
    "to_f_string": lambda at: (at.whole(),),
    "fix_mutable_default": _mutable_default,
    "set_key": lambda at: (*_key(at), at.rng.choice(["4321", "some words"])),
    "remove_key": _key,
    "add_list_item": lambda at: _item(at, "a", "c", "4321"),
    "remove_list_item": lambda at: _item(at, "b", "d"),
    "replace_list_item": lambda at: ((found := _item(at, "b", "d"))[0], found[1], "4321", found[2]),
    "insert_lines": lambda at: (_text_line(at), "# 4321\n", at.rng.choice([Side.BEFORE, Side.AFTER])),
    "replace_lines": lambda at: (_text_line(at), "# 4321\n# 5\n"),
    "delete_lines": lambda at: (_text_line(at),),
    "substitute": _substitute,
}
