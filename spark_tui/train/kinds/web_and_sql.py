"""SQL statements that take their values as parameters, and arguments of route decorators."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, kind
from spark_tui.train.source_windows import Function, SourceWindow
from spark_tui.train.templates.grammar import ExactSlot, NameSlot, Slot, WordsSlot
from spark_tui.train.templates.place_phrases import inside_function, placed
from spark_tui.train.templates.tables import table

wording = table("wording/rewrites")


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
            built = f'"{asked}", ({values[0]})'
        elif style == "f":
            filled = marks[1].join(f"{quote}{{{v}}}{quote}" for v in values)
            built = f'f"{marks[0]}{filled}{marks[2]}"'
        elif style == "plus":
            end = f' + "{quote}{marks[2]}"' if quote + marks[2] else ""
            built = f'"{marks[0]}{quote}" + ' + f' + "{quote}{marks[1]}{quote}" + '.join(values) + end
        else:
            filled = marks[1].join(f"{quote}%s{quote}" for _ in values)
            built = f'"{marks[0]}{filled}{marks[2]}" % {one if len(values) > 1 else values[0]}'
        broken = f"{bind}{owner}.execute({built})"
        phrases = wording["comma" if style == "comma" else "sql"]
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
            **placed(inside_function(window, function, draw.rng)),
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
            new = draw.choice([f"/api{path}", f"/v2{path}", path + "/all", f"/{draw.choice(draw.names)}"])
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
