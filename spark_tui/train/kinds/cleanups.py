"""Code tidied without a change of behaviour: loops over indexes, lists used as sets, repeated values,
imports. Some windows are made untidy first."""

from __future__ import annotations

import ast
import re
import sys

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.parameter_passing import in_text
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.program_names import FROM, MODULES
from spark_tui.train.source_windows import Change, Function, SourceWindow, apply_changes, docstring_node
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

_TABLES = table("tables/tidies")

wording = table("wording/handed")


@kind("plain_loop", *wording["plain_loop"], needs=r"(?m)^\s+for \w+ in [\w.]+:$", weight=1.4)
def plain_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a loop over indexes by one over items; the text before is made from the window."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For)]):
        function, source = window.function_of(node), window.source(node.iter)
        if (
            function is None
            or not isinstance(node.target, ast.Name)
            or not isinstance(node.iter, ast.Name | ast.Attribute)
            or node.orelse
            or len(source) > 30
        ):
            continue
        name = node.target.id
        uses = [
            n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name and n is not node.target
        ]
        body = {n for item in node.body for n in ast.walk(item)}
        others = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.For) and n is not node and window.source(n.iter) == source
        ]
        if (
            not uses
            or others
            or any(n not in body or not isinstance(n.ctx, ast.Load) for n in uses)
            or not window.own_lines(node.body[0])
        ):
            continue
        index = next(
            (i for i in draw.shuffled(("i", "i", "index", "idx", "n", "k")) if i not in window.names), ""
        )
        bound = draw.chance(0.5)
        if not index or (not bound and any(in_text(window, n) for n in uses)):
            continue
        head = [(*window.span(node.target), index), (*window.span(node.iter), f"range(len({source}))")]
        if bound:
            at = window.starts[window.first_line(node.body[0]) - 1]
            before = apply_changes(
                window.text, [*head, (at, at, f"{window.indent(node.body[0])}{name} = {source}[{index}]\n")]
            )
        else:
            before = apply_changes(
                window.text, [*head, *((*window.span(n), f"{source}[{index}]") for n in uses)]
            )
        singular = source.rpartition(".")[2].removesuffix("s") == name or bound
        named = (
            WordsSlot("")
            if singular and draw.chance(0.6)
            else SubTemplate(
                "[, call each {x}|, as {x}| as {x}|, name them {x}|: for {x} in {xs}| (for {x} in ...)]",
                {"x": NameSlot(name), "xs": CodeSlot(source)},
            )
        )
        slots: dict[str, Slot] = {
            "xs": NameSlot(source),
            "raw": ExactSlot(source),
            "i": NameSlot(index),
            "named": named,
            **placed(inside(window, function, draw)),
        }
        return Made(before, window.text, slots)
    return None


@kind("list_to_set", *wording["to_set"], needs=r"= \[\]\n(?s:.*)\.append\(", weight=1.0)
def list_to_set(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes a set of a list that is only added to, searched and iterated."""
    for node in draw.shuffled(
        [
            n
            for n in window.nodes
            if isinstance(n, ast.Assign) and window.source(n.value) == "[]" and len(n.targets) == 1
        ]
    ):
        target, function = node.targets[0], window.function_of(node)
        name = window.source(target)
        scope = (
            function
            if isinstance(target, ast.Name)
            else window.owner(function)
            if function is not None
            else None
        )
        if scope is None or not isinstance(target, ast.Name | ast.Attribute):
            continue
        uses = [
            n
            for n in ast.walk(scope)
            if isinstance(n, type(target)) and window.source(n) == name and n is not target
        ]
        adds: list[ast.Attribute] = []
        fine = True
        for use in uses:
            parent = window.parents[use]
            if isinstance(parent, ast.Attribute):
                fine &= parent.attr == "append"
                adds.append(parent)
            else:
                tests = (
                    isinstance(parent, ast.Compare)
                    and isinstance(parent.ops[0], ast.In | ast.NotIn)
                    and use is not parent.left
                )
                counted = isinstance(parent, ast.Call) and window.source(parent.func) in (
                    "len",
                    "sorted",
                    "set",
                    "sum",
                    "max",
                    "min",
                )
                fine &= (
                    tests
                    or counted
                    or (isinstance(parent, ast.For) and parent.iter is use)
                    or isinstance(parent, ast.Return)
                )
        if not fine or not adds or len(adds) > 3 or any(in_text(window, use) for use in uses):
            continue
        added = [window.parents[item] for item in adds]
        if any(
            isinstance(n, ast.Call) and n.args and isinstance(n.args[0], ast.Dict | ast.List | ast.Set)
            for n in added
        ):
            continue
        changes: list[Change] = [(*window.span(node.value), "set()")]
        changes += [(window.span(item)[1] - len("append"), window.span(item)[1], "add") for item in adds]
        where = inside(window, function, draw) if isinstance(target, ast.Name) else WordsSlot("")
        same = len(re.findall(rf"(?m)^\s*{re.escape(name)} = \[\]$", window.text))
        if same > 1 and isinstance(where, WordsSlot):
            continue
        return Made(window.text, apply_changes(window.text, changes), {"x": NameSlot(name), **placed(where)})
    return None


@kind("repeated_value", *wording["repeated"], needs=r"(?m)^\s+[^\n]*(\b\d\d|['\"]\w)", weight=1.2)
def repeated_value(window: SourceWindow, draw: Draw) -> Made | None:
    """Gives a name to a number or text that occurs in several places."""
    found: dict[str, list[ast.Constant]] = {}
    for node in window.nodes:
        if (
            isinstance(node, ast.Constant)
            and node.lineno == node.end_lineno
            and not isinstance(window.parents.get(node), ast.Expr | ast.JoinedStr)
        ):
            source = window.source(node)
            if re.fullmatch(
                r"\d{2,}(\.\d+)?|\d+\.\d+|\"[^\"\\\n{}]{4,40}\"|'[^'\\\n{}]{4,40}'", source
            ) and not in_text(window, node):
                found.setdefault(source, []).append(node)
    for value, nodes in draw.shuffled(list(found.items())):
        if not 2 <= len(nodes) <= 5 or len(
            re.findall(rf"(?<![\w.]){re.escape(value)}(?![\w.])", window.text)
        ) != len(nodes):
            continue
        if any(
            window.function_of(n) is None or isinstance(window.parents[n], ast.Dict | ast.Subscript)
            for n in nodes
        ):
            continue
        name = draw.name(window.names).upper().strip("_")
        first = next(
            (
                n
                for n in window.tree.body
                if not isinstance(n, ast.Import | ast.ImportFrom)
                and not (isinstance(n, ast.Expr) and docstring_node(window.tree) is n.value)
            ),
            None,
        )
        last_import = max(
            [window.last_line(n) for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
            or [0]
        )
        if (
            name in window.names
            or first is None
            or window.first_line(first) <= last_import
            or isinstance(first, ast.Expr)
        ):
            continue
        line = window.first_line(first)
        while line > last_import + 1 and window.lines[line - 2].startswith("#"):
            line -= 1
        at = window.starts[line - 1]
        heavy = isinstance(first, Function | ast.ClassDef)
        changes: list[Change] = [
            (at, at, f"{name} = {value}\n" + ("\n\n" if heavy else "")),
            *((*window.span(n), name) for n in nodes),
        ]
        times = (
            "twice"
            if len(nodes) == 2
            else draw.choice((f"{len(nodes)} times", "several times", "again and again"))
        )
        slots: dict[str, Slot] = {
            "v": CodeSlot(value),
            "e": ExactSlot(value),
            "k": NameSlot(name),
            "n": ExactSlot(str(len(nodes))),
            "times": WordsSlot(times),
        }
        return Made(window.text, apply_changes(window.text, changes), slots)
    return None


_OTHERS = (
    frozenset(
        [
            *(source.split()[1].split(".")[0] for source in MODULES.values()),
            *(m.split(".")[0] for some in FROM.values() for m in some),
            "pandas",
            "sqlalchemy",
            "scipy",
            "attr",
            "rich",
            "textual",
            "PIL",
            "sklearn",
            "jinja2",
            "werkzeug",
            "celery",
        ]
    )
    - sys.stdlib_module_names
)
_OURS = frozenset(
    (
        "app",
        "core",
        "src",
        "shop",
        "lib",
        "bot",
        "models",
        "utils",
        "helpers",
        "services",
        "config",
        "db",
        "store",
        "tools",
    )
)
_MORE: tuple[str, ...] = _TABLES["more"]


def _group(line: str) -> int:
    root = re.split(r"[ .]", line)[1] if not line.startswith("from .") else "app"
    return 0 if root in sys.stdlib_module_names else 1 if root in _OTHERS else 2 if root in _OURS else 9


def grouped(lines: list[str]) -> list[str]:
    """Import lines as isort orders them: groups with a blank line between, `import` before `from`, each by
    module."""
    out: list[str] = []
    for group in range(3):
        some = sorted(
            (line for line in lines if _group(line) == group),
            key=lambda line: (line.startswith("from"), line.split()[1].lower()),
        )
        out += ([""] if out and some else []) + some
    return out


@kind("group_imports", *wording["group"], needs=r"(?m)^(import|from) ", weight=1.2)
def group_imports(window: SourceWindow, draw: Draw) -> Made | None:
    """Sorts imports; the text before has them in random order."""
    nodes = [n for n in window.tree.body if isinstance(n, ast.Import | ast.ImportFrom)]
    if not nodes or any(n.lineno != n.end_lineno or "#" in window.lines[n.lineno - 1] for n in nodes):
        return None
    first, last = nodes[0].lineno, nodes[-1].lineno
    block = window.lines[first - 1 : last]
    lines = [line for line in block if line]
    if len(lines) != len(nodes) or any("__future__" in line or line.startswith("from .") for line in lines):
        return None
    wanted = draw.rng.randint(4, 8)
    lines += [
        line
        for line in draw.shuffled(_MORE)
        if line.split()[-1] not in window.names
        and line not in lines
        and line.split()[1] not in {old.split()[1] for old in lines}
    ][: max(0, wanted - len(lines))]
    if (
        any(_group(line) == 9 for line in lines)
        or len({_group(line) for line in lines}) < 2
        or len(lines) > 10
    ):
        return None
    mixed, right = draw.shuffled(lines), grouped(lines)
    if draw.chance(0.25):
        mixed.insert(draw.rng.randint(1, len(mixed) - 1), "")
    before, after = (
        "\n".join([*window.lines[: first - 1], *found, *window.lines[last:]]) + "\n"
        for found in (mixed, right)
    )
    return Made(before, after, {}, block=True)


_BESIDE: dict[str, tuple[str, ...]] = _TABLES["beside"]


@kind("drop_from_import", *wording["from_import"], needs=r"(?m)^from [\w.]+ import \w", weight=1.0)
def drop_from_import(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes an unused name of an import; the text before is made from the window."""
    found = [
        n
        for n in window.tree.body
        if isinstance(n, ast.ImportFrom) and n.module and n.lineno == n.end_lineno and not n.level
    ]
    for node in draw.shuffled(found):
        line = window.lines[node.lineno - 1]
        if (
            any(item.asname for item in node.names)
            or "(" in line
            or "#" in line
            or len(line) > 90
            or node.module == "__future__"
        ):
            continue
        extra = draw.choice(
            _BESIDE.get(
                node.module or "", (draw.choice(draw.pools.functions), draw.choice(draw.pools.classes))
            )
        )
        if re.search(rf"\b{extra}\b", window.text):
            continue
        names = [item.name for item in node.names]
        at = draw.rng.randint(0, len(names))
        more = (
            sorted([*names, extra])
            if names == sorted(names) and draw.chance(0.6)
            else [*names[:at], extra, *names[at:]]
        )
        before = (
            "\n".join(
                [
                    *window.lines[: node.lineno - 1],
                    f"from {node.module} import {', '.join(more)}",
                    *window.lines[node.lineno :],
                ]
            )
            + "\n"
        )
        return Made(before, window.text, {"m": NameSlot(extra), "mod": NameSlot(node.module or "")})
    return None
