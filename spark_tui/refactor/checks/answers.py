"""Deeds of more than one word of code: a text printed first, an answer with a status, as the file's web framework has it.

Comes in: an order that is being read. Goes out: the act. Must not know: conditions, where a check goes.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.checks.put import text_literal
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.naming import expression
from spark_tui.refactor.source import Source

_MODAL = r"(?:(?:should|must|has to|have to|needs? to|to|just|simply|only|and|then|please|it|we)\s+)*"
_TOLD = re.compile(
    rf"\b{_MODAL}(?:(?P<log>log|warn(?! about))|print|say|show|tell (?:the user|them|me)|output|write)(?: (?:(?:an?|the) (?:message|warning|error|info|note|text)|out|only|just))?:? ?(?P<text>\"[^\"]*\"|'[^']*')\s*(?:,|;|and then|and|then)*\s*(?=(?:return|exit|quit|continue|skip|stop|bail|leave|go|do|end)\b)",
    re.I,
)
_EXIT = re.compile(
    rf"\b{_MODAL}(?:(?:exit|quit|stop|end)(?:s)?(?: the)? (?:program|script)|sys\.exit(?:\((?P<a>\d*)\))?|(?:exit|quit)(?: with)?(?: (?:exit )?(?:code|status))? (?P<b>\d)|exit(?=\s*(?:$|,|if|when|¦)))(?: with (?:(?:exit )?(?:code |status )?)(?P<c>\d))?",
    re.I,
)
_BODY = r"\{[^{}]*\}|\"[^\"]*\"|'[^']*'"
_STATUS = re.compile(
    rf"\b{_MODAL}(?:answer|respond|reply|return|send|give|abort|fail|raise)(?:s|ing)?(?: back)?(?: with)?(?: (?:an?|the|status|status code|http|code|error|HTTPException))*\(?\s*`?(?P<a>[45]\d\d)\b\)?`?(?: (?:error|status|response|not found|bad request|page))*(?:\s*(?:,|and|with|:|saying)*\s*(?:the )?(?:body|json|message|text)?\s*:?\s*(?P<b>{_BODY}))?"
    rf"|\b{_MODAL}return(?:s)? `?(?P<d>{_BODY}),? (?:and |with )?(?:status )?(?P<c>[45]\d\d)`?|(?:^|(?<=[:,¦] ))\s*(?:an? )?(?:http )?(?P<e>[45]\d\d)(?= (?:if|when|for|on|unless)\b)|\b(?:should|must) (?:also )?(?:be )?(?:an? )?(?P<f>[45]\d\d)\b(?: (?:as well|too))?",
    re.I,
)


def told_first(reading: Reading, logger: str | None) -> str | None:
    """The line that tells something before the deed; the deed stays to be read."""
    match = reading.take(_TOLD)
    if match is None:
        return None
    said = text_literal(reading.src, match["text"][1:-1])
    return f"{logger}.warning({said})" if match["log"] and logger else f"print({said})"


def exit_in(reading: Reading) -> str | None:
    """The line that ends the program."""
    match = reading.take(_EXIT)
    if match is None:
        return None
    return f"sys.exit({match['a'] or match['b'] or match['c'] or '1'})"


def answer_in(reading: Reading) -> tuple[str, str] | None:
    """The line that answers with a status, and the import that it needs."""
    src = reading.src
    if re.search(r"\b(?:flask|fastapi|JsonResponse|bottle|quart|sanic|aiohttp)\b", src.text) is None:
        return None
    before = reading.rest
    match = reading.take(_STATUS)
    if match is None:
        return None
    status = match["a"] or match["c"] or match["e"] or match["f"]
    body = match["b"] or match["d"]
    if body is None and (more := re.search(rf"¦\s*(?:with |and |: ?|, ?)*({_BODY})\s*$", reading.rest)):
        body = more[1]
        reading.cut(*more.span(1))
    if body is not None and (expression(body) is None or not isinstance(expression(body), ast.Dict | ast.Constant)):
        reading.rest = before
        return None
    return _answer(src, status, body, "abort" in match[0].lower())


def _answer(src: Source, status: str, body: str | None, abort: bool) -> tuple[str, str] | None:
    if "fastapi" in src.text:
        detail = f", detail={body}" if body else ""
        return f"raise HTTPException(status_code={status}{detail})", "from fastapi import HTTPException"
    if "JsonResponse" in src.text and body and body[0] == "{":
        return f"return JsonResponse({body}, status={status})", ""
    if re.search(r"\b(?:flask|quart)\b", src.text) is None:
        return None
    if abort or body is None:
        told = f", {body}" if body and body[0] != "{" else ""
        return f"abort({status}{told})", "from flask import abort" if "flask" in src.text else "from quart import abort"
    given = f"jsonify({body})" if body[0] == "{" and re.search(r"\bjsonify\(", src.text) else body
    return f"return {given}, {status}", ""
