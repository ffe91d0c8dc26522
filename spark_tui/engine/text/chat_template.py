"""Chat templates: render a conversation the way its model was trained to read it.

A template comes with the model and is untrusted code, so it runs in a sandbox (`template_sandbox.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput

_PRIVATE = range(0xE000, 0xF8FF)
"""Private-use characters: one that no message holds marks the special tokens' texts inside messages."""


def read_template(folder: Path, config: Mapping[str, Any]) -> str:
    """The template's text: of `chat_template.jinja`, else of `tokenizer_config.json`; empty where there is
    none."""
    path = folder / "chat_template.jinja"
    if path.is_file():
        try:
            return path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise MalformedInput(f"cannot be read ({error})", where=str(path)) from error
    template = config.get("chat_template")
    if isinstance(template, list):
        named = {item.get("name"): item.get("template") for item in template if isinstance(item, dict)}
        template = named.get("default") or next(iter(named.values()), None)
    return template if isinstance(template, str) else ""


class ChatTemplate:
    """One compiled template. `texts` are the special tokens that it may name (`bos_token` and so on)."""

    def __init__(
        self, source: str, texts: Mapping[str, str] | None = None, *, where: str = "chat template"
    ) -> None:
        from spark_tui.engine.text.template_sandbox import SandboxedTemplate

        self._texts = dict(texts or {})
        self._template = SandboxedTemplate(source, where)

    def render(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The conversation as text. What the template refuses (a role that it does not know) is a
        `Misfit`."""
        values = {
            "messages": [dict(message) for message in messages],
            "add_generation_prompt": True,
            "tools": None,
            "documents": None,
        }
        return self._template.render({**values, **self._texts})

    def render_split(
        self, messages: Sequence[Mapping[str, str]], special: Mapping[str, int]
    ) -> list[tuple[str, bool]]:
        """The conversation in pieces `(text, is_markup)`: a special token's text inside a message is no
        markup."""
        texts = sorted((text for text in special if text), key=len, reverse=True)
        whole = "".join(value for message in messages for value in message.values())
        mark = next(chr(code) for code in _PRIVATE if chr(code) not in whole)
        stand_ins = {text: f"{mark}{place}{mark}" for place, text in enumerate(texts)}
        hidden = [
            {key: _replaced(value, stand_ins) for key, value in message.items()} for message in messages
        ]
        pieces: list[tuple[str, bool]] = []
        rest = self.render(hidden)
        originals = {stand_in: text for text, stand_in in stand_ins.items()}
        while True:
            found = [(rest.find(stand_in), stand_in) for stand_in in originals]
            place, stand_in = min(((at, s) for at, s in found if at >= 0), default=(-1, ""))
            if place < 0:
                return [*pieces, (rest, True)] if rest else pieces
            if place:
                pieces.append((rest[:place], True))
            pieces.append((originals[stand_in], False))
            rest = rest[place + len(stand_in) :]


def _replaced(text: str, stand_ins: Mapping[str, str]) -> str:
    for original, stand_in in stand_ins.items():
        if original in text:
            text = text.replace(original, stand_in)
    return text
