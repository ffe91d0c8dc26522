"""What is known when a message is read: the file it is about, and the edit before it."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.followups.amendments.by_call import kind_of_amended
from spark_tui.session.reader.reader_edits import Base


def situation_of(ask: ContextRequest, base: Base, turned_down: tuple[str, ...]) -> Situation:
    path, selection, cursor = ask.in_view, ask.selection, ask.cursor or None
    named = [mention.path for mention in find_mentions(ask.instruction)]
    for file in (*named, *ask.files):
        if file != path and base.disk.index.text(file) is not None:
            path, selection, cursor = file, None, None
            break
    last = base.last.edit if base.last is not None else None
    repo, earlier = base.repo, kind_of_amended(last.done, last.earlier) if last is not None else None
    if turned_down:
        before = last.earlier if last is not None else None
        earlier = Done("", {}, ()) if before is None else before
        earlier = replace(earlier, turned_down=(*earlier.turned_down, *turned_down), others=())
        repo = base.before
    return Situation(
        repo=repo,
        path=path,
        selection=selection,
        cursor=cursor,
        earlier=earlier,
        before=base.before if last is not None else None,
        changed=tuple(last.after) if last is not None else (),
        partial=base.last is not None and base.last.partial,
        written=base.with_turned_down,
        instruction=ask.instruction,
        asked=without_files(base.last.record.instruction) if base.last is not None else "",
    )
