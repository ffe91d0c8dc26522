"""What a call is given: *add timeout=10 to requests.get*, *call open without encoding*, *swap the arguments
of `f`*.

Comes in: an `Order`. Goes out: edits of one call each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.values.asked import Asked, asked, slipped
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in, take_out

_GIVE = re.compile(
    r"\b(?:pass|passing|give|given|hand|add|adding|set|use|with|needs?|turn on|enable|extend|should|must|get|explicit|without|put|include|call|want|apply|specify|at|as)\b",
    re.I,
)
_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "pass passes give gives hand hands add set use turn enable extend explicit put include call calls called calling invocation want apply specify works better argument arguments keyword kwarg kwargs arg args parameter parameters option options second explicitly passing key value when we our inside everywhere same in like other files release need get also can too well so and it be would the a to of on in for with should must needs why no not there as do "
        "remove drop delete take strip leave without gone away rid mistake default defaults anyway lose out wants warn confuses people pull unneeded unnecessary unused superfluous "
        "swap swapped switch reverse reversed exchange order wrong change places mixed up around other way round flip flipped fix first says takes signature line",
    )
)
_DROP = re.compile(
    r"\b(?:remove|drop|delete|take|strip|get rid of|without|leave|lose|gone|no|not|mistake|default|don'?t|pull|unneeded|unnecessary|superfluous)\b",
    re.I,
)
_SWAP = re.compile(
    r"\b(?:swap(?:ped)?|switch|reversed?|exchange|wrong (?:arg\w* )?order|wrong way (?:a)?round|change places|mixed up|flip(?:ped)?)\b",
    re.I,
)
_GIVEN = re.compile(
    r"`?(?<![\w.])(?P<name>[A-Za-z_]\w*)\s?=\s?(?P<value>`[^`]+`|\"[^\"]*\"|'[^']*'|[\[({][^\s]*[\])}]|-?[\w.]+(?:\([^\s()]*\))?)`?(?![=\w])"
)
_KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        "timeout encoding indent reverse key check exist_ok parents flush end sep default strict errors newline ensure_ascii sort_keys text capture_output shell daemon verify axis inplace debug port host dtype index maxsplit verbose delimiter recursive missing_ok follow_symlinks ascending stacklevel threaded max_workers ddof copy buffering",
    )
)
"""Keywords that people say without spelling them as such."""


def _calls(about: Asked) -> list[ast.Call]:
    return [
        node for node in about.order.src.nodes if isinstance(node, ast.Call) and about.inside(node.lineno)
    ]


def _called(about: Asked, call: ast.Call) -> str:
    return re.sub(r"\s+", "", about.order.src.segment(call.func))


def _named_calls(about: Asked, text: str) -> list[tuple[ast.Call, str]]:
    """Calls whose function is said in a text, with what of it is said; those said in full first."""
    found: list[tuple[int, ast.Call, str]] = []
    for call in _calls(about):
        whole = _called(about, call)
        last = whole.rpartition(".")[2]
        if stands_in(whole, text):
            found.append((3 + ("." in whole), call, whole))
        elif "." in whole and len(last) > 2 and stands_in(last, text):
            found.append((2, call, last))
        elif "." in whole and any(stands_in(tail, text) for tail in _tails(whole)):
            found.append((3, call, whole))
    best = max((one[0] for one in found), default=0)
    return [(call, said) for rank, call, said in found if rank == best]


def stands_in(piece: str, text: str) -> bool:
    """Whether a piece of code stands in a text by itself: not inside a longer name."""
    at = text.find(piece)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(piece) : at + len(piece) + 1]
        if not (before.isalnum() or before in ("_", ".")) and not (after.isalnum() or after == "_"):
            return True
        at = text.find(piece, at + 1)
    return False


def _tails(whole: str) -> list[str]:
    names = whole.split(".")
    return [".".join(names[at:]) for at in range(1, len(names) - 1)]


def _left(text: str) -> tuple[list[str], list[str]]:
    every = words(text)
    known = [word for word in every if word in _SAYS_NOTHING or slipped(word, _SAYS_NOTHING)]
    return [word for word in every if word not in FILLERS and word not in known], known


def _add(order: Order) -> Iterator[Edit]:
    about = asked(order)
    text = about.text
    if len(text) > 200 or re.search(
        r"\b(?:instead|rather|replace|def|signature|parameters? (?:to|of)|function|method|class|field|attribute|decorator|docstring|import|variable|default (?:of|for|to))\b",
        text,
        re.I,
    ):
        return
    for name, value, rest, pieces in _keyword(text):
        calls = _named_calls(about, rest)
        if not calls and about.last - about.first == 1:
            inside = _calls(about)
            calls = [(inside[0], "")] if len(inside) == 1 else []
        if not 1 <= len(calls) <= 3:
            continue
        outer = [(call, said) for call, said in calls if not any(arg.arg == name for arg in call.keywords)]
        for call, said in outer:
            left, known = _left(rest.replace(said, " ") if said else rest)
            span = call_brackets(about.order.src, call)
            if (
                span is None
                or len(left) > 1
                or any(isinstance(one, ast.GeneratorExp) for one in call.args if len(call.args) == 1)
            ):
                continue
            changes = put_in(
                about.order.src, span, arguments(about.order.src, call), [f"{name}={_value(about, value)}"]
            )
            yield about.edit(changes, *known, said, *pieces)
        return


def _value(about: Asked, value: str) -> str:
    shown = literals.as_value(value)
    quotes = re.findall(r"['\"]", about.order.src.text)
    if (
        isinstance(shown, str)
        and quotes
        and quotes.count("'") > 2 * quotes.count('"')
        and "'" not in shown
        and "\\" not in value
    ):
        return f"'{shown}'"
    return value


def _keyword(text: str) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Name, value, what is left of the text, and the pieces that say both."""
    given = list(_GIVEN.finditer(text))
    if len(given) == 1:
        value = given[0]["value"].strip("`")
        if _is_expression(value):
            yield (
                given[0]["name"],
                value,
                text[: given[0].start()] + " " + text[given[0].end() :],
                (given[0][0],),
            )
        return
    said = literals.values(text)
    if len(said) == 1:
        one = said[0]
        before, after = text[: one.start], text[one.end :]
        value = one.source if not one.unit else (literals.in_unit(one, "s") or one.source)
        follow = re.match(r"\s+(?:as\s+(?:the\s+)?|for (?:the )?)?[`'\"]?(?P<name>[a-z_]\w*)[`'\"]?", after)
        if follow is not None and (follow["name"] in _KEYWORDS or re.match(r"\s+as\b", after)):
            yield (
                follow["name"],
                value,
                before + " " + after[follow.end() :],
                (text[one.start : one.end], follow[0]),
            )
        ahead = re.search(
            r"[`'\"]?\b(?P<name>[a-z_]\w*)[`'\"]?(?:\s+(?:argument|option|keyword))?\s+(?:of|to|should be|must be|be|as|=|:|at)?\s*$",
            before,
        )
        if ahead is not None and (ahead["name"] in _KEYWORDS or "_" in ahead["name"]):
            yield (
                ahead["name"],
                value,
                before[: ahead.start()] + " " + after,
                (ahead[0], text[one.start : one.end]),
            )
        far = re.search(
            r"(?:\b(?:no|without)\s+)?[`'\"]?(?<![\w.])(?P<name>[a-z_]\w*)[`'\"]?(?=.*\b(?:it )?(?:should|must) be\s*$)",
            before,
        )
        if far is not None and (far["name"] in _KEYWORDS or far[0][0] in "`'\""):
            rest = (
                before[: far.start()]
                + " "
                + re.sub(r"(?:it )?(?:should|must) be\s*$", "", before[far.end() :])
                + " "
                + after
            )
            yield far["name"], value, rest, (far[0], text[one.start : one.end])
    match = re.search(
        r"(?P<value>`[^`]+`|(?<!\w)[A-Za-z_][\w.]*)\s+as\s+(?:the\s+)?[`'\"]?(?P<name>[a-z_]\w*)[`'\"]?", text
    )
    if (
        match is not None
        and _is_expression(match["value"].strip("`"))
        and match["name"] in (*_KEYWORDS, "func", "callback", "initial")
    ):
        yield (
            match["name"],
            match["value"].strip("`"),
            text[: match.start()] + " " + text[match.end() :],
            (match[0],),
        )


def _is_expression(source: str) -> bool:
    if "..." in source:
        return False
    try:
        parse_code(source, mode="eval")
    except (SyntaxError, ValueError):
        return False
    return True


def _remove(order: Order) -> Iterator[Edit]:
    about = asked(order)
    text = about.text
    if len(text) > 200 or not _DROP.search(text):
        return
    src = about.order.src
    plain = re.sub(r"[`'\"]", "", text)
    found = []
    for call in _calls(about):
        for keyword in call.keywords:
            if (
                keyword.arg
                and keyword.arg in plain
                and (
                    match := re.search(
                        rf"(?<![\w.]){keyword.arg}(?![\w(.])(?:\s?=\s?(?P<value>\S.*?)(?=$|\s(?:in|on|from|of|was|is|to|out|away)\b))?",
                        plain,
                    )
                )
            ):
                whole = f"{keyword.arg}={src.segment(keyword.value)}"
                piece = (
                    whole
                    if whole in text
                    else re.sub(r"[`'\"]", "", whole)
                    if re.sub(r"[`'\"]", "", whole) in plain
                    else match[0]
                )
                shown = (match["value"] or "").strip()
                if (
                    shown
                    and "=" in match[0]
                    and shown not in re.sub(r"[`'\"]", "", src.segment(keyword.value))
                ):
                    continue  # given another value than that
                found.append((call, keyword, piece))
    by_name = _named_calls(about, plain)
    named = {id(call) for call, _ in by_name}
    chosen = [one for one in found if id(one[0]) in named]
    if not chosen and not named and about.here:
        chosen = found
    if not 1 <= len(chosen) <= 3:
        return
    for call, keyword, piece in chosen:
        said = next((one for other, one in by_name if other is call), "")
        left, known = _left(
            plain.replace(piece, " ").replace(said, " ") if said else plain.replace(piece, " ")
        )
        span, spans = call_brackets(src, call), arguments(src, call)
        if span is None or len(left) > 1:
            continue
        yield about.edit(take_out(src, span, spans, spans.index(src.span(keyword))), *known, said, piece)


def _swap(order: Order) -> Iterator[Edit]:
    about = asked(order)
    text = about.text
    if (
        len(text) > 200
        or not _SWAP.search(text)
        or re.search(r"\b(?:parameters? of|lines?|branches|statements?|functions|methods|if)\b(?! )", text)
    ):
        return
    src = about.order.src
    called = _named_calls(about, text)
    calls = [call for call, _ in called] or (_calls(about) if about.last - about.first == 1 else [])
    found = []
    for call in calls:
        if any(isinstance(one, ast.Starred) for one in call.args):
            continue
        spelled = [one for one in call.args if stands_in(src.segment(one), text)]
        pair = spelled if len(spelled) == 2 else call.args if len(call.args) == 2 else []
        if len(pair) == 2:
            found.append((call, pair))
    if not 1 <= len(found) <= 3 or (not called and len(found) > 1):
        return
    for call, (one, two) in found:
        name = next((said for other, said in called if other is call), "")
        first, second = src.segment(one), src.segment(two)
        left, known = _left(
            text.replace(name, " ").replace(first, " ").replace(second, " ") if name else text
        )
        if len(left) <= 1:
            yield about.edit([(*src.span(one), second), (*src.span(two), first)], *known, name, first, second)


RULES = (
    Rule(re.compile(rf"{_GIVE.pattern}|=|\bfor\b", re.I), _add),
    Rule(_DROP, _remove),
    Rule(_SWAP, _swap),
)
