"""Repairs from error messages and of faults that are named."""

from __future__ import annotations

import ast
import re
from random import Random

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import operations
from spark_tui.codemods.slots import FilePath
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.words import word_set
from spark_tui.train.calls.edits import repository
from spark_tui.train.kinds.base import Made, fname, kind, traceback
from spark_tui.train.source_windows import SourceWindow, apply_changes, arguments
from spark_tui.train.templates.grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot
from spark_tui.train.templates.place_phrases import inside_function
from spark_tui.train.templates.tables import table

wording = table("wording/repairs")
MODULES = word_set("os sys re json time math random logging functools itertools shutil subprocess")


def _typo_of(name: str, rng: Random) -> str:
    at = rng.randrange(1, len(name))
    roll = rng.random()
    if roll < 0.4:
        return name[:at] + name[at + 1 :]
    if roll < 0.7 and at + 1 < len(name):
        return name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    return name[:at] + name[at - 1] + name[at:]


@kind("fix_name_error", *wording["error"], weight=1.3)
def fix_name_error(window: SourceWindow, rng: Random) -> Made | None:
    """Corrects a misspelled name, from its traceback or from a message in the instruction."""
    for function in rng.sample(window.functions, len(window.functions)):
        bound = {a.arg for a in arguments(function)} | {
            n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        uses = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in bound and len(n.id) > 3
        ]
        if not uses or any(isinstance(n, ast.JoinedStr) for n in ast.walk(function)):
            continue
        node = rng.choice(uses)
        wrong = _typo_of(node.id, rng)
        if wrong in window.names or not wrong.isidentifier():
            continue
        before = apply_changes(window.text, [(*window.span(node), wrong)])
        hint = f". Did you mean: '{node.id}'?" if rng.random() < 0.6 else ""
        message = f"NameError: name '{wrong}' is not defined{hint}"
        line = before.split("\n")[node.lineno - 1]
        trace = traceback(window.path, node.lineno, line, message, function.name)
        if rng.random() < 0.5:
            return Made(
                before, window.text, {}, wording["error"], error=trace if rng.random() < 0.7 else message
            )
        slots: dict[str, Slot] = {
            "m": ExactSlot(message),
            "wrong": NameSlot(wrong),
            "right": NameSlot(node.id),
            "f": fname(function),
            "where": inside_function(window, function, rng),
        }
        return Made(before, window.text, slots, wording["name_error"])
    return None


@kind(
    "fix_missing_import",
    *wording["error"],
    needs=r"\b(os|re|sys|json|time|math|random|logging|functools|itertools|shutil|subprocess)\.\w",
    weight=0.5,
)
def fix_missing_import(window: SourceWindow, rng: Random) -> Made | None:
    used = {
        n.value.id
        for n in window.nodes
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in MODULES
    }
    bound = {
        (a.asname or a.name)
        for n in window.nodes
        if isinstance(n, ast.Import | ast.ImportFrom)
        for a in n.names
    }
    stored = {n.id for n in window.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)} | {
        n.arg for n in window.nodes if isinstance(n, ast.arg)
    }
    missing = sorted(used - bound - stored)
    if len(missing) != 1:
        return None
    repo = repository(window.path, window.text)
    found = operations()["add_import"](FilePath(window.path), missing[0]).plan(repo)
    after = found.texts(repo).get(window.path) if isinstance(found, Plan) else None
    if after is None:
        return None
    node = next(
        n
        for n in window.nodes
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == missing[0]
    )
    message = f"NameError: name '{missing[0]}' is not defined"
    if rng.random() < 0.5:
        trace = traceback(window.path, node.lineno, window.lines[node.lineno - 1], message)
        return Made(window.text, after, {}, wording["error"], error=trace if rng.random() < 0.7 else message)
    return Made(
        window.text, after, {"m": ExactSlot(message), "mod": NameSlot(missing[0])}, wording["missing_import"]
    )


@kind("fix_syntax_error", *wording["error"], weight=0.9)
def fix_syntax_error(window: SourceWindow, rng: Random) -> Made | None:
    """Restores a colon or a bracket that the text before lacks."""
    spots: list[tuple[int, str, str]] = []
    for number, line in enumerate(window.lines, 1):
        if re.match(r"\s*(def |if |for |while |class |elif |with |async def )[^#]*:$", line) or re.match(
            r"\s*(else|try|finally):$", line
        ):
            spots.append((number, line[:-1], "expected ':'"))
        elif re.match(r"\s*[\w.]+ = [\w.]+\([\w., ]*\)$", line) or re.match(
            r"\s*(return )?[\w.]+\([\w., ]+\)$", line
        ):
            spots.append((number, line[:-1], "'(' was never closed"))
    if not spots:
        return None
    number, broken, message = rng.choice(spots)
    lines = list(window.lines)
    lines[number - 1] = broken
    before = "\n".join(lines) + "\n"
    if parse(before) is not None:
        return None
    full = f"SyntaxError: {message}"
    if rng.random() < 0.55:
        trace = traceback(window.path, number, broken, full)
        return Made(before, window.text, {}, wording["error"], error=trace, broken_before=True)
    slots: dict[str, Slot] = {
        "m": ExactSlot(full),
        "line": WordsSlot(f"line {number}"),
        "c": WordsSlot(
            rng.choice(
                ["colon", "colon", ":"]
                if ":" in message
                else ["bracket", "closing bracket", "parenthesis", ")"]
            )
        ),
        "t": CodeSlot(broken.strip()),
    }
    return Made(before, window.text, slots, wording["syntax"], broken_before=True)


@kind("fix_missing_self", *wording["error"], needs=r"def \w+\(self", weight=0.4)
def fix_missing_self(window: SourceWindow, rng: Random) -> Made | None:
    for function in rng.sample(window.functions, len(window.functions)):
        args = function.args.args
        if window.owner(function) is None or not args or args[0].arg != "self" or function.decorator_list:
            continue
        start, end = window.span(args[0])
        if window.text[end : end + 2] == ", ":
            end += 2
        elif len(args) > 1 or window.text[end] != ")":
            continue
        before = window.text[:start] + window.text[end:]
        given = len(args)
        message = (
            f"TypeError: {function.name}() takes {given - 1} positional "
            f"argument{'s' if given != 2 else ''} but {given} {'were' if given > 1 else 'was'} given"
        )
        owner = window.owner(function)
        assert owner is not None
        if rng.random() < 0.5:
            return Made(
                before,
                window.text,
                {},
                wording["error"],
                error=message.replace(function.name, f"{owner.name}.{function.name}"),
            )
        return Made(
            before, window.text, {"f": fname(function), "m": ExactSlot(message)}, wording["missing_self"]
        )
    return None


@kind("off_by_one", *wording["off_by_one"], needs=r"range\(|\[[^\]\n]*[+-] ?1", weight=0.6)
def off_by_one(window: SourceWindow, rng: Random) -> Made | None:
    """The result is the window; the text before has a range that is one too long or too short."""
    calls = [
        n
        for n in window.nodes
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Name)
        and n.func.id == "range"
        and 0 < len(n.args) < 3
        and n.lineno == n.end_lineno
    ]
    if len(calls) != 1:
        return None
    stop = calls[0].args[-1]
    source = window.source(stop)
    match = re.fullmatch(r"(.+?) [+-] 1", source)
    wrong = (
        match[1]
        if match
        else None
        if re.search(r"[^\w.()]", source)
        else rng.choice([f"{source} + 1", f"{source} - 1"])
    )
    if wrong is None or re.fullmatch(r"\d+", source):
        return None
    before = apply_changes(window.text, [(*window.span(stop), wrong)])
    longer = (match is None and wrong.endswith("+ 1")) or (match is not None and source.endswith("- 1"))
    told = rng.choice(
        ["goes one too far", "runs one step too long"]
        if longer
        else ["stops one too early", "misses the last item"]
    )
    line = calls[0].lineno
    where: Slot = (
        WordsSlot(f" on line {line}")
        if rng.random() < 0.4
        else inside_function(window, window.function_of(calls[0]), rng)
    )
    slots: dict[str, Slot] = {
        "where": where,
        "told": WordsSlot(told),
        "many": WordsSlot("too many" if longer else "too few"),
        "longer": WordsSlot(rng.choice(["shorter", "less"] if longer else ["longer", "more"])),
        "later": WordsSlot("earlier" if longer else "later"),
    }
    return Made(before, window.text, slots, wording["off_by_one"])
