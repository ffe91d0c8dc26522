"""Many turns in a process of its own: `python -m spark_tui.bench.sessions.long_session URL FOLDER TURNS`.

Each turn reads a file of a few hundred lines, edits it and says so; the hunk is accepted and written. Prints
the resident memory in megabytes, now and at most.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

from spark_tui.bench.measuring.processes import resident_megabytes
from spark_tui.bench.sessions.scripted_server import Part, ScriptedCall
from spark_tui.config.settings import Settings
from spark_tui.session.session import Session
from spark_tui.session.session_opener import open_backend

FILES, LINES = 20, 300


def fill(root: Path) -> None:
    """The files that the session edits."""
    for number in range(FILES):
        (root / f"m{number}.py").write_text("".join(f"value_{number}_{n} = {n}\n" for n in range(LINES)))


def answer(turn: int, step: int) -> list[Part]:
    """What the model says in a turn."""
    file, line = turn % FILES, turn // FILES * 3
    path, name = f"m{file}.py", f"value_{file}_{line}"
    if step == 0:
        return ["I read it.\n", ScriptedCall("read_file", {"path": path})]
    if step == 1:
        edit = {"path": path, "old": f"{name} = {line}\n", "new": f"{name}: int = {line}\n"}
        return [ScriptedCall("edit", edit)]
    return [f"{name} has a type now.\n"]


def main(url: str, root: Path, turns: int) -> None:
    settings = Settings(connect=url, model="scripted", api="chat", pace="off", exact=False)
    session = Session(root, open_backend(settings), settings, root.parent / "state")
    for number in range(turns):
        for _ in session.turn(f"turn {number}: annotate it", stop=threading.Event()):
            pass
        for hunk in session.decisions.offered(last_turn=True):
            session.decisions.decide(hunk.id, "accepted")
        session.changes.write()
    print(json.dumps({"now": resident_megabytes(peak=False), "peak": resident_megabytes(peak=True)}))
    session.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
