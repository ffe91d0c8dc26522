"""Bugs of a known shape whose symptom is told in words: the words say which shape to look for."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from spark_tui.intent.building.building import Built
from spark_tui.intent.fixes import changed_values, counted, one_off_places, read_and_written, told_results
from spark_tui.intent.fixes.seen_error import Fix, Seen

SHAPES: dict[str, Fix] = {
    "whole_days": read_and_written.whole_days,
    "appended": read_and_written.appended,
    "sorted_copy": changed_values.sorted_copy,
    "own_rows": changed_values.own_rows,
    "looped_copy": changed_values.looped_copy,
    "each_pair_once": changed_values.each_pair_once,
    "any_blanks": read_and_written.any_blanks,
    "heeded_parameter": changed_values.heeded_parameter,
    "first_out": changed_values.first_out,
    "counted_up": counted.counted_up,
    "no_blank_lines": read_and_written.no_blank_lines,
    "number_option": read_and_written.number_option,
    "last_missing": one_off_places.last_missing,
    "told_end": one_off_places.told_end,
    "told_limit": one_off_places.told_limit,
    "one_less": one_off_places.one_less,
    "one_more": one_off_places.one_more,
    "index_before": one_off_places.index_before,
    "from_one": one_off_places.from_one,
    "told_results": told_results.told_results,
}
"""What looks for a shape; the words of each are in `symptoms.toml`."""
_DOUBT = "what is wrong was guessed from the words"


@lru_cache(maxsize=1)
def patterns() -> Mapping[str, re.Pattern[str]]:
    data = tomllib.loads(Path(__file__).with_name("symptoms.toml").read_text("utf-8"))
    return {name: re.compile("|".join(known), re.IGNORECASE) for name, known in data.items()}


def by_symptom(at: Seen) -> Iterator[Built]:
    """The fixes of the shapes that the words tell and that stand in the code."""
    said = at.context.situation.instruction
    for name, fix in SHAPES.items():
        if patterns()[name].search(said):
            for one in fix(at):
                yield replace(one, doubts=(*one.doubts, _DOUBT))
