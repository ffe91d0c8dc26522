"""A part of a text: a word of a message, a scheme, an ending, a folder, a clause of a query, a format, a key
in all places."""

from __future__ import annotations

import ast
import keyword
import re

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.calls import with_calls
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.value_locations import spots
from spark_tui.train.kinds.values_by_role import shown
from spark_tui.train.snippet_generator import NOUNS, VERBS
from spark_tui.train.source_windows import SourceWindow, apply_changes, docstring_node
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/part_texts")

_ROLES = {"print": "the message", "raise": "the error", "return": "the answer", "log": "the log line"}


def texts(window: SourceWindow) -> list[ast.Constant | ast.JoinedStr]:
    """Strings and f-strings on one line that are no docstrings."""
    docs = {id(docstring_node(n)) for n in [window.tree, *window.functions, *window.classes]}
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant | ast.JoinedStr) and id(n) not in docs and n.lineno == n.end_lineno
    ]
    inner = {id(v) for n in found if isinstance(n, ast.JoinedStr) for v in ast.walk(n) if v is not n}
    return [
        n
        for n in found
        if id(n) not in inner and re.fullmatch(r"[fr]?(['\"])(?!\1)[^\\\n]*\1", window.source(n))
    ]


def _told(window: SourceWindow, node: ast.AST) -> str:
    parent = window.parents.get(node)
    if isinstance(parent, ast.Call):
        name = window.source(parent.func)
        if isinstance(window.parents.get(parent), ast.Raise):
            return _ROLES["raise"]
        return (
            _ROLES["print"]
            if name == "print"
            else _ROLES["log"]
            if re.match(r"(self\.)?_?log", name)
            else "the text"
        )
    if isinstance(parent, ast.Return):
        return _ROLES["return"]
    return "the text"


def _where(window: SourceWindow, node: ast.AST, draw: Draw, share: float = 0.35) -> dict[str, Slot]:
    function = window.function_of(node)
    return placed(
        inside(window, function, draw) if function is not None and draw.chance(share) else WordsSlot("")
    )


def _swap(window: SourceWindow, node: ast.AST, old: str, new: str) -> str:
    """The text with a part of one string exchanged, which stands there once."""
    start, end = window.span(node)
    return window.text[:start] + window.text[start:end].replace(old, new, 1) + window.text[end:]


@kind("change_part", *wording["part"], needs=r"['\"][^'\"\n]* ", weight=4.0)
def change_part(window: SourceWindow, draw: Draw) -> Made | None:
    """A word or two of a message, and a mark at its end."""
    for node in draw.shuffled(
        [n for n in texts(window) if " " in window.source(n) and "SELECT " not in window.source(n)]
    ):
        source = window.source(node)
        plain = re.sub(
            r"\{[^{}]*\}|%[-\d.]*[a-z]", lambda m: "\0" * len(m[0]), source[source.index(source[-1]) + 1 : -1]
        )
        words = [m for m in re.finditer(r"[A-Za-z][A-Za-z'-]+", plain) if len(m[0]) > 1]
        if not words or len(source) > 110 or ("%" in source and "\0" not in plain):
            continue
        word = draw.choice(words)
        rest = plain[word.start() :]
        two = re.match(r"[A-Za-z-]+ [A-Za-z-]+", rest)
        old = two[0] if two and draw.chance(0.3) else word[0]
        if (
            source.count(old) != 1
            or re.search(r"['\"]", old)
            or old in window.names
            or keyword.iskeyword(old)
        ):
            continue
        slots = {"t": WordsSlot(_told(window, node)), **_where(window, node, draw)}
        if draw.chance(0.12) and source[-2] not in ".!?:\0 ,}":
            mark, name = draw.choice(
                [
                    ("!", "exclamation mark"),
                    (".", "full stop"),
                    ("?", "question mark"),
                    (":", "colon"),
                    ("...", "ellipsis"),
                ]
            )
            end = window.span(node)[1] - 1
            after = window.text[:end] + mark + window.text[end:]
            mine = [
                n
                for n in texts(window)
                if " " in window.source(n) and window.function_of(n) is window.function_of(node)
            ]
            if len(mine) == 1:
                return Made(window.text, after, {**slots, "m": WordsSlot(name)}, wording["asked"])
        new = (
            draw.choice(draw.pools.strings)
            if draw.chance(0.2)
            else " ".join(draw.choice(draw.pools.strings).split(" ")[: old.count(" ") + 1])
        )
        if draw.chance(0.5) and " " not in old:
            new = draw.choice([*NOUNS, *VERBS])
        if old[0].isupper() and draw.chance(0.7):
            new = new[:1].upper() + new[1:]
        near = [n for n in texts(window) if re.search(rf"\b{re.escape(old)}\b", window.source(n))]
        alone = len(re.findall(rf"\b{re.escape(old)}\b", window.text)) == 1 or len(near) == 1
        function = window.function_of(node)
        if not alone:
            mine = [n for n in near if window.function_of(n) is function]
            where = inside(window, function, draw) if function is not None else WordsSlot("")
            if len(mine) != 1 or isinstance(where, WordsSlot):
                continue
            slots = {**slots, **placed(where)}
        if new == old or re.search(r"['\"\\{}]", new):
            continue
        quoted = " " in old + new or draw.chance(0.6)
        return Made(
            window.text,
            _swap(window, node, old, new),
            {**slots, "o": ExactSlot(old, quoted=quoted), "n": ExactSlot(new, quoted=quoted)},
        )
    return None


def _named(window: SourceWindow, node: ast.AST, draw: Draw) -> Slot:
    """What holds the text, by name or in words."""
    spot = next((s for s in spots(window) if s.node is node), None)
    if spot is None or draw.chance(0.2):
        return WordsSlot("it")
    return (
        NameSlot(spot.name) if spot.exact and draw.chance(0.4) else WordsSlot("the " + " ".join(spot.words))
    )


@kind("change_address", *wording["scheme"], needs=r"=|\(", weight=2.5)
def change_address(window: SourceWindow, draw: Draw) -> Made | None:
    """The scheme of an address, the ending or the folder of a path."""
    window = shown(window, draw)
    found = [
        n
        for n in texts(window)
        if "://" in window.source(n)
        or re.search(
            r"\w+\.(txt|json|csv|db|log|yaml|html|xml|dat|ini|md|png|jpg)['\"]$|\w/\w", window.source(n)
        )
    ]
    for node in draw.shuffled(found):
        source, what = window.source(node), _named(window, node, draw)
        phrases: tuple[str, ...]
        scheme = re.search(r"['\"](https?|ftp|ws|wss|redis|postgres|mysql|amqp)://", source)
        ending = re.search(r"\w(\.(?:txt|json|csv|db|log|yaml|html|xml|dat|ini|md|png|jpg))['\"]$", source)
        folder = re.search(r"^f?['\"]\.?/?([a-z]\w+)/[a-z_{]", source)
        if scheme is not None:
            old = scheme[1]
            new = {"http": "https", "https": "http", "ws": "wss", "ftp": "sftp"}.get(old, old + "s")
            if sum(f"{old}://" in window.source(n) for n in texts(window)) != 1:
                continue
            after, phrases = _swap(window, node, f"{old}://", f"{new}://"), wording["scheme"]
        elif ending is not None and (folder is None or draw.chance(0.6)):
            old, new = (
                ending[1],
                draw.choice(
                    [
                        ".txt",
                        ".json",
                        ".csv",
                        ".db",
                        ".log",
                        ".yaml",
                        ".html",
                        ".xml",
                        ".md",
                        ".tsv",
                        ".sqlite",
                        ".toml",
                        ".gz",
                    ]
                ),
            )
            if sum(old in window.source(n) for n in found) != 1 or source.count(old) != 1:
                continue
            after, phrases = _swap(window, node, old, new), wording["ending"]
            bare = draw.chance(0.5)
            old, new = (old[1:], new[1:]) if bare else (old, new)
        elif folder is not None:
            old, new = (
                folder[1],
                draw.choice(
                    [
                        draw.choice(NOUNS),
                        "output",
                        "tmp",
                        "build",
                        "backup",
                        "cache",
                        "export",
                        f"{draw.choice(NOUNS)}s",
                    ]
                ),
            )
            if len(re.findall(rf"\b{old}\b", window.text)) != 1:
                continue
            after, phrases = _swap(window, node, f"{old}/", f"{new}/"), wording["folder"]
        else:
            continue
        slots: dict[str, Slot] = {
            "o": ExactSlot(old),
            "n": ExactSlot(new),
            "t": what,
            **_where(window, node, draw, 0.25),
        }
        return Made(window.text, after, slots, phrases) if old != new else None
    return None


def with_query(window: SourceWindow, draw: Draw) -> SourceWindow:
    """The window with a function that asks a database."""
    noun, other, last = draw.rng.sample(NOUNS, 3)
    key = draw.choice(["created", "created_at", "id", "date", "name", "price", "updated", "priority", other])
    fields = draw.choice(["*", "*", f"id, {other}", f"{other}, {last}", "COUNT(*)"])
    where = draw.choice(
        ["", "", f" WHERE {last} = ?", f" WHERE {last} > 0", f" WHERE {last} = ? AND {other} = 1"]
    )
    tail = draw.choice(["", f" ORDER BY {key}", f" ORDER BY {key}", f" ORDER BY {key}"])
    args = f", ({last},)" if "?" in where else ""
    conn = draw.choice(["conn", "db", "cursor", "connection", "self.conn", "con"])
    query = f'"SELECT {fields} FROM {noun}s{where}{tail}"'
    take = draw.choice([".fetchall()", ".fetchall()", ".fetchone()", ""])
    form = draw.choice(
        [
            f"rows = {conn}.execute({query}{args}){take}\n    return rows",
            f"return list({conn}.execute({query}{args}))",
            f"{noun}s = {conn}.execute({query}{args}){take}\n    return {noun}s",
            f"query = {query}\n    return {conn}.execute(query{args}){take}",
        ]
    )
    parameters = ", ".join([conn.replace("self.conn", "self"), *([last] if args else [])])
    name = f"{draw.choice([*VERBS[:20], 'get', 'list', 'load', 'find', 'all'])}_{noun}s"
    if name in window.names:
        return window
    function = f"def {name}({parameters}):\n    {form}\n"
    return settings_modules.made(
        window,
        function + "\n\n" + window.text
        if draw.chance(0.4) and "import" not in window.text[:200]
        else window.text + "\n\n" + function,
    )


@kind("change_query", *wording["desc"], needs=r"def ", weight=1.5)
def change_query(window: SourceWindow, draw: Draw) -> Made | None:
    """A query sorts the other way round, sorts at all, or gives fewer rows."""
    window = window if "SELECT " in window.text else with_query(window, draw)
    found = [n for n in texts(window) if re.search(r"['\"]SELECT ", window.source(n))]
    for node in draw.shuffled(found):
        source = window.source(node)
        phrases: tuple[str, ...]
        table = re.search(r"FROM (\w+)", source)
        order = re.search(r"ORDER BY (\w+)(?: (DESC|ASC))?['\"]$", source)
        if table is None or len(found) > 1 or "LIMIT" in source:
            continue
        key, number = (
            draw.choice(["created", "id", "name", "date", "price", draw.choice(NOUNS)]),
            str(draw.choice([1, 5, 10, 20, 25, 50, 100, 500])),
        )
        if order is not None and draw.chance(0.75):
            if order[2]:
                continue
            timed = re.search(r"creat|updat|date|^id$|time", order[1]) is not None
            wrong = r"high|largest|biggest" if timed else r"newest|latest|recent|last"
            more, phrases, key = (
                " DESC",
                tuple(t for t in wording["desc"] if not re.search(wrong, t)),
                order[1],
            )
        elif order is None and draw.chance(0.6):
            more, phrases = f" ORDER BY {key}", wording["ordered"]
        else:
            more, phrases = f" LIMIT {number}", wording["limited"]
        end = window.span(node)[1] - 1
        slots: dict[str, Slot] = {
            "x": WordsSlot(table[1]),
            "k": ExactSlot(key),
            "v": ExactSlot(number),
            **_where(window, node, draw),
        }
        return Made(window.text, window.text[:end] + more + window.text[end:], slots, phrases)
    return None


@kind("change_format", *wording["decimals"], needs=r"\.\df|%[Ymd]|\{\w+\}", weight=2.0)
def change_format(window: SourceWindow, draw: Draw) -> Made | None:
    """Digits of a number in a text, or how a date is written; where no digits are told, they are put there
    first."""
    dates = [
        n
        for n in texts(window)
        if re.search(r"%Y|%H:%M|%d[./ -]%[mb]", window.source(n)) and len(window.source(n)) < 26
    ]
    if dates and len(dates) == 1:
        old = window.source(dates[0])[1:-1]
        new = settings_modules.text_value("date", draw.rng)
        slots: dict[str, Slot] = {
            "o": ExactSlot(old, quoted=draw.chance(0.4)),
            "n": ExactSlot(new, quoted=draw.chance(0.4)),
            **_where(window, dates[0], draw),
        }
        return (
            Made(window.text, _swap(window, dates[0], old, new), slots, wording["date"])
            if new != old
            else None
        )
    for node in draw.shuffled([n for n in texts(window) if isinstance(n, ast.JoinedStr)]):
        here, source = window, window.source(node)
        if ":." not in source and draw.chance(0.7):
            plain = re.search(r"\{([a-z_]\w*(?:\.\w+)?)\}", source)
            if plain is None or "{{" in source:
                continue
            old_spec = f".{draw.rng.randint(0, 4)}f"
            here = settings_modules.made(
                window, _swap(window, node, plain[0], "{" + f"{plain[1]}:{old_spec}" + "}")
            )
            put = next(
                (n for n in texts(here) if (n.lineno, n.col_offset) == (node.lineno, node.col_offset)), node
            )
            source = here.source(put)
        else:
            put = node
        spec = re.search(r"\{([\w.]+):([^{}]*)\.(\d)f\}", source)
        if spec is None or len(re.findall(r"\.\df\}", here.text)) != 1:
            continue
        number = str(draw.rng.randint(0, 5))
        if number == spec[3]:
            continue
        new_spec = spec[0].replace(f".{spec[3]}f", f".{number}f")
        slots = {
            "v": ExactSlot(number),
            "x": WordsSlot("the " + spec[1].split(".")[-1].replace("_", " ")),
            "o": ExactSlot(f".{spec[3]}f"),
            **_where(here, put, draw),
        }
        return Made(here.text, _swap(here, put, spec[0], new_spec), slots)
    return None


@kind("change_key", *wording["key"], needs=r"\[['\"]\w+['\"]\]|['\"]\w+['\"]:|\.get\(['\"]\w+", weight=3.0)
def change_key(window: SourceWindow, draw: Draw) -> Made | None:
    """A key gets another name wherever it stands, mostly in several places; the variable of that name
    stays."""
    window = with_calls(window, draw) if draw.chance(0.1) else window
    uses: dict[str, list[ast.Constant]] = {}
    for node in window.nodes:
        keys: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            keys = list(node.keys)
        elif isinstance(node, ast.Subscript):
            keys = [node.slice]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("get", "pop", "setdefault")
            and node.args
        ):
            keys = [node.args[0]]
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In | ast.NotIn):
            keys = [node.left]
        for key in keys:
            if (
                isinstance(key, ast.Constant)
                and isinstance(key.value, str)
                and re.fullmatch(r"[A-Za-z_][\w-]*", key.value)
            ):
                uses.setdefault(key.value, []).append(key)
    several = sorted(k for k, found in uses.items() if 2 <= len(found) <= 6)
    single = sorted(k for k, found in uses.items() if len(found) == 1)
    old = draw.choice(several) if several and draw.chance(0.8) else draw.choice(single) if single else ""
    if not old or len(re.findall(rf"['\"]{re.escape(old)}['\"]", window.text)) != len(uses[old]):
        return None
    if re.search(rf"f['\"][^\n]*\[['\"]{re.escape(old)}", window.text):
        return None
    new = draw.choice(
        [draw.variant(old, window.names), draw.choice(NOUNS), draw.choice(draw.pools.attributes)]
    )
    if new == old or f'"{new}"' in window.text or f"'{new}'" in window.text:
        return None
    after = apply_changes(
        window.text, [(window.span(n)[0] + 1, window.span(n)[1] - 1, new) for n in uses[old]]
    )
    both = draw.chance(0.5)
    slots: dict[str, Slot] = {
        "o": ExactSlot(old, quoted=both),
        "n": ExactSlot(new, quoted=both or draw.chance(0.5)),
    }
    return Made(window.text, after, slots)
