"""Prompts for models outside the built-in family: a chat that asks for edits in a named format.

A model without a chat template gets the same words as plain text.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from spark_tui.backends import chat_messages
from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest, TextReader
from spark_tui.engine.cache.pool import common_prefix
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import Misfit

_FILL_MARKS = (
    ("<fim_prefix>", "<fim_suffix>", "<fim_middle>"),
    ("<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"),
    ("<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"),
)
"""The three marks of fill-in: prefix, suffix, middle. Whichever a vocabulary has is what its model was
trained on."""
_PLACE = "\ue800"
"""Stands for the answer so far while a steer is rendered; its ids are put there, not its text."""


class ChatFormat:
    """For every family but `spark`."""

    formats = ("search_replace", "apply_patch", "udiff", "whole")

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._fill = next(
            (ids for marks in _FILL_MARKS if None not in (ids := [tokenizer.id_of(mark) for mark in marks])),
            None,
        )

    @property
    def fills(self) -> bool:
        return self._fill is not None

    def count(self, text: str) -> int:
        return self._tokenizer.count(text)

    def ask(self, request: Request) -> EncodedRequest:
        copied: list[int] = []
        if request.kind == "raw":
            ids = self._tokenizer.encode_prompt(request.prefix)
        elif request.kind == "fill":
            ids = self._fill_ids(request)
        else:
            ids = self._chat_ids(request)
            copied = [token for part in request.files for token in self._tokenizer.encode(part.text)]
        if request.prediction:
            copied = self._tokenizer.encode(request.prediction)
        for splice in request.spliced:
            ids = [*ids, *splice.ids, *self._said(request, splice.message)]
        ids = [*ids, *request.emitted]
        if request.steer:
            ids += self._said(request, request.steer)
        emitted = () if request.steer else request.emitted
        return EncodedRequest(ids, TextReader(self._tokenizer, request.stop_texts, emitted), copied)

    def _fill_ids(self, request: Request) -> list[int]:
        before, behind = self._tokenizer.encode(request.prefix), self._tokenizer.encode(request.suffix)
        if self._fill is None:
            return self._tokenizer.encode_prompt(request.prefix)
        prefix, suffix, middle = (mark for mark in self._fill if mark is not None)
        return [prefix, *before, suffix, *behind, middle]

    def _chat_ids(self, request: Request) -> list[int]:
        messages = self._messages(request)
        if self._tokenizer.template is None:
            return self._tokenizer.encode_prompt(plain_conversation(messages))
        ids = self._tokenizer.encode_chat(messages)
        if request.kind == "warm":
            # Only what any instruction will begin with: two different ones share their start, not their end.
            other = self._tokenizer.encode_chat(self._messages(replace(request, instruction="?")))
            return ids[: common_prefix(ids, other)]
        return ids

    def _messages(self, request: Request) -> list[chat_messages.Message]:
        """The conversation; for a template without a system role, the system text goes before the user's."""
        form = self.formats[0] if request.format == "auto" else request.format
        messages = chat_messages.opening(request, form)
        if self._takes_system:
            return messages
        system, user, *rest = messages
        return [{"role": "user", "content": f"{system['content']}\n\n{user['content']}"}, *rest]

    @cached_property
    def _takes_system(self) -> bool:
        if self._tokenizer.template is None:
            return True
        asked = [{"role": "system", "content": "?"}, {"role": "user", "content": "?"}]
        try:
            return "?" in self._tokenizer.template.render(asked).replace("?", "", 1)
        except Misfit:
            return False

    def _said(self, request: Request, message: str) -> list[int]:
        """The end of the answer so far, the message, and the beginning of the new answer."""
        messages = [
            *self._messages(request),
            {"role": "assistant", "content": _PLACE},
            {"role": "user", "content": message},
        ]
        template = self._tokenizer.template
        if template is None:
            return self._tokenizer.encode("\n\n" + message + "\n\n")
        ids: list[int] = []
        passed = False
        for text, is_markup in template.render_split(messages, self._tokenizer.special_texts):
            if not passed and _PLACE in text:
                passed, text = True, text.partition(_PLACE)[2]
            if passed and text:
                ids += self._tokenizer.encode_marked(text) if is_markup else self._tokenizer.encode(text)
        return ids


def plain_conversation(messages: list[dict[str, str]]) -> str:
    """The same conversation for a model that was never shown one."""
    lines = [f"{message['role'].capitalize()}: {message['content']}" for message in messages]
    return "\n\n".join(lines) + "\n\nAssistant:"
