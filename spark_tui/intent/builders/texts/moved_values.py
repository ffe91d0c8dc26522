"""Values that become constants with what belongs to them: a compiled expression, a list without its local."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.texts.described_literals import name_of_described
from spark_tui.intent.building.building import Built, build_at, call, filled, place
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.building.shared_lines import lines_of
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import made_up
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function, Source, parameters

_COMPILED = re.compile(r"(?i)\b(?:pre-?)?(?:compil|kompil)|编译")
_METHODS = ("match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split")


def compiled_pattern(context: Context, spots: Sequence[Anchor]) -> Iterator[Built]:
    """`NAME = re.compile(…)` and `NAME.match(text)` for `re.match(…, text)`, where the words say to compile
    it."""
    if not _COMPILED.search(context.situation.instruction):
        return
    for anchor in spots:
        source, node = context.source(anchor.path), anchor.node
        outer = source.parents.get(node) if node is not None else None
        if not isinstance(outer, ast.Call) or not is_text(node) or outer.args[:1] != [node]:
            continue
        owner, _, method = ast.unparse(outer.func).rpartition(".")
        if owner != "re" or method not in _METHODS:
            continue
        flags = [source.segment(one.value) for one in outer.keywords if one.arg == "flags"]
        rest = [source.segment(one) for one in (*outer.args[1:], *outer.keywords)]
        rest = [one for one in rest if not one.startswith("flags")]
        most = 2 if method in ("sub", "subn") else 1
        if (
            method != "split"
            and len(outer.args) > most + 1
            and ast.unparse(outer.args[most + 1])[:3] == "re."
        ):
            flags = [rest.pop(most)]
        compiled = f"re.compile({', '.join([source.segment(outer.args[0]), *flags])})"
        spot = Anchor(anchor.area, outer)
        used = replace_code(context, spot, f"{compiled}.{method}({', '.join(rest)})")
        names = filled(context, "{name:constant_name}", anchor)
        if names is None:
            doubt = made_up("the name was made up")
            names = [Option(name_of_described(context, anchor) or "PATTERN", 0.8, (doubt,))]
        for option in names:
            fields = {"place": place(context, spot), "value": compiled, "name": option.text}
            yield build_at(anchor, used, call("extract_constant", **fields), option=option)


def says_class(context: Context) -> bool:
    """Whether a constant is to be one of the class."""
    # Names stand between the words: *a constant FACTOR of the Reader class*.
    held = {word for span in context.reading.slots.get("name", ()) for word in span.text.split()}
    held |= {
        one.name
        for _, source, _ in context.trees()
        for one in source.definitions
        if isinstance(one, ast.ClassDef)
    }
    said = (one for one in context.situation.instruction.split() if one.strip("`'\"") not in held)
    return phrases.mentions("class_level", _denied_class().sub(" ", " ".join(said)))


@lru_cache(maxsize=1)
def _denied_class() -> re.Pattern[str]:
    """That it is to be none of the class: *not a class constant*."""
    denying, articles, known = (
        "|".join(map(re.escape, phrases.words(kind))) for kind in ("denying", "articles", "class_level")
    )
    return re.compile(rf"(?<!\w)(?:{denying})\s+(?:(?:{articles})\s+)?(?:{known})", re.IGNORECASE)


def of_its_class(context: Context, anchor: Anchor, name: str) -> tuple[Operation, ...]:
    """The calls that make a value a constant of the class around it, where the words say so."""
    source, node = context.source(anchor.path), anchor.node
    if node is None or not says_class(context):
        return ()
    inside = [one for below, one in source.climb(node) if isinstance(one, Function) and below in one.body]
    owner = source.parents.get(inside[-1]) if inside else None
    if not isinstance(owner, ast.ClassDef) or inside[-1].body[0].lineno == inside[-1].lineno:
        return ()
    static = "staticmethod" in decorator_names(inside[-1])
    given = next((one.arg for one in parameters(inside[-1]) if not static), owner.name)
    body, value = inside[-1].body, source.segment(node)
    # Defaults and decorators have no object.
    place = lines_of(source, anchor.path, body[0], body[-1])
    used = call("replace_expression", place=place, old=value, new=f"{given}.{name}", every=True)
    target = f"{anchor.path}::{source.qualname(owner)}"
    return used, call("add_field", target=target, name=name, default=value, parameter=False)


def without_local(source: Source, node: ast.expr) -> tuple[Operation, ...]:
    """The call that reads a constant in place of the local that a list was set to."""
    outer, inside = source.parents.get(node), source.function_of(node)
    if (
        not isinstance(node, ast.List | ast.Dict | ast.Set)
        or not isinstance(outer, ast.Assign)
        or inside is None
    ):
        return ()
    target = f"{source.path}::{source.qualname(inside)}.{ast.unparse(outer.targets[0])}"
    return (call("inline_variable", target=target),)
