"""The tree is all old or all new: after an error at any file operation, and after a kill before any of
them."""

import contextlib
import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from spark_tui.errors import MalformedInput, NoPlace, Refused, SparkError, TreeChanged
from spark_tui.workspace.apply import WantedFile, apply, plan, recover
from spark_tui.workspace.disk import Disk
from spark_tui.workspace.transaction import Transaction

OLD = {
    "a.txt": (b"old a\n", 0o644),
    "deep/b.txt": (b"old b\r\n", 0o755),
    "gone/c.txt": (b"old c", 0o600),
    "mode.sh": (b"echo\n", 0o644),
    "name/old.txt": (b"moved\n", 0o644),
}
NEW = {
    "a.txt": (b"new a\n", 0o644),
    "deep/b.txt": (b"new b\r\n", 0o755),
    "mode.sh": (b"echo\n", 0o755),
    "name/new.txt": (b"moved and edited\n", 0o644),
    "fresh/folder/d.txt": (b"new d\n", 0o644),
}


def wanted():
    return [
        WantedFile("a.txt", b"old a\n", b"new a\n"),
        WantedFile("deep/b.txt", b"old b\r\n", b"new b\r\n"),
        WantedFile("gone/c.txt", b"old c", None),
        WantedFile("mode.sh", b"echo\n", b"echo\n", 0o755),
        WantedFile("name/old.txt", b"moved\n", None),
        WantedFile("name/new.txt", None, b"moved and edited\n"),
        WantedFile("fresh/folder/d.txt", None, b"new d\n"),
    ]


def no_merge(base, ours, theirs):
    return None, ()


def make_tree(root, files=OLD):
    for name, (data, mode) in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
        (root / name).chmod(mode)
    return root


def snapshot(root):
    return {
        str(path.relative_to(root)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in root.rglob("*")
        if path.is_file()
    }


def left_in(journal):
    return [path.name for path in journal.iterdir()]


class Failing(Disk):
    """Fails at the n-th operation, or at every one from there on."""

    def __init__(self, at, persistent=False, error=errno.EIO):
        super().__init__(self.step)
        self.at, self.persistent, self.error = at, persistent, error
        self.count = 0

    def step(self, operation, name):
        self.count += 1
        if self.count == self.at or (self.persistent and self.count > self.at):
            raise OSError(self.error, os.strerror(self.error), name)


def operations(tmp_path):
    root = make_tree(tmp_path / "count")
    disk = Failing(0)
    apply(plan(root, wanted(), no_merge), tmp_path / "count-journal", disk=disk)
    assert snapshot(root) == NEW
    return disk.count


def test_without_faults_everything_is_new_and_nothing_is_left_behind(tmp_path):
    root = make_tree(tmp_path / "root")
    apply(plan(root, wanted(), no_merge), tmp_path / "journal")
    assert snapshot(root) == NEW
    assert left_in(tmp_path / "journal") == ["lock"]
    assert not (root / "gone").exists()


STRIDES = pytest.mark.parametrize(
    "stride", [5, pytest.param(1, marks=pytest.mark.slow)], ids=["some operations", "every operation"]
)


@STRIDES
@pytest.mark.parametrize(
    ("error", "persistent"), [(errno.EIO, False), (errno.ENOSPC, True)], ids=["once", "from then"]
)
def test_an_error_at_any_operation_leaves_all_old_or_all_new(tmp_path, persistent, error, stride):
    total = operations(tmp_path)
    assert total > 60
    for at in range(1, total + 1, stride):
        root, journal = make_tree(tmp_path / f"root-{at}"), tmp_path / f"journal-{at}"
        ready = plan(root, wanted(), no_merge)
        failed = False
        try:
            apply(ready, journal, disk=Failing(at, persistent, error))
        except (NoPlace, Refused) as raised:
            failed = True
            assert isinstance(raised, NoPlace) == (error == errno.ENOSPC)
            if "rolled back" not in raised.what:
                assert ("Make room on the disk, then do it again." in raised.hint) == isinstance(
                    raised, NoPlace
                )
            assert ".spark-" not in raised.where or persistent
        if not persistent:
            assert snapshot(root) == (OLD if failed else NEW), f"operation {at}"
        recover(root, journal)
        state = snapshot(root)
        assert state == (OLD if failed else NEW) or (persistent and state in (OLD, NEW)), f"operation {at}"
        assert left_in(journal) == ["lock"], f"operation {at}"
        if state == OLD:
            assert not (root / "fresh").exists()


CHILD = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
from test_transaction_faults import Disk, apply, no_merge, plan, wanted
at, count = int(sys.argv[3]), 0
def step(operation, name):
    global count
    count += 1
    if count == at:
        os.kill(os.getpid(), signal.SIGKILL)
root, journal = Path(sys.argv[1]), Path(sys.argv[2])
apply(plan(root, wanted(), no_merge), journal, disk=Disk(step))
"""


def killed_at(root, journal, at):
    words = map(str, (root, journal, at, Path(__file__).parent))
    done = subprocess.run([sys.executable, "-c", CHILD, *words], capture_output=True, check=False)
    return done.returncode == -signal.SIGKILL, done.stderr.decode()


def check_kills(tmp_path, steps):
    seen = set()
    for at in steps:
        root, journal = make_tree(tmp_path / f"kill-{at}"), tmp_path / f"kill-journal-{at}"
        killed, stderr = killed_at(root, journal, at)
        assert killed, stderr
        recover(root, journal)
        state = snapshot(root)
        assert state in (OLD, NEW), f"killed before operation {at}"
        assert left_in(journal) == ["lock"]
        seen.add("old" if state == OLD else "new")
    return seen


@pytest.mark.parametrize(
    "stride", [12, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "every operation"]
)
def test_a_kill_before_any_operation_leaves_all_old_or_all_new(tmp_path, stride):
    total = operations(tmp_path)
    assert check_kills(tmp_path, range(2 if stride > 1 else 1, total + 1, stride)) == {"old", "new"}


class Stopping(Disk):
    """Stops dead, without any cleaning up, before the n-th operation; `KeyboardInterrupt` cannot be caught
    here."""

    class Dead(BaseException):
        pass

    def __init__(self, at):
        super().__init__(self.step)
        self.at, self.count = at, 0

    def step(self, operation, name):
        self.count += 1
        if self.count >= self.at:
            raise Stopping.Dead


@STRIDES
def test_a_recovery_that_is_itself_killed_anywhere_is_ended_by_the_next(tmp_path, stride):
    total = operations(tmp_path)
    for at in range(stride, total + 1, 3 * stride):
        for again in range(1, 20, stride):
            root, journal = make_tree(tmp_path / f"r-{at}-{again}"), tmp_path / f"j-{at}-{again}"
            with contextlib.suppress(Stopping.Dead):
                apply(plan(root, wanted(), no_merge), journal, disk=Stopping(at))
            with contextlib.suppress(Stopping.Dead):
                recover(root, journal, disk=Stopping(again))
            recover(root, journal)
            assert snapshot(root) in (OLD, NEW)
            assert left_in(journal) == ["lock"]


@STRIDES
def test_a_file_edited_after_a_kill_is_never_eaten(tmp_path, stride):
    total = operations(tmp_path)
    for at in range(1, total + 1, stride):
        for name in ("a.txt", "deep/b.txt"):
            root, journal = make_tree(tmp_path / f"e-{at}-{name[0]}"), tmp_path / f"ej-{at}-{name[0]}"
            with contextlib.suppress(Stopping.Dead):
                apply(plan(root, wanted(), no_merge), journal, disk=Stopping(at))
            (root / name).write_bytes(b"the person's own\n")
            recover(root, journal)
            state = snapshot(root)
            assert state.pop(name)[0] == b"the person's own\n"
            rest = [{key: value for key, value in side.items() if key != name} for side in (OLD, NEW)]
            assert state in rest, f"killed before {at}, then {name} was edited"


@contextlib.contextmanager
def nothing_is_taken_back():
    """As in a killed process."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Transaction, "_give_up", lambda self, steps, committed: None)
        yield


@pytest.mark.parametrize(
    ("made", "edited", "rest"), [(0, "c", "old"), (1, "a", "new"), (2, "a", "new"), (2, "c", "old")]
)
def test_what_was_edited_after_a_kill_decides_which_way_the_rest_goes(tmp_path, made, edited, rest):
    """Files are exchanged in order. An edited one among the new ones was new; one among the old ones was
    old."""
    root = make_tree(tmp_path / "root", dict.fromkeys("abc", (b"old\n", 0o644)))
    renames = 0

    def step(operation, name):
        nonlocal renames
        if operation == "rename" and name in "abc":
            renames += 1
            if renames == made + 1:
                raise Stopping.Dead

    ready = plan(root, [WantedFile(name, b"old\n", b"new\n") for name in "abc"], no_merge)
    with nothing_is_taken_back(), pytest.raises(Stopping.Dead):
        apply(ready, tmp_path / "journal", disk=Disk(step))
    (root / edited).write_bytes(b"mine\n")
    recover(root, tmp_path / "journal")
    assert {name: (root / name).read_text() for name in "abc"} == {
        name: "mine\n" if name == edited else f"{rest}\n" for name in "abc"
    }
    assert sorted(path.name for path in root.iterdir()) == ["a", "b", "c"]


def test_a_file_that_was_to_go_and_was_edited_after_a_kill_keeps_the_others_old(tmp_path):
    root = make_tree(tmp_path / "root", dict.fromkeys("ab", (b"old\n", 0o644)))

    def step(operation, name):
        if operation == "rename" and name == "a":
            raise Stopping.Dead

    ready = plan(root, [WantedFile("a", b"old\n", b"new\n"), WantedFile("b", b"old\n", None)], no_merge)
    with nothing_is_taken_back(), pytest.raises(Stopping.Dead):
        apply(ready, tmp_path / "journal", disk=Disk(step))
    (root / "b").write_bytes(b"mine\n")
    recover(root, tmp_path / "journal")
    assert {name: (root / name).read_text() for name in "ab"} == {"a": "old\n", "b": "mine\n"}


@pytest.mark.parametrize("path", [want.path for want in wanted()])
def test_a_file_that_changes_between_plan_and_apply_stops_all_of_it(tmp_path, path):
    root = make_tree(tmp_path / "root")
    ready = plan(root, wanted(), no_merge)
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(b"someone else's\n")
    before = snapshot(root)
    with pytest.raises(TreeChanged):
        apply(ready, tmp_path / "journal")
    assert snapshot(root) == before


@pytest.mark.parametrize("nth", range(3, 60, 9))
def test_a_file_that_changes_during_the_apply_is_never_overwritten(tmp_path, nth):
    root = make_tree(tmp_path / "root")
    ready = plan(root, wanted(), no_merge)
    count = 0

    def someone_else(operation, name):
        nonlocal count
        count += 1
        if count == nth:
            (root / "deep" / "b.txt").write_bytes(b"someone else's\n")

    try:
        apply(ready, tmp_path / "journal", disk=Disk(someone_else))
    except SparkError:
        rest = {name: value for name, value in snapshot(root).items() if name != "deep/b.txt"}
        assert rest == {name: value for name, value in OLD.items() if name != "deep/b.txt"}
    assert (root / "deep" / "b.txt").read_bytes() in (b"someone else's\n", b"new b\r\n")


def test_two_processes_do_not_write_at_the_same_time(tmp_path):
    root = make_tree(tmp_path / "root", {"n.txt": (b"0\n", 0o644)})
    script = textwrap.dedent("""
        import sys
        from pathlib import Path
        from spark_tui.errors import SparkError
        from spark_tui.workspace.apply import WantedFile, apply, plan
        root, journal, made = Path(sys.argv[1]), Path(sys.argv[2]), 0
        while made < 20:
            now = (root / "n.txt").read_bytes()
            try:
                wanted = [WantedFile("n.txt", now, b"%d\\n" % (int(now) + 1))]
                ready = plan(root, wanted, lambda *sides: (None, ()))
                apply(ready, journal)
                made += 1
            except SparkError:
                pass
        """)
    command = [sys.executable, "-c", script, str(root), str(tmp_path / "journal")]
    running = [subprocess.Popen(command) for _ in range(2)]
    assert [item.wait(60) for item in running] == [0, 0]
    assert (root / "n.txt").read_text() == "40\n"


@pytest.mark.parametrize(
    "damaged", [b"", b'{"root": "', b"\xff\0", b"null", b'{"root": "/", "made": [], "steps": [{}]}']
)
def test_a_record_that_cannot_be_read_is_set_aside_with_the_old_bytes_and_stops_one_start_only(
    tmp_path, damaged
):
    root, journal = make_tree(tmp_path / "root"), tmp_path / "apply"
    kept = journal / "0123"
    kept.mkdir(parents=True)
    (kept / "record.json").write_bytes(damaged)
    (kept / "before-0").write_bytes(b"old a\n")
    with pytest.raises(MalformedInput, match="is damaged") as caught:
        recover(root, journal)
    assert (Path(caught.value.where) / "before-0").read_bytes() == b"old a\n"
    recover(root, journal)
    apply(plan(root, wanted(), no_merge), journal)
    assert snapshot(root) == NEW
