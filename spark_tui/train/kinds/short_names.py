"""Renames of short names at any level, defaults for parameters, a main guard, two keywords at once, short
command-line options."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.calls import calls, which, with_calls
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.renaming import renamed
from spark_tui.train.referring_phrases import words_of
from spark_tui.train.snippet_generator import NOUNS, call_snippet
from spark_tui.train.source_windows import Function, SourceWindow, arguments, is_name
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/scopes")


def _better(window: SourceWindow, old: str, scope: ast.AST, draw: Draw) -> str:
    """A name that says what is bound: that of the class or function that makes it, or a random one."""
    for node in ast.walk(scope):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == old
            and isinstance(node.value, ast.Call)
        ):
            words = words_of(window.source(node.value.func).split(".")[-1])
            made = "_".join(words if window.source(node.value.func)[:1].isupper() else words[1:])
            if is_name(made) and draw.chance(0.6):
                return made
    return draw.choice(
        [
            draw.choice(NOUNS),
            f"{draw.choice(NOUNS)}s",
            draw.variant(old, window.names),
            f"{draw.choice(NOUNS)}_{draw.choice(NOUNS)}",
        ]
    )


@kind("rename_anywhere", *wording["rename"], needs=r"(?m)^\s*\w+ = |def ", weight=6.0)
def rename_anywhere(window: SourceWindow, draw: Draw) -> Made | None:
    """Renames a variable or a parameter, usually one with a short name or in f-strings, also at module
    level."""
    window = settings_modules.with_main(window, draw.rng) if draw.chance(0.5) else window
    found: list[tuple[str, Function | None]] = []
    for node in window.nodes:
        name = (
            node.id
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            else node.arg
            if isinstance(node, ast.arg)
            else ""
        )
        if name and name not in ("self", "cls", "_") and not name.startswith("__"):
            found.append((name, window.function_of(node)))
    fields = {
        n.id
        for j in window.nodes
        if isinstance(j, ast.JoinedStr)
        for n in ast.walk(j)
        if isinstance(n, ast.Name)
    }
    order = sorted(set(found), key=lambda item: (item[0], item[1].lineno if item[1] else 0))
    for old, function in sorted(
        order,
        key=lambda item: (
            draw.rng.random()
            - 0.35 * (len(item[0]) < 4)
            - 0.3 * (item[0] in fields)
            - 0.3 * (item[1] is None)
        ),
    ):
        scope: ast.AST = function or window.tree
        users = {f for n, f in found if n == old}
        if function is None and (users != {None} or any(c.name == old for c in window.classes)):
            continue
        if any(isinstance(n, ast.Global | ast.Nonlocal) and old in n.names for n in window.nodes) or any(
            isinstance(n, ast.ExceptHandler) and n.name == old for n in window.nodes
        ):
            continue
        if function is not None and (
            None in users
            or any(isinstance(n, ast.keyword) and n.arg == old for n in window.nodes)
            or re.search(rf":param {old}\b", window.text)
        ):
            continue
        if (
            function is not None
            and sum(isinstance(n, ast.arg) and n.arg == old for n in ast.walk(function)) > 1
        ):
            continue
        new = _better(window, old, scope, draw)
        first, last = (
            (window.first_line(function), function.end_lineno or 0) if function else (1, len(window.lines))
        )
        new = new.upper() if old.isupper() and len(old) > 1 else new
        if not is_name(new) or hasattr(builtins, new) or new in window.names or new == old or len(new) > 28:
            continue
        after = renamed(window.text, old, new, first, last)
        if after is None or sum(a != b for a, b in zip(window.lines, after.split("\n"), strict=False)) > 10:
            continue
        where: Slot = inside(window, function, draw) if function is not None else WordsSlot("")
        if len(users) > 1 and isinstance(where, WordsSlot):
            continue
        if function is None and draw.chance(0.2):
            where = WordsSlot(
                draw.choice(
                    [
                        " at the bottom",
                        " in the main block" if "__main__" in window.text else " at the module level",
                        " at the end of the file",
                    ]
                )
            )
            if (
                window.lines.index(
                    next(line for line in window.lines if re.match(rf"\s*{old} = |\s*for ", line))
                    if re.search(rf"(?m)^\s*{old} = ", window.text)
                    else window.lines[-1]
                )
                < len(window.lines) // 2
            ):
                where = WordsSlot("")
        elif function is not None and len(users) == 1 and draw.chance(0.4):
            where = WordsSlot("")
        shown: dict[str, Slot] = {
            "o": NameSlot(old),
            "n": NameSlot(new),
            "old": NameSlot(old),
            "new": NameSlot(new),
            **placed(where),
        }
        return Made(window.text, after, shown)
    return None


@kind("give_default", *wording["default"], needs=r"def \w+\([^)\n]*\w", weight=4.0)
def give_default(window: SourceWindow, draw: Draw) -> Made | None:
    """Gives a default to the last parameter that has none."""
    for function in draw.shuffled(window.functions):
        args = function.args
        plain = [*args.posonlyargs, *args.args]
        bare = plain[: len(plain) - len(args.defaults)]
        only = [a for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is None]
        fitting = [a for a in [*bare[-1:], *only] if a.arg not in ("self", "cls")]
        if not fitting or sum(f.name == function.name for f in window.functions) > 1:
            continue
        item = draw.choice(fitting)
        text = draw.choice([draw.choice(draw.pools.variables), draw.choice(NOUNS)])
        told = ast.unparse(item.annotation) if item.annotation is not None else ""
        picks = {
            "int": ["0", "1", "5", "10", "100"],
            "str": ['""', f'"{text}"'],
            "bool": ["True", "False"],
            "float": ["0.0", "1.0", "0.5"],
        }.get(told)
        value = draw.choice(
            picks
            or [
                "None",
                "None",
                "0",
                "1",
                "2",
                "3",
                "5",
                "10",
                str(draw.rng.randint(2, 5000)),
                "0.5",
                "True",
                "False",
                f'"{text}"',
                f'"{text}"',
                '""',
                "()",
            ]
        )
        if told and not picks and value != "None" and draw.chance(0.7):
            continue
        _, end = window.span(item)
        if window.text[end] not in ",)\n":
            continue
        after = window.text[:end] + (f" = {value}" if told else f"={value}") + window.text[end:]
        shown: Slot = (
            CodeSlot(value)
            if value == '""' or not value.startswith('"') or draw.chance(0.6)
            else ExactSlot(value[1:-1], quoted=True)
        )
        alone = sum(a.arg == item.arg for f in window.functions for a in arguments(f)) == 1
        place: Slot = (
            WordsSlot("")
            if alone and draw.chance(0.4)
            else SubTemplate(
                draw.choice(
                    [" in {f}", " in {f}", " of {f}", " for {f}", " in function {f}", " when calling {f}"]
                ),
                {"f": fname(function)},
            )
        )
        slots: dict[str, Slot] = {"p": NameSlot(item.arg), "v": shown, "f": fname(function), "in": place}
        return Made(window.text, after, slots)
    return None


@kind("guard_main", *wording["guard"], needs=r"def ", weight=1.2)
def guard_main(window: SourceWindow, draw: Draw) -> Made | None:
    """Puts the statements at the end of a file under a main guard."""
    for _ in range(4):
        made = settings_modules.with_main(window, draw.rng)
        body = made.tree.body
        at = len(body)
        while at and isinstance(body[at - 1], ast.Expr | ast.Assign | ast.For | ast.AugAssign):
            at -= 1
        if (
            at == len(body)
            or at == 0
            or "__main__" in made.text
            or not isinstance(body[at - 1], Function | ast.ClassDef)
        ):
            continue
        first, last = body[at].lineno, body[-1].end_lineno or 0
        if last - first > 8 or any("'''" in line or '"""' in line for line in made.lines[first - 1 : last]):
            return None
        new = [f"    {line}" if line.strip() else line for line in made.lines[first - 1 : last]]
        after = (
            "\n".join([*made.lines[: first - 1], 'if __name__ == "__main__":', *new, *made.lines[last:]])
            + "\n"
        )
        named = [
            window_call
            for window_call in ast.walk(body[-1])
            if isinstance(window_call, ast.Call) and isinstance(window_call.func, ast.Name)
        ]
        call = made.source(named[0].func) if named and last == first else ""
        phrases = wording["guard"] if call else tuple(t for t in wording["guard"] if "{c}" not in t)
        return Made(made.text, after, {"c": NameSlot(f"{call}()" if call else "it")}, phrases)
    return None


@kind("two_keywords", *wording["keywords"], needs=r"\w\([^()\n]*\)", weight=1.5)
def two_keywords(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds two keywords to a call, or the host and the port that an app listens on."""
    if draw.chance(0.3) and "app" not in window.names:
        for _ in range(8):
            imports, body = call_snippet(draw.rng)
            if "app.run()" in body and "__main__" not in window.text:
                window = settings_modules.made(
                    window,
                    "".join(line + "\n" for line in imports if line not in window.lines)
                    + window.text
                    + "\n\n"
                    + body
                    + "\n",
                )
                break
    found = calls(window)
    apps = [n for n in found if window.source(n.func) in ("app.run", "uvicorn.run", "server.run")]
    for call in [*apps, *draw.shuffled(found)]:
        source = window.source(call)
        known = {k.arg for k in call.keywords}
        if (
            None in known
            or source[-2] == ","
            or any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in call.args)
        ):
            continue
        slots: dict[str, Slot] | None
        phrases: tuple[str, ...]
        if call in apps:
            keys, values = (
                ["host", "port"],
                [
                    draw.choice(["0.0.0.0", "0.0.0.0", "127.0.0.1", "localhost", "192.168.1.10"]),
                    settings_modules.literal("port", draw.rng),
                ],
            )
            sources, slots, phrases = [f'"{values[0]}"', values[1]], {}, wording["serve"]
        else:
            keys = draw.rng.sample(sorted({*NOUNS[:80], *draw.pools.variables[:60]}), 2)
            sources = [
                draw.choice(
                    ["True", "False", "None", str(draw.rng.randint(0, 900)), f'"{draw.choice(NOUNS)}"']
                )
                for _ in keys
            ]
            values, slots, phrases = sources, which(window, call, draw), wording["keywords"]
        if slots is None or known & {*keys} or not window.functions:
            continue
        end = window.span(call)[1] - 1
        new = ", ".join(f"{k}={v}" for k, v in zip(keys, sources, strict=True))
        after = window.text[:end] + (", " if source[-2] != "(" else "") + new + window.text[end:]
        return Made(
            window.text,
            after,
            {
                **slots,
                "k": ExactSlot(keys[0]),
                "k2": ExactSlot(keys[1]),
                "v": ExactSlot(values[0]),
                "v2": ExactSlot(values[1]),
            },
            phrases,
        )
    return None


@kind("short_option", *wording["short"], needs=r"def ", weight=0.7)
def short_option(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a short name for a command-line option, before the long one."""
    for _ in range(10):
        if "add_argument(" in window.text:
            break
        grown = with_calls(window, draw)
        window = grown if "add_argument(" in grown.text else window
    for call in draw.shuffled(calls(window)):
        first = call.args[0] if call.args else None
        if (
            not window.source(call.func).endswith("add_argument")
            or len(call.args) != 1
            or not isinstance(first, ast.Constant)
        ):
            continue
        long = str(first.value)
        letter = draw.choice([long[2:3], long[2:3], draw.choice("abcdefghknpqrtvwxy")])
        if (
            not long.startswith("--")
            or not letter.isalpha()
            or re.search(rf"['\"]-{letter}['\"]", window.text)
        ):
            continue
        start, _ = window.span(first)
        after = window.text[:start] + f'"-{letter}", '.replace('"', window.text[start]) + window.text[start:]
        return Made(
            window.text,
            after,
            {"s": ExactSlot(letter), "d": ExactSlot(draw.choice([long, long, long[2:], f"`{long}`"]))},
        )
    return None
