"""Text to token ids and back, for any `tokenizer.json`.

Text from a user or a file never becomes a special token: only `encode_marked`, which encodes rendered chat
templates, recognizes them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer as Backend

from spark_tui.engine.text.chat_template import ChatTemplate, read_template
from spark_tui.engine.text.detokenizer import ByteDetokenizer, Detokenizer, WindowDetokenizer, byte_alphabet
from spark_tui.errors import MalformedInput, NoBackend

_SPACE_MARK = "▁"


def _sayable(text: str) -> str:
    """The text with lone surrogates (bytes of a file name that are not UTF-8) replaced by question marks."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


class _Failures:
    """What the library raises inside, in words: bare Exceptions, and panics, which are not even that."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is not None and not isinstance(error, (KeyboardInterrupt, SystemExit)):
            raise MalformedInput(f"is not a tokenizer that works ({error})", where=self._where) from error


class Tokenizer:
    """One tokenizer. Safe to share between threads; ids passing the vocabulary are errors, not crashes."""

    def __init__(
        self, backend: Backend, *, config: dict[str, Any] | None = None, where: str = "tokenizer"
    ) -> None:
        self._backend = backend
        self._backend.encode_special_tokens = True
        # A file may say how its texts were cut for training: prompts are not.
        self._backend.no_truncation()
        self._backend.no_padding()
        self._lock = threading.Lock()
        self._config = config or {}
        self._bytes: dict[int, bytes] = {}
        self.where = where
        self.template: ChatTemplate | None = None
        """The chat template, where the model has one."""

    @classmethod
    def load(cls, folder: Path) -> Tokenizer:
        """Read `tokenizer.json` and, where they are, `tokenizer_config.json` and the chat template."""
        path = folder / "tokenizer.json"
        if not path.is_file():
            hint = "Save it once with transformers' AutoTokenizer.from_pretrained(...).save_pretrained(...)."
            raise NoBackend("no tokenizer.json in this folder", where=str(folder), hint=hint)
        with _Failures(str(path)):
            backend = Backend.from_file(str(path))
        config: dict[str, Any] = {}
        config_path = folder / "tokenizer_config.json"
        if config_path.is_file():
            try:
                config = json.loads(config_path.read_text(encoding="utf-8"))
            except (ValueError, RecursionError) as error:
                raise MalformedInput(f"is not JSON ({error})", where=str(config_path)) from error
            if not isinstance(config, dict):
                raise MalformedInput("is not a JSON object", where=str(config_path))
        tokenizer = cls(backend, config=config, where=str(path))
        source = read_template(folder, config)
        if source:
            texts = {
                key: tokenizer.configured_token(key)
                for key in ("bos_token", "eos_token", "pad_token", "unk_token")
            }
            tokenizer.template = ChatTemplate(source, texts, where=str(folder))
        return tokenizer

    # Text to ids

    def encode(self, text: str) -> list[int]:
        """The ids of plain text: no special token is read from it, none is added."""
        return self._ids(text)

    def encode_marked(self, text: str) -> list[int]:
        """The ids of text that may name special tokens, such as a rendered template."""
        return self._ids(text, marked=True)

    def encode_prompt(self, text: str) -> list[int]:
        """A raw prompt: plain text with the special tokens that this model's tokenizer adds to any text."""
        return self._ids(text, adds=True)

    def _ids(self, text: str, *, marked: bool = False, adds: bool = False) -> list[int]:
        with self._lock, _Failures(self.where):
            self._backend.encode_special_tokens = not marked
            ids: list[int] = self._backend.encode(_sayable(text), add_special_tokens=adds).ids
        return ids

    def encode_chat(self, messages: Sequence[dict[str, str]]) -> list[int]:
        """The ids of a conversation. Special tokens that occur *in* a message stay plain text."""
        if self.template is None:
            raise NoBackend(
                "this model has no chat template",
                where=self.where,
                hint="Use a chat model, or `spark generate` for plain text.",
            )
        ids: list[int] = []
        for text, is_markup in self.template.render_split(messages, self.special_texts):
            ids += self.encode_marked(text) if is_markup else self.encode(text)
        return ids

    def count(self, text: str) -> int:
        return len(self.encode(text))

    # Ids to text

    def decode(self, ids: Sequence[int], *, skip_special: bool = True) -> str:
        with _Failures(self.where):
            text: str = self._backend.decode(list(ids), skip_special_tokens=skip_special)
        return text

    def stream(self) -> Detokenizer:
        """A fresh detokenizer for one text, without its special tokens."""
        kind, strip = self._decoder_kind
        if kind == "window":
            return WindowDetokenizer(self.decode)
        return ByteDetokenizer(
            lambda token_id: b"" if token_id in self.special_ids else self.bytes_of(token_id), strip
        )

    def bytes_of(self, token_id: int) -> bytes:
        """The bytes of a token, which may be part of a character; empty for an unknown id."""
        known = self._bytes.get(token_id)
        if known is None:
            known = self._bytes[token_id] = self._to_bytes(token_id)
        return known

    def _to_bytes(self, token_id: int) -> bytes:
        token = self.token(token_id)
        if token is None:
            return b""
        kind, _ = self._decoder_kind
        if kind == "bytes":
            values = [_ALPHABET.get(char) for char in token]
            return token.encode() if None in values else bytes(value for value in values if value is not None)
        if kind == "marks":
            if len(token) == 6 and token.startswith("<0x") and token.endswith(">"):
                try:
                    return bytes([int(token[3:5], 16)])
                except ValueError:
                    pass
            return token.replace(_SPACE_MARK, " ").encode()
        return self.decode([token_id], skip_special=False).encode()

    # What is what

    def token(self, token_id: int) -> str | None:
        """The vocabulary's own spelling of an id; None if there is none."""
        if not 0 <= token_id <= 0xFFFFFFFF:
            return None
        token: str | None = self._backend.id_to_token(token_id)
        return token

    def id_of(self, token: str) -> int | None:
        found: int | None = self._backend.token_to_id(token)
        return found

    def configured_token(self, key: str) -> str:
        """`bos_token` and similar entries of `tokenizer_config.json`, as text; empty if absent."""
        value = self._config.get(key)
        if isinstance(value, dict):
            value = value.get("content")
        return value if isinstance(value, str) else ""

    @cached_property
    def special_texts(self) -> dict[str, int]:
        """Every special token's text and id."""
        added = self._backend.get_added_tokens_decoder()
        return {token.content: token_id for token_id, token in added.items() if token.special}

    @cached_property
    def special_ids(self) -> frozenset[int]:
        return frozenset(self.special_texts.values())

    @cached_property
    def highest_id(self) -> int:
        """The highest id of all, special ones included."""
        return max(self._backend.get_vocab(with_added_tokens=True).values(), default=-1)

    @cached_property
    def highest_plain_id(self) -> int:
        """The highest id that plain text can give."""
        ids = self._backend.get_vocab(with_added_tokens=True).values()
        return max((token_id for token_id in ids if token_id not in self.special_ids), default=-1)

    @property
    def vocab_size(self) -> int:
        return self.highest_id + 1

    @cached_property
    def _decoder_kind(self) -> tuple[str, int]:
        """`bytes`, `marks` (spaces as ▁, bytes as <0x0A>) or `window`; and how many leading spaces are
        stripped."""
        # The decoder's own state is its JSON; writing out the whole tokenizer would take a large vocabulary
        # along.
        decoder = json.loads(self._backend.decoder.__getstate__()) if self._backend.decoder else None
        if not isinstance(decoder, dict):
            return ("window", 0)
        parts = decoder.get("decoders", []) if decoder.get("type") == "Sequence" else [decoder]
        kinds = [part.get("type") for part in parts]
        if kinds == ["ByteLevel"]:
            return ("bytes", 0)
        if not kinds or kinds[:3] != ["Replace", "ByteFallback", "Fuse"] or kinds[3:] not in ([], ["Strip"]):
            return ("window", 0)
        if parts[0].get("pattern") != {"String": _SPACE_MARK} or parts[0].get("content") != " ":
            return ("window", 0)
        if kinds[3:] and (parts[3].get("content") != " " or parts[3].get("stop")):
            return ("window", 0)
        return ("marks", int(parts[3].get("start", 0)) if kinds[3:] else 0)


_ALPHABET = byte_alphabet()
