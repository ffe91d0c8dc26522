"""Random calls of the operations on values, statements, guards and comments."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling.places import FileSample, Sampler, sampler
from spark_tui.codemods.families.statements.logs import Level
from spark_tui.codemods.families.statements.placement import Side
from spark_tui.codemods.families.texts.comments import Where
from spark_tui.codemods.families.values.replacement import OPERATORS, operators
from spark_tui.codemods.places.named import Region
from spark_tui.codemods.slots import Place, SymbolKind

Drawn = tuple[object, ...] | None


def _set_value(at: FileSample) -> Drawn:
    kinds = (SymbolKind.VARIABLE, SymbolKind.ATTRIBUTE, SymbolKind.LOCAL)
    return at.symbol(*kinds), at.rng.choice(["12345", "lambda: 7", "1 if 2 else 3", "(1, 2)"])


def _set_return(at: FileSample) -> Drawn:
    node = at.function(lambda one: any(isinstance(each, ast.Return) for each in ast.walk(one)))
    return (at.named(node), "None or 54321") if node is not None else None


def _expression(at: FileSample) -> ast.expr | None:
    return at.node(ast.expr, lambda one: isinstance(getattr(one, "ctx", ast.Load()), ast.Load))


def _replace_expression(at: FileSample) -> Drawn:
    node = _expression(at)
    if node is None:
        return None
    new = at.rng.choice(["54321", "5 if 4 else 3", "lambda: 321", "not 321", "3 + 21"])
    return at.line(node), at.source.segment(node), new, True


def _change_condition(at: FileSample) -> Drawn:
    node = at.node(ast.If)
    return (at.line(node), "5 < 4321", at.source.segment(node.test)) if node is not None else None


def _change_operator(at: FileSample) -> Drawn:
    found = list(operators(Region(at.source, 0, len(at.source.lines))))
    if not found:
        return None
    name, left, *_ = at.rng.choice(found)
    others = [one for table in OPERATORS if name in table for one in table if one != name]
    return at.line(left), name, at.rng.choice(others), ast.unparse(left)


def _call(at: FileSample, count: int = 0) -> ast.Call | None:
    return at.node(ast.Call, lambda one: len(one.args) >= count)


def _callee(at: FileSample, call: ast.Call) -> tuple[str, Place]:
    return at.source.segment(call.func), at.lines(call)


def _set_argument(at: FileSample) -> Drawn:
    call = _call(at)
    return (*_callee(at, call), "sampled_keyword", "4321") if call is not None else None


def _add_argument(at: FileSample) -> Drawn:
    call = _call(at)
    return (*_callee(at, call), "4321") if call is not None else None


def _remove_argument(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda one: any(each.arg for each in one.keywords))
    if call is None:
        return None
    return *_callee(at, call), at.rng.choice([one.arg for one in call.keywords if one.arg])


def _swap_arguments(at: FileSample) -> Drawn:
    call = _call(at, 2)
    return (*_callee(at, call), "1", "2") if call is not None else None


def _add_guard(at: FileSample) -> Drawn:
    if at.rng.random() < 0.3:
        loop = at.node(ast.For)
        return (at.line(loop), "12 > 34", "continue") if loop is not None else None
    node = at.function()
    action = at.rng.choice(["return None", 'raise ValueError("12 is too large")', "return"])
    return (at.body(node), "12 > 34", action) if node is not None else None


def _statement(at: FileSample) -> ast.stmt | None:
    return at.node(ast.stmt, lambda one: not isinstance(one, ast.FunctionDef | ast.ClassDef | ast.ImportFrom))


def _wrap_in_try(at: FileSample) -> Drawn:
    one = _statement(at)
    return (
        (at.lines(one), "(KeyError, OSError)", "raise ValueError(4321)", "sampled")
        if one is not None
        else None
    )


def _wrap_in_with(at: FileSample) -> Drawn:
    one = _statement(at)
    return (at.lines(one), "memoryview(b'')", "sampled") if one is not None else None


def _wrap_in_if(at: FileSample) -> Drawn:
    one = _statement(at)
    return (at.lines(one), "4321 > 1") if one is not None else None


def _handler(at: FileSample, *more: object) -> Drawn:
    one = at.node(ast.ExceptHandler)
    return (at.line(one), *more) if one is not None else None


def _try(at: FileSample, *more: object) -> Drawn:
    one = at.node(ast.Try)
    return (at.line(one), *more) if one is not None else None


def _add_else(at: FileSample) -> Drawn:
    one = at.node(ast.If)
    return (at.line(one), "print(4321)") if one is not None else None


def _raise_from(at: FileSample) -> Drawn:
    one = at.node(ast.Raise)
    return (at.lines(one),) if one is not None else None


def _insert_statements(at: FileSample) -> Drawn:
    code = at.rng.choice(
        ["print(4321)", "if 4321:\n    print('''a\n  b''')", "sampled = 1\n\nprint(sampled)"]
    )
    if at.rng.random() < 0.4:
        node = at.function()
        return (at.body(node), code, at.rng.choice([Side.START, Side.END])) if node is not None else None
    one = _statement(at)
    return (at.lines(one), code, at.rng.choice([Side.BEFORE, Side.AFTER])) if one is not None else None


def _replace_statements(at: FileSample) -> Drawn:
    one = _statement(at)
    return (at.lines(one), "print(4321)\nprint(5)") if one is not None else None


def _lines_of_statement(at: FileSample) -> Drawn:
    one = at.node(ast.stmt)
    return (at.lines(one),) if one is not None else None


def _move_statements(at: FileSample) -> Drawn:
    one = at.node(ast.stmt)
    suite = at.source.suite(one) if one is not None else []
    if one is None or len(suite) < 2:
        return None
    return at.lines(one), at.lines(at.rng.choice(suite)), at.rng.choice([Side.BEFORE, Side.AFTER])


def _remove_definition(at: FileSample) -> Drawn:
    return (at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.VARIABLE),)


def _line(at: FileSample) -> Place:
    number = at.rng.randint(1, max(1, len(at.source.lines)))
    return Place(at.path, number, number)


def _add_comment(at: FileSample) -> Drawn:
    return _line(at), "sampled comment", at.rng.choice(list(Where))


def _comment_line(at: FileSample) -> Place | None:
    if not at.source.comments:
        return None
    number = at.source.line_number(at.rng.choice(at.source.comments).span[0])
    return Place(at.path, number, number)


def _add_log(at: FileSample) -> Drawn:
    node = at.function()
    return (at.body(node), '"sampled %s", 4321', Level.WARNING, Side.START) if node is not None else None


def _print_to_logging(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda one: isinstance(one.func, ast.Name) and one.func.id == "print")
    return (at.lines(call), at.rng.choice(list(Level))) if call is not None else None


SAMPLERS: dict[str, Sampler] = {
    name: sampler(name, make)
    for name, make in {
        "set_value": _set_value,
        "set_return": _set_return,
        "replace_expression": _replace_expression,
        "change_condition": _change_condition,
        "change_operator": _change_operator,
        "set_argument": _set_argument,
        "add_argument": _add_argument,
        "remove_argument": _remove_argument,
        "swap_arguments": _swap_arguments,
        "add_guard": _add_guard,
        "wrap_in_try": _wrap_in_try,
        "wrap_in_with": _wrap_in_with,
        "wrap_in_if": _wrap_in_if,
        "set_except": lambda at: _handler(at, "(KeyError, BufferError)"),
        "name_exception": lambda at: _handler(at, "sampled"),
        "add_handler": lambda at: _try(at, "BufferError", "print(4321)", "sampled"),
        "add_finally": lambda at: _try(at, "print(4321)"),
        "add_else": _add_else,
        "raise_from": _raise_from,
        "insert_statements": _insert_statements,
        "replace_statements": _replace_statements,
        "delete_statements": _lines_of_statement,
        "move_statements": _move_statements,
        "remove_definition": _remove_definition,
        "add_comment": _add_comment,
        "set_comment": lambda at: (_comment_line(at), "sampled comment"),
        "remove_comments": lambda at: (_comment_line(at),),
        "add_log": _add_log,
        "print_to_logging": _print_to_logging,
    }.items()
}
