"""Files as the editor has them: unsaved buffers are read, and edits go through it, for its own review."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import wait
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from acp import RequestError

from spark_tui.acp.protocol_errors import NOT_FOUND
from spark_tui.errors import Refused, SparkError, TimeLimit, TreeChanged
from spark_tui.session.tree.decided_text import merge_changed_file
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.workspace import apply as workspace_apply
from spark_tui.workspace.apply import ApplyPlan, ChangedMeanwhile, ConflictedFile, Ignored, WantedFile
from spark_tui.workspace.files import TEXT_ONLY, FileText, Tree, is_binary
from spark_tui.workspace.transaction import FileChange

SECONDS = 30.0
"""So long an editor may take to read or write a file."""
_LOOK_SECONDS = 0.05
MOST_ASKED = 200
"""So many files that nobody has named are asked of an editor in a turn."""
T = TypeVar("T")


class FileClient(Protocol):
    """What is asked of the SDK's connection."""

    async def read_text_file(self, session_id: str, path: str) -> Any: ...
    async def write_text_file(self, session_id: str, path: str, content: str) -> Any: ...


class ClientFiles:
    """The files of one session in the editor. The methods block: call them from a turn's thread."""

    def __init__(
        self,
        client: FileClient,
        session_id: Callable[[], str],
        loop: asyncio.AbstractEventLoop,
        root: Path,
        *,
        reads: bool,
        writes: bool,
        most_bytes: int,
    ) -> None:
        self._client, self._session_id, self._loop, self._root = client, session_id, loop, root
        self.reads, self.writes, self._most_bytes = reads, writes, most_bytes
        self._asked = 0
        self.unread: set[str] = set()
        """Files that the editor did not show although it has them: there may be unsaved changes."""
        self.cancelled: Callable[[], bool] = lambda: False
        """Ends the wait for a file that is read; a write is waited for, so that it can be taken back."""

    def begin_turn(self) -> None:
        """From now on a turn may ask for `MOST_ASKED` files again."""
        self._asked = 0

    def seen(self, path: str, disk: FileText) -> FileText | None:
        """A file that a turn comes upon, as the editor has it. A turn that looks through the repository reads
        the disk after a while."""
        self._asked += 1
        return disk if self._asked > MOST_ASKED else self.read(path, disk)

    def read(self, path: str, disk: FileText | None) -> FileText | None:
        """A file as the editor has it; as it is on the disk where the editor does not say."""
        if not self.reads or not plain_text(disk):
            return disk
        try:
            asked = self._client.read_text_file(self._session_id(), str(self._root / path))
            found = self._wait(asked, self.cancelled)
        # The editor has no such file, cannot read it, went, or answers what the protocol does not know (of
        # the SDK a ValueError): then the disk speaks.
        except (RequestError, ConnectionError, ValueError) as error:
            if getattr(error, "code", 0) != NOT_FOUND:
                self.unread.add(path)
            return disk
        self.unread.discard(path)
        text = str(found.content)
        if len(text) > self._most_bytes:
            raise Refused(
                f"the buffer has {len(text)} characters; the limit is {self._most_bytes}", where=path
            )
        return as_file(path, text, disk)

    def unsaved(self, paths: Iterable[str], tree: Tree) -> dict[str, FileText | None]:
        """Those files whose buffers are not what is on the disk."""
        out: dict[str, FileText | None] = {}
        for path in dict.fromkeys(paths):
            try:
                disk = tree.now(path)
            except SparkError:  # the turn says what is wrong with it
                continue
            found = self.read(path, disk)
            if found is not None and (disk is None or found.data != disk.data):
                out[path] = found
        return out

    def write(self, path: str, data: bytes) -> None:
        text = data.decode("utf-8")
        self._wait(self._client.write_text_file(self._session_id(), str(self._root / path), text))

    def _wait(self, asked: Coroutine[Any, Any, T], cancelled: Callable[[], bool] = lambda: False) -> T:
        future = asyncio.run_coroutine_threadsafe(asked, self._loop)
        until = time.monotonic() + SECONDS
        while not wait([future], _LOOK_SECONDS).done:
            if cancelled():
                future.cancel()
                raise Refused("stopped before the editor had sent a file")
            if time.monotonic() > until:
                future.cancel()
                raise TimeLimit(f"the editor did not answer within {SECONDS:.0f} s")
        return future.result()


def plain_text(file: FileText | None) -> bool:
    """Whether a protocol's text says all of a file."""
    if file is None:
        return True
    if file.bom or file.is_link or file.encoding != "utf-8":
        return False
    try:
        file.data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def as_file(path: str, text: str, disk: FileText | None) -> FileText:
    """A buffer's text as a file. Editors leave out carriage returns: the file on the disk says whether there
    are any. Raises Refused for text that is none."""
    if disk is not None and "\r" not in text:
        if disk.data.replace(b"\r\n", b"\n") == text.encode("utf-8", "replace"):
            return disk  # line ends may be mixed
        if disk.newline == "crlf":
            text = text.replace("\n", "\r\n")
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise Refused("the buffer has half of a character (a lone surrogate)", where=path) from None
    if is_binary(data):
        raise Refused("this is a binary file", where=path, hint=TEXT_ONLY)
    return FileText(path, data, disk.mode if disk is not None else 0o644)


class ClientWriter(TreeWriter):
    """Writes through the editor: each change is merged with the buffer, and the editor saves it. What its
    protocol cannot say (removing, renaming, other encodings) and what it did not show is written to the disk.
    A checkpoint is taken as always."""

    files: ClientFiles

    def _plan(self, wants: Sequence[WantedFile], ignored: Ignored = None) -> ApplyPlan:
        """With unsaved buffers as what the files were before: an undo gives back what was typed in them."""
        tree = Tree(self.root, most_bytes=self.most_bytes)
        unsaved: dict[str, tuple[bytes, bool]] = {}
        ready = super()._plan([self._merged(want, tree, unsaved) for want in wants], ignored)
        changes = [
            replace(change, before=unsaved[change.path][0], merged=unsaved[change.path][1])
            if change.path in unsaved and _can_send(change)
            else change
            for change in ready.changes
        ]
        return replace(ready, changes=tuple(changes))

    def _merged(self, want: WantedFile, tree: Tree, unsaved: dict[str, tuple[bytes, bool]]) -> WantedFile:
        disk = tree.now(want.path, follow=not want.itself)
        if want.itself or not self.files.writes or not plain_text(disk):
            return want
        buffer = self.files.read(want.path, disk)
        here = None if buffer is None else buffer.data
        on_disk = None if disk is None else disk.data
        if here == on_disk:
            return want
        if here is not None:
            unsaved[want.path] = here, here != want.base
        if here == want.base:
            return replace(want, base=on_disk)
        if here is None or want.base is None or want.target is None:
            raise TreeChanged("the editor has this file with unsaved changes", where=want.path)
        target, clashes = merge_changed_file(want.base, here, want.target)
        if target is None:
            what = "the editor's buffer changed in the same lines since it was read"
            raise ConflictedFile([ChangedMeanwhile(want.path, tuple(clashes))], what=what)
        return replace(want, base=on_disk, target=target)

    def _put(self, ready: ApplyPlan) -> tuple[str, ...]:
        rest: tuple[FileChange, ...] = ()
        done: list[FileChange] = []
        try:
            for change in ready.changes:
                if not (self.files.writes and _can_send(change)):
                    rest += (change,)
                    continue
                buffer = self.files.read(change.path, _before(change))
                if buffer is not None and buffer.data != change.before:
                    raise TreeChanged("the editor's buffer changed meanwhile", where=change.path)
                if not self._shows(change):
                    rest += (change,)
                    continue
                self._send(change, change.after or b"")
                done.append(change)
            if rest:
                workspace_apply.apply(replace(ready, changes=rest), self.journal_dir)
        except BaseException:
            for change in reversed(done):
                with contextlib.suppress(Exception):
                    self._take_back(change)
            raise
        return ready.paths

    def _shows(self, change: FileChange) -> bool:
        """Whether the editor has shown what a file is now, or it is new: nothing unsaved is written over."""
        return change.before is None or change.path not in self.files.unread

    def _send(self, change: FileChange, data: bytes) -> None:
        try:
            self.files.write(change.path, data)
        except SparkError:
            raise
        except Exception as error:
            raise Refused(f"the editor did not write it: {error}", where=change.path) from error

    def _take_back(self, change: FileChange) -> None:
        if change.before is None:
            (self.root / change.real).unlink(missing_ok=True)
        else:
            self.files.write(change.path, change.before)


def _before(change: FileChange) -> FileText | None:
    return None if change.before is None else FileText(change.path, change.before, change.before_mode)


def _can_send(change: FileChange) -> bool:
    if change.after is None or change.before_mode != change.after_mode:
        return False
    return plain_text(_before(change)) and plain_text(FileText(change.path, change.after))
