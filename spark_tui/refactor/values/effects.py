"""What a call is given, said by what it does: *indent the json with 2 spaces*, *open the file as utf-8*, *a
timeout of 3 seconds*.

Comes in: an `Order`. Goes out: edits of one call each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Change
from spark_tui.refactor.values.asked import Asked, asked
from spark_tui.refactor.values.layout import arguments, call_brackets, put_in
from spark_tui.refactor.values.slots import alike, parts, slot_of, target_name

_N = r"(?:\d+(?:\.\d+)?|one|two|three|four|five|six|eight|ten)"
_NUMBER = re.compile(rf"(?<!\w){_N}(?!\w)", re.I)
_COUNTS = {
    "one": "1",
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "eight": "8",
    "ten": "10",
}
_HTTP = r"(?:requests|session|self\.session|http|httpx|client|self\.client|s)\.(?:get|post|put|delete|patch|head|request)"
_RE = r"re\.(?:compile|search|match|fullmatch|findall|finditer|sub|split)"
_OPEN = r"(?:open|io\.open|gzip\.open|[\w.()]+\.(?:open|read_text|write_text))"


@dataclass(frozen=True, slots=True)
class _Effect:
    """`said` is looked for in the order, `calls` matches the whole of what is called, `value` may hold
    `{n}`."""

    said: re.Pattern[str]
    calls: re.Pattern[str]
    name: str
    value: str


def _effect(said: str, calls: str, name: str, value: str) -> _Effect:
    return _Effect(re.compile(rf"\b(?:{said})(?![\w-])", re.I), re.compile(rf"(?:{calls})$"), name, value)


_EFFECTS = (
    _effect(rf"indent\w*(?: (?:the )?(?:json|output|file|dump|result|data|it))?(?: (?:with|by|of|to))? {_N}(?: (?:spaces?|blanks?))?|(?:pretty[- ]?print\w*|readable|indented)\b.{{0,20}}?(?:with |by |of |, ?){_N}(?: (?:spaces?|blanks?))?(?: indent\w*)?|{_N} (?:spaces?|blanks?)(?: of)? indent\w*|indent\w* of {_N}", r"json\.dumps?", "indent", "{n}"),
    _effect(r"pretty[- ]?print\w*|human[- ]readable|readable|nicely formatted|indented|with indentation", r"json\.dumps?", "indent", "2"),
    _effect(r"sort\w*(?: \w+){0,3}? keys|keys? sorted|sorted keys|keys (?:should be |must be |to be )?sorted|keys (?:in )?(?:alphabetical|sorted) order|sort keys", r"json\.dumps?", "sort_keys", "True"),
    _effect(r"(?:keep|do not escape|don'?t escape|no escaping of|without escaping|not escape) (?:the )?(?:umlauts?|unicode|accents?|non[- ]ascii)(?: characters| chars| letters)?(?: as (?:they are|is))?|(?:umlauts?|unicode|accents?|non[- ]ascii)(?: characters| chars| letters)? (?:should|must) (?:stay|not be escaped)(?: as they are| readable)?", r"json\.dumps?", "ensure_ascii", "False"),
    _effect(r"(?:as|in|with|to|use|using|explicit(?:ly)?|be|is|are)(?: the)?(?: encoding)? utf-?8(?:[- ]encod\w+)?|utf-?8(?: as)?(?: the)? encoding|encoding (?:should be |must be |of |to |is )?utf-?8|utf-?8", _OPEN, "encoding", '"utf-8"'),
    _effect(r"(?:as|in|with|use|using|be|is|are)(?: the)?(?: encoding)? latin-?1|latin-?1(?: as)?(?: the)? encoding|latin-?1", _OPEN, "encoding", '"latin-1"'),
    _effect(r"ignor\w+ (?:broken|bad|invalid|undecodable|wrong) (?:characters?|chars|bytes)|ignor\w+ (?:decoding|encoding|decode) errors|skip (?:broken|bad|invalid|undecodable) (?:characters?|chars|bytes)", _OPEN, "errors", '"ignore"'),
    _effect(r"no (?:empty|blank) (?:lines?|rows?) between(?: the)?(?: rows| lines)?(?: on windows)?", r"open", "newline", '""'),
    _effect(r"case[- ]?insensitive(?:ly)?|ignor\w+(?: the)?(?: upper and lower)? case|regardless of case|case (?:should not|shouldn'?t|does(?:n'?t| not)|must not) matter|not case[- ]sensitive", _RE, "", "re.I"),
    _effect(r"multi-?line(?: mode)?|(?:match|at) (?:the )?(?:start|beginning|end) of (?:every|each) line", _RE, "", "re.M"),
    _effect(r"(?:the )?dot (?:should |must )?(?:also )?match\w*(?: also)? newlines?(?: too)?|across lines", _RE, "", "re.S"),
    _effect(r"flush\w*(?: (?:at once|right away|immediately))?(?: after every line)?|without buffering|unbuffered", r"print", "flush", "True"),
    _effect(r"(?:to|on|into) (?:the )?(?:std ?err(?:or)?|standard error)(?: stream)?", r"print", "file", "sys.stderr"),
    _effect(r"(?:without|no)(?: a| the)?(?: (?:trailing|final))? (?:newline|line ?break|line feed)(?: at the end)?|stay on the same line|on (?:the same|one) line", r"print", "end", '""'),
    _effect(r"(?:(?:do not|don'?t|not|never) (?:fail|crash|break|complain|raise|mind)|no (?:error|crash)|fine|ok|okay)(?: it is| it's)? (?:if|when)(?: \w+){1,4}? (?:already )?(?:exists?|there)(?: already)?|may (?:already )?exist(?: already)?", r"os\.makedirs|(?!os\.)[\w.()/\" ]+\.mkdir", "exist_ok", "True"),
    _effect(r"(?:with |and |create |make )*(?:the |all |missing )*parent (?:folders?|dirs?|directories)(?: too| as well)?|(?:create|make) (?:the |missing )*parents(?: too)?", r"[\w.()/\" ]+\.mkdir", "parents", "True"),
    _effect(r"ignor\w+ errors?|(?:do not|don'?t|not) (?:fail|crash|complain)(?: (?:if|when)(?: \w+){1,4})?", r"shutil\.rmtree", "ignore_errors", "True"),
    _effect(r"(?:not|don'?t) (?:fail|crash|complain|mind) (?:if|when)(?: \w+){1,3} (?:is|are) (?:missing|gone|not there)|missing (?:files? )?(?:is|are) ok", r"[\w.()/\" ]+\.unlink", "missing_ok", "True"),
    _effect(r"(?:fail|raise|crash|stop|complain)(?: an? error)? (?:if|when)(?: \w+){1,4} (?:fails?|returns? an error)|check (?:the )?(?:exit|return) (?:code|status)|(?:check|checked)", r"subprocess\.run", "check", "True"),
    _effect(r"captur\w+(?: (?:the|its|all))* output", r"subprocess\.run", "capture_output", "True"),
    _effect(r"(?:output )?as (?:text|strings?)|(?:in )?text mode|decoded?(?: the)? output", r"subprocess\.(?:run|check_output|Popen)", "text", "True"),
    _effect(r"(?:as )?(?:a )?(?:daemon(?:ic)?)(?: threads?)?|(?:die|end|stop) with the (?:main )?(?:program|thread)|in the background", r"(?:threading\.)?Thread", "daemon", "True"),
    _effect(rf"(?:with |use |using |in |only |at most |up to |on )*{_N} (?:workers?|threads?|processes)(?: at once| at a time| in parallel)?|(?:max )?workers? (?:should be |to |= ?)?{_N}", r"(?:concurrent\.futures\.|futures\.)?(?:ThreadPoolExecutor|ProcessPoolExecutor)", "max_workers", "{n}"),
    _effect(rf"(?:count\w*|number\w*|start\w*|begin\w*|enumerat\w*|index\w*)(?: \w+){{0,3}}? (?:at|from|with) {_N}|(?:from|at) {_N} on(?:wards)?|(?:at|from|with) {_N}(?:,? not (?:at |from |with )?(?:0|zero))?", r"enumerate", "#1", "{n}"),
    _effect(r"(?:not|without|no|skip|drop|leave out)(?: \w+){0,2}? (?:index|row numbers)(?: column)?", r"[\w.()]+\.to_(?:csv|excel)", "index", "False"),
    _effect(r"(?:biggest|highest|largest|best|newest|latest|longest|most \w+|top|greatest|oldest) (?:\w+ )?(?:first|on top)|descending(?:ly)?(?: order)?|in (?:reverse|descending)(?: order)?|(?:worst|smallest|lowest)(?: \w+){0,2} (?:is |are |comes? |stands? )?(?:on top|at the top|first)(?:,? turn (?:it|that|them) (?:a)?round| now(?: but)?|,? (?:should|must) be the other way (?:a)?round)", r"sorted|[\w.]+\.sort", "reverse", "True"),
    _effect(r"(?:case[- ]?insensitive(?:ly)?|ignor\w+(?: the)? case|regardless of case)", r"sorted|[\w.]+\.sort", "key", "str.lower"),
    _effect(r"(?:must be|be|is|are|as|make)?(?: an?)? ?(?:required|mandatory)", r"[\w.]+\.add_argument", "required", "True"),
)  # fmt: skip
_SPACED = re.compile(r"\b(?:semicolons?|commas?|tabs?|pipes?|colons?|spaces?)[- ](?:separated|delimited)\b|\b(?:separate|split|delimit)\w*(?: \w+){0,3}? (?:by|with|at|on) (?:an? |the )?(?:semicolons?|commas?|tabs?|pipes?|colons?)\b|\buse (?:an? )?(?:semicolons?|commas?|tabs?|pipes?)(?: as (?:the |a )?(?:delimiter|separator))?\b", re.I)  # fmt: skip
_SIGNS = {"semicolon": '";"', "comma": '","', "tab": r'"\t"', "pipe": '"|"', "colon": '":"', "space": '" "'}
_TAKES_SIGN = {"writer": "delimiter", "reader": "delimiter", "DictWriter": "delimiter", "DictReader": "delimiter", "read_csv": "sep", "to_csv": "sep", "print": "sep"}  # fmt: skip
_TIMEOUT = re.compile(
    r"\btime ?-?out\b|\b(?:give up|stop|abort|fail|wait)(?:ing)?\b.*\b(?:after|at most|no longer than|up to|only|for|longer than)\b",
    re.I,
)
_TIMED = re.compile(rf"(?:{_HTTP}|urllib\.request\.urlopen|urlopen|subprocess\.(?:run|check_output|call)|[\w.]*\.(?:join|result|connect|communicate)|socket\.create_connection|requests\.\w+|smtplib\.SMTP\w*)$")  # fmt: skip
_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "add adds pass give gives given want wants use uses using should must be need needs make makes let call calls so it too also as well please explicitly explicit open opens opened opening file files read reads reading write writes writes writing written "
        "save saves saved dump dumped output encode encoded encoding with in by of the a an argument option keyword set change turn json csv regex pattern regexp expression match matches matching search request requests web api http url call fetch sort sorted sorting order print prints printed printing get first own long "
        "more space spaces one at most only every all each both when is are was not instead otherwise default have has start starts count counts counting number numbers numbering numbered list now currently right after seconds second give up wait waiting waits longer than answer stop abort fail maximum max limit limited no up for still comes come there done run runs running like data text result results keep create",
    )
)


def _calls(about: Asked, pattern: re.Pattern[str]) -> list[ast.Call]:
    src = about.order.src
    return [
        node
        for node in src.nodes
        if isinstance(node, ast.Call)
        and about.inside(node.lineno)
        and pattern.match(_called(src.segment(node.func)))
    ]


def _called(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _near(about: Asked, call: ast.Call) -> list[str]:
    """Parts of the names and texts at a call: of its statement's head, its function, what its argument is
    bound to."""
    src = about.order.src
    slot = slot_of(src, call)
    names = [*slot.names, *slot.near, target_name(call.func)]
    for node in ast.walk(call):
        if isinstance(node, ast.Name):
            names.append(node.id)
        elif isinstance(node, ast.Attribute):
            names.append(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names += re.findall(r"\w+", node.value)
    function = src.function_of(call)
    if function is not None:
        names += [function.name, *(one.arg for one in function.args.args)]
    parent = src.parents.get(call)
    if isinstance(parent, ast.For | ast.comprehension):
        names += [one.id for one in ast.walk(parent.target) if isinstance(one, ast.Name)]
    if isinstance(parent, ast.withitem) and parent.optional_vars is not None:
        names.append(target_name(parent.optional_vars))
        holder = src.parents.get(parent)
        names += (
            [target_name(one.func) for one in ast.walk(holder) if isinstance(one, ast.Call)] if holder else []
        )
    return [part for name in names if name for part in parts(name)]


def _chosen(about: Asked, calls: list[ast.Call], rest: str) -> Iterator[tuple[ast.Call, list[str]]]:
    """The calls that the other words fit best, and the words that are accounted for."""
    every = [word for word in words(rest) if word not in FILLERS]
    said = [word for word in every if word not in _SAYS_NOTHING]
    aside = [word for piece in about.used for word in words(piece) if word not in FILLERS]
    ranked = []
    for call in calls:
        near = _near(about, call)
        fits = [word for word in every if any(alike(word, part) for part in near)]
        beside = sum(any(alike(word, part) for part in near) for word in aside)
        ranked.append((sum(word in said for word in fits), beside + len(fits), call, fits))
    best = max((one[:2] for one in ranked), default=(0, 0))
    if best[0] < len(said):
        return
    for strong, weak, call, fits in ranked:
        if (strong, weak) == best:
            yield call, [*fits, *(word for word in every if word in _SAYS_NOTHING)]


def _give(about: Asked, call: ast.Call, name: str, value: str) -> list[Change] | None:
    """The call with that argument; None where it has it."""
    src = about.order.src
    span = call_brackets(src, call)
    if span is None or any(one.arg is None for one in call.keywords):
        return None
    if name == "#1":  # the start of enumerate
        if len(call.args) > 1 or call.keywords:
            old = call.args[1] if len(call.args) > 1 else call.keywords[0].value
            return [(*src.span(old), value)] if src.segment(old) != value else None
        return put_in(src, span, arguments(src, call), [value])
    if not name:
        return _flagged(about, call, value)
    have = next((one.value for one in call.keywords if one.arg == name), None)
    if have is not None:
        if not isinstance(have, ast.Constant) or ast.unparse(have) == ast.unparse(
            parse_code(value, mode="eval").body
        ):
            return None
        return [(*src.span(have), value)]
    if len(call.args) == 1 and isinstance(call.args[0], ast.GeneratorExp):
        return None
    return put_in(src, span, arguments(src, call), [f"{name}={value}"])


def _flagged(about: Asked, call: ast.Call, flag: str) -> list[Change] | None:
    """A flag of a regular expression, beside those that it has."""
    src = about.order.src
    long = {"re.I": "re.IGNORECASE", "re.M": "re.MULTILINE", "re.S": "re.DOTALL"}
    shown = flag if re.search(r"\bre\.[IMSX]\b", src.text) else long[flag]
    name = _called(src.segment(call.func)).rpartition(".")[2]
    at = {"compile": 1, "sub": 4, "split": 3}.get(name, 2)
    have = next(
        (one.value for one in call.keywords if one.arg == "flags"),
        call.args[at] if len(call.args) > at else None,
    )
    if have is not None:
        text = src.segment(have)
        return (
            None
            if flag in text or long[flag] in text
            else [(src.span(have)[1], src.span(have)[1], f" | {shown}")]
        )
    span = call_brackets(src, call)
    if span is None:
        return None
    by_place = len(call.args) == at
    return put_in(src, span, arguments(src, call), [shown if by_place else f"flags={shown}"])


def _effects(order: Order) -> Iterator[Edit]:
    about = asked(order)
    if len(about.text) > 140 or re.search(
        r"\b(?:rename|delete|remove|import|comment|docstring|why|how|convert|function (?:that|which)|instead of (?!over))\b|->",
        about.text,
        re.I,
    ):
        return
    for effect in _EFFECTS:
        match = effect.said.search(about.text)
        if match is None:
            continue
        calls = _calls(about, effect.calls)
        if not calls:
            continue
        number = _NUMBER.search(match[0]) if "{n}" in effect.value else None
        value = effect.value.replace("{n}", _COUNTS.get(number[0].lower(), number[0]) if number else "")
        made = 0
        for call, used in _chosen(
            about, calls, about.text[: match.start()] + " " + about.text[match.end() :]
        ):
            changes = _give(about, call, effect.name, value)
            if changes and made < 3:
                made += 1
                yield about.edit(changes, match[0], *used)
        if made:
            return


def _timeout(order: Order) -> Iterator[Edit]:
    """*the requests need a timeout of 3 seconds*, *give up after 10 seconds*: where none is given."""
    about = asked(order)
    match = _TIMEOUT.search(about.text)
    timed = [item for item in about.items if item.value is not None and item.value.number is not None]
    if match is None or len(timed) != 1 or len(about.text) > 120 or timed[0].value is None:
        return
    if re.search(r"\b(?:parameter|constant|variable|remove|default|retry|retries|attempts?|raise|if)\b|->", about.text, re.I):  # fmt: skip
        return
    if "=" in about.text or any(item.kind != "value" and "." in item.source for item in about.items):
        return  # said as code
    calls = [call for call in _calls(about, _TIMED) if not any(one.arg == "timeout" for one in call.keywords)]
    value = timed[0].value
    if not calls or (not value.unit and not re.search(r"time ?-?out", about.text, re.I)):
        return
    seconds = literals.in_unit(value, "s") if value.unit else value.source
    rest = re.sub(r"\btime ?-?outs?\b", " ", about.masked, flags=re.I)
    rest = re.sub("\u27e6\\d+\u27e7", " ", rest)
    found = [(call, used, changes) for call, used in _chosen(about, calls, rest) if seconds and (changes := _give(about, call, "timeout", seconds))]  # fmt: skip
    pieces = ("timeout time out timeouts", match[0], *(item.said for item in about.items))
    if len(found) > 1 and re.search(r"\b(?:all|every|each|both|requests|calls)\b", about.text, re.I):
        yield about.edit(
            [one for _, _, changes in found for one in changes],
            *(word for _, used, _ in found for word in used),
            *pieces,
        )
        return
    for _, used, changes in found if len(found) <= 3 else []:
        yield about.edit(changes, *used, *pieces)


def _separated(order: Order) -> Iterator[Edit]:
    """*the csv should be semicolon separated*: where no sign is given yet."""
    about = asked(order)
    match = _SPACED.search(about.text)
    if match is None or len(about.text) > 100:
        return
    sign = next((one for one in _SIGNS if re.search(rf"\b{one}", match[0], re.I)), None)
    if sign is None:
        return
    calls = _calls(about, re.compile(rf"(?:csv\.|pd\.|pandas\.|[\w.]+\.)?(?:{'|'.join(_TAKES_SIGN)})$"))
    if not re.search(r"\bprint", about.text, re.I):
        calls = [call for call in calls if target_name(call.func) != "print"]
    for call, used in list(_chosen(about, calls, about.text.replace(match[0], " ")))[:3]:
        name = _TAKES_SIGN[target_name(call.func).rpartition(".")[2]]
        changes = _give(about, call, name, _SIGNS[sign])
        if changes:
            yield about.edit(changes, match[0], "semicolon comma tab pipe colon separated delimited", *used)


RULES = (
    Rule(re.compile("|".join(effect.said.pattern for effect in _EFFECTS), re.I), _effects),
    Rule(_TIMEOUT, _timeout),
    Rule(_SPACED, _separated),
)
