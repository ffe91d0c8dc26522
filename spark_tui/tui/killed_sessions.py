"""What the start says of sessions whose spark was killed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spark_tui.session.session import Session


def notes_of_killed(session: Session) -> list[str]:
    """What is kept of them, each told once, and what is the same of several together."""
    from spark_tui.session.storage.session_journal import may_be_killed

    if not may_be_killed(session.folder):
        return []
    from spark_tui.jobs.kept_typing import recover_killed  # not needed before

    found = Counter(recover_killed(session.root, session.folder.parent.parent, session.folder))
    return [note if count == 1 else f"{count} times: {note}" for note, count in found.items()]
