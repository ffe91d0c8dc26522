"""The index of a state folder, and harm to what is stored there."""

import contextlib
import sqlite3

from spark_tui.session.storage.session_index import SessionIndex


@contextlib.contextmanager
def refreshed(state):
    """The index, up to date with the journals."""
    with SessionIndex(state) as store:
        store.refresh()
        yield store


def run_sql(state, statement):
    """Change the index behind its back."""
    with contextlib.closing(sqlite3.connect(state / "sessions.db")) as db:
        db.execute(statement)
        db.commit()


def flip_bit(path, at):
    """Change the lowest bit of one byte of a file."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(bytes(data))
