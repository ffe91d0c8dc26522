"""Random calls of the operations on values, statements, guards and comments."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling.places import Draw, Drawn, FileSample
from spark_tui.codemods.families.statements.assigned_conditions import assigned_conditions
from spark_tui.codemods.families.statements.logs import Level
from spark_tui.codemods.families.statements.placement import Side
from spark_tui.codemods.families.texts.comments import Where
from spark_tui.codemods.families.values.passed_generators import list_passed
from spark_tui.codemods.families.values.replacement import OPERATORS, operators
from spark_tui.codemods.families.values.unwrapped_calls import kept_value
from spark_tui.codemods.places.named import Region
from spark_tui.codemods.slots import Place, SymbolKind


def _set_value(at: FileSample) -> Drawn:
    kinds = (SymbolKind.VARIABLE, SymbolKind.ATTRIBUTE, SymbolKind.LOCAL)
    return at.symbol(*kinds), at.rng.choice(["12345", "lambda: 7", "1 if 2 else 3", "(1, 2)"])


def _set_return(at: FileSample) -> Drawn:
    node = at.function(lambda item: any(isinstance(inner, ast.Return) for inner in ast.walk(item)))
    return at.named(node), "None or 54321"


def _replace_expression(at: FileSample) -> Drawn:
    node = at.node(ast.expr, lambda item: isinstance(getattr(item, "ctx", ast.Load()), ast.Load))
    new = at.rng.choice(["54321", "5 if 4 else 3", "lambda: 321", "not 321", "3 + 21"])
    return at.line(node), at.source.segment(node), new, True


def _change_condition(at: FileSample) -> Drawn:
    node = at.node(ast.If)
    return at.line(node), "5 < 4321", at.source.segment(node.test)


def _change_operator(at: FileSample) -> Drawn:
    found = list(operators(Region(at.source, 0, len(at.source.lines))))
    if not found:
        return None
    name, left, *_ = at.rng.choice(found)
    others = [item for table in OPERATORS if name in table for item in table if item != name]
    return at.line(left), name, at.rng.choice(others), ast.unparse(left)


def _call(at: FileSample, *more: str, count: int = 0) -> Drawn:
    """What is called, where, and further arguments of the operation."""
    call = at.node(ast.Call, lambda item: len(item.args) >= count)
    return at.source.segment(call.func), at.lines(call), *more


def _remove_argument(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda item: any(keyword.arg for keyword in item.keywords))
    name = at.rng.choice([keyword.arg for keyword in call.keywords if keyword.arg])
    return at.source.segment(call.func), at.lines(call), name


def _unwrap_call(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda item: kept_value(at.repo, at.source, item) is not None)
    return at.lines(call), ast.unparse(call)


def _assign_in_condition(at: FileSample) -> Drawn:
    found = list(assigned_conditions(at.source.tree))
    return (at.line(at.rng.choice(found).line),) if found else None


def _add_guard(at: FileSample) -> Drawn:
    if at.rng.random() < 0.3:
        return at.line(at.node(ast.For)), "12 > 34", "continue"
    try:
        node = at.function()
    finally:  # drawn in any case: what is drawn after it stays the same
        action = at.rng.choice(["return None", 'raise ValueError("12 is too large")', "return"])
    return at.body(node), "12 > 34", action


def _statement(at: FileSample, *more: object) -> tuple[object, ...]:
    """The lines of a statement that is no definition, and further arguments."""
    kinds = ast.FunctionDef | ast.ClassDef | ast.ImportFrom
    return at.lines(at.node(ast.stmt, lambda item: not isinstance(item, kinds))), *more


def _insert_statements(at: FileSample) -> Drawn:
    code = at.rng.choice(
        ["print(4321)", "if 4321:\n    print('''a\n  b''')", "sampled = 1\n\nprint(sampled)"]
    )
    if at.rng.random() < 0.4:
        return at.body(at.function()), code, at.rng.choice([Side.START, Side.END])
    return *_statement(at), code, at.rng.choice([Side.BEFORE, Side.AFTER])


def _move_statements(at: FileSample) -> Drawn:
    one = at.node(ast.stmt)
    suite = at.source.suite(one)
    if len(suite) < 2:
        return None
    return at.lines(one), at.lines(at.rng.choice(suite)), at.rng.choice([Side.BEFORE, Side.AFTER])


def _add_comment(at: FileSample) -> Drawn:
    number = at.rng.randint(1, max(1, len(at.source.lines)))
    return Place(at.path, number, number), "sampled comment", at.rng.choice(list(Where))


def _comment_line(at: FileSample) -> Place | None:
    if not at.source.comments:
        return None
    number = at.source.line_number(at.rng.choice(at.source.comments).span[0])
    return Place(at.path, number, number)


def _print_to_logging(at: FileSample) -> Drawn:
    call = at.node(ast.Call, lambda node: isinstance(node.func, ast.Name) and node.func.id == "print")
    return at.lines(call), at.rng.choice(list(Level))


DRAWS: dict[str, Draw] = {
    "set_value": _set_value,
    "set_return": _set_return,
    "replace_expression": _replace_expression,
    "change_condition": _change_condition,
    "change_operator": _change_operator,
    "set_argument": lambda at: _call(at, "sampled_keyword", "4321"),
    "add_argument": lambda at: _call(at, "4321"),
    "remove_argument": _remove_argument,
    "swap_arguments": lambda at: _call(at, "1", "2", count=2),
    "add_guard": _add_guard,
    "assign_in_condition": _assign_in_condition,
    "pass_generator": lambda at: (at.line(at.node(ast.Call, lambda item: list_passed(item) is not None)),),
    "unwrap_call": _unwrap_call,
    "wrap_in_try": lambda at: _statement(at, "(KeyError, OSError)", "raise ValueError(4321)", "sampled"),
    "wrap_in_with": lambda at: _statement(at, "memoryview(b'')", "sampled"),
    "wrap_in_if": lambda at: _statement(at, "4321 > 1"),
    "set_except": lambda at: (at.line(at.node(ast.ExceptHandler)), "(KeyError, BufferError)"),
    "name_exception": lambda at: (at.line(at.node(ast.ExceptHandler)), "sampled"),
    "add_handler": lambda at: (at.line(at.node(ast.Try)), "BufferError", "print(4321)", "sampled"),
    "add_finally": lambda at: (at.line(at.node(ast.Try)), "print(4321)"),
    "add_else": lambda at: (at.line(at.node(ast.If)), "print(4321)"),
    "raise_from": lambda at: (at.lines(at.node(ast.Raise)),),
    "insert_statements": _insert_statements,
    "replace_statements": lambda at: _statement(at, "print(4321)\nprint(5)"),
    "delete_statements": lambda at: (at.lines(at.node(ast.stmt)),),
    "move_statements": _move_statements,
    "remove_definition": lambda at: (
        at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD, SymbolKind.VARIABLE),
    ),
    "add_comment": _add_comment,
    "set_comment": lambda at: (_comment_line(at), "sampled comment"),
    "remove_comments": lambda at: (_comment_line(at),),
    "add_log": lambda at: (at.body(at.function()), '"sampled %s", 4321', Level.WARNING, Side.START),
    "print_to_logging": _print_to_logging,
}
