"""Calls in the text of a model whose server did not read them, in the words of each family of models.

<tool_call>{"name": "read_file", "arguments": {"path": "cart.py"}}</tool_call>           Hermes, Qwen
<function=read_file><parameter=path>cart.py</parameter></function>                       Qwen Coder
<invoke name="read_file"><parameter name="path">cart.py</parameter></invoke>             MiniMax, DSML
<tool_call>read_file<arg_key>path</arg_key><arg_value>cart.py</arg_value></tool_call>    GLM
[TOOL_CALLS]read_file[ARGS]{"path": "cart.py"}                                           Mistral
<|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"path": "cart.py"}  Kimi
<|tool_call_begin|>read_file<|tool_sep|>{"path": "cart.py"}                              DeepSeek 3
<|tool_call>call:read_file{path:<|"|>cart.py<|"|>}<tool_call|>                           Gemma
[read_file(path="cart.py")]                                                              Llama 4
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

_BARS = re.compile(r"<(/?)[|\uff5c\u2016]+(?:DSML[|\uff5c\u2016]+\s?)?([^<>|\uff5c]{0,40})([|\uff5c]?)>")
"""A tag with bars, which DeepSeek writes in other widths."""
_NAME = r"([\w.:/-]{1,100}?)"
_ELEMENT = re.compile(
    rf"<(?:\w+:)?(?:function=|invoke name=[\"\']){_NAME}[\"\']?>(.*?)</(?:\w+:)?(?:function|invoke)>",
    re.DOTALL,
)
_PARAMETER = re.compile(
    r"<(?:\w+:)?parameter(?:=| name=[\"\'])(\w+)[^>]*>\n?(.*?)\n?</(?:\w+:)?parameter>", re.DOTALL
)
_KEYED = re.compile(rf"<tool_call>\s*{_NAME}\s*(<arg_key>.*?)</tool_call>", re.DOTALL)
_KEY = re.compile(r"<arg_key>(.*?)</arg_key>\s*<arg_value>\n?(.*?)\n?</arg_value>", re.DOTALL)
_GEMMA = re.compile(r"call:([\w.]+)\{(.*?)\}<tool_call\|>", re.DOTALL)
_GEMMA_VALUE = re.compile(r"(\w+):(?:<\|\"\|>(.*?)<\|\"\|>|([^,{}<]+))", re.DOTALL)
_NAMED = re.compile(
    r"(?:(?:<function[=(>]|<tool_call>|\[TOOL_CALLS\]|<\|tool_call_begin\|>|<\|tool_sep\|>)\s*+|^[ \t]*+)"
    rf"{_NAME}"
    r"(?:[=)>]|</function>|(?:\[CALL_ID\]\w+)?\[ARGS\]|<\|tool_call_argument_begin\|>|<\|tool_sep\|>)?"
    r"\s*+(?:```(?:json)?\s*+)?(?=\{)",
    re.MULTILINE,
)
"""A name, and an object behind it. A model may write line ends without end: none is looked at twice."""
_JSON = re.compile(r'\{\s*"(?:tool_)?(?:name|arguments|parameters|type|id|call_id)"\s*:')
_PYTHON = re.compile(
    r"<\|python_start\|>(.*?)(?:<\|python_end\|>|\Z)|```tool_code\n(.*?)```|\A\s*(\[\w+\(.*\)\])\s*\Z",
    re.DOTALL,
)

Known = Callable[[str], bool]
"""Whether there is a tool of this name."""


def left_calls(text: str, known: Known) -> Iterator[tuple[str, str]]:
    """Names and arguments of the calls in the text, in its order."""
    text = _BARS.sub(_plain, text)
    found: list[tuple[int, int, str, dict[str, Any]]] = []
    for match in _ELEMENT.finditer(text, 0, _last(text, "function>", "invoke>")):
        values = dict(_PARAMETER.findall(match[2])) or _object(match[2].strip())
        found.append((*match.span(), match[1], values or {}))
    for match in _KEYED.finditer(text, 0, _last(text, "</tool_call>")):
        found.append((*match.span(), match[1], dict(_KEY.findall(match[2]))))
    for match in _GEMMA.finditer(text, 0, _last(text, "<tool_call|>")):
        values = {name: said or bare.strip() for name, said, bare in _GEMMA_VALUE.findall(match[2])}
        found.append((*match.span(), match[1], values))
    found += _objects(text)
    found += _python(text)
    end = 0
    for begin, past, name, arguments in sorted(found, key=lambda call: call[0]):
        if begin >= end and known(name):
            end = past
            yield name, json.dumps(arguments, ensure_ascii=False)


def _last(text: str, *endings: str) -> int:
    """Where the last of these endings ends: what begins behind it has none, and is not looked for."""
    return max(text.rfind(ending) + len(ending) for ending in endings)


def _plain(tag: re.Match[str]) -> str:
    """The tag with the bars that stand in the patterns here; none where they say whose tag it is."""
    name = tag[2].replace("\u2581", "_")
    return f"<{tag[1]}|{name}|>" if tag[3] else f"<{tag[1]}{name}>"


def _objects(text: str) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    """Calls whose arguments are JSON."""
    decoder = json.JSONDecoder(strict=False)
    for match in _NAMED.finditer(text):
        try:
            arguments, end = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            continue
        yield match.start(), end, re.sub(r":\d+$", "", match[1]), arguments
    for match in _JSON.finditer(text):
        try:
            call, end = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        name = call.get("name", call.get("tool_name"))
        arguments = call.get("arguments", call.get("parameters"))
        if isinstance(arguments, str):
            arguments = _object(arguments)
        if isinstance(name, str) and isinstance(arguments, dict):
            yield match.start(), end, name, arguments


def _python(text: str) -> Iterator[tuple[int, int, str, dict[str, Any]]]:
    """Calls as Python, with constants by name."""
    for match in _PYTHON.finditer(text):
        try:
            tree = ast.parse((match[1] or match[2] or match[3] or "").strip())
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
                continue
            try:
                values = {one.arg: ast.literal_eval(one.value) for one in node.keywords if one.arg}
                json.dumps(values)
            except (ValueError, TypeError):
                continue
            yield match.start() + node.col_offset, match.start() + node.col_offset + 1, node.func.id, values


def _object(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
