"""What an instruction shows or describes, by its name instead."""

from __future__ import annotations

from spark_tui.intent.answering.said_members import with_list_named
from spark_tui.intent.answering.shown_names import with_name_set
from spark_tui.intent.context.situation import Situation


def with_names_said(instruction: str, situation: Situation) -> str:
    for spelled in (with_name_set, with_list_named):
        instruction = spelled(instruction, situation)
    return instruction
