"""Calls that apply a function or method to a value, such as one that sorts or strips."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Callable, Iterator
from functools import partial

from spark_tui.intent.builders.definitions.declared_fields import unique_declared
from spark_tui.intent.builders.transforms.described_transforms import (
    apply_to_items,
    apply_to_literal,
    transform_both_sides,
    worded_transform,
)
from spark_tui.intent.builders.transforms.transformed import strip_brackets, transform_result, transform_value
from spark_tui.intent.building.building import Built, build_at, builder
from spark_tui.intent.building.rewritten import pass_argument, replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes
from spark_tui.pysource.words import word_set

_OPENING = word_set("open io.open gzip.open codecs.open Path pathlib.Path os.listdir os.makedirs")

_OF_PATHS = tuple(
    f"os.path.{item}" for item in ("expanduser", "expandvars", "abspath", "realpath", "normpath")
)


@builder("apply_function")
def apply_function(context: Context) -> Iterator[Built]:
    """A function that is named or described, applied to a variable or to what a function returns."""
    transform_text = context.text("transform").strip("`").strip()
    form = phrases.lookup("transforms", transform_text) or phrases.lookup(
        "transforms", transform_text.partition(" ")[2]
    )
    if form is not None and form.startswith("sorted("):
        reverse = "reverse=True" in form
        resorted = list(sorted_items(context, reverse)) if "key=" not in form else []
        resorted = resorted or list(sorted_already(context, reverse))
        if resorted:
            yield from resorted
            return
    if form == "{x}.strip()" or (form is None and " " in transform_text and _sign_stripped(context)):
        form = _stripping(context)
    named = re.sub(r"\(\s*\)\Z", "", transform_text)
    method = f"{{x}}.{named.removeprefix('.')}()"
    if form is None and (re.fullmatch(r"\.[a-z_]\w*", named) or method in phrases.table()["transforms"]):
        form = method
    form = form or worded_transform(transform_text) or _method_of_texts(context, transform_text) or None
    bare_name = phrases.without_articles(transform_text)
    if form is None and isinstance(getattr(builtins, bare_name, None), type):
        named = bare_name
    if form is None and re.fullmatch(r"[A-Za-z_][\w.]*", named):
        form = f"{named}({{x}})"
    if form is None:
        raise Unresolved(f"{transform_text!r} is not a function")

    if form == _UNIQUE and (fields := list(unique_declared(context))):
        yield from fields
        return
    joined = _one_after_the_other(context)

    def change(text: str) -> str:
        if joined:
            return joined.format(x=strip_brackets(text))
        if form.startswith("{x}."):
            return _of_texts(form, text)
        if form.startswith("sorted("):
            text = _items_of(text)
        return form.format(x=text if form.startswith(("not ", "{x} ")) else strip_brackets(text))

    if not context.has("variable") and named in _OF_PATHS and (opened := _opened(context)):
        yield from (_around(context, anchor, change) for anchor in opened)
        return
    sides = list(transform_both_sides(context, change))
    if sides:
        yield from sides
        return
    made = (
        transform_value(context, change, literals=False)
        if context.has("variable")
        else transform_result(context, change)
    )
    yield from (built for built in made if not _calls_itself(context, built, named))


def _items_of(text: str) -> str:
    """What a text that makes a list makes it of: sorting makes a list anyway."""
    made = parsed(text)
    if isinstance(made, ast.Call) and len(made.args) == 1 and not made.keywords and text.endswith(")"):
        return text.removeprefix("list(")[:-1] if text.startswith("list(") else text
    return text


_UNIQUE = "list(dict.fromkeys({x}))"


def _one_after_the_other(context: Context) -> str:
    """The form of two transforms that are named: in the order of the words, and sorted without duplicates."""
    spans = sorted(context.reading.slots.get("transform", ()), key=lambda span: span.start)
    forms = [phrases.lookup("transforms", span.text.strip("`")) for span in spans]
    known = [form for form in dict.fromkeys(forms) if form is not None]
    if len(known) != 2 or len(known) < len(set(forms)):
        return ""
    if _UNIQUE in known and (other := next(form for form in known if form != _UNIQUE)).startswith("sorted("):
        return other.replace("{x}", "set({x})", 1)
    return known[1].replace("{x}", known[0], 1) if known[1].count("{x}") == 1 else ""


def _method_of_texts(context: Context, text: str) -> str:
    """A method of texts that is shown without its object: `rstrip("/")`, where nothing else is called so."""
    tree = parsed(text)
    name = tree.func.id if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) else text
    known = hasattr(builtins, name) or not hasattr(str, name) or bool(context.names.find(name))
    if known or not name.isidentifier() or (tree is not None and not isinstance(tree, ast.Call | ast.Name)):
        return ""
    shown = (text if isinstance(tree, ast.Call) else f"{text}()").replace("{", "{{").replace("}", "}}")
    return f"{{x}}.{shown}"


def _calls_itself(context: Context, built: Built, name: str) -> bool:
    """Whether a function would be applied in its own body."""
    place = getattr(built.calls[0], "place", None)
    path, _, symbol = place.symbol.partition("::") if place is not None else ("", "", "")
    path = path or (place.path if place is not None else "")
    own = context.source(path).definitions if path in context.repo.index.paths else ()
    return any(
        isinstance(definition, Function)
        and definition.name == name
        and (
            symbol == name
            or (place is not None and definition.lineno <= place.first <= (definition.end_lineno or 0))
        )
        for definition in own
    )


def _opened(context: Context) -> list[Anchor]:
    """The paths by which files are opened in a place: what a function of paths is meant for."""
    calls = [
        (area, node)
        for area, _, node in context.find(ast.Call)
        if node.args and ast.unparse(node.func) in _OPENING
    ]
    return weighted(context, [Anchor(area, one.args[0], 0.85, area.doubts) for area, one in calls])


def _around(context: Context, anchor: Anchor, change: Callable[[str], str]) -> Built:
    assert anchor.node is not None
    old = context.source(anchor.path).segment(anchor.node)
    return build_at(anchor, replace_code(context, anchor, change(old)))


_NO_TEXTS = ("date", "time", "timestamp", "count", "index", "total_seconds", "weekday", "isoweekday")
"""Methods whose results have no methods of texts."""


def _of_texts(form: str, text: str) -> str:
    """A method of a text, called on each where the value is a list of them."""
    if made := apply_to_literal(form, text):
        return made
    tree = parsed(text)
    if isinstance(tree, ast.Tuple):
        return apply_to_items(partial(_of_texts, form), text)
    method = tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""
    if called_name(tree) in ("int", "float", "len", "Decimal") and not method:
        return text  # it is a number beside texts
    if method in _NO_TEXTS:
        raise Unresolved(f"{text} is no text")
    several = isinstance(tree, ast.List | ast.Set | ast.ListComp)
    if not several and method not in ("split", "rsplit", "splitlines", "readlines"):
        return form.format(x=text)
    return f"[{form.format(x='one')} for one in {text}]"


def sorted_already(context: Context, descending: bool) -> Iterator[Built]:
    """What is sorted already, or written with its keys sorted, by one more argument."""
    name = "reverse" if descending else "sort_keys"
    called = ("sorted", "sort") if descending else ("dump", "dumps")
    if not descending and not phrases.is_said("keys", phrases.without_articles(context.text("variable"))):
        return
    spots = [
        Anchor(area, node, 0.9)
        for area, _, node in context.find(ast.Call)
        if called_name(node) in called and not any(keyword.arg == name for keyword in node.keywords)
    ]
    made = [
        build_at(anchor, pass_argument(context, anchor, name, "True")) for anchor in weighted(context, spots)
    ]
    if len(made) > 1 and not descending and not context.named:
        calls = tuple(one for built in reversed(made) for one in built.calls)
        yield Built(calls, 0.85, (f"all {len(made)} calls are changed",))
    yield from made


def _sign_stripped(context: Context) -> str:
    """The sign that is to be stripped: named after the word, in front of *those*, or as what is at an end."""
    instruction = context.situation.instruction.lower()
    ends = "|".join(map(re.escape, (*phrases.words("leading"), *phrases.words("trailing"))))
    for sign, names in phrases.table()["signs"].items():
        if sign.strip() and sign not in "'\"":
            named = "|".join(map(re.escape, (*names, f"'{sign}'", f'"{sign}"', f"`{sign}`")))
            behind = rf"(?:strip|trim)\w*\s+(?:\w+\s+){{0,2}}?(?:{named})(?:e?s)?(?!\w)"
            before = rf"(?:{named})[\w\s,]*(?:strip|trim)\w*\s+(?:those|them|it|that)\b"
            at_end = rf"(?:{ends})\s+(?:{named})(?:e?s)?(?!\w)|(?<!\w)(?:{named})(?:e?s)?\s+(?:{ends})"
            if re.search(f"{behind}|{before}|{at_end}", instruction):
                return str(sign)
    return ""


def _stripping(context: Context) -> str:
    """The call that strips a sign or white space, at the end or both ends."""
    text, sign = context.situation.instruction.lower(), _sign_stripped(context)
    # Where a function is named, its start is meant, unless it says what stands at the start of the text.
    of_text = sign or not context.has("function") or phrases.mentions("whitespace", text)
    sides = {
        "l": phrases.words("leading") + phrases.words("begin") * bool(of_text),
        "r": phrases.words("trailing"),
    }
    said = [side for side, known in sides.items() if phrases.any_stands_in(known, text)]
    given = f'"{sign}"' if sign else ""
    return f"{{x}}.{said[0] if len(said) == 1 else ''}strip({given})"


@builder("strip_value")
def strip_value(context: Context) -> Iterator[Built]:
    change = partial(_of_texts, _stripping(context))
    named = plain_name(context.text("variable"))
    # Of a text that holds several, each is meant: `names.split(",")`.
    calls = [
        Anchor(area, node)
        for area, _, root in (context.trees() if named.endswith("s") else ())
        for node in find_nodes(root, ast.Call)
        if ast.unparse(node.func) == f"{named}.split"
    ]
    if len(calls) != 1:
        yield from transform_value(context, change, literals=False)
    for anchor in calls if len(calls) == 1 else ():
        split = change(context.source(anchor.path).segment(anchor.node or ast.Pass()))
        yield build_at(anchor, replace_code(context, anchor, split))


def sorted_items(context: Context, descending: bool) -> Iterator[Built]:
    """The texts or numbers that are written out for the name that is said change places."""
    for anchor in anchors(context, "display:variable") if context.has("variable") else ():
        source, node = context.source(anchor.path), anchor.node
        if not isinstance(node, ast.List | ast.Tuple | ast.Set) or (values := _plain(node)) is None:
            continue
        if "#" in source.segment(node) or source.function_of(node) is not None:
            continue  # a comment belongs to its item, and a function may change its list later
        order = sorted(range(len(values)), key=values.__getitem__, reverse=descending)
        if order == list(range(len(values))):
            continue  # what is made of it may be meant
        yield build_at(anchor, replace_code(context, anchor, _in_order(source, node, order)))


def _plain(node: ast.List | ast.Tuple | ast.Set) -> list[str] | list[float] | None:
    """The values of items that are all texts, or all numbers."""
    items = [item.value for item in node.elts if isinstance(item, ast.Constant)]
    texts = [value for value in items if isinstance(value, str)]
    numbers = [value for value in items if isinstance(value, int | float) and not isinstance(value, bool)]
    return next((found for found in (texts, numbers) if len(found) == len(node.elts) > 1), None)


def _in_order(source: Source, node: ast.List | ast.Tuple | ast.Set, order: list[int]) -> str:
    """The code with the items in another order; what stands between them stays."""
    start, text = source.span(node)[0], source.segment(node)
    for old, new in reversed(list(zip(node.elts, (node.elts[at] for at in order), strict=True))):
        low, high = (at - start for at in source.span(old))
        text = text[:low] + source.segment(new) + text[high:]
    return text
