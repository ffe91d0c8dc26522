"""What an error says when a condition holds."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.words.phrases import table
from spark_tui.pysource.syntax.parsing import parse_value


def show_expression(code: str) -> str:
    """An expression as it stands in a message: `self.qty` is `qty`, `len(items)` is `length of items`,
    `row["name"]` is `name`, `int(text)` is `text`."""
    code = code.removeprefix("self.")
    if (entry := re.fullmatch(r"[\w.]+\[(['\"])(\w+)\1\]", code)) is not None:
        return entry[2]
    if (read := re.fullmatch(r"(?:int|float|Decimal)\(([\w.]+)\)", code)) is not None:
        return show_expression(read[1])
    found = re.fullmatch(r"len\((.+)\)", code)
    return f"length of {show_expression(found[1])}" if found else code.replace('"', "'")


_OF_ITEMS = re.compile(r"(not )?any\((\w+)\.(\w+) == (\w+) for \2 in ([\w.]+)\)")


def of_items(name: str, item: str, held: str, negated: bool) -> str:
    """The test whether one of the items that are held has this value under this name."""
    return f"{'not ' * negated}any({item}.{name} == {name} for {item} in {held})"


def as_membership(code: str) -> str:
    """The test of items as one of the collection that holds them, as messages speak of it."""
    found = _OF_ITEMS.fullmatch(code)
    return f"{found[4]} {found[1] or ''}in {found[5]}" if found is not None else code


_BETWEEN = re.compile(
    r"(?P<no>not )?(?P<open>\()?(?P<low>[\w.-]+) <= (?P<x>[\w.]+) <= (?P<high>[\w.-]+)(?(open)\))"
)


_ASKED = re.compile(
    r"(?P<no>not )?(?:self|(?P<x>[\w.]+?))\.(?:is_(?P<state>\w+?)(?:\(\))?|"
    r"(?P<told>\w+(?<!e)ed|\w+[ai]ble|(?:in)?active|open|empty|valid|ready|full|alive))"
)
_NO_TIME = re.compile(r"\b(?:datetime\.)?timedelta\(0\)")
_MOMENT = re.compile(r"(?P<x>[\w.]+) (?P<sign>[<>]=?) [\w.]+\.(?:now|today|time)\(\)")


def write_condition_message(code: str) -> str:
    """What an error says when a condition holds; empty where that needs invention."""
    code = _NO_TIME.sub("0", code)
    tree = parse_value(code.strip())
    if tree is None:
        return ""
    if code.strip() == "not self":
        return "there are no items"
    if (between := _BETWEEN.fullmatch(code.strip())) is not None:
        must = "must be" if between["no"] else "must not be"
        return f"{show_expression(between['x'])} {must} between {between['low']} and {between['high']}"
    if (moment := _MOMENT.fullmatch(code.strip())) is not None:
        when = "past" if moment["sign"].startswith("<") else "future"
        return f"{show_expression(moment['x'])} must not be in the {when}"
    if (asked := _ASKED.fullmatch(code.strip())) is not None:
        subject = f"{show_expression(asked['x'])} " if asked["x"] else ""
        state = (asked["state"] or asked["told"]).replace("_", " ").strip()
        return f"{subject}must {'' if asked['no'] else 'not '}be {state}"
    of_key = isinstance(tree, ast.Compare) and isinstance(tree.left, ast.Constant)
    # The most exact form first: few holes, much code.
    forms = sorted(table()["conditions"].items(), key=lambda item: _generality(item[1]["code"]))
    for kind, entry in forms:
        if kind in ("is_true", "is_false", "not_empty", "contains") or (kind == "lacks" and not of_key):
            continue
        holes = _match(
            ast.parse(entry["code"].replace("{x}", "_x").replace("{n}", "_n"), mode="eval").body, tree
        )
        if kind == "empty" and isinstance(tree, ast.UnaryOp) and isinstance(tree.operand, ast.Call):
            continue  # What a call answers is not empty.
        if holes is not None:
            return str(
                entry["message"].format(
                    x=show_expression(holes.get("_x", "")), n=show_expression(holes.get("_n", ""))
                )
            )
    if isinstance(tree, ast.BoolOp):
        parts = [write_condition_message(ast.unparse(value)) for value in tree.values]
        if all(parts):
            subject = parts[0].partition(" must ")[0]
            rest = [part.removeprefix(f"{subject} must ") for part in parts]
            return f"{subject} must " + (" and " if isinstance(tree.op, ast.Or) else " or ").join(rest)
    return ""


def _generality(code: str) -> tuple[int, int]:
    return code.count("{"), -len(code)


def _match(form: ast.expr, node: ast.expr) -> dict[str, str] | None:
    """The expressions in the holes of a form that a node has."""
    if isinstance(form, ast.Name) and form.id in ("_x", "_n"):
        if form.id == "_x" and not isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            return None
        return {form.id: ast.unparse(node)}
    if type(form) is not type(node):
        return None
    out: dict[str, str] = {}
    for name in form._fields:
        one, two = getattr(form, name), getattr(node, name)
        for a, b in (
            zip(one, two, strict=True) if isinstance(one, list) and len(one) == len(two) else [(one, two)]
        ):
            if isinstance(a, ast.expr) and isinstance(b, ast.expr):
                found = _match(a, b)
                if found is None:
                    return None
                out.update(found)
            elif isinstance(a, ast.AST):
                if type(a) is not type(b):
                    return None
            elif a != b:
                return None
    return out
