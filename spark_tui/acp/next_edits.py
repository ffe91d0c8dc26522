"""Next-edit suggestions for editors: the offers of the workbench as text edits.

This part of the protocol (`nes/…`, `document/…`) is a draft."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from acp import RequestError, schema
from pydantic import BaseModel, ValidationError

from spark_tui.acp.leg import in_thread
from spark_tui.acp.opening import SettingsOf, folder_of
from spark_tui.acp.protocol_errors import INVALID_PARAMS, NOT_FOUND, invalid
from spark_tui.codemods.plan import Edit
from spark_tui.config import paths
from spark_tui.next_edit.tokens import digest
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.next_edit.offers import NextEdits, Offered
from spark_tui.session.session_opener import root_of
from spark_tui.session.tree.tree_reader import TreeReader

_WAIT_SECONDS = 5.0
"""For an answer; a repository that is read for the first time takes longer, and the next question has it."""
_KEPT_OFFERS = 256
"""Suggestions of one window that can still be accepted or rejected; most are never answered."""

_DOCUMENTS = schema.NesDocumentEventCapabilities(
    did_open=schema.NesDocumentDidOpenCapabilities(),
    did_change=schema.NesDocumentDidChangeCapabilities(sync_kind="full"),
    did_close=schema.NesDocumentDidCloseCapabilities(),
    did_save=schema.NesDocumentDidSaveCapabilities(),
)
CAPABILITIES = schema.NesCapabilities(events=schema.NesEventCapabilities(document=_DOCUMENTS))


@dataclass
class _Started:
    """What one editor window has open in one tree."""

    root: Path
    edits: NextEdits
    log: OfferLog
    texts: dict[str, str] = field(default_factory=dict)
    """The open documents, by their paths from the root."""
    versions: dict[str, int] = field(default_factory=dict)
    offers: dict[str, str] = field(default_factory=dict)
    """The words of an offer by the names of its suggestions."""
    waiting: asyncio.Future[Offered | None] | None = None

    def path_of(self, uri: str) -> str:
        """The path from the root of a file in the tree; empty for another one."""
        parts = urlsplit(uri)
        path = Path(unquote(parts.path))
        if parts.scheme != "file" or not path.resolve().is_relative_to(self.root):
            return ""
        return path.resolve().relative_to(self.root).as_posix()

    def forget_question(self) -> None:
        """Whoever asks anew, or changes what is open, does not want the answer any more."""
        if self.waiting is not None:
            _settle(self.waiting, None)

    def unsaved(self) -> dict[str, str]:
        return {path: text for path, text in self.texts.items() if text != self._on_disk(path)}

    def text(self, path: str) -> str | None:
        return self.texts[path] if path in self.texts else self._on_disk(path)

    def _on_disk(self, path: str) -> str | None:
        try:
            return (self.root / path).read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            return None


class NextEditSuggestions:
    """Answers one client. `settings_of` gives the settings of a tree."""

    def __init__(self, settings_of: SettingsOf) -> None:
        self._settings_of = settings_of
        self._started: dict[str, _Started] = {}
        self._routes: dict[str, tuple[type[BaseModel], Callable[[Any], Any]]] = {
            "nes/start": (schema.StartNesRequest, self._start),
            "nes/suggest": (schema.SuggestNesRequest, self._suggest),
            "nes/accept": (schema.AcceptNesNotification, self._accept),
            "nes/reject": (schema.RejectNesNotification, self._reject),
            "nes/close": (schema.CloseNesRequest, self._close),
            "document/didOpen": (schema.DidOpenDocumentNotification, self._opened),
            "document/didChange": (schema.DidChangeDocumentNotification, self._changed),
            "document/didSave": (schema.DidSaveDocumentNotification, self._saved),
            "document/didClose": (schema.DidCloseDocumentNotification, self._closed),
        }

    def takes(self, method: str) -> bool:
        return method in self._routes

    def answer(self, method: str, params: Any) -> Any:
        """What a message asks for, or for a request that takes time a coroutine. Raises RequestError."""
        model, handle = self._routes[method]
        try:
            asked = model.model_validate(params or {})
        except ValidationError as error:
            where = ".".join(map(str, error.errors()[0]["loc"]))
            raise RequestError(INVALID_PARAMS, f"{where}: {error.errors()[0]['msg']}") from error
        return handle(asked)

    async def close(self) -> None:
        for started in list(self._started.values()):
            await in_thread(started.edits.close)
        self._started.clear()

    # -- requests

    def _start(self, asked: schema.StartNesRequest) -> schema.StartNesResponse:
        uris = [folder.uri for folder in asked.workspace_folders or ()]
        uri = asked.workspace_uri or next(iter(uris), "")
        if urlsplit(uri).scheme != "file":
            raise invalid("workspaceUri must be a file: address of a folder", uri)
        root = root_of(folder_of(unquote(urlsplit(uri).path))).resolve()
        state = paths.repository_state_dir(root)
        log = OfferLog(state)
        most_bytes = self._settings_of(root).max_file_bytes
        tree = TreeReader(root, lambda: most_bytes)
        edits = NextEdits(tree, paths.cache_dir() / "pysource" / state.name, log)
        session_id = uuid.uuid4().hex
        self._started[session_id] = _Started(root, edits, log)
        return schema.StartNesResponse(session_id=session_id)

    async def _suggest(self, asked: schema.SuggestNesRequest) -> schema.SuggestNesResponse:
        started = self._of(asked.session_id)
        path = started.path_of(asked.uri)
        if path not in started.texts or started.versions[path] != asked.version:
            return schema.SuggestNesResponse(suggestions=[])
        started.forget_question()
        loop = asyncio.get_running_loop()
        waiting = started.waiting = loop.create_future()

        def deliver(offered: Offered | None) -> None:
            loop.call_soon_threadsafe(_settle, waiting, offered)

        started.edits.typed(path, started.texts[path], deliver)
        try:
            offered = await asyncio.wait_for(waiting, _WAIT_SECONDS)
        except TimeoutError:
            offered = None
        found: list[Any] = list(_suggestions(offered, started, path)) if offered is not None else []
        if offered is not None and found:
            started.log.add("shown", offered.words)
        return schema.SuggestNesResponse(suggestions=found)

    async def _close(self, asked: schema.CloseNesRequest) -> schema.CloseNesResponse:
        started = self._of(asked.session_id)
        del self._started[asked.session_id]
        await in_thread(started.edits.close)
        return schema.CloseNesResponse()

    # -- notifications

    def _accept(self, notification: schema.AcceptNesNotification) -> None:
        started = self._of(notification.session_id)
        if offer := started.offers.pop(notification.id, ""):
            started.log.add("taken", offer)

    def _reject(self, notification: schema.RejectNesNotification) -> None:
        started = self._of(notification.session_id)
        offer = started.offers.pop(notification.id, "")
        if offer and notification.reason in (None, "rejected"):
            started.edits.dismiss(offer)

    def _opened(self, notification: schema.DidOpenDocumentNotification) -> None:
        started = self._of(notification.session_id)
        if path := started.path_of(notification.uri):
            started.texts[path], started.versions[path] = notification.text, notification.version
            started.forget_question()
            started.edits.opened(path, notification.text)

    def _changed(self, notification: schema.DidChangeDocumentNotification) -> None:
        started = self._of(notification.session_id)
        path = started.path_of(notification.uri)
        if path not in started.texts:
            return
        text = started.texts[path]
        for change in notification.content_changes:
            start, end = 0, len(text)
            if change.range is not None:
                start, end = _offset(text, change.range.start), _offset(text, change.range.end)
            text = text[:start] + change.text + text[end:]
        started.texts[path], started.versions[path] = text, notification.version

    def _saved(self, notification: schema.DidSaveDocumentNotification) -> None:
        started = self._of(notification.session_id)
        started.forget_question()
        started.edits.wrote(started.unsaved())

    def _closed(self, notification: schema.DidCloseDocumentNotification) -> None:
        started = self._of(notification.session_id)
        if started.texts.pop(started.path_of(notification.uri), None) is not None:
            started.forget_question()
            started.edits.wrote(started.unsaved())

    def _of(self, session_id: str) -> _Started:
        if session_id not in self._started:
            raise RequestError(NOT_FOUND, f"no next-edit session {session_id!r} is open")
        return self._started[session_id]


def _settle(waiting: asyncio.Future[Offered | None], offered: Offered | None) -> None:
    if not waiting.done():
        waiting.set_result(offered)


def _suggestions(
    offered: Offered, started: _Started, first: str
) -> Iterator[schema.NesEditSuggestionVariant]:
    """One for each file, that of the person first. A file that is another one by now is left out."""
    for path in sorted(offered.plan.paths, key=lambda path: (path != first, path)):
        text = started.text(path)
        if text is None or offered.read.get(path) != digest(text):
            continue
        name = uuid.uuid4().hex
        started.offers[name] = offered.words
        if len(started.offers) > _KEPT_OFFERS:
            del started.offers[next(iter(started.offers))]
        uri = f"file://{quote((started.root / path).as_posix())}"
        edits = _text_edits(text, [edit for edit in offered.plan.edits if edit.path == path])
        yield schema.NesEditSuggestionVariant(id=name, uri=uri, edits=edits, kind="edit")


def _text_edits(text: str, edits: Sequence[Edit]) -> list[schema.NesTextEdit]:
    return [
        schema.NesTextEdit(
            range=schema.Range(start=_position(text, edit.start), end=_position(text, edit.end)),
            new_text=edit.new,
        )
        for edit in edits
    ]


def _position(text: str, offset: int) -> schema.Position:
    """Columns are counted in UTF-16, as the protocol does where nothing else is agreed on."""
    begin = text.rfind("\n", 0, offset) + 1
    column = len(text[begin:offset].encode("utf-16-le", "surrogatepass")) // 2
    return schema.Position(line=text.count("\n", 0, offset), character=column)


def _offset(text: str, position: schema.Position) -> int:
    lines = text.split("\n")
    if position.line >= len(lines):
        return len(text)
    line = lines[position.line].encode("utf-16-le", "surrogatepass")[: 2 * position.character]
    return sum(len(item) + 1 for item in lines[: position.line]) + len(line.decode("utf-16-le", "ignore"))
