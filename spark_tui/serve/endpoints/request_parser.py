"""Parses and checks the JSON body of a request, from any endpoint, and makes the turn that it asks for.

An unknown member is not an error, because clients send more every month; its name is returned
(`spark_ignored`), so that nothing is dropped silently. A known member with an unusable value is an error.
"""

from __future__ import annotations

import time
from collections.abc import MutableMapping
from dataclasses import dataclass, replace
from typing import Any

from spark_tui.backends import request_codec
from spark_tui.backends.base import Exchange, Request, supports_splices
from spark_tui.errors import MalformedInput
from spark_tui.pysource.words import word_set
from spark_tui.serve.api_errors import ApiError, invalid
from spark_tui.serve.prompts import client_tools, prompt_parser
from spark_tui.serve.prompts.client_tools import ClientTools
from spark_tui.serve.prompts.json_fields import JsonFields
from spark_tui.serve.rendering import output_formats as answers
from spark_tui.serve.rendering.chat_renderer import ChatRenderer
from spark_tui.serve.rendering.output_formats import OutputFormat
from spark_tui.serve.rendering.renderer import Renderer, new_id
from spark_tui.serve.rendering.responses_renderer import ResponsesRenderer
from spark_tui.serve.turns.session_registry import SessionRegistry
from spark_tui.serve.turns.turn import ServedTurn

_RESPONSES = word_set(
    "model input instructions stream previous_response_id max_output_tokens temperature tools background"
    " store metadata generate spark seed stream_options prediction text tool_choice"
)
_RESPONSES_WITHOUT_EFFECT = word_set(
    "parallel_tool_calls reasoning truncation user include service_tier prompt_cache_key"
    " safety_identifier client_metadata prompt_cache_retention"
)
_STREAM_OPTIONS = word_set("include_usage include_obfuscation spark_split")
_TEXT_OPTIONS = word_set("format verbosity")
_MOST_STOPS, _STOP_CHARS = 64, 4096
"""Looked for in every piece of text, on the loop."""
_LEAN = frozenset(("model", "spark", "previous_response_id", "background", "stream"))
_CHAT = word_set(
    "model messages stream stream_options max_tokens max_completion_tokens temperature seed stop prediction n"
    " tools tool_choice response_format"
)
_CHAT_WITHOUT_EFFECT = word_set(
    "user store metadata service_tier reasoning_effort parallel_tool_calls prompt_cache_key safety_identifier"
    " verbosity"
)
_TEXTS = word_set(
    "model prompt suffix stream stream_options max_tokens temperature seed stop prediction n echo best_of"
)
_TEXTS_WITHOUT_EFFECT = word_set("user")
_ECHOED = (
    "instructions",
    "metadata",
    "temperature",
    "tools",
    "tool_choice",
    "background",
    "max_output_tokens",
)


@dataclass(slots=True)
class TurnRequest:
    """A turn, and how its client wants to read it."""

    turn: ServedTurn
    stream: bool
    ignored: list[str]


class RequestParser:
    """Makes turns for one server."""

    def __init__(self, registry: SessionRegistry, aliases: dict[str, str]) -> None:
        self.registry = registry
        self.aliases = aliases
        self._names = {**{name: name for name in registry.backends}, **aliases}
        registry.make_successor = self._successor

    def stopping(self, body: Any, key: str) -> ServedTurn | None:
        """The response that the body follows, while it is still coming to the stop that it was asked for."""
        given = body.get("previous_response_id") if isinstance(body, dict) else None
        turn = self.registry.store.find(given, key) if isinstance(given, str) else None
        return turn if turn is not None and turn.state == "running" and turn.stop_reason else None

    def responses(
        self, body: Any, key: str, known: MutableMapping[str, str], holder: object | None = None
    ) -> TurnRequest:
        """A body of the Responses API. `known` are texts that the connection has sent before; only `holder`,
        a lasting connection, may name what is not stored."""
        if isinstance(body, dict) and body.get("spark") is not None:
            members = JsonFields(body, _LEAN, frozenset())
            return TurnRequest(self.lean(body, key, known), members.flag("stream", False), members.ignored)
        members = JsonFields(body, _RESPONSES, _RESPONSES_WITHOUT_EFFECT)
        name, model = self._model(members)
        before = self._previous(members.get("previous_response_id"), key, holder)
        instructions = members.text("instructions", "")
        members.texts("metadata")
        members.options("text", _TEXT_OPTIONS).only_text("format")
        split = members.options("stream_options", _STREAM_OPTIONS).flag("spark_split", False)
        background, store = members.flag("background", False), members.flag("store", True)
        warm = not members.flag("generate", True)
        asked = prompt_parser.from_responses(members.get("input"), instructions, _before(before), warm=warm)
        members.ignored += asked.ignored
        request = self._request(members, asked, "max_output_tokens")
        tools = client_tools.offered(members, asked.root)
        answer: OutputFormat
        if asked.tool_result is not None:
            answer = answers.tool_outcome(asked.tool_result)
        else:
            request = replace(request, kind="warm") if warm else request
            request, answer = self._answered(model, request, tools)
            if request.kind == "edit" and tools.can_edit:
                answer = answers.with_tools(answer, tools, request.instruction, None, asked.unread)
        echo: dict[str, Any] = {"previous_response_id": before.id if before else None}
        echo.update({m: members.get(m) for m in _ECHOED if members.has(m)})
        echo.setdefault("tools", [])
        echo.setdefault("tool_choice", "auto")
        if members.ignored:
            echo["spark_ignored"] = members.ignored
        turn_id = new_id("resp_")
        renderer = ResponsesRenderer(turn_id, name, time.time(), echo, lean=False, split=split)
        turn = self._turn(turn_id, key, model, request, renderer, answer, background=background)
        turn.kept = background or store
        turn.holder = None if turn.kept else holder
        return TurnRequest(turn, members.flag("stream", False), members.ignored)

    def chat(self, body: Any, key: str) -> TurnRequest:
        members = JsonFields(body, _CHAT, _CHAT_WITHOUT_EFFECT)
        name, model = self._model(members)
        members.only_one("n")
        members.only_text("response_format")
        asked = prompt_parser.from_chat(members.get("messages"))
        bound = "max_completion_tokens" if members.has("max_completion_tokens") else "max_tokens"
        request = self._request(members, asked, bound)
        tools = client_tools.offered(members, asked.root)
        request, answer = self._answered(model, request, tools)
        answer = answers.with_tools(answer, tools, request.instruction, asked.tool_result, asked.unread)
        return self._completion(members, name, model, key, request, answer, texts=False)

    def texts(self, body: Any, key: str) -> TurnRequest:
        """A body of the older completions: with `suffix` the middle is filled, without it the text goes
        on."""
        members = JsonFields(body, _TEXTS, _TEXTS_WITHOUT_EFFECT)
        name, model = self._model(members)
        members.only_one("n")
        members.only_one("best_of")
        prompt = members.get("prompt")
        if isinstance(prompt, list) and len(prompt) == 1:
            prompt = prompt[0]
        if not isinstance(prompt, str):
            raise invalid("`prompt` must be one string", "prompt", "invalid_type")
        suffix = members.text("suffix", "")
        asked = prompt_parser.ParsedPrompt()
        request = replace(
            self._request(members, asked, "max_tokens", default=256),
            kind="fill" if suffix else "raw",
            prefix=prompt,
            suffix=suffix,
        )
        echo = prompt if members.flag("echo", False) else ""
        return self._completion(members, name, model, key, request, answers.Verbatim(), texts=True, echo=echo)

    def _completion(
        self,
        members: JsonFields,
        name: str,
        model: str,
        key: str,
        request: Request,
        answer: OutputFormat,
        *,
        texts: bool,
        echo: str = "",
    ) -> TurnRequest:
        options = members.options("stream_options", _STREAM_OPTIONS)
        turn_id = new_id("cmpl-" if texts else "chatcmpl-")
        renderer = ChatRenderer(
            turn_id,
            name,
            time.time(),
            texts=texts,
            with_usage=options.flag("include_usage", False),
            split=options.flag("spark_split", False),
            echo=echo,
        )
        turn = self._turn(turn_id, key, model, request, renderer, answer, background=False)
        turn.kept = False
        return TurnRequest(turn, members.flag("stream", False), members.ignored)

    def _turn(
        self,
        turn_id: str,
        key: str,
        model: str,
        request: Request,
        renderer: Renderer,
        answer: OutputFormat | None,
        *,
        background: bool,
    ) -> ServedTurn:
        if len(stops := request.stop_texts) > _MOST_STOPS or sum(map(len, stops)) > _STOP_CHARS:
            raise invalid(f"`stop` may be {_MOST_STOPS} texts of {_STOP_CHARS} characters in all", "stop")
        limits, loop = self.registry.limits, self.registry.loop
        turn = ServedTurn(
            *(turn_id, key, model, request, renderer, answer), limits=limits, loop=loop, background=background
        )
        # Where the server itself knows what to say, no model is asked.
        turn.asks_model = not isinstance(answer, answers.FixedOutput)
        turn.takes_splices = supports_splices(self.registry.backends[model])
        return turn

    def _successor(self, turn: ServedTurn, request: Request) -> ServedTurn:
        """What follows a steered turn, read by whoever reads that one."""
        turn_id = new_id("resp_")
        old = turn.renderer
        if not isinstance(old, ResponsesRenderer):
            raise ApiError(409, "not_steerable", "Only responses can be steered.")
        answer = None if old.lean else self._answered(turn.model, request)[1]
        renderer = old.successor(turn_id)
        successor = self._turn(
            turn_id, turn.key, turn.model, request, renderer, answer, background=turn.background
        )
        successor.kept, successor.holder = turn.kept, turn.holder
        return successor

    def _model(self, members: JsonFields) -> tuple[str, str]:
        """The name as the client says it, and the backend's. Names are looked up, never opened: a path is no
        name."""
        given = members.text("model", "") or next(iter(self._names))
        model = self._names.get(given)
        if model is None:
            said = f"There is no model {given[:80]!r}; `GET /v1/models` lists them."
            raise ApiError(404, "model_not_found", said, param="model")
        return given, model

    def _previous(self, given: Any, key: str, holder: object | None = None) -> ServedTurn | None:
        if given is None:
            return None
        if not isinstance(given, str):
            raise invalid("`previous_response_id` must be a string", "previous_response_id", "invalid_type")
        try:
            turn = self.registry.store.get(given, key, holder)
        except ApiError as error:
            error.param = "previous_response_id"
            raise
        while turn.successor is not None:
            turn = turn.successor
        if turn.state in ("queued", "running"):
            raise ApiError(409, "response_in_progress", "The previous response is still in progress.")
        return turn

    def lean(self, body: dict[str, Any], key: str, known: MutableMapping[str, str]) -> ServedTurn:
        """A body as spark's own client writes it: five members, and all else about the request in `spark`."""
        members = JsonFields(body, _LEAN, frozenset())
        name, model = self._model(members)
        before = self._previous(body.get("previous_response_id"), key)
        request = self._lean_request(body["spark"], before, known)
        turn_id = new_id("resp_")
        echo = {"previous_response_id": before.id if before else None}
        renderer = ResponsesRenderer(turn_id, name, time.time(), echo, lean=True, sure=request.kind == "fill")
        background = members.flag("background", False)
        return self._turn(turn_id, key, model, request, renderer, None, background=background)

    def _lean_request(
        self, given: Any, before: ServedTurn | None, known: MutableMapping[str, str]
    ) -> Request:
        base, text, ids = (
            (before.asked, "".join(before.text), tuple(before.ids)) if before else (None, "", ())
        )
        try:
            request = request_codec.read(given, known, base=base, answer=text, ids=ids)
        except request_codec.UnknownText as error:
            raise ApiError(409, "unknown_text", str(error), param="spark") from error
        except MalformedInput as error:
            raise invalid(error.what, "spark") from error
        if request.max_tokens < 1:
            raise invalid("`max_tokens` must be at least 1", "spark")
        if not 0 <= request.temperature <= 2:
            raise invalid("`temperature` must be from 0 to 2", "spark")
        most = self.registry.limits.output_tokens
        return request if request.max_tokens <= most else replace(request, max_tokens=most)

    def _request(
        self, members: JsonFields, asked: prompt_parser.ParsedPrompt, bound: str, default: int = 2048
    ) -> Request:
        stop = members.get("stop")
        stops = [stop] if isinstance(stop, str) else (stop or [])
        if not isinstance(stops, list) or any(not isinstance(text, str) or not text for text in stops):
            raise invalid("`stop` must be a string or a list of strings", "stop", "invalid_type")
        return Request(
            asked.instruction,
            files=asked.files,
            selection=asked.selection,
            cursor=asked.cursor,
            history=asked.history,
            rules=asked.rules,
            max_tokens=min(members.number(bound, default, low=1), self.registry.limits.output_tokens),
            temperature=members.real("temperature", 0.0, low=0.0, high=2.0),
            seed=members.number("seed", 0, low=-(2**63)),
            stop_texts=tuple(stops),
            prediction=prompt_parser.predicted(members.object("prediction")),
        )

    def _answered(
        self, model: str, request: Request, tools: ClientTools = client_tools.NONE
    ) -> tuple[Request, OutputFormat]:
        """The request as its model reads it, and how the model's text becomes the client's."""
        format_name = self.registry.backends[model].format_for(request)
        if format_name == "lines" and not request.files:
            if request.kind == "edit":
                return request, answers.FixedOutput(answers.NO_FILE)
            if request.kind == "warm":
                # Nothing to read, and nothing to say.
                return request, answers.FixedOutput("")
        if format_name == "lines":
            request = replace(request, instruction=prompt_parser.without_reminder(request.instruction))
        return request, answers.choose_format(format_name, request.files, tools)


def _before(before: ServedTurn | None) -> prompt_parser.Before:
    """What a previous response leaves behind: its conversation with itself at the end, and the files it was
    shown."""
    if before is None:
        return prompt_parser.Before()
    request = before.asked
    if request.kind == "warm":
        return prompt_parser.Before(request.history, request.files, request.instruction)
    asked = request.steer or request.instruction
    return prompt_parser.Before((*request.history, Exchange(asked, "".join(before.text))), request.files)
