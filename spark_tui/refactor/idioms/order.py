"""Orders: what is returned or looped over sorted, by what, which way round, without what stands twice.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import own_lines
from spark_tui.refactor.source import Source

_DOWN = re.compile(
    r"\b(?:descending|desc|newest|latest|highest|largest|biggest|longest|most recent|greatest|most \w+|best|high to low|z to a|z-a|backwards?|in reverse|reversed?)\b"
)
_UP = re.compile(
    r"\b(?:ascending|asc|oldest|earliest|lowest|smallest|shortest|cheapest|low to high|a to z|a-z|alphabetical\w*)\b"
)
_SORT = re.compile(
    r"\b(?:sort\w*|alphabetical\w*|order(?:ed)? by|(?:newest|latest|highest|largest|biggest|longest|oldest|lowest|smallest|shortest|earliest|cheapest) first|(?:de|a)scending|by length|in order of)\b"
)
_BY = re.compile(
    r"\b(?:by|on|according to|in order of|key)\s+(?:the|their|its|his|each|your)?\s*[`'\"]?([^\W\d][\w.]*)(?:[`'\"]?\s+([a-z]+))?"
)
_LOOPED = re.compile(
    r"\b(?:loop|iterat\w*|go(?:es)? (?:through|over)|walk|list(?:s|ing)?|print\w*|show\w*|display\w*|output\w*|through|for)\b"
)
_RETURNED = re.compile(r"\b(?:return\w*|results?|gives? back|comes? back|yield)\b")


class _How:
    """The key and the direction that are asked for."""

    def __init__(self, asked: Asked) -> None:
        text, src = asked.text, asked.src
        self.down, self.up = _DOWN.search(text) is not None, _UP.search(text) is not None
        self.field, self.words, self.understood = "", "", True
        match = _BY.search(asked.order.said)
        if match is None:
            if re.search(r"\b(?:longest|shortest)\b|by length", text):
                self.field = "len"
            elif re.search(r"\b(?:newest|latest|oldest|earliest|most recent)\b", text):
                self.field = _only(src, r"date|time|timestamp|created(?:_at)?|updated(?:_at)?|when|due|year|mtime")
                self.understood = bool(self.field)
            elif re.search(r"case[- ]?insensitiv|ignor\w+ (?:the )?case|regardless of case", text):
                self.field = "str.lower"
            return
        said, more = match[1], match[2] or ""
        self.words = f"by on according order key {said} {more}"
        if said.lower() in ("length", "len", "size") and not _found(src, said):
            self.field = "len"
        elif said.lower() in ("first", "second", "third", "last") and more in (
            "element",
            "item",
            "entry",
            "column",
            "field",
            "value",
            "one",
            "part",
        ):
            self.field = {"first": "[0]", "second": "[1]", "third": "[2]", "last": "[-1]"}[said.lower()]
        elif (
            said.lower() in ("value", "values", "count", "counts") and ".items()" in src.text and not _found(src, said)
        ):
            self.field = "[1]"
        else:
            wanted = [f"{said}_{more}", said] if more else [said]
            kept = next((one for one in wanted if _found(src, one)), "")
            self.field = _found(src, kept)
            self.understood = bool(self.field)

    def key(self, item: str) -> str:
        if not self.field or self.field in ("len", "str.lower"):
            return self.field
        return f"lambda {item}: {item}{self.field}"


def _found(src: Source, name: str) -> str:
    """How an item's field is read: an attribute or a key that the file has."""
    if not name:
        return ""
    one = re.escape(name)
    if re.search(rf"[\"']{one}[\"']\]", src.text):
        quote = "'" if src.text.count(f"['{name}']") > src.text.count(f'["{name}"]') else '"'
        return f"[{quote}{name}{quote}]"
    if re.search(rf"\w\.{one}\b(?!\()", src.text) or re.search(rf"(?m)^\s+{one}\s*:\s*\w", src.text):
        return f".{name}"
    return f'["{name}"]' if re.search(rf"[\"']{one}[\"']\s*:", src.text) else ""


def _only(src: Source, pattern: str) -> str:
    fields = {field for name in re.findall(rf"\b({pattern})\b", src.text) if (field := _found(src, name))}
    return fields.pop() if len(fields) == 1 else ""


def _item(node: ast.expr, target: str = "") -> str:
    name = target or (node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else "")
    letter = target if target.isidentifier() else name[:1].lower()
    return letter if letter.isidentifier() else "item"


def _call(how: _How, inner: str, item: str, *, comp: bool = False) -> str:
    key = how.key(item)
    more = (f", key={key}" if key else "") + (", reverse=True" if how.down and not how.up else "")
    if comp and not more and inner.startswith("["):
        inner = inner[1:-1]
    return f"sorted({inner}{more})"


def ordered(asked: Asked) -> Iterator[Spot]:
    src, how = asked.src, _How(asked)
    if not how.understood or re.search(r"\bimports?\b|\bties?\b|\bsame\b|\bequal\b|\bthen by\b", asked.text):
        return
    existing = list(_turned(asked, how))
    if existing:
        yield from existing
        return
    returned, looped = _RETURNED.search(asked.text), _LOOPED.search(asked.text)
    for node in src.statements:
        if (
            isinstance(node, ast.Return)
            and node.value is not None
            and (returned or not looped)
            and _listed(src, node.value)
        ):
            made = _call(how, src.segment(node.value), _item(node.value), comp=isinstance(node.value, ast.ListComp))
            yield Spot(node, ((*src.span(node.value), made),), (how.field.strip("[].'\""), *how.words.split()))
        if isinstance(node, ast.For) and (looped or not returned) and own_lines(src, node) and _iterable(node.iter):
            target = node.target.id if isinstance(node.target, ast.Name) else ""
            made = _call(how, src.segment(node.iter), _item(node.iter, target))
            yield Spot(node, ((*src.span(node.iter), made),), (how.field.strip("[].'\""), *how.words.split()))


def _listed(src: Source, node: ast.expr) -> bool:
    if isinstance(node, ast.ListComp | ast.List):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in ("list", "set")
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Attribute) and node.attr.endswith("s")
    return (
        re.search(
            rf"\b{re.escape(node.id)}(?:\s*:[^=\n]+)?\s*=\s*(?:\[|list\(|set\()|\b{re.escape(node.id)}\.append\(",
            src.text,
        )
        is not None
    )


def _iterable(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and node.func.attr in (
            "items",
            "keys",
            "values",
            "glob",
            "iterdir",
            "listdir",
        )
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript)


def _turned(asked: Asked, how: _How) -> Iterator[Spot]:
    """Sorts that are there: another key, the other way round."""
    src = asked.src
    for node in src.nodes:
        if not isinstance(node, ast.Call):
            continue
        plain = isinstance(node.func, ast.Name) and node.func.id == "sorted" and len(node.args) == 1
        method = isinstance(node.func, ast.Attribute) and node.func.attr == "sort" and not node.args
        if not plain and not method:
            continue
        given = {one.arg: one for one in node.keywords}
        if any(one.arg not in ("key", "reverse") for one in node.keywords) or "\n" in src.segment(node):
            continue
        item = "x"
        if "key" in given and isinstance(given["key"].value, ast.Lambda) and given["key"].value.args.args:
            item = given["key"].value.args.args[0].arg
        elif plain:
            item = _item(node.args[0])
        elif isinstance(node.func, ast.Attribute):
            item = _item(node.func.value)
        key = how.key(item) or (src.segment(given["key"].value) if "key" in given else "")
        back = "reverse" in given and src.segment(given["reverse"].value) == "True"
        flip = re.search(r"\b(?:reverse|invert|flip|other way)\b", asked.text) is not None and not how.field
        down = (not back) if flip else True if how.down else False if how.up else back
        parts = (
            ([src.segment(node.args[0])] if plain else [])
            + ([f"key={key}"] if key else [])
            + (["reverse=True"] if down else [])
        )
        new = f"{src.segment(node.func)}({', '.join(parts)})"
        if new != src.segment(node):
            yield Spot(
                node,
                ((*src.span(node), new),),
                ("sort", "sorted", "sorting", how.field.strip("[].'\""), *how.words.split()),
            )


def reversed_(asked: Asked) -> Iterator[Spot]:
    """A loop from the end."""
    src = asked.src
    if _SORT.search(asked.text):
        return
    for node in src.statements:
        if isinstance(node, ast.For) and own_lines(src, node) and isinstance(node.iter, ast.Name | ast.Attribute):
            yield Spot(node, ((*src.span(node.iter), f"reversed({src.segment(node.iter)})"),), ())


def unique(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.statements:
        if (
            isinstance(node, ast.Return)
            and node.value is not None
            and _listed(src, node.value)
            and not isinstance(node.value, ast.Call)
        ):
            inner = src.segment(node.value)
            inner = inner[1:-1] if isinstance(node.value, ast.ListComp) and "\n" not in inner else inner
            yield Spot(node, ((*src.span(node.value), f"list(dict.fromkeys({inner}))"),), ("return",))


_WORDS = "before returning sort sorted sorting sorts order ordered first alphabetically alphabetical alphabet return returned returns result results list lists listing through loop loops iterate over go goes print printed show shown display output items entries them their key reverse reversed descending ascending desc asc newest latest oldest earliest highest largest biggest lowest smallest longest shortest cheapest most recent length case insensitive insensitively case-insensitive case-insensitively ignoring high low z way round around"


def turned_round(asked: Asked) -> Iterator[Spot]:
    """A sort in the place that is meant goes the other way."""
    src = asked.src
    if _SORT.search(asked.text):
        return
    for node in src.nodes:
        name = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        method = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
        if not isinstance(node, ast.Call) or (name != "sorted" and method != "sort") or "\n" in src.segment(node):
            continue
        back = next((one for one in node.keywords if one.arg == "reverse"), None)
        end = src.span(node)[1] - 1
        if back is None:
            lead = ", " if node.args or node.keywords else ""
            yield Spot(node, ((end, end, f"{lead}reverse=True"),), ("sorted", "sort"))
        elif src.segment(back.value) == "True":
            begin = (
                src.text.rindex(",", 0, src.span(back)[0]) if node.args or len(node.keywords) > 1 else src.span(back)[0]
            )
            yield Spot(node, ((begin, src.span(back)[1], ""),), ("sorted", "sort"))


WAYS = (
    way(_SORT.pattern, ordered, _WORDS),
    way(
        r"other way (?:a?round|round)|wrong way (?:a?round|round)|wrong order|back to front",
        turned_round,
        f"{_WORDS} other wrong way around should returns gives",
    ),
    way(
        r"\bin reverse\b|\breversed?\b|\bbackwards\b|from the end",
        reversed_,
        f"{_WORDS} backwards end last start other",
    ),
    way(
        r"\bde-?dup\w*|\bduplicates?\b|\bunique\b|\btwice\b",
        unique,
        f"{_WORDS} dedupe deduplicate deduplicated dedup de-dupe duplicate duplicates unique without no remove drop only once preserve preserving keeping keep twice should contain none list",
    ),
)
