"""Chat templates: a conversation rendered the way its model was trained to read it.

Comes in: a template out of a model folder, which is somebody else's program, and messages. Goes out: text.
The template runs in jinja2's immutable sandbox. Must not know: ids, models.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from spark_tui.errors import MalformedInput, Misfit

_PRIVATE = range(0xE000, 0xF8FF)
"""Private-use characters: one that no message holds marks the special tokens' texts inside messages."""


class _GenerationBlock(Extension):
    """`{% generation %}` marks what the model wrote, for training; to render, its body is all that counts."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Refusal(jinja2.TemplateError):
    """The template itself called `raise_exception`."""


def read_template(folder: Path, config: Mapping[str, Any]) -> str:
    """The template's text: of `chat_template.jinja`, else of `tokenizer_config.json`; empty where there is none."""
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

    def __init__(self, source: str, texts: Mapping[str, str] | None = None, *, where: str = "chat template") -> None:
        self.where = where
        self._texts = dict(texts or {})
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationBlock, "jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateSyntaxError as error:
            raise MalformedInput(
                f"the chat template is no template, line {error.lineno}: {error.message}", where=where
            ) from error

    def render(self, messages: Sequence[Mapping[str, str]], generation_prompt: bool = True) -> str:
        """The conversation as text. What the template refuses (a role that it does not know) is a `Misfit`."""
        try:
            return self._template.render(
                messages=[dict(message) for message in messages],
                add_generation_prompt=generation_prompt,
                tools=None,
                documents=None,
                **self._texts,
            )
        except _Refusal as error:
            raise Misfit(f"the chat template refuses: {error.message}", where=self.where) from error
        except (jinja2.TemplateError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
            raise MalformedInput(f"the chat template fails: {error}", where=self.where) from error

    def render_split(
        self, messages: Sequence[Mapping[str, str]], special: Mapping[str, int], generation_prompt: bool = True
    ) -> list[tuple[str, bool]]:
        """The conversation in pieces `(text, is_markup)`: a special token's text inside a message is no markup."""
        texts = sorted((text for text in special if text), key=len, reverse=True)
        said = "".join(value for message in messages for value in message.values())
        mark = next(chr(code) for code in _PRIVATE if chr(code) not in said)
        stand_ins = {text: f"{mark}{place}{mark}" for place, text in enumerate(texts)}
        hidden = [{key: _replaced(value, stand_ins) for key, value in message.items()} for message in messages]
        pieces: list[tuple[str, bool]] = []
        rest = self.render(hidden, generation_prompt)
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


def _to_json(value: Any, indent: int | None = None) -> str:
    # Templates mean plain JSON for a prompt, not jinja2's HTML-safe spelling of it.
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: object) -> NoReturn:
    raise _Refusal(str(message))
