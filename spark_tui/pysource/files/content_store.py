"""What is known of the contents of files: summaries, kept on disk by digest, and the files parsed last."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections import OrderedDict
from pathlib import Path
from weakref import WeakValueDictionary

from spark_tui.pysource.garbage_collection import no_collection
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import VERSION, Summary, summarize

CHARACTERS_AHEAD = 8_000_000
"""What is parsed before anybody asks for it."""
MOST_PARSED_CHARACTERS = 2 * CHARACTERS_AHEAD
"""Where more was parsed, nothing that was found in it is kept for the next message: some messages need ten
million characters each time."""
_CACHE_FILE = f"pysource-{VERSION}.json"


def digest_of(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class ContentStore:
    """What is known of contents, shared by an index and the ones with changes on top of it."""

    def __init__(self, cache: Path | None) -> None:
        self.cache = cache
        self.summaries: dict[str, Summary] = {}
        self.stored: dict[str, object] = {}
        """What the cache has of contents that nobody asked for yet."""
        self.saved: set[str] = set()
        """The contents whose summaries are in `cache`."""
        self._parsed: WeakValueDictionary[tuple[str, str], Scopes] = WeakValueDictionary()
        """The parsed files that somebody holds: an index that is in use, or `_recent`."""
        self._latest: WeakValueDictionary[str, Scopes] = WeakValueDictionary()
        """Of these, of each file the state that was parsed last."""
        self._recent: OrderedDict[tuple[str, str], Scopes] = OrderedDict()
        self._characters = 0
        self._ordering = threading.Lock()
        """Held while `_recent` changes: an answer may be checked while the next message is read."""
        self._summarized: tuple[str, Source] | None = None
        """The last content that was parsed without its names, by digest: they are often asked for next."""
        if cache is not None:
            with contextlib.suppress(OSError, ValueError, TypeError):
                self.stored = dict(json.loads((cache / _CACHE_FILE).read_text("utf-8")))
                self.saved = set(self.stored)

    def summary(self, digest: str, source: Source) -> Summary:
        if digest not in self.summaries:
            kept = self.stored.get(digest)
            if isinstance(kept, list):
                with contextlib.suppress(ValueError, TypeError):
                    self.summaries[digest] = Summary.from_json(kept)
                self.stored.pop(digest, None)
        if digest not in self.summaries:
            parsed = self._parsed.get((source.path, digest))
            if parsed is None:
                self._summarized = digest, source
            with no_collection():
                self.summaries[digest] = summarize(source if parsed is None else parsed.source)
        return self.summaries[digest]

    def source(self, path: str, digest: str, text: str) -> Source:
        """The content without its names: they are found when the same content is asked for next."""
        parsed = self._parsed.get((path, digest))
        if parsed is not None:
            return parsed.source
        known, source = self._summarized or ("", None)
        if source is None or known != digest or source.path != path:
            earlier = self._latest.get(path)
            source = Source(text, path, None if earlier is None else earlier.source)
            self._summarized = digest, source
        return source

    def scopes(self, path: str, digest: str, text: str, *, passing: bool) -> Scopes:
        """The parsed content. What is `passing`, as a plan would make it, takes the place of no other."""
        key = (path, digest)
        found = self._parsed.get(key)
        if found is None:
            source = self.source(path, digest, text)
            self._summarized = None
            with no_collection():
                found = self._parsed[key] = self._latest[path] = Scopes(source)
        with self._ordering:
            if key not in self._recent:
                self._recent[key] = found
                self._characters += len(text)
            self._recent.move_to_end(key, last=not passing)
            while self._characters > MOST_PARSED_CHARACTERS and len(self._recent) > 1:
                _, dropped = self._recent.popitem(last=False)
                self._characters -= len(dropped.source.text)
        return found

    def without_parsed(self) -> ContentStore:
        """The same summaries, and no parsed files."""
        made = ContentStore(None)
        made.cache, made.saved = self.cache, self.saved
        made.summaries, made.stored = self.summaries, self.stored
        return made

    def save(self, digests: set[str]) -> None:
        """Write the summaries of these contents; what belongs to no file any more is dropped."""
        if self.cache is None or digests <= self.saved:
            return
        data = {}
        for digest in sorted(digests):
            kept = self.stored.get(digest)  # asked first: another thread may take it out once it is read
            if (known := self.summaries.get(digest)) is not None:
                kept = known.to_json()
            if kept is not None:
                data[digest] = kept
        with contextlib.suppress(OSError):
            self.cache.mkdir(parents=True, exist_ok=True)
            part = self.cache / f"{_CACHE_FILE}.{os.getpid()}"
            # One by one: a whole repository in one call would hold up every other thread.
            rows = (f'"{digest}":{json.dumps(kept, separators=(",", ":"))}' for digest, kept in data.items())
            part.write_text(f"{{{','.join(rows)}}}", "utf-8")
            part.replace(self.cache / _CACHE_FILE)
        self.saved = set(data)
