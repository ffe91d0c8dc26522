"""`spark watch --edits`: offers what follows from files saved in another editor."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path
from typing import Any

from spark_tui.cli.output import print_error, write_exactly
from spark_tui.config import paths
from spark_tui.errors import ExitCode, SparkError, visible
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.next_edit.saved_edits import SavedEdits
from spark_tui.session.tree.writer import TreeWriter

_LOOK_SECONDS = 0.3
_SESSION = "next-edit"


def watch_edits(root: Path, as_json: bool) -> ExitCode:
    """Look until `q`, the end of the input or Ctrl+C."""
    state = paths.repository_state_dir(root)
    edits = SavedEdits(root, paths.cache_dir() / "pysource" / state.name, OfferLog(state))
    writer = TreeWriter(root, state, _SESSION)
    writer.recover()
    count = edits.index()
    if not as_json:
        print_error(f"{count} Python files. Save a change; Enter shows what is offered, q ends.")
    pause = _LOOK_SECONDS
    try:
        while True:
            if select.select([sys.stdin], [], [], pause)[0]:
                line = os.read(sys.stdin.fileno(), 4096)
                if not line or line.strip().lower() in (b"q", b"quit"):
                    return ExitCode.DONE
                if _answer(line.strip().lower(), edits, writer):
                    _tell(edits, as_json)
            begun = time.monotonic()
            if edits.look():
                _tell(edits, as_json)
            # Looking at a large tree takes a tenth of the time at most.
            pause = max(_LOOK_SECONDS, 9 * (time.monotonic() - begun))
    except KeyboardInterrupt:
        return ExitCode.DONE


def _tell(edits: SavedEdits, as_json: bool) -> None:
    offer = edits.offer
    if offer is None:
        return
    if as_json:
        facts: dict[str, Any] = {
            "words": offer.words,
            "places": offer.places,
            "files": list(offer.plan.paths),
        }
        print(json.dumps({"event": "offer", **facts, "patch": edits.patch()}), flush=True)
    else:
        print_error(visible(f"↹ {offer.line}   (Enter shows it, y takes it, n dismisses it)"))


def _answer(word: bytes, edits: SavedEdits, writer: TreeWriter) -> bool:
    """Do what was typed; whether an offer was taken."""
    if edits.offer is None:
        print_error("nothing is offered")
    elif word in (b"y", b"yes"):
        try:
            written = edits.take(writer)
        except SparkError as error:
            print_error(visible(str(error)))
            return False
        if written is not None:
            count = f"{len(written.paths)} file{'' if len(written.paths) == 1 else 's'}"
            print_error(f"changed {count}; undo: spark checkpoints restore {written.checkpoint}")
        return True
    elif word in (b"n", b"no"):
        edits.dismiss()
        print_error("not offered again")
    else:
        write_exactly(edits.patch())
    return False
