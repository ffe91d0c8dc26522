"""Constants of a group become the members of an enumeration."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.families.values.enumerations import constant_groups, prefix_of
from spark_tui.codemods.places.constants import constant_name
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.context.lookup import plain_name, split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved


@builder("to_enum")
def to_enum(context: Context) -> Iterator[Built]:
    name = plain_name(context.text("name"))
    said = split_name(context.situation.instruction)
    count = 0
    for area, source, root in context.trees():
        groups = [one for one in constant_groups(source) if prefix_of(one)]
        groups = groups if isinstance(root, ast.Module) else []
        named = [one for one in groups if _is_said(prefix_of(one), said)]
        for group in named or groups:
            count += 1
            title = constant_name(group[0])
            spot = context.near_node(area.path, group[0])
            made = call("to_enum", path=area.path, prefix=prefix_of(group), name=name)
            doubts = (
                () if named or len(groups) == 1 else (f"{title} and the others were assumed to be meant",)
            )
            yield build_at(area, made, weight=spot / len(named or groups), doubts=doubts)
    if not count:
        raise Unresolved("no constants with names that begin alike stand beside each other")


def _is_said(prefix: str, said: Iterable[str]) -> bool:
    """Whether the words of a prefix stand in an instruction, also as several: *the statuses*."""
    stems = [word[: max(len(word) - 1, 3)] for word in split_name(prefix)]
    return all(any(word.startswith(stem) for word in said) for stem in stems)
