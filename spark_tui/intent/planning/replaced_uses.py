"""What is replaced wherever it stands, not only where it is called: *change every self.errors*."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.syntax.walking import walk


def as_uses(reading: Reading, situation: Situation) -> Reading:
    """The reading of a call that is replaced, as one of all uses of a dotted name: where nothing there calls
    it, or where every one is meant. What is also set there is renamed."""
    old, new = (parsed(reading.text(slot).strip("`'\" ")) for slot in ("old", "new"))
    if reading.intent != "replace_call" or not isinstance(old, ast.Attribute):
        return reading
    if not isinstance(new, ast.Attribute | ast.Name) or situation.path not in situation.repo.index.paths:
        return reading
    source, shown = situation.repo.index.source(situation.path), ast.unparse(old)
    uses = (
        [
            node
            for node in walk(source.tree)
            if isinstance(node, ast.Attribute) and node.attr == old.attr and ast.unparse(node) == shown
        ]
        if source.tree is not None
        else []
    )
    called = any(getattr(source.parents.get(node), "func", None) is node for node in uses)
    said = re.findall(r"\w+", situation.instruction)
    every = reading.everywhere or any(phrases.is_said("every", word) for word in said)
    if not uses or (called and not every):
        return reading
    if any(isinstance(node.ctx, ast.Store | ast.Del) for node in uses):
        same_owner = isinstance(new, ast.Attribute) and ast.unparse(new.value) == ast.unparse(old.value)
        slots = {slot: spans for slot, spans in reading.slots.items() if slot != "old"}
        named = {**slots, "symbol": reading.slots["old"]}
        return replace(reading, intent="rename", slots=named) if same_owner else reading
    return replace(reading, intent="replace_expression", everywhere=every)
