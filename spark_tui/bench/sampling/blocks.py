"""Random calls of the operations on collections, branches, loops and strings, and on whole files."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling.places import Draw, Drawn, FileSample, law_files
from spark_tui.codemods.families.texts.from_f_strings import TextForm
from spark_tui.codemods.families.texts.strings import Quote
from spark_tui.codemods.families.values.enumerations import constant_groups, prefix_of
from spark_tui.codemods.slots import FilePath, Symbol, SymbolKind

LANGUAGE_FILES = law_files("languages")
_ROWS = (ast.List, ast.Tuple, ast.Set)


def _display(at: FileSample, *kinds: type[ast.expr], least: int = 0) -> ast.expr:
    def fits(node: ast.expr) -> bool:
        if not isinstance(node, kinds) or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return False
        own = isinstance(at.source.parents.get(node), ast.Assign | ast.Call | ast.Return | ast.Compare)
        return own and len(getattr(node, "elts", getattr(node, "keys", ()))) >= least

    return at.node(ast.expr, fits)


def _add_item(at: FileSample) -> Drawn:
    node = _display(at, *_ROWS)
    return at.lines(node), "4321", ast.unparse(node)


def _remove_item(at: FileSample) -> Drawn:
    node = _display(at, *_ROWS, least=1)
    items: list[ast.expr] = getattr(node, "elts", [])
    return at.lines(node), ast.unparse(at.rng.choice(items)), ast.unparse(node)


def _set_entry(at: FileSample) -> Drawn:
    node = _display(at, ast.Dict)
    return at.lines(node), '"sampled"', "4321", ast.unparse(node)


def _comment_out(at: FileSample) -> Drawn:
    kinds = (ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.Return)
    return (at.lines(at.node(ast.stmt, lambda item: isinstance(item, kinds))),)


def _loop(at: FileSample) -> Drawn:
    return (at.line(at.node(ast.For)),)


def _replace_in_strings(at: FileSample) -> Drawn:
    words = ("e", "a", "the", "not")
    node = at.node(ast.Constant, lambda item: isinstance(item.value, str) and bool(item.value))
    return at.lines(node), at.rng.choice(words), "sampled"


def _use_from_import(at: FileSample) -> Drawn:
    one = at.node(ast.Import, lambda item: at.source.parents.get(item) is at.source.tree)
    return at.path, one.names[0].name


def _wrap_in_retry(at: FileSample) -> Drawn:
    one = at.node(ast.stmt, lambda item: at.source.function_of(item) is not None)
    return at.lines(one), "(KeyError, OSError)", at.rng.choice([2, 5]), at.rng.choice(["", "0.25"])


def _rename_module(at: FileSample) -> Drawn:
    stem = at.path.rpartition("/")[2].removesuffix(".pyi").removesuffix(".py")
    folder = at.path.rpartition("/")[0]
    new = f"renamed_{stem.strip('_')}"
    if at.rng.random() < 0.3:
        others = sorted({path.rpartition("/")[0] for path in at.repo.index.paths} - {folder, ""})
        ending = at.path.rpartition(".")[2]
        new = f"{at.rng.choice(others)}/{new}.{ending}" if others else new
    return FilePath(at.path), new


def _rename_all(at: FileSample) -> Drawn:
    one = at.symbol(SymbolKind.ATTRIBUTE, SymbolKind.METHOD, SymbolKind.FUNCTION)
    return (one.name.rpartition(".")[2], f"renamed_{at.rng.randint(1, 9)}") if one is not None else None


def _rename_word(at: FileSample) -> Drawn:
    path = at.rng.choice([".", *sorted(LANGUAGE_FILES)])
    return FilePath(path), at.rng.choice(["count", "total", "add"]), f"sampled{at.rng.randint(1, 9)}"


def _is_lambda(node: ast.Assign) -> bool:
    return isinstance(node.value, ast.Lambda)


def _to_enum(at: FileSample) -> Drawn:
    found = [prefix for one in constant_groups(at.source) if (prefix := prefix_of(one))]
    return (at.path, at.rng.choice(found)) if found else None


def _to_instance_attribute(at: FileSample) -> Drawn:
    node = at.node(
        ast.Name, lambda one: isinstance(at.source.parents.get(at.source.parents[one]), ast.ClassDef)
    )
    owner = at.source.class_of(node)
    return (Symbol(f"{at.source.qualname(owner)}.{node.id}", at.path),) if owner is not None else None


DRAWS: dict[str, Draw] = {
    "add_item": _add_item,
    "remove_item": _remove_item,
    "set_entry": _set_entry,
    "comment_out": _comment_out,
    "one_statement_a_line": lambda at: (at.whole(),),
    "add_case": lambda at: (at.line(at.node(ast.Match)), "4321", "print(4321)"),
    "add_elif": lambda at: (at.line(at.node(ast.If)), "4321 > 5", "print(4321)"),
    "remove_else": lambda at: (at.whole(),),
    "remove_overloads": lambda at: (at.whole(),),
    "remove_unreachable": lambda at: (at.whole(),),
    "set_quotes": lambda at: (at.whole(), at.rng.choice(list(Quote))),
    "from_f_string": lambda at: (at.line(at.node(ast.JoinedStr)), at.rng.choice(list(TextForm))),
    "use_from_import": _use_from_import,
    "leave_early": lambda at: (at.lines(at.node(ast.If, lambda node: not node.orelse)),),
    "loop_items": _loop,
    "loop_zip": _loop,
    "loop_enumerate": _loop,
    "loop_directly": _loop,
    "loop_range": lambda at: (at.line(at.node(ast.While)),),
    "to_raw_string": lambda at: (at.whole(),),
    "to_typed_tuple": lambda at: (at.whole(),),
    "to_instance_attribute": _to_instance_attribute,
    "open_with": lambda at: (at.whole(),),
    "replace_in_strings": _replace_in_strings,
    "show_error": lambda at: (at.line(at.node(ast.ExceptHandler)),),
    "add_main_guard": lambda at: (at.path,),
    "wrap_in_retry": _wrap_in_retry,
    "rename_module": _rename_module,
    "delete_file": lambda at: (FilePath(at.path),),
    "rename_all": _rename_all,
    "add_test": lambda at: (at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD),),
    "rename_word": _rename_word,
    "builtin_generics": lambda at: (at.whole(),),
    "lambda_to_function": lambda at: (at.line(at.node(ast.Assign, _is_lambda)),),
    "remove_unused_variables": lambda at: (at.whole(),),
    "reraise": lambda at: (at.line(at.node(ast.ExceptHandler)),),
    "to_enum": _to_enum,
    "if_to_match": lambda at: (at.line(at.node(ast.If)),),
    "if_to_lookup": lambda at: (at.line(at.node(ast.If)),),
    "list_public_names": lambda at: (at.path,),
    "drop_python2": lambda at: (at.whole(),),
    "sort_definitions": lambda at: (at.rng.choice([at.whole(), at.body(at.node(ast.ClassDef))]),),
    "add_slots": lambda at: (at.symbol(SymbolKind.CLASS),),
    "deprecate": lambda at: (at.symbol(SymbolKind.FUNCTION, SymbolKind.METHOD),),
    "log_duration": lambda at: (at.symbol(SymbolKind.FUNCTION, SymbolKind.METHOD),),
    "use_elif": lambda at: (at.whole(),),
    "merge_branches": lambda at: (at.whole(),),
    "merge_handlers": lambda at: (at.whole(),),
    "unwrap_if": lambda at: (at.line(at.node(ast.If)),),
    "unwrap_try": lambda at: (at.line(at.node(ast.Try)),),
}
