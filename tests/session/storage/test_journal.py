"""The journal loses nothing that was shown."""

import errno
import os
import queue
import signal
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.session_indexes import flip_bit

from spark_tui import events
from spark_tui.errors import MalformedInput, NoPlace
from spark_tui.session.storage.journal import Journal, JournalEntry, read

EVENTS = [events.TurnStarted("t", "p", "b", "lines"), events.Token(1, "a\nb"), events.Finished("stop")]


def write(path, items=EVENTS):
    journal = Journal(path)
    for index, event in enumerate(items):
        journal.append(event, float(index))
    journal.close()


def test_what_was_appended_is_read_back(tmp_path):
    write(tmp_path / "j")
    assert list(read(tmp_path / "j")) == [JournalEntry(float(i), e) for i, e in enumerate(EVENTS)]


@given(cut=st.integers(0, 400))
def test_a_journal_cut_at_any_byte_keeps_every_whole_line_and_can_be_written_on(tmp_path_factory, cut):
    path = tmp_path_factory.mktemp("j") / "j"
    write(path)
    data = path.read_bytes()[:cut]
    path.write_bytes(data)
    whole = data.count(b"\n")
    assert [entry.event for entry in read(path)] == EVENTS[:whole]
    write(path, [events.Prose("after")])
    assert [entry.event for entry in read(path)] == [*EVENTS[:whole], events.Prose("after")]


@pytest.mark.parametrize(
    ("fails", "event"),
    [("write", EVENTS[2]), ("fsync", events.Decided(1, "accepted"))],
    ids=["write", "fsync"],
)
def test_what_the_disk_has_no_room_for_leaves_the_lines_before_it_whole(tmp_path, monkeypatch, fails, event):
    path, real = tmp_path / "journal.jsonl", os.write
    journal = Journal(path)
    journal.append(EVENTS[0], 0.0)

    def some(fd, data):
        if len(data) <= 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(fd, data[:20])

    def none(fd):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(os, fails, some if fails == "write" else none)
        with pytest.raises(NoPlace, match=r"cannot save this session: No space left on device\n +Make room"):
            journal.append(event, 1.0)
    assert [entry.event for entry in read(path)] == EVENTS[:1]
    journal.append(event, 2.0)
    journal.close()
    assert [entry.event for entry in read(path)] == [EVENTS[0], event]


class SlowDisk:
    """Each sync waits until it may end, and then fails where it shall."""

    def __init__(self, monkeypatch):
        self.may_end, self.begun, self.fails = threading.Event(), queue.Queue(), False
        monkeypatch.setattr(os, "fsync", self.fsync)

    def fsync(self, fd):
        self.begun.put(os.fstat(fd).st_size)
        assert self.may_end.wait(60)
        if self.fails:
            raise OSError(errno.EIO, "Input/output error")


def test_nothing_waits_for_the_disk_where_a_turn_begins_and_every_line_reaches_it(tmp_path, monkeypatch):
    disk = SlowDisk(monkeypatch)
    journal = Journal(tmp_path / "j")
    journal.append(EVENTS[0], 0.0)
    first = disk.begun.get(timeout=60)
    for event in [EVENTS[1], EVENTS[2], *EVENTS]:
        journal.append(event, 1.0)
    assert first < (tmp_path / "j").stat().st_size
    assert disk.begun.empty()
    disk.may_end.set()
    journal.close()
    # One more sync takes all lines that came while the first ran.
    assert disk.begun.get(timeout=60) == (tmp_path / "j").stat().st_size
    assert disk.begun.empty()


def test_a_sync_that_failed_beside_other_work_is_said_by_the_next_line(tmp_path, monkeypatch):
    disk = SlowDisk(monkeypatch)
    journal = Journal(tmp_path / "j")
    disk.fails = True
    disk.may_end.set()
    journal.append(EVENTS[0], 0.0)
    while journal._failed is None:
        time.sleep(0.001)
    with pytest.raises(NoPlace, match="Input/output error"):
        journal.append(EVENTS[1], 1.0)
    journal.append(EVENTS[1], 2.0)
    journal.close()
    assert [entry.event for entry in read(tmp_path / "j")] == EVENTS[:2]


def test_a_damaged_line_in_the_middle_is_named(tmp_path):
    path = tmp_path / "j"
    write(path)
    flip_bit(path, 20)
    with pytest.raises(MalformedInput, match="damaged") as caught:
        list(read(path))
    assert caught.value.where == f"{path}:1"


def test_a_byte_that_is_another_is_damage_also_where_the_line_still_reads_as_an_event(tmp_path):
    path = tmp_path / "j"
    write(path)
    data = path.read_bytes()
    for at in range(data.index(b"\n")):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with pytest.raises(MalformedInput, match="damaged"):
            list(read(path))


def test_a_killed_process_leaves_every_event_that_append_returned_for(tmp_path):
    path = tmp_path / "j"
    code = (
        "import os, sys, signal\n"
        "from spark_tui import events\n"
        "from spark_tui.session.storage.journal import Journal\n"
        f"journal = Journal(__import__('pathlib').Path({str(path)!r}))\n"
        "for i in range(57):\n"
        "    journal.append(events.Token(i, 'x'), 0.0)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert [entry.event.id for entry in read(path)] == list(range(57))


def test_the_journal_is_readable_by_its_owner_only(tmp_path):
    write(tmp_path / "j")
    assert (tmp_path / "j").stat().st_mode & 0o077 == 0
