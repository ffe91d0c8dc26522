"""Parts of string literals: a word of a message, a scheme, an extension, a folder, a clause of a query, a
format, a key in all its places."""

from __future__ import annotations

import ast
import keyword
import re

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.calls import with_calls
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.strings import swapped, text_name, text_place, text_role, texts
from spark_tui.train.kinds.values_by_role import shown
from spark_tui.train.snippet_generator import NOUNS, VERBS
from spark_tui.train.source_windows import SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, Slot, WordsSlot

_TABLES = table("tables/part_texts")
_MARKS: tuple[tuple[str, str], ...] = _TABLES["marks"]
_ENDINGS: tuple[str, ...] = _TABLES["endings"]

wording = table("wording/part_texts")


@kind("change_part", *wording["part"], needs=r"['\"][^'\"\n]* ", weight=4.0)
def change_part(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a word or two of a message, or adds a mark at its end."""
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
        slots = {"t": WordsSlot(text_role(window, node)), **text_place(window, node, draw)}
        if draw.chance(0.12) and source[-2] not in ".!?:\0 ,}":
            mark, name = draw.choice(_MARKS)
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
            swapped(window, node, old, new),
            {**slots, "o": ExactSlot(old, quoted=quoted), "n": ExactSlot(new, quoted=quoted)},
        )
    return None


@kind("change_address", *wording["scheme"], needs=r"=|\(", weight=2.5)
def change_address(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces the scheme of an address, or the extension or folder of a path."""
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
        source, what = window.source(node), text_name(window, node, draw)
        phrases: tuple[str, ...]
        scheme = re.search(r"['\"](https?|ftp|ws|wss|redis|postgres|mysql|amqp)://", source)
        ending = re.search(r"\w(\.(?:txt|json|csv|db|log|yaml|html|xml|dat|ini|md|png|jpg))['\"]$", source)
        folder = re.search(r"^f?['\"]\.?/?([a-z]\w+)/[a-z_{]", source)
        if scheme is not None:
            old = scheme[1]
            new = {"http": "https", "https": "http", "ws": "wss", "ftp": "sftp"}.get(old, old + "s")
            if sum(f"{old}://" in window.source(n) for n in texts(window)) != 1:
                continue
            after, phrases = swapped(window, node, f"{old}://", f"{new}://"), wording["scheme"]
        elif ending is not None and (folder is None or draw.chance(0.6)):
            old, new = (
                ending[1],
                draw.choice(_ENDINGS),
            )
            if sum(old in window.source(n) for n in found) != 1 or source.count(old) != 1:
                continue
            after, phrases = swapped(window, node, old, new), wording["ending"]
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
            after, phrases = swapped(window, node, f"{old}/", f"{new}/"), wording["folder"]
        else:
            continue
        slots: dict[str, Slot] = {
            "o": ExactSlot(old),
            "n": ExactSlot(new),
            "t": what,
            **text_place(window, node, draw, 0.25),
        }
        return Made(window.text, after, slots, phrases) if old != new else None
    return None


def with_query(window: SourceWindow, draw: Draw) -> SourceWindow:
    """The window with a function that queries a database."""
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
    """Makes a query sort the other way round, sort at all, or return fewer rows."""
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
            **text_place(window, node, draw),
        }
        return Made(window.text, window.text[:end] + more + window.text[end:], slots, phrases)
    return None


@kind("change_format", *wording["decimals"], needs=r"\.\df|%[Ymd]|\{\w+\}", weight=2.0)
def change_format(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the digits of a number in a text, or how a date is written. A text without digits is given
    some first."""
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
            **text_place(window, dates[0], draw),
        }
        return (
            Made(window.text, swapped(window, dates[0], old, new), slots, wording["date"])
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
                window, swapped(window, node, plain[0], "{" + f"{plain[1]}:{old_spec}" + "}")
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
            **text_place(here, put, draw),
        }
        return Made(here.text, swapped(here, put, spec[0], new_spec), slots)
    return None


@kind("change_key", *wording["key"], needs=r"\[['\"]\w+['\"]\]|['\"]\w+['\"]:|\.get\(['\"]\w+", weight=3.0)
def change_key(window: SourceWindow, draw: Draw) -> Made | None:
    """Renames a key in all its places, usually several; a variable of the same name stays."""
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
