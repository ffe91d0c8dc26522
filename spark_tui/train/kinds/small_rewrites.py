"""Small rewrites: loops over items, a main guard, SQL placeholders, tuples of one, several unused imports,
arguments of decorators. Most are made by undoing correct code."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.imports import MODULES
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/rewrites")


@kind(
    "loop_items",
    *wording["items"],
    needs=r"for \w+, \w+ in [\w.]+\.items\(\):|for \w+ in [\w.]+:",
    weight=1.5,
)
def loop_items(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a loop over keys that looks up each value by one over items."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For) and not n.orelse]):
        function, body = window.function_of(node), node.body
        if function is None or not window.own_lines(body[0]) or node.lineno != node.iter.end_lineno:
            continue
        call = node.iter
        head, indent = window.indent(node), window.indent(body[0])
        start, end = window.line_span(node.lineno, node.lineno)
        if (
            isinstance(node.target, ast.Tuple)
            and isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr == "items"
        ):
            owner = window.source(call.func.value)
            names = [n.id for n in node.target.elts if isinstance(n, ast.Name)]
            if (
                len(names) != 2
                or not re.fullmatch(r"[\w.]+", owner)
                or body[0].lineno == node.lineno
                or "_" in names
            ):
                continue
            key, value = names
            new = (
                f"{head}for {key} in {owner}{draw.choice(['', '', '.keys()'])}:\n"
                f"{indent}{value} = {owner}[{key}]\n"
            )
            before, after = window.text[:start] + new + window.text[end:], window.text
        else:
            if not isinstance(node.target, ast.Name) or not isinstance(call, ast.Name | ast.Attribute):
                continue
            key, owner = node.target.id, window.source(call)
            whole = f"{owner}[{key}]"
            places = [n for n in ast.walk(node) if isinstance(n, ast.Subscript) and window.source(n) == whole]
            if (
                not places
                or any(not isinstance(n.ctx, ast.Load) for n in places)
                or any(isinstance(n, ast.JoinedStr) for n in ast.walk(node))
            ):
                continue
            value = draw.choice(
                [n for n in ("value", "entry", "item", "found", "amount", "info") if n not in window.names]
                or ["its_value"]
            )
            at = window.span(node.target)[1]
            changes = [
                (at, at, f", {value}"),
                (window.span(call)[1],) * 2 + (".items()",),
                *((*window.span(n), value) for n in places),
            ]
            before, after = window.text, apply_changes(window.text, [(a, b, c) for a, b, c in changes])
        slots: dict[str, Slot] = {
            "d": CodeSlot(owner),
            "k": NameSlot(key),
            "v": NameSlot(value),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        named = before == window.text
        return Made(before, after, slots, wording["items_named"] if named else wording["items"])
    return None


@kind("main_guard", *wording["main"], needs=r"(?m)^\w+\([^\n]*\)$|__main__|^def main", weight=1.0)
def main_guard(window: SourceWindow, draw: Draw) -> Made | None:
    """Puts the last call of a module under a main guard."""
    last = window.tree.body[-1]
    if (
        isinstance(last, ast.If)
        and "__main__" in window.source(last.test)
        and len(last.body) == 1
        and not last.orelse
        and isinstance(last.body[0], ast.Expr)
    ):
        start, end = window.line_span(last.lineno, window.last_line(last))
        line = window.source(last.body[0])
        before = window.text[:start] + line + "\n" + window.text[end:]
        after = window.text[:start] + f'if __name__ == "__main__":\n    {line}\n' + window.text[end:]
    elif isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and last.lineno == last.end_lineno:
        start, line = window.starts[last.lineno - 1], window.source(last)
        before, after = window.text, window.text[:start] + f'if __name__ == "__main__":\n    {line}\n'
    else:
        names = [
            f.name
            for f in window.functions
            if isinstance(window.parents[f], ast.Module) and not (f.args.args or f.args.kwonlyargs)
        ]
        if not names or "__main__" in window.text:
            return None
        line = draw.choice(["main"] if "main" in names else names) + "()"
        before = window.text + "\n\n" + line + "\n"
        after = window.text + '\n\nif __name__ == "__main__":\n    ' + line + "\n"
    if "\n" in line or len(line) > 60:
        return None
    call = line.split("(")[0]
    slots: dict[str, Slot] = {
        "c": draw.slot(
            CodeSlot(line), NameSlot(call, call=True), SubTemplate("the {c} call", {"c": NameSlot(call)})
        )
    }
    return Made(before, after, slots)


@kind("sql_placeholders", *wording["sql"], needs=r"def \w+\(\w+", weight=1.0)
def sql_placeholders(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes an SQL statement that is built from values take them as parameters; a tuple of one gets its
    comma."""
    for function in draw.shuffled(window.functions):
        body = window.body_after_docstring(function)
        args = [a.arg for a in function.args.args if a.arg not in ("self", "cls")]
        if (
            len(args) < 1
            or not body
            or not window.own_lines(body[0])
            or isinstance(body[0], ast.Raise | ast.Pass)
        ):
            continue
        owner = draw.choice(
            ["db", "conn", "cursor", "connection", "cur", "con", "self.db", "self.conn"]
            if window.owner(function)
            else ["db", "conn", "cursor", "connection", "cur", "con"]
        )
        table, fields = (
            draw.choice(
                ["items", "users", "orders", "notes", "books", "events", "jobs", *(a + "s" for a in args)]
            ),
            draw.shuffled(["name", "id", "title", "email", "owner", "state", "price", *args]),
        )
        values = draw.shuffled(args)[: draw.choice([1, 1, 2, 2, 3])]
        fields = fields[: len(values)]
        shape = draw.choice(["insert", "delete", "update", "select"])
        if shape == "insert":
            marks = [f"INSERT INTO {table} ({', '.join(fields)}) VALUES (", ", ", ")"]
        else:
            verb = {
                "delete": f"DELETE FROM {table}",
                "update": f"UPDATE {table} SET done = 1",
                "select": f"SELECT * FROM {table}",
            }[shape]
            marks = [
                f"{verb} WHERE {fields[0]} = ",
                " AND " + (fields[1] if len(fields) > 1 else "") + " = ",
                "",
            ]
            values, fields = values[:2], fields[:2]
        quote = "'" if draw.chance(0.7) else ""
        asked = marks[0] + marks[1].join("?" for _ in values) + marks[2]
        one = f"({values[0]},)" if len(values) == 1 else f"({', '.join(values)})"
        bind = f"{draw.choice(['row', 'rows', 'found', 'result'])} = " if shape == "select" else ""
        fixed = f'{bind}{owner}.execute("{asked}", {one})'
        style = draw.choice(["f", "f", "plus", "percent", "comma", "comma"])
        if style == "comma":
            if len(values) != 1:
                continue
            broken, phrases = f'{bind}{owner}.execute("{asked}", ({values[0]}))', wording["comma"]
        elif style == "f":
            broken, phrases = (
                f'{bind}{owner}.execute(f"{marks[0]}'
                + marks[1].join(f"{quote}{{{v}}}{quote}" for v in values)
                + f'{marks[2]}")',
                wording["sql"],
            )
        elif style == "plus":
            end = f' + "{quote}{marks[2]}"' if quote + marks[2] else ""
            broken, phrases = (
                f'{bind}{owner}.execute("{marks[0]}{quote}" + '
                + f' + "{quote}{marks[1]}{quote}" + '.join(values)
                + f"{end})",
                wording["sql"],
            )
        else:
            broken, phrases = (
                f'{bind}{owner}.execute("{marks[0]}'
                + marks[1].join(f"{quote}%s{quote}" for _ in values)
                + f'{marks[2]}" % {one if len(values) > 1 else values[0]})',
                wording["sql"],
            )
        if len(broken) > 110 or f"{owner}.execute" in window.source(function):
            continue
        line, indent = window.first_line(body[0]), window.indent(body[0])
        at = window.starts[line - 1]
        only = "execute(" not in window.text
        slots: dict[str, Slot] = {
            "f": fname(function),
            "x": NameSlot(values[0]),
            "t": NameSlot(table),
            "verb": WordsSlot(shape),
            "only": WordsSlot("" if only else f" in {function.name}"),
            **placed(inside(window, function, draw)),
        }
        error = draw.choice(
            [
                "ValueError: parameters are of unsupported type",
                "sqlite3.ProgrammingError: Incorrect number of bindings "
                "supplied. The current statement uses 1, and there are 3 supplied.",
            ]
        )
        slots["error"] = ExactSlot(error)
        slots["trace"] = ExactSlot(f'File "{window.path}", line {line}, in {function.name}\n{error}')
        return Made(
            window.text[:at] + f"{indent}{broken}\n" + window.text[at:],
            window.text[:at] + f"{indent}{fixed}\n" + window.text[at:],
            slots,
            phrases,
        )
    return None


@kind("drop_unused_imports", *wording["unused"], needs=r"(?m)^(import|from) ", weight=1.2)
def drop_unused_imports(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes all unused imports, which are added to the text before."""
    imports = [
        n for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom) and n.lineno == n.end_lineno
    ]
    words = set(re.findall(r"\w+", window.text))
    if not imports or '"""' in window.lines[imports[0].lineno - 1]:
        return None
    for node in imports:
        for item in node.names:
            name = (item.asname or item.name).split(".")[0]
            if (
                item.name == "*"
                or name == "annotations"
                or len(re.findall(rf"\b{re.escape(name)}\b", window.text)) < 2
            ):
                return None
    fresh = [m for m in MODULES if m.split(".")[0] not in words and " " not in m]
    more = draw.choice([1, 2, 2, 2, 3])
    if len(fresh) < more:
        return None
    new = draw.rng.sample(fresh, more)
    changes = []
    for name in new:
        node = draw.choice(imports)
        at = window.starts[node.lineno - 1 if draw.chance(0.5) else node.lineno]
        changes.append((at, at, f"import {name}\n"))
    slots: dict[str, Slot] = {
        "n": WordsSlot({1: "one", 2: "two", 3: "three"}[more]),
        "a": NameSlot(new[0]),
        "all": SubTemplate(
            "[, | and |, ]".join(f"{{m{i}}}" for i in range(more)),
            {f"m{i}": NameSlot(m) for i, m in enumerate(new)},
        ),
    }
    phrases = wording["unused"] if more > 1 or draw.chance(0.5) else wording["unused_one"]
    if more > 1 and draw.chance(0.35):
        phrases = wording["unused_named"]
    return Made(apply_changes(window.text, changes), window.text, slots, phrases)


_METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH")


@kind("decorator_argument", *wording["route"], needs=r"(?m)^@[\w.]+\(|^def \w+\((\w+(_id|))?\):", weight=1.2)
def decorator_argument(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes an argument of a decorator: methods of a route, its path, a number."""
    for function in draw.shuffled(window.functions):
        if (
            function.decorator_list
            or window.owner(function) is not None
            or not window.own_lines(function)
            or sum(f.name == function.name for f in window.functions) > 1
        ):
            continue
        noun = function.name.replace("_", "-")
        path = f"/{noun}" if not function.args.args else f"/{noun}/<{function.args.args[0].arg}>"
        app = draw.choice(["app", "app", "bp", "api", "blueprint", "router"])
        slots: dict[str, Slot] = {"f": fname(function), "p": ExactSlot(path)}
        style = draw.choice(["only", "only", "also", "path", "number"])
        if style == "only":
            new = draw.choice(_METHODS[1:])
            old = draw.choice(
                [
                    "",
                    "",
                    f', methods=["{draw.choice([m for m in _METHODS if m != new])}"]',
                    f', methods=["GET", "{new}"]',
                ]
            )
            made, phrases = (
                (f'@{app}.route("{path}"{old})', f'@{app}.route("{path}", methods=["{new}"])'),
                wording["route"],
            )
            slots["m"] = ExactSlot(new)
        elif style == "also":
            have = draw.choice(_METHODS)
            new = draw.choice([m for m in _METHODS if m != have])
            made, phrases = (
                (
                    f'@{app}.route("{path}", methods=["{have}"])',
                    f'@{app}.route("{path}", methods=["{have}", "{new}"])',
                ),
                wording["route_also"],
            )
            slots["m"], slots["old"] = ExactSlot(new), ExactSlot(have)
        elif style == "path":
            new = draw.choice(
                [f"/api{path}", f"/v2{path}", path + "/all", f"/{draw.choice(draw.pools.variables)}"]
            )
            made, phrases = (f'@{app}.route("{path}")', f'@{app}.route("{new}")'), wording["route_path"]
            slots["new"] = ExactSlot(new, quoted=draw.chance(0.5))
        else:
            name = draw.choice(["retry", "limit", "timeout", "lru_cache", "rate_limit", "repeat", "cached"])
            word = (
                draw.choice(["", "", "times=", "seconds=", "maxsize="]) if name != "lru_cache" else "maxsize="
            )
            one, two = draw.rng.sample([1, 2, 3, 5, 10, 20, 30, 60, 64, 100, 128, 256, 500, 1000], 2)
            made, phrases = (f"@{name}({word}{one})", f"@{name}({word}{two})"), wording["decorator_number"]
            slots["new"], slots["old"], slots["d"] = ExactSlot(str(two)), ExactSlot(str(one)), NameSlot(name)
        at = window.starts[window.first_line(function) - 1]
        if re.search(r"[\"\\]", path) or not isinstance(function, Function):
            continue
        before, after = (window.text[:at] + line + "\n" + window.text[at:] for line in made)
        return Made(before, after, {**slots, "where": WordsSlot("")}, phrases)
    return None
