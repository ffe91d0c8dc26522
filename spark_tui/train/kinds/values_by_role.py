"""Values described by their role: "the payment term is 30 days", "listen on 8080", "poll every 5 minutes".

The instruction need not say the identifier or the old value; its words fit only one value of the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.train import settings_modules
from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.value_locations import ValueLocation, drawn, phrase, spots
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table, words
from spark_tui.train.template_grammar import HELD_OUT, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

_TABLES = table("tables/roles")

wording = table("wording/roles")

_TIMED = frozenset(_TABLES["timed"])
_SHARED = frozenset(_TABLES["shared"])
_COUNTED: tuple[str, ...] = _TABLES["counted"]
_FRACTIONS: tuple[float, ...] = _TABLES["fractions"]
_SECONDS: tuple[int, ...] = _TABLES["seconds"]
_STATUS_CODES: tuple[str, ...] = _TABLES["status_codes"]
_PER_UNIT: dict[str, tuple[int, ...]] = _TABLES["per_unit"]
_SPECIAL: dict[str, str] = _TABLES["special"]
_TEXT_SORTS: dict[str, tuple[str, ...]] = _TABLES["text_sorts"]
"""Sorts of text by the words that a name has for them; the first that fits counts."""
PLANTED = 0.65
"""Share of windows that get settings of their own first."""


def shown(window: SourceWindow, draw: Draw) -> SourceWindow:
    """A window with values to change, usually one that was given some."""
    if len(re.findall(r"(?m)^[A-Z][A-Z_]+ = |^    \"\w+\": [\d\"TF]", window.text)) > 1:
        return window
    return settings_modules.with_settings(window, draw.rng) if draw.chance(PLANTED) else window


def _span(number: int, unit: int, names: tuple[str, ...], draw: Draw) -> str:
    count = number // unit
    one = names[0] if count == 1 else names[1]
    if count == 1 and draw.chance(0.3):
        return f"{'an' if names[0] == 'hour' else 'a'} {names[0]}"
    if count == 1 and draw.chance(0.2):
        return names[0]
    told = _COUNTED[count] if count <= 12 and draw.chance(0.12) else str(count)
    return draw.choice(
        [f"{told} {one}", f"{told} {one}", f"{count}{names[2]}", f"{count} {names[2]}", f"{count} {names[3]}"]
    )


def seconds(number: int, draw: Draw) -> str:
    """A number of seconds, as people say it."""
    if number in (30, 1800) and draw.chance(0.15):
        return "half a minute" if number == 30 else "half an hour"
    for unit, names in (
        (86400, ("day", "days", "d", "days")),
        (3600, ("hour", "hours", "h", "hrs")),
        (60, ("minute", "minutes", "min", "mins")),
    ):
        if number and number % unit == 0 and draw.chance(0.8):
            return _span(number, unit, names, draw)
    return _span(number, 1, ("second", "seconds", "s", "sec"), draw) if draw.chance(0.8) else str(number)


def _counted(number: int, unit: str, draw: Draw) -> str:
    """A number of a unit that is not seconds."""
    told = _SPECIAL.get(f"{number} {unit}")
    if told is not None and draw.chance(0.3):
        return told
    long = {"ms": ("ms", "milliseconds", " ms"), "percent": ("%", " percent", "%")}.get(
        unit, (f" {unit}", f" {unit}", f" {unit[:-1] if number == 1 else unit}")
    )
    return str(number) + draw.choice(long) if draw.chance(0.7) else str(number)


def new_value(spot: ValueLocation, old: str, draw: Draw) -> tuple[str, str, str]:
    """The literal, its wording, and the type of number."""
    parts = set(spot.words)
    unit = next((u for u in ("ms", "days", "hours", "minutes", "percent") if u in parts), "")
    if "." in old:
        if parts & _SHARED and float(old) <= 1:
            percent = draw.rng.randint(1, 95)
            new = f"{percent / 100:g}"
            return new, draw.choice([f"{percent}%", f"{percent} %", f"{percent} percent", new, new]), "number"
        timed = bool(parts & _TIMED)
        new = str(draw.choice([*_FRACTIONS, round(float(old) * 2, 3), round(draw.rng.random(), 2)]))
        return (
            new,
            (f"{new}{draw.choice(['s', ' seconds', ' sec', ''])}" if timed else new),
            "time" if timed else "number",
        )
    if parts & {"port"}:
        new = settings_modules.literal("port", draw.rng)
        return new, new, "port"
    if unit:
        number = draw.choice(_PER_UNIT[unit])
        return str(number), _counted(number, unit, draw), "time" if unit != "percent" else "number"
    if parts & _TIMED:
        number = draw.choice(_SECONDS)
        return str(number), seconds(number, draw), "time"
    if spot.name == "status_code":
        new = draw.choice(_STATUS_CODES)
        return new, new, "status"
    if spot.form == "round":
        new = str(draw.rng.randint(0, 6))
        return new, new, "round"
    new = (
        settings_modules.literal("number", draw.rng)
        if len(old) > 1 or draw.chance(0.5)
        else str(draw.rng.randint(1, 24))
    )
    said = new
    if int(new) <= 12 and draw.chance(0.1):
        said = _COUNTED[int(new)]
    elif int(new) >= 1000 and int(new) % 1000 == 0 and draw.chance(0.15):
        said = draw.choice([f"{int(new) // 1000}k", f"{int(new):,}"])
    sort = (
        "retry"
        if parts & {"retries", "attempts", "tries"}
        else "max"
        if "max" in parts or parts & {"limit"}
        else "min"
        if "min" in parts
        else "number"
    )
    return new, said, sort


_LISTS: dict[str, tuple[str, ...]] = {
    "retry": wording["retry"],
    "max": wording["limit"],
    "min": wording["least"],
    "port": wording["port"],
    "round": wording["round"],
    "status": wording["status"],
}


def alike(spot: ValueLocation, others: Sequence[ValueLocation], *names: str) -> bool:
    """Whether another value would fit a phrase that only names the type of value."""
    return any(o is not spot and o.sort == spot.sort and {*o.words} & {*names} for o in others)


def place(window: SourceWindow, spot: ValueLocation, draw: Draw, share: float = 0.35) -> dict[str, Slot]:
    function = window.function_of(spot.node)
    return placed(
        inside(window, function, draw) if function is not None and draw.chance(share) else WordsSlot("")
    )


@kind("value_by_role", *wording["number"], needs=r"[=:,(<>] ?\d", weight=12.0)
def value_by_role(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes a number that is named by its role."""
    window = shown(window, draw)
    found = spots(window)
    for spot in drawn(found, "number", draw):
        old = window.source(spot.node)
        told = phrase(spot, found, draw)
        if told is None:
            continue
        new, said, sort = new_value(spot, old, draw)
        if float(new) == float(old) or len(new) > 9:
            continue
        more = float(new) > float(old)
        role: Slot = NameSlot(spot.name) if spot.exact and draw.chance(0.15) else WordsSlot(told[0])
        slots: dict[str, Slot] = {
            "r": role,
            "v": ExactSlot(said),
            "o": ExactSlot(old),
            "up": WordsSlot(
                draw.choice(
                    ["raise", "increase", "bump", "put up"]
                    if more
                    else ["lower", "reduce", "decrease", "cut"]
                )
            ),
            "small": WordsSlot(draw.choice(["small", "low", "little"] if more else ["big", "high", "large"])),
            "went": WordsSlot(
                draw.choice(["went up", "rose", "changed"] if more else ["went down", "dropped", "changed"])
            ),
            "go": WordsSlot(
                draw.choice(
                    ["go up with", "raise", "push"] if more else ["go down with", "lower", "bring down"]
                )
            ),
            "longer": WordsSlot("longer" if more else "shorter"),
            "faster": WordsSlot("slower" if more else "faster"),
            "slow": WordsSlot("fast" if more else "slow"),
            "short": WordsSlot("short" if more else "long"),
            **place(window, spot, draw),
        }
        phrases, more_slots = _forms(spot, found, sort, told[0], draw)
        if phrases is None:
            phrases = wording["number"]
        start, end = window.span(spot.node)
        return Made(window.text, window.text[:start] + new + window.text[end:], slots | more_slots, phrases)
    return None


def _forms(
    spot: ValueLocation, found: Sequence[ValueLocation], sort: str, told: str, draw: Draw
) -> tuple[tuple[str, ...] | None, dict[str, Slot]]:
    """The templates for this type of number if they fit only this one; None for the general ones."""
    if sort == "time":
        verb = next(
            (
                w
                for w in spot.words
                if w not in _TIMED and w not in words("interval seconds days hours minutes ms max min")
            ),
            "",
        )
        if "interval" in spot.words and verb and draw.chance(0.6) and not alike(spot, found, "interval"):
            base = (
                draw.choice([verb, verb, "run", "check"])
                if not any(alike(spot, found, w) for w in _TIMED)
                else verb
            )
            return wording["every"], {"b": WordsSlot(base)}
        lone = not any(alike(spot, found, w) for w in _TIMED) and {*spot.words} & words(
            "delay sleep wait pause cooldown backoff"
        )
        if not lone:
            return (
                (tuple(t for t in wording["duration"] if "{pre}" not in t), {})
                if draw.chance(0.5)
                else (None, {})
            )
        pre = (
            SubTemplate("[before|between] {r}", {"r": WordsSlot(told)}) if draw.chance(0.2) else WordsSlot("")
        )
        return (wording["duration"], {"pre": pre}) if draw.chance(0.7) else (None, {})
    if sort in ("max", "min"):
        rest = [w for w in spot.words if w not in words("max min limit maximum default")]
        if (
            not rest
            or draw.chance(0.35)
            or any(o is not spot and o.sort == spot.sort and {*rest} & {*o.words, *o.around} for o in found)
        ):
            return None, {}
        thing = draw.choice(
            [" ".join(rest), " ".join(wording["ways"][w][0] if w in wording["ways"] else w for w in rest)]
        )
        return _LISTS[sort], {"t": WordsSlot(thing)}
    same = {
        "retry": words("retries attempts tries retry"),
        "port": words("port"),
        "round": words("decimals round digits"),
        "status": words("status code"),
    }.get(sort)
    if same and draw.chance(0.75) and not alike(spot, found, *same):
        return _LISTS[sort], {}
    return None, {}


@kind("flag_by_role", *wording["flag"], needs=r"\b(True|False)\b", weight=3.0)
def flag_by_role(window: SourceWindow, draw: Draw) -> Made | None:
    """Turns a switch on or off."""
    window = shown(window, draw)
    found = spots(window)
    for spot in drawn(found, "flag", draw):
        told = phrase(spot, found, draw)
        if told is None:
            continue
        text = (
            re.sub(r"^(?:enable|use|is|show|should|allow|disable) ", "", told[0])
            if not re.search(r"disable|no_|skip", spot.name)
            else told[0]
        )
        new = "False" if window.source(spot.node) == "True" else "True"
        on = new == "True"
        slots: dict[str, Slot] = {
            "r": NameSlot(spot.name) if spot.exact and draw.chance(0.2) else WordsSlot(text),
            "v": ExactSlot(draw.choice([new, new, new.lower()])),
            "state": WordsSlot("on" if on else "off"),
            "not_state": WordsSlot("off" if on else "on"),
            "do": WordsSlot(draw.choice(["enable", "activate"] if on else ["disable", "deactivate"])),
            "done": WordsSlot("enabled" if on else "disabled"),
            **place(window, spot, draw),
        }
        start, end = window.span(spot.node)
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


def new_text(spot: ValueLocation, old: str, draw: Draw) -> str:
    """A text of the same type as the old one: an address for an address, a file for a file."""
    parts = set(spot.words)
    for sort, hints in _TEXT_SORTS.items():
        if parts & {*hints} and (sort != "date" or "%" in old):
            return settings_modules.text_value(sort, draw.rng)
    if re.fullmatch(r"\W{1,3}", old):
        return draw.choice(
            ["?", "!", "/", "$", "> ", "- ", "#", ";", "|", ", ", "\t".strip() or "+", ">> ", ": "]
        )
    if re.fullmatch(r"\w+\.\w{2,4}", old):
        return settings_modules.text_value("file", draw.rng)
    return (
        draw.choice(draw.pools.strings)
        if " " in old or draw.chance(0.3)
        else draw.choice(draw.pools.variables)
    )


_NO_NEW_NAME = tuple(
    t
    for t in wording["text"]
    if t == HELD_OUT or re.search(r"use|as \[|default|want|set|go with|put|let|should|update", t)
)
"""Templates that make clear that a bare word is a value and not a new name."""


@kind("text_by_role", *wording["text"], needs=r"['\"]", weight=5.0)
def text_by_role(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes a text that is named by its role."""
    window = shown(window, draw)
    found = spots(window)
    for spot in drawn(found, "text", draw):
        source = window.source(spot.node)
        old = source[1:-1]
        told = phrase(spot, found, draw)
        if told is None or len(old) > 60:
            continue
        new = new_text(spot, old, draw)
        if not new or new == old or re.search(r"['\"\\]", new):
            continue
        word = new.isidentifier()
        plain = re.fullmatch(r"[\w./:%-]+", new) is not None and draw.chance(0.3 if word else 0.65)
        slots: dict[str, Slot] = {
            "r": NameSlot(spot.name) if spot.exact and draw.chance(0.15) else WordsSlot(told[0]),
            "v": ExactSlot(new, quoted=not plain),
            "o": ExactSlot(old, quoted=not plain or not old.strip()),
            **place(window, spot, draw),
        }
        host = {*spot.words} & {"host", "bind"} and not alike(spot, found, "host", "bind", "address")
        start, end = window.span(spot.node)
        after = window.text[: start + 1] + new + window.text[end - 1 :]
        return Made(
            window.text,
            after,
            slots,
            wording["host"]
            if host and draw.chance(0.7)
            else _NO_NEW_NAME
            if word and plain
            else wording["text"],
        )
    return None
