"""Random calls of the operations on collections, branches, loops, strings and scripts."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling.places import Drawn, FileSample, Sampler, sampler
from spark_tui.codemods.families.texts.strings import Quote

_ROWS = (ast.List, ast.Tuple, ast.Set)


def _display(at: FileSample, *kinds: type[ast.expr], least: int = 0) -> ast.expr:
    def fits(node: ast.expr) -> bool:
        if not isinstance(node, kinds) or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return False
        outer = at.source.parents.get(node)
        own = isinstance(outer, ast.Assign | ast.Call | ast.Return | ast.Compare)
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


SAMPLERS: dict[str, Sampler] = {
    name: sampler(name, make)
    for name, make in {
        "add_item": _add_item,
        "remove_item": _remove_item,
        "set_entry": _set_entry,
        "comment_out": _comment_out,
        "add_elif": lambda at: (at.line(at.node(ast.If)), "4321 > 5", "print(4321)"),
        "remove_else": lambda at: (at.whole(),),
        "remove_unreachable": lambda at: (at.whole(),),
        "set_quotes": lambda at: (at.whole(), at.rng.choice(list(Quote))),
        "from_f_string": lambda at: (at.line(at.node(ast.JoinedStr)),),
        "use_from_import": _use_from_import,
        "leave_early": lambda at: (at.lines(at.node(ast.If, lambda node: not node.orelse)),),
        "loop_items": _loop,
        "loop_zip": _loop,
        "loop_enumerate": _loop,
        "loop_directly": _loop,
        "open_with": lambda at: (at.whole(),),
        "replace_in_strings": _replace_in_strings,
        "show_error": lambda at: (at.line(at.node(ast.ExceptHandler)),),
        "add_main_guard": lambda at: (at.path,),
    }.items()
}
