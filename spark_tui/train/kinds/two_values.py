"""Two values in one instruction: each by its role, or as a common pair such as 1280x720 or host:port."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.train.kinds.base import Draw, Made, kind
from spark_tui.train.kinds.value_locations import ValueLocation, drawn, phrase, spots
from spark_tui.train.kinds.values_by_role import new_text, new_value, place, shown
from spark_tui.train.source_windows import SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/two_values")


def _new(spot: ValueLocation, old: str, draw: Draw) -> tuple[str, str]:
    """The new literal and its wording; empty if there is none."""
    if spot.sort == "flag":
        new = "False" if old == "True" else "True"
        return new, draw.choice([new, new.lower(), "on" if new == "True" else "off"])
    if spot.sort == "number":
        new, said, _ = new_value(spot, old, draw)
        return (new, said) if float(new) != float(old) and len(new) < 10 else ("", "")
    text = new_text(spot, old[1:-1], draw)
    if not text or text == old[1:-1] or re.search(r"['\"\\]", text) or len(old) > 50:
        return "", ""
    bare = (
        re.fullmatch(r"[\w./:%-]+", text) is not None
        and (not text.islower() or not text.isalpha())
        and draw.chance(0.7)
    )
    return old[0] + text + old[0], text if bare else f'"{text}"'


def _pair(
    found: Sequence[ValueLocation], first: str, second: str
) -> tuple[ValueLocation, ValueLocation] | None:
    """The only two values whose names differ in these words alone."""
    ones = [s for s in found if first in s.words]
    twos = [s for s in found if second in s.words]
    if (
        len(ones) != 1
        or len(twos) != 1
        or [w for w in ones[0].words if w != first] != [w for w in twos[0].words if w != second]
    ):
        return None
    return ones[0], twos[0]


_PAIRS = (
    (("width", "height"), wording["size"]),
    (("w", "h"), wording["size"]),
    (("cols", "rows"), wording["size"]),
    (("columns", "rows"), wording["size"]),
    (("host", "port"), wording["server"]),
    (("min", "max"), wording["range"]),
)


@kind("two_values", *wording["two"], needs=r"[=:,] ?[\d'\"TF]", weight=7.5)
def two_values(window: SourceWindow, draw: Draw) -> Made | None:
    """Two values that are close to each other."""
    window = shown(window, draw)
    found = spots(window)
    pairs = [
        (pair, forms) for names, forms in draw.shuffled(_PAIRS) if (pair := _pair(found, *names)) is not None
    ]
    if pairs and draw.chance(0.75):
        made = _together(window, *pairs[0], draw)
        if made is not None:
            return made
    found = [spot for spot in found if spot.form not in ("argument", "compare", "round", "status")]
    for spot in drawn(found, draw.choice(["number", "number", "text", "flag"]), draw):
        near = [
            o
            for o in found
            if o is not spot
            and abs(o.node.lineno - spot.node.lineno) <= 6
            and window.function_of(o.node) is window.function_of(spot.node)
        ]
        if not near:
            continue
        chosen = [spot, draw.choice(near)]
        told = [phrase(item, found, draw) for item in chosen]
        values = [_new(item, window.source(item.node), draw) for item in chosen]
        if None in told or not all(new for new, _ in values) or len({id(s.node) for s in chosen}) < 2:
            continue
        after = apply_changes(
            window.text, [(*window.span(s.node), new) for s, (new, _) in zip(chosen, values, strict=True)]
        )
        roles: list[Slot] = [
            NameSlot(s.name) if s.exact and draw.chance(0.25) else WordsSlot(t[0])
            for s, t in zip(chosen, told, strict=True)
            if t
        ]
        slots: dict[str, Slot] = {
            "r": roles[0],
            "r2": roles[1],
            "v": ExactSlot(values[0][1]),
            "v2": ExactSlot(values[1][1]),
            **place(window, spot, draw, 0.2),
        }
        if chosen[0].sort == chosen[1].sort == "number" and draw.chance(0.12):
            same = apply_changes(window.text, [(*window.span(s.node), values[0][0]) for s in chosen])
            return (
                Made(window.text, same, slots, wording["same"])
                if window.source(chosen[1].node) != values[0][0]
                else None
            )
        return Made(window.text, after, slots)
    return None


def _together(
    window: SourceWindow, pair: tuple[ValueLocation, ValueLocation], forms: tuple[str, ...], draw: Draw
) -> Made | None:
    olds = [window.source(spot.node) for spot in pair]
    values = [_new(spot, old, draw) for spot, old in zip(pair, olds, strict=True)]
    if not all(new for new, _ in values):
        return None
    news = [new for new, _ in values]
    if forms is wording["size"] and draw.chance(0.5):
        news = draw.choice(
            [
                "1280 720",
                "1920 1080",
                "800 600",
                "640 480",
                "1024 768",
                "320 240",
                "100 50",
                "3840 2160",
                "20 20",
                "10 12",
                "512 512",
            ]
        ).split(" ")
    if any(new == old for new, old in zip(news, olds, strict=True)):
        return None
    if forms is wording["range"] and float(news[0]) > float(news[1]):
        news.reverse()
    rest = " ".join(w for w in pair[0].words if w not in ("min", "max"))
    after = apply_changes(
        window.text, [(*window.span(spot.node), new) for spot, new in zip(pair, news, strict=True)]
    )
    said = [new.strip("'\"") for new in news]
    if after == window.text or (not rest and forms is wording["range"]):
        return None
    slots: dict[str, Slot] = {
        "v": ExactSlot(said[0]),
        "v2": ExactSlot(said[1]),
        "o": ExactSlot(olds[0].strip("'\"")),
        "o2": ExactSlot(olds[1].strip("'\"")),
        "t": WordsSlot(rest),
        **place(window, pair[0], draw, 0.2),
    }
    return Made(window.text, after, slots, forms)
