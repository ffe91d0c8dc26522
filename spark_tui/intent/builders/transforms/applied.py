"""Calls that apply a function or method to a value, such as one that sorts or strips."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial

from spark_tui.intent.builders.transforms.transformed import bare, returned, transformed
from spark_tui.intent.building.building import Built, builder, call, place
from spark_tui.intent.context.anchors import Anchor, parsed, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk


@builder("apply_function")
def apply_function(context: Context) -> Iterator[Built]:
    """A function that is named or described, applied to a variable or to what a function returns."""
    said = context.text("transform").strip("`").strip()
    form = phrases.lookup("transforms", said) or phrases.lookup("transforms", _without_verb(said))
    if form is not None and form.startswith("sorted("):
        resorted = list(_resorted(context, "reverse=True" in form))
        if resorted:
            yield from resorted
            return
    named = re.sub(r"\(\s*\)\Z", "", said)
    method = f"{{x}}.{named.removeprefix('.')}()"
    if form is None and (re.fullmatch(r"\.[a-z_]\w*", named) or method in phrases.table()["transforms"]):
        form = method
    form = form or _worded_transform(said) or None
    if form is None and re.fullmatch(r"[A-Za-z_][\w.]*", named):
        form = f"{named}({{x}})"
    if form is None:
        raise Unresolved(f"{said!r} is not a function")

    def change(text: str) -> str:
        if form.startswith("{x}."):
            return _of_texts(form, text)
        return form.format(x=text if form.startswith(("not ", "{x} ")) else bare(text))

    made = (
        transformed(context, change, literals=False) if context.has("variable") else returned(context, change)
    )
    yield from (one for one in made if not _calls_itself(context, one, named))


def _calls_itself(context: Context, built: Built, name: str) -> bool:
    """Whether a function would be applied in its own body."""
    place = getattr(built.calls[0], "place", None)
    path, _, symbol = place.symbol.partition("::") if place is not None else ("", "", "")
    path = path or (place.path if place is not None else "")
    own = context.source(path).definitions if path in context.repo.index.paths else ()
    return any(
        isinstance(one, Function)
        and one.name == name
        and (symbol == name or (place is not None and one.lineno <= place.first <= (one.end_lineno or 0)))
        for one in own
    )


def _of_texts(form: str, text: str) -> str:
    """A method of a text, called on each where the value is a list of them."""
    tree = parsed(text)
    if isinstance(tree, ast.Tuple):
        return of_items(partial(_of_texts, form), text)
    method = tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""
    several = isinstance(tree, ast.List | ast.Set | ast.ListComp)
    if not several and method not in ("split", "rsplit", "splitlines", "readlines"):
        return form.format(x=text)
    return f"[{form.format(x='one')} for one in {text}]"


def _without_verb(said: str) -> str:
    """The words behind the first: `sort highest first` is `highest first`."""
    return said.partition(" ")[2]


def _resorted(context: Context, descending: bool) -> Iterator[Built]:
    """What is sorted already, or written with its keys sorted, by one more argument."""
    name = "reverse" if descending else "sort_keys"
    called = ("sorted", "sort") if descending else ("dump", "dumps")
    if not descending and not phrases.is_said("keys", phrases.without_articles(context.text("variable"))):
        return
    spots = [
        Anchor(area, one, 0.9)
        for area, _, root in context.trees()
        for one in walk(root)
        if isinstance(one, ast.Call)
        and ast.unparse(one.func).rpartition(".")[2] in called
        and not any(each.arg == name for each in one.keywords)
    ]
    for anchor in weighted(context, spots):
        assert isinstance(anchor.node, ast.Call)
        callee, where = ast.unparse(anchor.node.func), place(context, anchor)
        made = call("set_argument", callee=callee, place=where, name=name, value="True")
        yield Built((made,), anchor.weight, anchor.doubts)


@builder("strip_value")
def strip_value(context: Context) -> Iterator[Built]:
    yield from transformed(context, partial(_of_texts, "{x}.strip()"), literals=False)


def _worded_transform(said: str) -> str:
    """The form of a transform in words: `{x}.replace(" ", "")` for *take blanks out*, `", ".join({x})` for
    *commas between*; empty where there is none."""
    between, out = (says("transform_words", kind, said) for kind in ("between", "out"))
    if between or out:
        signs = [
            code
            for word in re.findall(r"\w+", said.lower())
            if (code := phrases.lookup("signs", word) or phrases.lookup("signs", word.removesuffix("s")))
        ]
        if len(signs) == 1 and between and signs[0] != '"':
            end = " " if signs[0] in ",;" else ""
            shown = signs[0].replace("\n", "\\n")
            return f'"{shown}{end}".join({{x}})'
        if len(signs) == 1 and signs[0] not in '"\n':
            return f'{{x}}.replace("{signs[0]}", "")'
    return ""


def of_items(change: Callable[[str], str], text: str) -> str:
    """Each of several values, changed: of those that are calculated, where there are some; else empty."""
    tree = parsed(text)
    if not isinstance(tree, ast.Tuple) or not tree.elts:
        return ""
    made = [one for one in tree.elts if isinstance(one, ast.BinOp)] or tree.elts
    shown = [
        change(shown) if one in made else shown
        for one in tree.elts
        if (shown := ast.get_source_segment(text, one) or ast.unparse(one))
    ]
    inside = parsed(text[1:-1]) if text.startswith("(") and text.endswith(")") else None
    joined = ", ".join(shown) + ("," if len(shown) == 1 else "")
    return f"({joined})" if isinstance(inside, ast.Tuple) else joined
