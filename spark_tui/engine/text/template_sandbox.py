"""The sandbox that chat templates run in: compile a template and turn its failures into our errors.

It is separate from `chat_template.py` so that jinja2 is loaded only for a model that has a template.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from spark_tui.errors import MalformedInput, Misfit


class _GenerationBlock(Extension):
    """`{% generation %}` marks what the model wrote, for training; to render, its body is all that counts."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Refusal(jinja2.TemplateError):
    """The template itself called `raise_exception`."""


class SandboxedTemplate:
    def __init__(self, source: str, where: str) -> None:
        self._where = where
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
                f"the chat template has a syntax error in line {error.lineno}: {error.message}", where=where
            ) from error

    def render(self, values: Mapping[str, Any]) -> str:
        """What the template refuses (a role that it does not know) is a `Misfit`; where it fails,
        `MalformedInput`."""
        try:
            return self._template.render(values)
        except _Refusal as error:
            raise Misfit(
                f"the chat template rejects the conversation: {error.message}", where=self._where
            ) from error
        except (
            jinja2.TemplateError,
            TypeError,
            ValueError,
            ArithmeticError,
            LookupError,
            RecursionError,
            MemoryError,
        ) as error:
            said = str(error) or type(error).__name__
            raise MalformedInput(f"the chat template fails: {said}", where=self._where) from error


def _to_json(value: Any, indent: int | None = None) -> str:
    # Templates mean plain JSON for a prompt, not jinja2's HTML-safe spelling of it.
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: object) -> NoReturn:
    raise _Refusal(str(message))
