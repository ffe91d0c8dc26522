"""Reports when any spark process wrote hunks to a repository, from the journals of its sessions."""

from __future__ import annotations

import re
from pathlib import Path

from spark_tui.session.storage.journal import journals

_WRITTEN = re.compile(rb'"type":\s*"(?:Applied|Undone)"')


class WriteWatcher:
    """Looks at what was added to the journals since the last look."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._sizes = {path: path.stat().st_size for path in journals(state)}

    def wrote(self) -> bool:
        """Whether hunks were written or undone since the last call."""
        found = False
        for path in journals(self._state):
            known = self._sizes.get(path, 0)
            try:
                with path.open("rb") as journal:
                    journal.seek(known)
                    added = journal.read()
            except OSError:
                continue
            # A line that is not whole yet is read the next time.
            whole = added[: added.rfind(b"\n") + 1]
            self._sizes[path] = known + len(whole)
            found = found or _WRITTEN.search(whole) is not None
        return found
