"""What a reading does not name, and the function or the value that it names tells."""

from __future__ import annotations

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.slots import CALLABLE, CLASS, SymbolKind
from spark_tui.intent.context.lookup import Names, plain_name
from spark_tui.intent.words.phrases import duration, is_said, joining, number, size, without_articles
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_UNIT = re.compile(r"\s+([^\W\d_]+)")
_HALF = re.compile(r"\s+an?\s+([^\W\d_]+)")
_AMOUNTS = frozenset(("value", "default", "new"))
_LISTED = 3
_BASES = frozenset(("add_base", "remove_base"))
_OF_RESULTS = frozenset(("sort_by", "sort_loop", "ignore_case"))
_VALUES = frozenset(SymbolKind) - CALLABLE - CLASS
_OWN = frozenset(("class", "function", "exception", "file"))


def with_implied(reading: Reading, names: Names) -> Reading:
    """The reading with the parameters that *both* means, or the only one that there is."""
    reading = _of_exports(reading, names)
    if reading.intent == "annotate_parameter":
        return _with_parameters(reading, names)
    if reading.intent == "strip_value":
        return _of_only_parameter(reading, names)
    return _of_function(reading, names) if reading.intent in _OF_RESULTS else reading


def _of_exports(reading: Reading, names: Names) -> Reading:
    """*The exports* of a file that has no variable of that name are its `__all__`."""
    spans = reading.slots.get("variable", ())
    if len(spans) != 1 or spans[0].quoted or not is_said("exports", without_articles(spans[0].text)):
        return reading
    if names.find(plain_name(spans[0].text), _VALUES) or not names.find("__all__", _VALUES):
        return reading
    return replace(reading, slots={**reading.slots, "variable": (replace(spans[0], text="__all__"),)})


def _of_only_parameter(reading: Reading, names: Names) -> Reading:
    """The reading of the only parameter, a text, where a function is to strip that returns no text:
    *parse_line should strip whitespace*."""
    functions = reading.slots.get("function", ())
    own = own_parameters(plain_name(functions[0].text), names) if len(functions) == 1 else []
    if len(own) != 1 or reading.slots.get("variable"):
        return reading
    node = next(item.target.node for item in names.find(plain_name(functions[0].text), CALLABLE))
    called = (call.func for call in find_nodes(node, ast.Call) if isinstance(call.func, ast.Attribute))
    used = any(ast.unparse(func.value) == own[0] and hasattr(str, func.attr) for func in called)
    if not used or any(_is_text(one.value) for one in find_nodes(node, ast.Return)):
        return reading
    return replace(reading, slots={**reading.slots, "variable": (replace(functions[0], text=own[0]),)})


def _is_text(value: ast.expr | None) -> bool:
    """Whether a result is a text for certain, or is made by a method of texts."""
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) == "str" or hasattr(str, last_name(value.func))
    return isinstance(value, ast.JoinedStr) or (
        isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def _of_function(reading: Reading, names: Names) -> Reading:
    """The reading of a variable that only a function is called like: `sort overdue by date`."""
    spans = reading.slots.get("variable", ())
    text = plain_name(spans[0].text) if len(spans) == 1 and "function" not in reading.slots else ""
    found = names.find(text, CALLABLE) if text else []
    known = names.find(text, _VALUES) if found else []
    if not any(item.target.name == text for item in found) or any(item.target.name == text for item in known):
        return reading
    slots = {slot: item for slot, item in reading.slots.items() if slot != "variable"}
    return replace(reading, slots={**slots, "function": spans})


def with_whole_lists(reading: Reading, text: str) -> Reading:
    """The reading with a list of three or more in the slot of most, where that of the others has more in it:
    *the timeout of Base, Http and Ftp*."""
    slots = dict(reading.slots)
    for run in _lists(reading, text):
        counts = Counter(slot for slot, _ in run)
        most, count = counts.most_common(1)[0]
        for slot in counts.keys() - {most} if count > len(run) / 2 else ():
            own = tuple(span for at, span in run if at == slot)
            left = tuple(span for span in slots[slot] if span not in own)
            if left:
                slots |= {slot: left, most: tuple(sorted((*slots[most], *own), key=lambda one: one.start))}
    return replace(reading, slots=slots)


def _lists(reading: Reading, text: str) -> Iterator[list[tuple[str, Span]]]:
    """Three words of slots or more, with nothing but commas and joining words between them."""
    every = [(slot, span) for slot, spans in reading.slots.items() for span in spans if span.start >= 0]
    every.sort(key=lambda one: one[1].start)
    runs = [every[:1]]
    for one, two in itertools.pairwise(every):
        if _is_listing(text[one[1].end : two[1].start]):
            runs[-1].append(two)
        else:
            runs.append([two])
    yield from (run for run in runs if len(run) >= _LISTED)


def _is_listing(text: str) -> bool:
    between = text.strip("`'\" \t\n")
    return bool(between) and re.fullmatch(rf"[,，]?\s*(?:{joining()})?", between) is not None


def with_bases_turned(reading: Reading, text: str, names: Names) -> Reading:
    """The reading of classes and a base that were taken for each other: only the base is a class there, or it
    is what another one derives from. A class that is joined to one by *and* is no base of it."""
    if reading.intent not in _BASES or not reading.slots.get("class") or not reading.slots.get("base"):
        return reading
    owner, base = reading.slots["class"], reading.slots["base"]
    if reading.intent == "remove_base":
        return _with_bases_of_code(reading, text, names)
    if names.find(owner[0].text, CLASS) or not any(
        item.target.name == plain_name(base[0].text) and not item.doubts
        for item in names.find(base[0].text, CLASS)
    ):
        return reading
    return replace(reading, slots={**reading.slots, "class": base, "base": owner})


def _with_bases_of_code(reading: Reading, text: str, names: Names) -> Reading:
    owner, base = reading.slots["class"], reading.slots["base"]
    said = sorted((*owner, *base), key=lambda one: one.start)
    known = {span: _class_called(plain_name(span.text), names) for span in said}
    of = {name for node in known.values() if node is not None for name in map(last_name, node.bases)}
    derived = {span for span in said if plain_name(span.text).rpartition(".")[2] in of}
    pairs = itertools.pairwise(said)
    # What is joined to a class that is no base is none either: the list is one of classes.
    joined = [{*pair} for pair in pairs if _is_listing(text[pair[0].end : pair[1].start])]
    bases = tuple(
        span
        for span in said
        if span in derived and all({*pair} <= derived for pair in joined if span in pair)
    )
    classes = tuple(span for span in said if known[span] is not None and span not in bases)
    if len(classes) + len(bases) < len(said) or not classes:
        return reading
    between = (text[one.end : two.start] for one, two in itertools.pairwise(classes))
    if not bases and not all(map(_is_listing, between)):
        return reading
    slots = {**reading.slots, "class": classes, "base": bases}
    return replace(reading, slots={slot: spans for slot, spans in slots.items() if spans})


def _class_called(name: str, names: Names) -> ast.ClassDef | None:
    nodes = (one.target.node for one in names.find(name, CLASS) if one.target.name == name)
    return next((node for node in nodes if isinstance(node, ast.ClassDef)), None)


def with_own_name(reading: Reading, instruction: str) -> Reading:
    """`pass limit=limit`: the value of an argument that is shown with its own name is code."""
    argument, value = reading.text("argument"), reading.slots.get("value", ())
    if len(value) != 1 or value[0].quoted or not argument.isidentifier() or value[0].text != argument:
        return reading
    if not re.search(rf"(?<!\w){argument}\s?=\s?\Z", instruction[: max(value[0].start, 0)]):
        return reading
    return replace(reading, slots={**reading.slots, "value": (Span(CODE, CODE, argument, True),)})


def drop_pronouns(reading: Reading) -> Reading:
    """The reading without words such as *that* beside what they stand for."""
    slots = {}
    for slot, spans in reading.slots.items():
        told = tuple(span for span in spans if not is_said("pronouns", span.text))
        slots[slot] = told or spans
    return replace(reading, slots=slots)


def with_unit(reading: Reading, instruction: str) -> Reading:
    """The reading with the unit after a number as a part of its value: of a size, or of `30 Tage` where
    `Tage` was taken for the name of a place."""
    slots = dict(reading.slots)
    for slot in _AMOUNTS & slots.keys():
        one = slots[slot][0]
        half = _HALF.match(instruction, one.end) if one.start >= 0 and one.text.lower() == "half" else None
        if half is not None and duration(f"1 {half[1]}") is not None:
            slots[slot] = (Span(one.start, half.end(), instruction[one.start : half.end()], one.quoted),)
            continue
        unit = _UNIT.match(instruction, one.end) if one.start >= 0 else None
        if (
            unit is None
            or len(slots[slot]) > 1
            or number(one.text) is None
            or (duration(f"1 {unit[1]}") is None and size(f"1 {unit[1]}") is None)
        ):
            continue
        if size(f"1 {unit[1]}") is not None:
            slots[slot] = (Span(one.start, unit.end(), instruction[one.start : unit.end()], one.quoted),)
            continue
        taken = [place for place in _OWN & slots.keys() if any(item.text == unit[1] for item in slots[place])]
        for place in taken:
            slots.pop(place)
            slots[slot] = (Span(one.start, unit.end(), instruction[one.start : unit.end()], one.quoted),)
    return replace(reading, slots=slots)


def own_parameters(function: str, names: Names) -> list[str]:
    """The names of the parameters that a caller gives."""
    node = next((item.target.node for item in names.find(function, CALLABLE)), None)
    if not isinstance(node, Function):
        return []
    given = [parameter.arg for parameter in parameters(node)]
    return given[1:] if given[:1] in (["self"], ["cls"]) else given


def _with_parameters(reading: Reading, names: Names) -> Reading:
    parameter_text, places = reading.slots.get("parameter", ()), reading.slots.get("function", ())
    if len(parameter_text) > 1 or not places:
        return reading
    own = own_parameters(places[0].text, names)
    text = parameter_text[0].text if parameter_text else ""
    both = is_said("both", text) and len(own) == 2
    every = is_said("them", text) or is_said("all_of", text)
    if not own or text in own or not (both or every or (not text and len(own) == 1)):
        return reading
    given = tuple(Span(CODE, CODE, parameter, True) for parameter in own)
    return replace(reading, slots={**reading.slots, "parameter": given})


def of_its_class(reading: Reading, names: Names) -> Reading:
    """`Session.verify should default to True`: an attribute that the class sets has a value, no default. The
    same of a name alone that no parameter has."""
    text = reading.text("parameter").strip("`")
    owner = text.rpartition(".")[0]
    if reading.intent != "set_default" or not reading.slots.get("default") or (owner and owner.islower()):
        return reading
    if not owner and (reading.slots.get("function") or _is_called(text, SymbolKind.PARAMETER, names)):
        return reading
    if not _is_called(text, SymbolKind.ATTRIBUTE, names):
        return reading
    slots = {"variable": reading.slots["parameter"], "value": reading.slots["default"]}
    return replace(reading, intent="set_value", slots=slots)


def of_its_parameter(reading: Reading, names: Names, instruction: str) -> Reading:
    """*rename the parameter of load to path*: the only one that the function has, not the function. *The load
    parameter* is one that is called so, if there is any."""
    spans = reading.slots.get("symbol") or reading.slots.get("function", ())
    if reading.intent != "rename" or len(spans) != 1 or {"symbol", "function"} <= reading.slots.keys():
        return reading
    plain = plain_name(spans[0].text)
    name, kind = re.escape(plain), "(?:parameter|argument)"
    of_it = "" if _is_called(plain, SymbolKind.PARAMETER, names) else "?"
    said = rf"\b{kind}\s+(?:of|in)\s+`?{name}\b|\b{name}(?:\(\)`?|`?'s){of_it}`?\s+{kind}\b"
    own = own_parameters(plain, names) if re.search(said, instruction) else []
    if len(own) != 1:
        return reading
    return replace(
        reading, slots={**reading.slots, "symbol": (replace(spans[0], text=own[0]),), "function": spans}
    )


def _is_called(text: str, kind: SymbolKind, names: Names) -> bool:
    """Whether something of a kind in the open file has this name, with that of its class where it is
    given."""
    found = [item.target for item in names.find(text, frozenset((kind,)))] if text else []
    return any(each.path == names.path and f".{each.qualname}".endswith(f".{text}") for each in found)


_JOINS = r"(?:,|&|(?:and|or|nor|und|oder|noch|et|ou|y|o|ni)(?!\w)|[和或])"
_PLACES = r"(?:(?:in|of|for|on|both|either|neither|im|von|sowohl|weder|dans|de|en|para|ni)\s+)"
_NAME = r"`?(?P<name>[A-Za-z_]\w*)`?(?:\(\))?"
_JOINED_BEFORE = re.compile(rf"(?:{_PLACES}|\A|[,;:]\s*){_NAME}\s*{_JOINS}\s*{_PLACES}*`?\Z", re.IGNORECASE)
_JOINED_AFTER = re.compile(rf"`?\s*{_JOINS}\s*{_PLACES}*{_NAME}\s*(?:[.,;:!?)]|\Z)", re.IGNORECASE)


def with_joined_functions(reading: Reading, text: str, names: Names) -> Reading:
    """The reading with the function that the words join to the one that is read: *neither in receive nor in
    ship*."""
    spans = reading.slots.get("function", ())
    if len(spans) != 1 or spans[0].end <= 0:
        return reading
    span, out = spans[0], list(spans)
    for found, at in (
        (_JOINED_BEFORE.search(text[: span.start]), 0),
        (_JOINED_AFTER.match(text, span.end), 1),
    ):
        if found is None or _is_taken(reading, found.start("name"), found.end("name")):
            continue
        known = names.find(found["name"], CALLABLE)
        if any(item.target.name.rpartition(".")[2] == found["name"] for item in known):
            out.insert(at, Span(found.start("name"), found.end("name"), found["name"]))
    return replace(reading, slots={**reading.slots, "function": tuple(out)}) if len(out) > 1 else reading


def _is_taken(reading: Reading, start: int, end: int) -> bool:
    """Whether words are of a slot already, or are left out."""
    every = reading.spans
    return any(one.start < end and start < one.end for one in (*every, *reading.left_out))
