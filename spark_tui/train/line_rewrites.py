"""Other ways to write a line that an edit added, for messages such as "return None instead" or "without the
default"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from spark_tui.train.kinds import Draw
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot

_TABLES = table("tables/steer_lines")

say = table("wording/steers")

ERRORS: tuple[str, ...] = _TABLES["errors"]
_MESSAGES: tuple[str, ...] = _TABLES["messages"]
_RESULTS: tuple[str, ...] = _TABLES["results"]
_LEVELS: tuple[str, ...] = _TABLES["levels"]
_NUMBERS: tuple[int, ...] = _TABLES["numbers"]


Slots = Mapping[str, Slot]


@dataclass(frozen=True, slots=True)
class LineRewrite:
    """`new` replaces the line."""

    new: tuple[str, ...]
    phrases: tuple[str, ...]
    slots: Slots = field(default_factory=dict)


Bend = Callable[[str, str, Draw], LineRewrite | None]
"""Takes the line, the file after the edit, and a `Draw`. Whether it applies never depends on chance."""


def _message(draw: Draw) -> str:
    return draw.choice(draw.pools.strings if draw.chance(0.6) else _MESSAGES)


def _one(line: str, pattern: str) -> re.Match[str] | None:
    """A match of the whole line."""
    return re.fullmatch(pattern, line)


def raise_to_return(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)raise \w+.*[\w)]")
    value = draw.choice(_RESULTS)
    return (
        LineRewrite((f"{found[1]}return {value}",), say["return"], {"v": CodeSlot(value)}) if found else None
    )


def return_to_raise(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s{8,})return( None| False| True| \[\]| \{\}| 0| -1| \"\")?")
    if found is None:
        return None
    error, message = draw.choice(ERRORS), _message(draw)
    slots: Slots = {"err": NameSlot(error), "m": ExactSlot(message, quoted=True)}
    return LineRewrite((f'{found[1]}raise {error}("{message}")',), say["raise"], slots)


def raise_to_print(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)raise \w+.*[\w)]")
    message = _message(draw)
    return (
        LineRewrite((f'{found[1]}print("{message}")',), say["print"], {"m": ExactSlot(message, quoted=True)})
        if found
        else None
    )


def print_before(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)(?:raise|return|continue|break)\b.*")
    message = _message(draw)
    if found is None or line.endswith(("(", "[", "{", ",")):
        return None
    return LineRewrite(
        (f'{found[1]}print("{message}")', line), say["and_log"], {"m": ExactSlot(message, quoted=True)}
    )


def other_error(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)(raise|except) (\w+(?:Error|Exception|Exit|Warning)?)\b(.*)")
    if found is None or not found[3][:1].isupper():
        return None
    new = draw.choice([error for error in ERRORS if error != found[3]])
    table = say["error"] if found[2] == "raise" else say["catch"]
    slots: Slots = {"new": NameSlot(new), "old": NameSlot(found[3])}
    return LineRewrite((f"{found[1]}{found[2]} {new}{found[4]}",), (*table, *say["value"][:12]), slots)


_SAYS = (
    r"(\s+(?:raise \w+|print|\w*log\w*\.\w+|\w+\.append|return|\w+ =)[( ])([\"'])([^\"'{}\\%]{3,60})\2(\)?)"
)


def other_text(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, _SAYS)
    new = _message(draw)
    if found is None or new == found[3]:
        return None
    slots: Slots = {"new": ExactSlot(new, quoted=True), "old": ExactSlot(found[3], quoted=True)}
    return LineRewrite((f"{found[1]}{found[2]}{new}{found[2]}{found[4]}",), say["text"], slots)


def cased_text(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    """Adds or removes a capital, a dot or an exclamation mark."""
    found = _one(line, _SAYS)
    if found is None:
        return None
    old = found[3]
    ways = [
        (old.upper(), say["upper"]),
        (old.lower(), say["lower"]),
        (old[:1].upper() + old[1:], say["capital"]),
    ]
    ways += (
        [(old + ".", say["dot"]), (old + "!", say["bang"])]
        if old[-1:].isalnum()
        else [(old.rstrip("."), say["no_dot"])]
    )
    new, table = draw.choice(ways)
    return LineRewrite((f"{found[1]}{found[2]}{new}{found[2]}{found[4]}",), table) if new != old else None


def no_message(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+raise \w+)\(([\"']).*\2\)")
    return LineRewrite((found[1],), say["plain_error"]) if found else None


def value_in_message(line: str, text: str, draw: Draw) -> LineRewrite | None:
    """`"bad size"` becomes `f"bad size: {size}"`, with a name of the lines around it."""
    found = _one(line, r"(\s+(?:raise \w+|print|\w*log\w*\.\w+)\()\"([^\"'{}\\%]{3,60})\"\)")
    if found is None:
        return None
    at = text.find(line)
    head = text.rfind("def ", 0, max(at, 0))
    names = (
        re.findall(r"(?<=[(, ])[a-z_]\w+(?=[,):=])", text[head : text.find("\n", head)]) if head >= 0 else []
    )
    names = [name for name in names if name not in ("self", "cls")]
    if not names:
        return None
    name = draw.choice(names)
    return LineRewrite((f'{found[1]}f"{found[2]}: {{{name}}}")',), say["with_value"], {"x": NameSlot(name)})


def other_level(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+\w*log\w*\.)(debug|info|warning|error|exception|critical)(\(.*)")
    if found is None:
        return None
    new = draw.choice([level for level in _LEVELS if level != found[2]])
    return LineRewrite(
        (f"{found[1]}{new}{found[3]}",), say["level"], {"new": ExactSlot(new), "old": ExactSlot(found[2])}
    )


def print_to_log(line: str, text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)print(\(f?\".*\"\))")
    logger = re.search(r"(?m)^(_?log\w*) = |^import (logging)$", text)
    if found is None or logger is None:
        return None
    name = logger[1] or logger[2]
    return LineRewrite((f"{found[1]}{name}.info{found[2]}",), say["to_log"], {"g": NameSlot(name)})


def log_to_print(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)(\w*log\w*)\.\w+(\(f?\"[^%]*\"\))")
    return (
        LineRewrite((f"{found[1]}print{found[3]}",), say["to_print"], {"g": NameSlot(found[2])})
        if found
        else None
    )


def other_way_out(line: str, text: str, draw: Draw) -> LineRewrite | None:
    """Another way out of an `except` or an `if`: pass, continue, break, raise again, return."""
    found = _one(line, r"(\s{4,})(pass|continue|break|return|return None|raise|raise \w+\(.*\)|print\(.*\))")
    if found is None:
        return None
    caught = re.search(r"(?m)^\s+except\b.*:\n" + re.escape(line), text)
    ways = [
        way for way in say["passes"] if way != found[2] and (caught or way in ("continue", "break", "return"))
    ]
    new = draw.choice(ways)
    return LineRewrite((found[1] + new,), say["passes"][new])


_DEFAULT = r"(\s*(?:async )?def \w+\(.*?)\b(\w+)(: [\w\[\], |.]+?)?( = |=)([^,()=]+)(\).*:)"
"""A signature whose last parameter has a default."""


def no_default(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, _DEFAULT)
    if found is None or "=" in found[1].replace("*, ", ""):
        return None
    slots: Slots = {"p": NameSlot(found[2]), "old": ExactSlot(found[5])}
    return LineRewrite((f"{found[1]}{found[2]}{found[3] or ''}{found[6]}",), say["no_default"], slots)


def other_default(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, _DEFAULT)
    if found is None:
        return None
    new = draw.choice(
        ("None", "True", "False", "0", "1", "5", "10", "30", "100", '""', '"utf-8"', "()", "1.5")
    )
    slots: Slots = {"p": NameSlot(found[2]), "old": CodeSlot(found[5]), "new": CodeSlot(new)}
    bent = f"{found[1]}{found[2]}{found[3] or ''}{found[4]}{new}{found[6]}"
    return LineRewrite((bent,), say["some_default"], slots) if new != found[5] else None


def with_default(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s*(?:async )?def \w+\((?:.*, )?)(\w+)(\).*:)")
    if found is None or found[2] in ("self", "cls") or "*" in line:
        return None
    new = draw.choice(("None", "True", "False", "0", "1", "5", "10", "30", '""', "()"))
    slots: Slots = {"p": NameSlot(found[2]), "new": CodeSlot(new)}
    return LineRewrite((f"{found[1]}{found[2]}={new}{found[3]}",), say["some_default"], slots)


def keyword_only(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s*(?:async )?def \w+\(.+, )(\w+(?:: [\w\[\]|. ]+)?(?: ?= ?[^,()=]+)?)(\).*:)")
    if found is None or "*" in line:
        return None
    slots: Slots = {"p": NameSlot(re.match(r"\w+", found[2])[0])}  # type: ignore[index]
    return LineRewrite((f"{found[1]}*, {found[2]}{found[3]}",), say["keyword_only"], slots)


def no_type(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = re.fullmatch(r"(\s*(?:async )?def \w+\(.*\)) -> .+(:)", line)
    if found is not None and ": " not in found[1]:
        return LineRewrite((found[1] + found[2],), say["no_type"])
    found = re.fullmatch(r"(\s*(?:async )?def \w+\([^:]*\w): [\w.]+(?:\[[\w, ]+\])?(\):|, .*\):)", line)
    return LineRewrite((found[1] + found[2],), say["no_type"]) if found and ": " not in found[2] else None


def other_hint(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    """`int` becomes `int | None` or `list[int]`."""
    found = re.fullmatch(r"(\s*(?:async )?def \w+\([^:]*\)) -> ([\w.\[\]]+)(:)", line) or re.fullmatch(
        r"(\s*(?:async )?def \w+\([^:]*\w): ([\w.]+(?:\[[\w, ]+\])?)((?:, [^:]*)?\).*:)", line
    )
    if found is None or found[2] == "None":
        return None
    join = " -> " if found[3] == ":" else ": "
    new, table = draw.choice(((f"{found[2]} | None", say["or_none"]), (f"list[{found[2]}]", say["list_of"])))
    return LineRewrite((f"{found[1]}{join}{new}{found[3]}",), table, {"t": ExactSlot(found[2])})


_COMPARED = r"(\s*(?:if|elif|while|return|assert) .*?)(<=|>=|<|>)( )([\w.]+)((?: |:|\)|$).*)"


def bound(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, _COMPARED)
    if found is None or len(re.findall(r"[<>]=?", line)) != 1:
        return None
    old = found[2]
    new, table = (old + "=", say["inclusive"]) if len(old) == 1 else (old[0], say["exclusive"])
    slots: Slots = {"b": CodeSlot(found[4]), "new": CodeSlot(new), "old": CodeSlot(old)}
    return LineRewrite((f"{found[1]}{new}{found[3]}{found[4]}{found[5]}",), table, slots)


_OPPOSITE: dict[str, str] = _TABLES["opposite"]


def inverted(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s*(?:if|elif|while) )(.+)(:)")
    if found is None or re.search(r"\b(?:and|or|if|lambda)\b", found[2]):
        return None
    old = found[2]
    hits = [key for key in _OPPOSITE if key in f"{old} "]
    if re.fullmatch(r"not [\w.()]+", old):
        new = old.removeprefix("not ")
    elif re.fullmatch(r"[\w.]+(?:\([\w., ]*\))?", old):
        new = f"not {old}"
    elif hits:
        hit = next((key for key in (" is not None", " not in ") if key in old), hits[0])
        new = old.replace(hit, _OPPOSITE[hit], 1)
    else:
        return None
    return LineRewrite(
        (f"{found[1]}{new}{found[3]}",), say["inverted"], {"new": CodeSlot(new), "old": CodeSlot(old)}
    )


def emptiness(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s*(?:if|elif) )(?:(\w+) is None|not (\w+))(:)")
    if found is None:
        return None
    name = found[2] or found[3]
    new, table = (f"not {name}", say["empty_too"]) if found[2] else (f"{name} is None", say["none_only"])
    return LineRewrite((f"{found[1]}{new}{found[4]}",), table, {"a": NameSlot(name)})


def scaled(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    """Doubles, halves, or shifts the only number of the line."""
    numbers = re.findall(r"(?<![\w.\"'])\d+(?![\w.\"'])", line)
    if len(numbers) != 1 or line.count('"') > 2 or int(numbers[0]) == 0:
        return None
    old = int(numbers[0])
    ways = {"twice": 2 * old, "more": old + 1, "less": old - 1, "ten": 10 * old}
    if old % 2 == 0:
        ways["half"] = old // 2
    way = draw.choice(sorted(ways))
    bent = re.sub(r"(?<![\w.\"'])\d+(?![\w.\"'])", str(ways[way]), line)
    return LineRewrite((bent,), say["scale"][way])


def other_number(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    numbers = re.findall(r"(?<![\w.\"'])\d+(?![\w.\"'])", line)
    new = str(draw.choice(_NUMBERS))
    if len(numbers) != 1 or line.count('"') > 2 or new == numbers[0]:
        return None
    bent = re.sub(r"(?<![\w.\"'])\d+(?![\w.\"'])", new, line)
    slots: Slots = {"new": ExactSlot(new), "old": ExactSlot(numbers[0])}
    return LineRewrite((bent,), (*say["number"], *say["number"], *say["value"]), slots)


def quotes(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    if line.count('"') == 2 and "'" not in line:
        return LineRewrite((line.replace('"', "'"),), say["single"])
    if line.count("'") == 2 and '"' not in line:
        return LineRewrite((line.replace("'", '"'),), say["double"])
    return None


def docstring_to_comment(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+)\"\"\"(.+)\"\"\"")
    return LineRewrite((f"{found[1]}# {found[2]}",), say["as_comment"]) if found else None


def use_get(line: str, _text: str, _draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(\s+(?:\w+ = |return |if ).*?)\b(\w+)\[([\"']\w+[\"'])\](.*)")
    if found is None or found[4].startswith((" =", " +=", ".", "[")):
        return None
    slots: Slots = {"d": NameSlot(found[2]), "k": CodeSlot(found[3])}
    return LineRewrite((f"{found[1]}{found[2]}.get({found[3]}){found[4]}",), say["use_get"], slots)


def get_or(line: str, _text: str, draw: Draw) -> LineRewrite | None:
    found = _one(line, r"(.*\.get\()([\"']\w+[\"'])(\).*)")
    value = draw.choice(("0", '""', "[]", "{}", "False", "1", '"unknown"', "None"))
    return (
        LineRewrite((f"{found[1]}{found[2]}, {value}{found[3]}",), say["get_or"], {"v": CodeSlot(value)})
        if found
        else None
    )


BENDS: tuple[tuple[Bend, float], ...] = (
    (raise_to_return, 2.0),
    (return_to_raise, 1.5),
    (raise_to_print, 0.7),
    (print_before, 0.7),
    (other_error, 2.0),
    (other_text, 1.5),
    (cased_text, 0.7),
    (no_message, 1.0),
    (value_in_message, 1.0),
    (other_level, 2.0),
    (print_to_log, 1.5),
    (log_to_print, 1.0),
    (other_way_out, 1.5),
    (no_default, 1.5),
    (other_default, 1.0),
    (with_default, 1.0),
    (keyword_only, 0.8),
    (no_type, 0.6),
    (other_hint, 1.0),
    (bound, 1.5),
    (inverted, 1.0),
    (emptiness, 1.2),
    (scaled, 0.8),
    (other_number, 1.5),
    (quotes, 0.4),
    (docstring_to_comment, 0.6),
    (use_get, 1.0),
    (get_or, 1.0),
)


def rewritten_line(line: str, text: str, draw: Draw, others: Sequence[str] = ()) -> LineRewrite | None:
    """Another way to write this line that applies to no other line of its edit, so that the message is
    unambiguous."""
    found = [
        (made, weight)
        for bend, weight in BENDS
        if (made := bend(line, text, draw)) is not None
        and not any(bend(other, text, draw) for other in others)
    ]
    found = [(made, weight) for made, weight in found if made.new != (line,)]
    return (
        draw.rng.choices([made for made, _ in found], [weight for _, weight in found])[0] if found else None
    )
