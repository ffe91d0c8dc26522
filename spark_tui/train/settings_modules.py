"""Adds settings to a window, as small applications have them: constants with a meaning and a unit, dicts of
them, code that runs at the end. People most often ask for another value of one of these, and library code
has few."""

from __future__ import annotations

import ast
from random import Random
from string import ascii_uppercase

from spark_tui.train.snippet_generator import NOUNS, VERBS
from spark_tui.train.source_windows import SourceWindow, parse
from spark_tui.train.tables import table

_TABLES = table("tables/settings")

_NUMBERS: tuple[str, ...] = _TABLES["numbers"]
_SECONDS: tuple[str, ...] = _TABLES["seconds"]
_SHARES: tuple[str, ...] = _TABLES["shares"]
_NAMED: tuple[tuple[str, str], ...] = _TABLES["named"]
_TEXTS: dict[str, tuple[str, ...]] = _TABLES["texts"]
_HEAD = (ast.Import, ast.ImportFrom)
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ENDS = {
    "file": (".txt", ".json", ".csv", ".db", ".log", ".yaml", ".html", ".xml"),
    "dir": ("", "/", "s", "_data"),
}


def literal(sort: str, rng: Random) -> str:
    """A literal of this type."""
    if sort == "number":
        return rng.choice(_NUMBERS) if rng.random() < 0.75 else str(rng.randint(2, 10 ** rng.randint(1, 5)))
    if sort == "port":
        return rng.choice(
            (
                "80",
                "443",
                "3000",
                "5000",
                "5432",
                "6379",
                "8000",
                "8080",
                "8443",
                "9000",
                str(rng.randint(1024, 65535)),
            )
        )
    if sort in ("seconds", "share"):
        return rng.choice(_SECONDS if sort == "seconds" else _SHARES)
    if sort == "flag":
        return rng.choice(("True", "False"))
    return '"' + text_value(sort, rng) + '"'


def text_value(sort: str, rng: Random) -> str:
    noun = rng.choice(NOUNS)
    if sort == "url":
        scheme = rng.choice(("http", "https", "https"))
        host = f"{rng.choice(('api', 'www', noun))}.{rng.choice(('example', noun))}"
        domain = rng.choice(("com", "org", "io", "net"))
        return f"{scheme}://{host}.{domain}{rng.choice(('', '', '/v1', '/v2', '/api', f'/{noun}s'))}"
    if sort in _ENDS:
        return (
            rng.choice(("", "", "data/", "out/", "tmp/")) * (sort == "file") + noun + rng.choice(_ENDS[sort])
        )
    return rng.choice(_TEXTS.get(sort, NOUNS))


def setting(rng: Random) -> tuple[str, str]:
    """A name in lower case and the type of its value."""
    if rng.random() < 0.12:
        return "".join(rng.sample(ascii_uppercase, rng.randint(2, 4))).lower(), "number"
    form, sort = rng.choice(_NAMED)
    return form.format(n=rng.choice(NOUNS), v=rng.choice(VERBS)), sort


def some(rng: Random, count: int, taken: set[str]) -> list[tuple[str, str]]:
    """Names and literals, all different. Some come in pairs."""
    out: dict[str, str] = {}
    for _ in range(40):
        if len(out) >= count:
            break
        roll = rng.random()
        both: list[tuple[str, str]] = [setting(rng)]
        if roll < 0.1:
            both = [("width", "number"), ("height", "number")]
        elif roll < 0.2:
            both = [("host", "host"), ("port", "port")]
        elif roll < 0.25:
            noun = rng.choice(NOUNS)
            both = [(f"min_{noun}", "number"), (f"max_{noun}", "number")]
        for name, sort in both:
            if name not in taken and name.upper() not in taken and name.isidentifier():
                out.setdefault(name, literal(sort, rng))
    return list(out.items())


def with_settings(window: SourceWindow, rng: Random) -> SourceWindow:
    """The window with three to seven settings below its imports, as constants or as a dict."""
    found = some(rng, rng.randint(2, 6), window.names)
    if rng.random() < 0.75:
        block = "".join(f"{name.upper()} = {value}\n" for name, value in found)
    else:
        holder = rng.choice(("CONFIG", "SETTINGS", "DEFAULTS", "OPTIONS", "config", "settings"))
        if holder in window.names:
            return window
        if rng.random() < 0.3:
            block = (
                f"{holder} = " + "{" + ", ".join(f'"{name}": {value}' for name, value in found[:4]) + "}\n"
            )
        else:
            block = (
                f"{holder} = " + "{\n" + "".join(f'    "{name}": {value},\n' for name, value in found) + "}\n"
            )
    documented = isinstance(window.tree.body[0], ast.Expr)
    heads = [n for n in window.tree.body[documented:] if not isinstance(n, _HEAD)]
    at = window.starts[window.first_line(heads[0]) - 1] if heads else len(window.text)
    above = window.text[:at].rstrip("\n")
    text = (above + "\n\n" if above else "") + block
    below = window.text[at:]
    defined = bool(heads) and isinstance(heads[0], _DEFINITION)
    text += ("\n\n" if defined else "") + below
    return made(window, text)


def made(window: SourceWindow, text: str) -> SourceWindow:
    """The new text as a window, or the old window if it does not parse."""
    tree = parse(text)
    return SourceWindow(window.path, text, tree) if tree is not None else window


_GIVEN: tuple[str, ...] = _TABLES["given"]
_SHORT = [
    "s",
    "x",
    "d",
    "r",
    "t",
    "n",
    "p",
    "m",
    "c",
    "b",
    "res",
    "tmp",
    "val",
    "obj",
    "data",
    "foo",
    "ret",
    "out",
    "var",
    "thing",
    "a1",
    "st",
    "cl",
]
"""Names that people want renamed."""


def with_main(window: SourceWindow, rng: Random) -> SourceWindow:
    """The window with code below it that runs: calls of what it defines, at module level, in a main block or
    in `main`."""
    defined = [
        n
        for n in window.tree.body
        if isinstance(n, _DEFINITION) and not n.name.startswith("_") and n.name != "main"
    ]
    if not defined or "__main__" in window.text:
        return window
    lines: list[str] = []
    names = [n for n in _SHORT if n not in window.names]
    for node in rng.sample(defined, min(len(defined), rng.randint(1, 3))):
        name = rng.choice(names) if names and rng.random() < 0.6 else rng.choice(NOUNS)
        if isinstance(node, ast.ClassDef):
            first = [f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"]
            methods = [
                f
                for f in node.body
                if isinstance(f, ast.FunctionDef) and not f.name.startswith("_") and not f.decorator_list
            ]
            if len(first) != 1 and node.bases:
                continue
            lines.append(f"{name} = {node.name}({_values(first[0], rng) if first else ''})")
            lines += [
                f"{name}.{m.name}({_values(m, rng)})"
                for m in rng.sample(methods, min(len(methods), rng.randint(1, 3)))
            ]
            continue
        call = f"{node.name}({_values(node, rng)})"
        lines += rng.choice(
            (
                [f"{name} = {call}", f"print({name})"],
                [f"{name} = {call}", f'print(f"{name}: {{{name}}}")'],
                [f"print({call})"],
                [call],
                [f"{name} = {call}", f"print(len({name}))", f"print({name})"],
            )
        )
        names = [n for n in names if n != name]
    if not lines:
        return window
    imports = (
        "import sys\n" if any("sys." in line for line in lines) and "import sys" not in window.text else ""
    )
    text = (
        imports
        + ("\n\n" if imports and not window.text.startswith(("import", "from")) else "")
        + window.text.rstrip("\n")
        + "\n\n\n"
    )
    roll = rng.random()
    inner = "".join(f"    {line}\n" for line in lines)
    if roll < 0.35:
        text += "\n".join(lines) + "\n"
    elif roll < 0.7:
        text += 'if __name__ == "__main__":\n' + inner
    else:
        text += (
            "def main():\n"
            + inner
            + "\n\n"
            + rng.choice(('if __name__ == "__main__":\n    main()\n', "main()\n"))
        )
    return made(window, text) if "main" not in window.names else window


def _values(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, rng: Random) -> str:
    """Arguments for those parameters that have no default."""
    assert not isinstance(function, ast.ClassDef)
    own = [a for a in function.args.args if a.arg not in ("self", "cls")]
    count = max(
        0, len(own) - len(function.args.defaults) + rng.choice((0, 0, 0, 1)) * bool(function.args.defaults)
    )
    return ", ".join(rng.choice(_GIVEN) for _ in range(count))
