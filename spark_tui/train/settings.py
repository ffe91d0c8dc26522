"""Settings as small applications have them: constants with a meaning and a unit, dicts of them, code that
runs at the end.

What people ask for most often is another value for one of these, and library code has few. Names are put
together, so that no two files are the same. Comes in: a window, chance. Goes out: a window with settings
above its code, or a start below it. Must not know: instructions, tokens, the model.
"""

from __future__ import annotations

import ast
from random import Random
from string import ascii_uppercase

from spark_tui.train.snippets import NOUNS, VERBS
from spark_tui.train.windows import Window, parse

_NUMBERS = (
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "8",
    "10",
    "12",
    "14",
    "16",
    "20",
    "24",
    "25",
    "30",
    "40",
    "50",
    "60",
    "64",
    "80",
    "100",
    "120",
    "128",
    "150",
    "200",
    "250",
    "256",
    "365",
    "400",
    "480",
    "500",
    "512",
    "640",
    "720",
    "800",
    "1000",
    "1024",
    "1200",
    "2000",
    "2048",
    "4096",
    "5000",
    "10000",
    "65536",
    "100000",
)
_SECONDS = (
    "1",
    "2",
    "3",
    "5",
    "10",
    "15",
    "20",
    "30",
    "45",
    "60",
    "90",
    "120",
    "300",
    "600",
    "900",
    "1800",
    "3600",
    "7200",
    "86400",
)
_SHARES = (
    "0.01",
    "0.02",
    "0.05",
    "0.07",
    "0.1",
    "0.15",
    "0.19",
    "0.2",
    "0.25",
    "0.3",
    "0.5",
    "0.75",
    "0.8",
    "0.9",
    "0.95",
)
_NAMED: tuple[tuple[str, str], ...] = (
    ("{n}_timeout", "seconds"),
    ("timeout", "seconds"),
    ("{v}_timeout", "seconds"),
    ("timeout_seconds", "seconds"),
    ("{n}_interval", "seconds"),
    ("poll_interval", "seconds"),
    ("{v}_interval", "seconds"),
    ("refresh_interval", "seconds"),
    ("{v}_delay", "seconds"),
    ("retry_delay", "seconds"),
    ("delay", "seconds"),
    ("cache_ttl", "seconds"),
    ("ttl", "seconds"),
    ("{n}_ttl", "seconds"),
    ("cooldown", "seconds"),
    ("sleep_seconds", "seconds"),
    ("session_lifetime", "seconds"),
    ("backoff", "seconds"),
    ("{n}_days", "number"),
    ("{v}_after_days", "number"),
    ("keep_days", "number"),
    ("expiry_days", "number"),
    ("{n}_hours", "number"),
    ("{n}_minutes", "number"),
    ("max_{n}s", "number"),
    ("max_{n}_size", "number"),
    ("max_{n}_length", "number"),
    ("max_retries", "number"),
    ("retries", "number"),
    ("max_attempts", "number"),
    ("num_workers", "number"),
    ("workers", "number"),
    ("threads", "number"),
    ("batch_size", "number"),
    ("page_size", "number"),
    ("chunk_size", "number"),
    ("buffer_size", "number"),
    ("{n}s_per_page", "number"),
    ("{n}_limit", "number"),
    ("rate_limit", "number"),
    ("min_{n}s", "number"),
    ("min_password_length", "number"),
    ("min_{n}_length", "number"),
    ("{n}_count", "number"),
    ("{n}_size", "number"),
    ("width", "number"),
    ("height", "number"),
    ("columns", "number"),
    ("rows", "number"),
    ("fps", "number"),
    ("speed", "number"),
    ("lives", "number"),
    ("seed", "number"),
    ("max_depth", "number"),
    ("port", "port"),
    ("server_port", "port"),
    ("{n}_port", "port"),
    ("host", "host"),
    ("bind_address", "host"),
    ("tax_rate", "share"),
    ("{n}_rate", "share"),
    ("discount", "share"),
    ("{n}_fee", "number"),
    ("threshold", "share"),
    ("{n}_threshold", "share"),
    ("learning_rate", "share"),
    ("confidence", "share"),
    ("volume", "share"),
    ("{n}_price", "number"),
    ("max_rps", "number"),
    ("qps", "number"),
    ("{n}_file", "file"),
    ("output_dir", "dir"),
    ("{n}_dir", "dir"),
    ("log_file", "file"),
    ("db_path", "file"),
    ("base_url", "url"),
    ("api_url", "url"),
    ("{n}_url", "url"),
    ("currency", "money"),
    ("language", "code"),
    ("timezone", "zone"),
    ("log_level", "level"),
    ("date_format", "date"),
    ("user_agent", "text"),
    ("title", "text"),
    ("{n}_name", "text"),
    ("prefix", "text"),
    ("greeting", "text"),
    ("separator", "text"),
    ("encoding", "coding"),
    ("debug", "flag"),
    ("verbose", "flag"),
    ("{v}_on_start", "flag"),
    ("dry_run", "flag"),
    ("use_cache", "flag"),
    ("enable_{n}s", "flag"),
    ("strict", "flag"),
    ("show_{n}", "flag"),
    ("send_{n}s", "flag"),
    ("model_name", "text"),
    ("theme", "text"),
    ("background", "color"),
    ("{n}_color", "color"),
    ("score_limit", "number"),
    ("start_{n}", "number"),
)
_TEXTS = {
    "host": ("127.0.0.1", "localhost", "0.0.0.0", "192.168.1.10", "db.local"),
    "code": ("en", "de", "fr", "es", "it", "en-US", "pt-BR"),
    "money": ("EUR", "USD", "GBP", "CHF", "JPY", "SEK", "PLN"),
    "zone": ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"),
    "level": ("INFO", "DEBUG", "WARNING", "ERROR"),
    "date": ("%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%d %H:%M", "%m/%d/%Y", "%H:%M:%S", "%d %b %Y"),
    "coding": ("utf-8", "latin-1", "ascii", "cp1252"),
    "color": ("red", "green", "blue", "white", "black", "#ffffff", "#336699", "gray", "orange"),
    "text": (
        "hello",
        "demo",
        "main",
        "My App",
        "> ",
        "!",
        "default",
        "light",
        "dark",
        "Welcome back",
        ", ",
        "Mozilla/5.0",
        "small",
    ),
}
_HEAD = (ast.Import, ast.ImportFrom)
_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_ENDS = {
    "file": (".txt", ".json", ".csv", ".db", ".log", ".yaml", ".html", ".xml"),
    "dir": ("", "/", "s", "_data"),
}


def literal(sort: str, rng: Random) -> str:
    """Source of a value of this sort."""
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
        return f"{rng.choice(('http', 'https', 'https'))}://{rng.choice(('api', 'www', noun))}.{rng.choice(('example', noun))}.{rng.choice(('com', 'org', 'io', 'net'))}{rng.choice(('', '', '/v1', '/v2', '/api', f'/{noun}s'))}"
    if sort in _ENDS:
        return (
            rng.choice(("", "", "data/", "out/", "tmp/")) * (sort == "file") + noun + rng.choice(_ENDS[sort])
        )
    return rng.choice(_TEXTS.get(sort, NOUNS))


def setting(rng: Random) -> tuple[str, str]:
    """A name in lower case and what sort of value it has."""
    if rng.random() < 0.12:
        return "".join(rng.sample(ascii_uppercase, rng.randint(2, 4))).lower(), "number"
    form, sort = rng.choice(_NAMED)
    return form.format(n=rng.choice(NOUNS), v=rng.choice(VERBS)), sort


def some(rng: Random, count: int, taken: set[str]) -> list[tuple[str, str]]:
    """Names and literals, none twice. Some of them go in twos."""
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


def with_settings(window: Window, rng: Random) -> Window:
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


def made(window: Window, text: str) -> Window:
    """The new text as a window, or the old one where it does not read."""
    tree = parse(text)
    return Window(window.path, text, tree) if tree is not None else window


_GIVEN = (
    "1",
    "3",
    "10",
    "0.5",
    '"data.txt"',
    '"abc"',
    "[1, 2, 3]",
    "None",
    "True",
    '"ops"',
    "[]",
    "100",
    "sys.argv[1]",
    '"config.json"',
)
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


def with_main(window: Window, rng: Random) -> Window:
    """The window with code that runs below it: calls of what it defines, at the module's level, in a main
    block or in `main`."""
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
