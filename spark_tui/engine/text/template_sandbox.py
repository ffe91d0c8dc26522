"""The sandbox that chat templates run in: compile a template and turn its failures into our errors.

jinja2 keeps a template from what it must not reach, and not from running for ever or filling the memory: here
each round of a loop and each call looks at the clock, and what operators and widths make is bounded. That
stops what goes wrong, and not all that a template made to do harm could do: one call may take long, and
`replace` or `join` may put a long text in many places.

It is separate from `chat_template.py` so that jinja2 is loaded only for a model that has a template.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from typing import Any, NoReturn

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from spark_tui.errors import MalformedInput, Misfit

MOST_SECONDS = 5.0
"""Of processor time for one conversation. Templates that models come with take milliseconds."""
MOST_LONG = 1 << 26
"""Characters of one text, items of one list, bits of one number. No prompt is as long."""

_WIDE = ("batch", "center", "indent", "slice")
_HINT = "A model's template is part of its files: get them again, or use another model."

_ends = ContextVar("_ends", default=0.0)
"""When the template that this thread renders has to be done, by `time.thread_time`."""


class _GenerationBlock(Extension):
    """`{% generation %}` marks what the model wrote, for training; to render, its body is all that counts."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 declares it so

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class _Refusal(jinja2.TemplateError):
    """The template itself called `raise_exception`."""


class _Excess(jinja2.TemplateError):
    """It takes more than any conversation needs."""


class _Bounded(ImmutableSandboxedEnvironment):
    """Looks at the clock in every round, in every call and where a text, list or number gets longer."""

    intercepted_binops = frozenset({"+", "*", "**"})

    @staticmethod
    def concat(parts: Iterable[str]) -> str:
        """What blocks, macros and the template itself make of their pieces."""
        parts = list(parts)
        _look(sum(map(len, parts)))
        return "".join(parts)

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        for loop in tree.find_all(nodes.For):
            loop.iter = nodes.Filter(loop.iter, "_rounds", [], [], None, None)
        joined: nodes.Template = _JoinsByFilter().visit(tree)
        return joined

    def call(self, context: Context, called: Any, /, *args: Any, **named: Any) -> Any:
        _look(max((abs(given) for given in args if isinstance(given, int)), default=0))
        return super().call(context, called, *args, **named)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        _look(_length(operator, left, right))
        return super().call_binop(context, operator, left, right)


def _by_width(made: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that fills up to a number, which it looks at first."""

    @wraps(made)
    def bounded(*args: Any, **named: Any) -> Any:
        _look(max((given for given in (*args, *named.values()) if isinstance(given, int)), default=0))
        return made(*args, **named)

    return bounded


class _JoinsByFilter(NodeTransformer):
    """`a ~ b`, which jinja2 joins by a function of its own."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 - jinja2 names it so
        self.generic_visit(node)
        return nodes.Filter(nodes.List(node.nodes), "_joined", [], [], None, None)


def _look(length: float) -> None:
    if length > MOST_LONG:
        raise _Excess(f"it makes something longer than {MOST_LONG:,} characters, items or bits")
    if time.thread_time() > _ends.get():
        raise _Excess(f"it has not ended after {MOST_SECONDS:g} seconds")


def _rounds(items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        _look(0)
        yield item


def _length(operator: str, left: Any, right: Any) -> float:
    """How long the outcome is at most, where it can be longer than both."""
    sizes = [len(side) if hasattr(side, "__len__") else 0 for side in (left, right)]
    bits = [side.bit_length() if isinstance(side, int) else 0 for side in (left, right)]
    if operator == "+":
        return sum(sizes)
    if operator == "**":
        return bits[0] * abs(right) if bits[0] and bits[1] else 0
    return max(sum(bits), sizes[0] * right if bits[1] else 0, sizes[1] * left if bits[0] else 0)


class SandboxedTemplate:
    def __init__(self, source: str, where: str) -> None:
        self._where = where
        environment = _Bounded(
            trim_blocks=True, lstrip_blocks=True, extensions=[_GenerationBlock, "jinja2.ext.loopcontrols"]
        )
        for name in _WIDE:
            environment.filters[name] = _by_width(environment.filters[name])
        environment.filters["_rounds"] = _rounds
        environment.filters["_joined"] = lambda parts: environment.concat(map(str, parts))
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _refuse
        environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
        try:
            self._template = environment.from_string(source)
        except jinja2.TemplateSyntaxError as error:
            raise MalformedInput(
                f"the chat template has a syntax error in line {error.lineno}: {error.message}", where=where
            ) from error
        except (SyntaxError, RecursionError, MemoryError) as error:
            # Python's own limits: jinja2 compiles to Python.
            raise MalformedInput(
                f"the chat template cannot be compiled: {error}", where=where, hint=_HINT
            ) from error

    def render(self, values: Mapping[str, Any]) -> str:
        """What the template refuses (a role that it does not know) is a `Misfit`; where it fails,
        `MalformedInput`."""
        _ends.set(time.thread_time() + MOST_SECONDS)
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
            raise MalformedInput(f"the chat template fails: {said}", where=self._where, hint=_HINT) from error


def _to_json(value: Any, indent: int | None = None) -> str:
    # Templates mean plain JSON for a prompt, not jinja2's HTML-safe spelling of it.
    return json.dumps(value, ensure_ascii=False, indent=indent)


def _refuse(message: object) -> NoReturn:
    raise _Refusal(str(message))
