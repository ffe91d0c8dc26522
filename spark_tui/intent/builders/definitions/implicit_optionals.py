"""Types of what is None by default and does not say so: `room: str = None` becomes `room: Optional[str]`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.rewriting.optional_types import allows_none, optional_form
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.builders.definitions.kept_types import with_value
from spark_tui.intent.building.building import Built, build_at, builder, of_table
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk


@builder("use_optional")
def use_optional(context: Context) -> Iterator[Built]:
    yield from _made(context, "Optional[{}]") or of_table(context, "use_optional")


@builder("use_union")
def use_union(context: Context) -> Iterator[Built]:
    yield from _made(context, "{} | None") or of_table(context, "use_union")


@builder("annotate_variable")
def annotate_variable(context: Context) -> Iterator[Built]:
    """A type that stands there already is not the one that is wanted: None is missing from it."""
    made = _made(context, "", context.text("type")) or of_table(context, "annotate_variable")
    yield from (with_value(context, built) for built in made)


def _made(context: Context, form: str, hint: str = "") -> list[Built]:
    """The types of what is named, with None; only those that are `hint` so far."""
    if not (form or hint):
        return []
    named, out = set(re.findall(r"[A-Za-z_]\w*", context.situation.instruction)), []
    for area, source, root in context.trees():
        own = form or optional_form(context.repo, source.path)
        for name, annotation in _implicit(root):
            shown = source.segment(annotation)
            if name in named and not allows_none(shown) and hint in ("", shown):
                spot = Anchor(area, annotation, 0.9 * area.weight, area.doubts)
                out.append(build_at(spot, replace_code(context, spot, own.format(shown))))
    return out


def _implicit(root: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What is None by default, by its name, with its type."""
    for node in walk(root):
        if isinstance(node, ast.AnnAssign) and is_none(node.value):
            yield ast.unparse(node.target).removeprefix("self."), node.annotation
        elif isinstance(node, Function):
            for one in parameters(node):
                if one.annotation is not None and is_none(default_of(node, one.arg)):
                    yield one.arg, one.annotation
