"""Guards in any place: after the assignment of a local, at the top of a function, in a loop, before a file
is opened."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.guard_sites import GuardSite, bindings, guard_sites
from spark_tui.train.kinds.imports import insert_import
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/checks")

_NUMERIC = re.compile(r"^(len|int|float|sum|max|min|abs|round)\(|\.(count|find|index|total_seconds)\(|^\d")
_SPEAKS = re.compile(
    r"(^|\.)(print|send|write|warning|error|info|log|warn|flash|echo|reply|debug|fail|notify|say|puts)$"
)


def _condition(window: SourceWindow, spot: GuardSite, draw: Draw) -> tuple[str, str, dict[str, Slot]]:
    """The condition, its wording, and the slots of the wording."""
    slots: dict[str, Slot] = {"x": NameSlot(spot.name), "f": fname(spot.function)}
    source = window.source(spot.value) if spot.value is not None else ""
    call = re.match(r"(?:await )?([\w.]+)\(", source)
    if call:
        slots["call"] = NameSlot(call[1], call=True)
    if spot.rows or (spot.value is None and spot.name.endswith("s") and draw.chance(0.7)):
        slots["row"] = WordsSlot(spot.name.replace("_", " "))
        return f"not {spot.name}", draw.choice(wording["no_rows"]), slots
    forms: list[tuple[str, tuple[str, ...]]] = [
        (f"{spot.name} is None", wording["is_none"]),
        (f"not {spot.name}", wording["is_empty"]),
    ]
    if call:
        forms += [(f"{spot.name} is None", wording["call_none"]), (f"not {spot.name}", wording["call_empty"])]
        forms += forms[:1]
    if _NUMERIC.search(source):
        number = draw.choice([0, 0, 1, 2, 5, 10])
        slots["n"] = ExactSlot(str(number))
        forms = [
            (f"{spot.name} == 0", wording["is_zero"]),
            (f"{spot.name} < {number}", wording["below"]),
            (f"{spot.name} < 0", wording["negative"]),
        ]
    code, said = draw.choice(forms)
    return code, draw.choice(said), slots


def speaker(window: SourceWindow, function: Function, draw: Draw) -> tuple[str, str, str]:
    """How this function reports to its user: the start of the call, its end, and the verb for it."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or len(node.args) != 1 or node.keywords:
            continue
        head = window.source(node.func)
        if (
            "\n" in head
            or not _SPEAKS.search(head)
            or not isinstance(node.args[0], ast.Constant | ast.JoinedStr)
        ):
            continue
        awaits = "await " if isinstance(window.parents.get(node), ast.Await) else ""
        verb = head.rpartition(".")[2]
        return (
            f"{awaits}{head}(",
            ")",
            {"info": "log", "warning": "log", "error": "log", "debug": "log"}.get(verb, verb),
        )
    logger = next(
        (n for n in ("logger", "log", "_logger", "LOG") if re.search(rf"(?m)^{n} = ", window.text)), ""
    )
    if logger and draw.chance(0.5):
        level = draw.choice(["warning", "info", "error"])
        return f"{logger}.{level}(", ")", "log a warning" if level == "warning" else f"log an {level}"
    return "print(", ")", "print"


RESULTS = ("None", "None", "False", "[]", "0", '""', "{}", "True", "-1")


def _stop(window: SourceWindow, spot: GuardSite, draw: Draw) -> tuple[list[str], Slot]:
    """The statements of the guard, and their wording."""
    slots: dict[str, Slot] = {"x": NameSlot(spot.name), "f": fname(spot.function)}
    roll = draw.rng.random()
    lines: list[str] = []
    first = ""
    if draw.chance(0.35):
        message = draw.choice(draw.pools.strings)
        head, tail, verb = speaker(window, spot.function, draw)
        if re.search(r"['\"\\`{}]", message):
            return [], WordsSlot("")
        lines.append(f'{head}"{message}"{tail}')
        slots["verb"], slots["m"] = WordsSlot(verb), ExactSlot(message, quoted=True)
        first = draw.choice(
            ["{verb} {m} and ", "{verb} {m} and then ", "{verb} {m}, then ", "[first |]{verb} {m} and "]
        )
    if spot.loop and roll < 0.6:
        word, said = ("break", wording["break"]) if roll < 0.25 else ("continue", wording["continue"])
        return [*lines, word], SubTemplate(first + draw.choice(said), slots)
    if roll < 0.8:
        result = draw.choice(RESULTS)
        if spot.value is None and draw.chance(0.15):
            result = spot.name
        bare = (
            any(isinstance(n, ast.Return) and n.value is None for n in ast.walk(spot.function))
            or spot.function.name == "__init__"
        )
        if bare or draw.chance(0.35):
            return [*lines, "return"], SubTemplate(first + draw.choice(wording["return"]), slots)
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(spot.function)):
            return [*lines, "return"], SubTemplate(first + draw.choice(wording["return"]), slots)
        if draw.chance(0.15):
            result = draw.choice(['{"error": "%s"}, %d', '"%s", %d']) % (
                draw.choice(draw.pools.strings).replace('"', ""),
                draw.choice([400, 404, 409, 403, 422]),
            )
        slots["r"] = draw.slot(CodeSlot(result), ExactSlot(result))
        names = {"[]": "an empty list", '""': "an empty string", "{}": "an empty dict", "0": "zero"}
        if result in names and draw.chance(0.5):
            slots["r"] = WordsSlot(names[result])
        return [*lines, f"return {result}"], SubTemplate(first + draw.choice(wording["return_value"]), slots)
    error, message = (
        draw.choice(["ValueError", "ValueError", "RuntimeError", "KeyError", "TypeError", "LookupError"]),
        draw.choice(draw.pools.strings),
    )
    slots["e"] = draw.slot(NameSlot(error), ExactSlot(error))
    slots["m"] = ExactSlot(message, quoted=True)
    return [f'raise {error}("{message}")'], SubTemplate(draw.choice(wording["raise"]), slots)


@kind("guard_local", *wording["guard"], weight=8.0)
def guard_local(window: SourceWindow, draw: Draw) -> Made | None:
    """Checks the result of a call before it is used, or a parameter at the top."""
    found = guard_sites(window)
    lasting = [spot for spot in found if spot.value is not None]
    if not found:
        return None
    for spot in draw.shuffled(lasting if lasting and draw.chance(0.75) else found)[:4]:
        test, said, slots = _condition(window, spot, draw)
        lines, act = _stop(window, spot, draw)
        if not lines or f"if {test}:" in window.source(spot.function):
            continue
        if window.lines[spot.line - 1][: len(spot.indent)] != spot.indent or window.lines[
            spot.line - 1
        ].lstrip().startswith(("elif", "else", "except", "finally")):
            continue
        new = f"{spot.indent}if {test}:\n" + "".join(f"{spot.indent}    {line}\n" for line in lines)
        at = window.starts[spot.line - 1]
        known = {**slots, "f": fname(spot.function)}
        filled: dict[str, Slot] = {
            "cond": SubTemplate(said, known),
            "act": act,
            **known,
            **placed(inside(window, spot.function, draw)),
        }
        phrases: tuple[str, ...] = wording["guard"]
        attribute = re.search(rf"\b{spot.name}\.(\w+)", "\n".join(window.lines[spot.line - 1 :][:12]))
        if test.endswith(" is None") and attribute and draw.chance(0.2):
            filled["attr"] = ExactSlot(attribute[1])
            phrases = wording["guard_traceback"]
        return Made(window.text, window.text[:at] + new + window.text[at:], filled, phrases)
    return None


@kind("guard_file", *wording["guard_file"], needs=r"open\(", weight=1.0)
def guard_file(window: SourceWindow, draw: Draw) -> Made | None:
    """Checks at the top of a function whether a file exists."""
    for function in draw.shuffled(window.functions):
        calls = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "open" and n.args
        ]
        body = window.body_after_docstring(function)
        if (
            len(calls) != 1
            or not body
            or not window.own_lines(body[0])
            or "exists" in window.source(function)
        ):
            continue
        path, mode = calls[0].args[0], calls[0].args[1:2]
        known = {a.arg for a in arguments(function)} | {
            t.id
            for n in window.tree.body
            if isinstance(n, ast.Assign)
            for t in n.targets
            if isinstance(t, ast.Name)
        }
        if not isinstance(path, ast.Name | ast.Attribute) or (mode and "r" not in window.source(mode[0])):
            continue
        if isinstance(path, ast.Name) and (path.id not in known or bindings(function, path.id)):
            continue
        result = draw.choice(["[]", "[]", "{}", "None", "None", "False", '""', "0"])
        source, indent = window.source(path), window.indent(body[0])
        at = window.starts[window.first_line(body[0]) - 1]
        new = (
            f"{indent}if not os.path.exists({source}):\n"
            f"{indent}    return{'' if result == 'None' and draw.chance(0.4) else ' ' + result}\n"
        )
        after = window.text[:at] + new + window.text[at:]
        if not re.search(r"(?m)^import os$|^import (\w+, )*os\b", window.text):
            with_import = insert_import(SourceWindow(window.path, after), "import os")
            if with_import is None:
                continue
            after = with_import
        names = {"[]": "[an|the] empty list", '""': "an empty string", "{}": "an empty dict"}
        shown: Slot = SubTemplate(names[result]) if result in names and draw.chance(0.6) else CodeSlot(result)
        if new.rstrip().endswith("return"):
            phrases, shown = wording["file_leave"], WordsSlot("")
        else:
            phrases = wording["guard_file"]
        slots: dict[str, Slot] = {
            "f": fname(function),
            "p": NameSlot(source),
            "r": shown,
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots, phrases)
    return None


@kind("skip_without", *wording["skip_without"], needs=r"(?m)^\s*for \w+ in ", weight=1.0)
def skip_without(window: SourceWindow, draw: Draw) -> Made | None:
    """Skips the items of a loop that lack what its body reads."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name)]
    ):
        assert isinstance(node.target, ast.Name)
        name, body = node.target.id, node.body
        function = window.function_of(node)
        keys: list[str] = []
        for item in ast.walk(node):
            if (
                isinstance(item, ast.Subscript)
                and isinstance(item.value, ast.Name)
                and item.value.id == name
                and isinstance(item.slice, ast.Constant)
                and isinstance(item.slice.value, str)
            ):
                keys.append(window.source(item.slice))
            elif (
                isinstance(item, ast.Attribute)
                and isinstance(item.value, ast.Name)
                and item.value.id == name
                and isinstance(item.ctx, ast.Load)
                and not isinstance(window.parents.get(item), ast.Call)
            ):
                keys.append("." + item.attr)
        if not keys or not window.own_lines(body[0]) or bindings(function or window.tree, name) != 1:
            continue
        key = draw.choice(keys)
        if key.startswith("."):
            tests, word = [(f"not {name}{key}", wording["lacks"])], key[1:]
        else:
            tests, word = (
                [
                    (f"{key} not in {name}", wording["lacks_key"]),
                    (f"not {name}.get({key})", wording["lacks"]),
                ],
                key[1:-1],
            )
        test, said = draw.choice(tests)
        if (
            not re.fullmatch(r"[A-Za-z_]\w+", word)
            or f"if {test}" in window.text
            or window.lines[window.first_line(body[0]) - 2].lstrip().startswith("#")
        ):
            continue
        word_slots: dict[str, Slot] = {
            "x": NameSlot(name),
            "k": draw.slot(ExactSlot(word), NameSlot(word), ExactSlot(word, quoted=True)),
            "xs": WordsSlot(f"{name}s" if not name.endswith("s") else name),
            "it": CodeSlot(window.source(node.iter)),
        }
        line, indent = window.first_line(body[0]), window.indent(body[0])
        at = window.starts[line - 1]
        after = window.text[:at] + f"{indent}if {test}:\n{indent}    continue\n" + window.text[at:]
        slots = {
            **word_slots,
            "cond": SubTemplate(draw.choice(said), word_slots),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots)
    return None
