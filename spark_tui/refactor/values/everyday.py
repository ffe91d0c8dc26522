"""Numbers said by what they do: *check every 15 minutes*, *a pot counts as dry below 40*, *poll twice as often*, *listen on all interfaces*.

Comes in: an `Order`. Goes out: edits of one constant each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import FILLERS, words
from spark_tui.refactor.source import Source
from spark_tui.refactor.values.about import COMPUTED, is_about
from spark_tui.refactor.values.asked import ITEM, Asked, Item, asked
from spark_tui.refactor.values.slots import Slot, alike, parts, slots, stem, target_name
from spark_tui.refactor.values.written import in_manner_of, is_factor, unit_of, written

_SAYS_NOTHING = frozenset(
    re.findall(
        r"\w+",
        "change set make use counts count as considered already still enough only at most least max up down to from on below above under over before after until then default defaults now currently takes take lasts last worth is are should be must want need allowed allow may can give gives gets get have has had start starts begin begins with for by in it "
        "start run runs go goes keep keeps hold each every once per often little bit longer long more less fewer too full whole exactly instead second seconds minute minutes hour hours day days times time want everyone everybody nobody somebody players player user users people points starting degrees celsius euros euro dollars percent tries between",
    )
)
_OTHER = re.compile(
    r"\b(?:add|append|insert|remove|delete|drop|rename|import|return|returns|raise|log|print|comment|document|docstring|parameter|argument|constant|variable|function|method|class|field|type|hint|annotate|if|when|unless|while|except|instead of|rather than|why|how|what|which|does|replace|swap|round|decimals?|digits?|extract|wrap|create|write|move|copy|loop|convert|ensure|sometimes|never|always|without|not|don'?t|can'?t|crash\w*|fails?|bug|broken|index|item|element|first|last|line|lines|also|and)\b|->|=>|[=<>]",
    re.I,
)
_EVERY = re.compile(r"\b(?:every|each|once (?:an?|every|per)|per)\b", re.I)
_SUBJECT = re.compile(r"^\s*(?:an?|the|every|each|any)?\s*(?P<it>\w+)\s+(?:is|are|counts?|below|above|under|over|from|with)\b", re.I)  # fmt: skip
"""What is spoken of: mostly the code has it under another name."""
_PERIOD = frozenset(["sleep", "interval", "period", "delay", "pause", "poll", "refresh", "every", "wait", "tick", "cycle", "frequency", "after"])  # fmt: skip
_CALLED_SO = frozenset(["sleep", "after", "wait", "Timer", "set_interval", "every"])
_KINDS = ("assigned", "default", "keyword", "argument", "entry", "compare")


def _context(src: Source, slot: Slot) -> list[str]:
    """Parts of what stands around a value: also where the name that it is given is used."""
    names = list(slot.near)
    if _retries(src, slot):
        names += ["retry", "attempt", "tries", "try"]
    statement = src.statement(slot.node)
    for one in src.block(statement) if statement is not None and slot.kind == "argument" else ():
        names += _called(one)
    bound = _bound_to(src, slot)
    if bound:
        for node in src.nodes:
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                called = node.id if isinstance(node, ast.Name) else node.attr
                names += _beside(src, node) if called == bound else []
    row = src.first_line(slot.node)
    for number, _, text in src.comments:
        if number in (row, row - 1):
            names += re.findall(r"\w+", text)
    return [part for name in names if name for part in parts(name)]


def _bound_to(src: Source, slot: Slot) -> str:
    parent = src.parents.get(slot.node)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        return target_name(parent.targets[0]).rpartition(".")[2]
    if slot.kind in ("default", "assigned") and len(slot.names) >= 1:
        return slot.names[0].rpartition(".")[2]
    return ""


def _called(statement: ast.stmt) -> list[str]:
    """What a plain statement calls."""
    if not isinstance(statement, ast.Expr | ast.Assign):
        return []
    return [target_name(one.func) for one in ast.walk(statement) if isinstance(one, ast.Call)]


def _beside(src: Source, node: ast.AST) -> list[str]:
    """Names of the statement in which a name is used, of what it does, and of its function."""
    statement, function = src.statement(node), src.function_of(node)
    names = [function.name, *(one.arg for one in function.args.args)] if function is not None else []
    if statement is None:
        return names
    heads: list[ast.AST] = [statement]
    if isinstance(statement, ast.If | ast.While):
        heads = [statement.test, *statement.body[:2]]
    elif isinstance(statement, ast.For):
        heads = [statement.target, statement.iter, *statement.body[:2]]
    elif hasattr(statement, "body"):
        heads = []
    for one in (inner for head in heads for inner in ast.walk(head)):
        if isinstance(one, ast.Name):
            names.append(one.id)
        elif isinstance(one, ast.Attribute):
            names.append(one.attr)
        elif isinstance(one, ast.Constant) and isinstance(one.value, str):
            names += re.findall(r"\w+", one.value)
    for one in src.block(statement) if isinstance(statement, ast.Expr) else ():
        names += _called(one)
    return names


def _retries(src: Source, slot: Slot) -> bool:
    """Whether it stands in a loop that tries again, or where an error is handled."""
    for one in src.ancestors(slot.node):
        if isinstance(one, ast.ExceptHandler):
            return True
        if isinstance(one, ast.For | ast.While):
            return isinstance(one, ast.For) and any(
                stem(part) in ("retry", "attempt", "try", "tri")
                for name in ast.walk(one)
                if isinstance(name, ast.Name)
                for part in parts(name.id)
            )
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            return False
    return False


def _waits(src: Source, slot: Slot) -> bool:
    """Whether a value says how long something waits until it goes on."""
    own = {part for name in slot.names for part in parts(name)}
    if own & _PERIOD or set(slot.names) & _CALLED_SO:
        return True
    bound = _bound_to(src, slot)
    return bool(bound) and any(
        isinstance(node, ast.Call) and target_name(node.func).rpartition(".")[2] in _CALLED_SO
        and any(target_name(one).rpartition(".")[2] == bound for one in (*node.args, *(key.value for key in node.keywords)))
        for node in src.nodes
    )  # fmt: skip


def _numbers(about: Asked) -> list[Slot]:
    src = about.order.src
    nodes = [node for node in src.nodes if about.inside(getattr(node, "lineno", -1))]
    return [slot for slot in slots(src, (int, float), nodes) if slot.kind in _KINDS and not is_factor(src, slot)]


def _told(order: Order) -> Iterator[Edit]:
    """One number, and words for what it does."""
    about = asked(order)
    items = [item for item in about.items if item.value is not None and item.value.number is not None]
    if len(items) != 1 or len(about.items) != 1 or len(about.text) > 100 or COMPUTED.search(order.said):
        return
    item = items[0]
    masked = re.sub(ITEM, " ", about.masked)
    src = order.src
    every = item.value is not None and item.value.unit and _EVERY.search(about.text) is not None
    other = {word.lower() for word in _OTHER.findall(masked)}
    if other - ({"print", "log"} if every else set()) or item.value is None:
        return
    spoken = [word for word in words(masked) if word not in FILLERS or word in ("every", "over", "up")]
    about_it = _SUBJECT.match(masked)
    said = [word for word in spoken if word not in _SAYS_NOTHING and word not in FILLERS]
    if re.search(r"\b(?:times|x) (?:as|too)\b|\btoo (?:fast|slow|often|long|many|much)\b", about.text, re.I) or (
        about_it is None and not said and not every
    ):
        return
    ranked = []
    for slot in _numbers(about):
        own = [part for name in slot.names for part in parts(name)]
        around = _context(src, slot)
        strong = [word for word in said if any(alike(word, part) for part in own)]
        weak = [word for word in said if word not in strong and any(alike(word, part) for part in around)]
        soft = [word for word in spoken if word not in said and any(stem(word) == stem(part) or alike(word, part) for part in own)]  # fmt: skip
        again = _retries(src, slot)
        waits = bool(every) and not again and _waits(src, slot)
        if every and not waits:
            continue
        measured = bool(item.value.unit) and unit_of(slot) != "" and literals.in_unit(item.value, unit_of(slot)) is not None  # fmt: skip
        if not (strong or waits or (soft and weak) or (measured and weak)):
            continue
        if item.value.unit and not (measured or waits or _timed(slot)) and literals.UNITS[item.value.unit][0] == "time":
            continue
        between = again and _BETWEEN.search(about.text) is not None
        ranked.append(((len(strong) + len(weak), between, len(strong) + len(soft) + waits + measured), slot, (*strong, *weak)))  # fmt: skip
    best = max((one[0] for one in ranked), default=None)
    chosen = [one for one in ranked if one[0] == best]
    if len(chosen) != 1 or best is None:
        return
    slot, fits = chosen[0][1], chosen[0][2]
    left = [word for word in said if word not in fits]
    if left and not (about_it is not None and left == words(about_it["it"]) and fits):
        return
    fits = (*fits, *left)
    old = src.segment(slot.node)
    new = written(old, item.value, slot)
    there = is_about(order, [src.line_at(src.span(slot.node)[0])])
    if new is not None and there and literals.as_number(new) != literals.as_number(old):
        yield about.edit([(*src.span(slot.node), new)], *fits, item.said, item.source, *_SAYS_NOTHING)


def _timed(slot: Slot) -> bool:
    own = {part for name in slot.names for part in parts(name)}
    return bool(own & (_PERIOD | {"timeout", "duration", "time", "ttl", "age", "seconds", "lifetime", "cooldown"}))


_BETWEEN = re.compile(r"\b(?:between|before|after|until) (?:the |each |every |two |a |all |its |next |failed )*(?:re-?)?(?:try|tries|trying|attempts?|failures?|failed)\b", re.I)  # fmt: skip
_FASTER = re.compile(
    r"\b(?P<much>twice|double|half|halve|triple|three times|four times|five times|ten times|\d+(?:\.\d+)?\s?(?:x|times))\s+(?:as|the)?\s*(?:(?P<which>\w+)\s+)?(?P<way>often|frequently|fast|quick(?:ly)?|slow(?:ly)?|long|speed|rate|frequency|delay|interval|pause|time)\b",
    re.I,
)
_FACTORS = {"twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5, "halve": 0.5, "three times": 3.0, "four times": 4.0, "five times": 5.0, "ten times": 10.0}  # fmt: skip
_SPEEDS = frozenset(["speed", "rate", "fps", "velocity", "frequency", "hz", "tempo", "bpm"])


def _faster(order: Order) -> Iterator[Edit]:
    """*poll twice as often*: half the pause; *ten times as fast*: a tenth of it, or ten times the speed."""
    about = asked(order)
    match = _FASTER.search(about.text)
    if match is None or len(about.text) > 80:
        return
    much = re.sub(r"\s+", " ", match["much"].lower())
    number = re.match(r"[\d.]+", much)
    factor = _FACTORS.get(much, float(number[0]) if number is not None else 0)
    way = match["way"].lower()
    often = way.startswith(("often", "freq", "fast", "quick", "speed", "rate"))
    slow = way.startswith("slow")
    if (match["which"] or "").lower() == "too" and factor:
        factor = 1 / factor  # it is that much too fast
    src = order.src
    wanted = [literals.in_unit(item.value, "s") for item in about.items if item.value is not None and item.value.unit]
    rest = [word for word in words(about.text.replace(match[0], f" {'' if match['which'] in (None, 'too') else match['which']} ")) if word not in FILLERS and word not in _SAYS_NOTHING]  # fmt: skip
    ranked = []
    for slot in _numbers(about):
        own = {part for name in slot.names for part in parts(name)}
        speed, waits = bool(own & _SPEEDS), _waits(src, slot)
        if not factor or not (waits or (speed and (often or slow))) or slot.kind == "compare":
            continue
        around = [*own, *_context(src, slot)]
        fits = [word for word in rest if any(alike(word, part) for part in around)]
        times = (1 / factor if slow else factor) if speed else (1 / factor if often else factor)
        between = _retries(src, slot) and _BETWEEN.search(about.text) is not None
        called_so = any(alike(way, part) for part in own)
        ranked.append(((len(fits), between, called_so), slot, times, fits))
    best = max((one[0] for one in ranked), default=(-1, False, False))
    chosen = [one for one in ranked if one[0] == best]
    for _, slot, times, fits in chosen if len(chosen) <= 2 and best[0] >= len(rest) else []:
        old = literals.as_number(src.segment(slot.node))
        if old:
            new = old * times
            if wanted and not any(one is not None and float(one) in (new, new / 1000) for one in wanted):
                continue
            text = in_manner_of(src.segment(slot.node), literals.plain(round(new, 10)))
            yield about.edit([(*src.span(slot.node), text)], match[0], *fits, *_SAYS_NOTHING)


_ALL_HOSTS = re.compile(
    r"\b(?:on |to )?(?:all|every|any) (?:network )?(?:interfaces?|addresses|ips?)\b|\b(?:be )?(?:reachable|visible|available|accessible)(?: also)? (?:from (?:the )?(?:outside|other (?:machines?|computers?)|(?:the )?network)|(?:in|on) the (?:network|lan))\b",
    re.I,
)
_LOCAL = re.compile(r"\b(?:only (?:on )?(?:localhost|locally|local)|on localhost only|(?:not|no longer) (?:reachable|visible|available|accessible) from (?:the )?(?:outside|network|other \w+))\b", re.I)  # fmt: skip
_HOST_WORDS = frozenset(re.findall(r"\w+", "listen listens listening bind server serve serves app run runs should must be make on port host flask reachable visible use and it let the"))  # fmt: skip


_HOST_NAMES = frozenset(["host", "bind", "listen", "address", "interface"])


def _host(order: Order) -> Iterator[Edit]:
    """*listen on all interfaces, port 8080*."""
    about = asked(order)
    match, inside = _ALL_HOSTS.search(about.text), _LOCAL.search(about.text)
    if (match is None) == (inside is None) or len(about.text) > 90:
        return
    new = "0.0.0.0" if match is not None else "127.0.0.1"
    src = order.src
    given = {
        target_name(node.value) for node in src.nodes if isinstance(node, ast.keyword) and node.arg in ("host", "bind")
    }
    hosts = [
        slot
        for slot in slots(src, str)
        if isinstance(slot.node, ast.Constant)
        and slot.node.value in ("127.0.0.1", "localhost", "0.0.0.0")
        and slot.kind in ("assigned", "keyword", "default", "entry")
        and (_HOST_NAMES & {part for name in slot.names for part in parts(name)} or _bound_to(src, slot) in given)
    ]
    if len(hosts) != 1:
        return
    quote = src.segment(hosts[0].node)[0]
    changes = [(*src.span(hosts[0].node), f"{quote}{new}{quote}")]
    ports: list[Item] = [item for item in about.items if item.value is not None and item.value.number is not None]
    if len(ports) > 1 or len(ports) != len(re.findall(r"\bport\b", about.text, re.I)):
        return
    if ports:
        slots_of_port = [slot for slot in _numbers(about) if any("port" in parts(name) for name in slot.names)]
        if len(slots_of_port) != 1:
            return
        changes.append((*src.span(slots_of_port[0].node), ports[0].source))
    if all(src.text[a:b] == text for a, b, text in changes):
        return
    yield about.edit(changes, (match or inside or [""])[0], *(item.said for item in ports), *_HOST_WORDS)


RULES = (
    Rule(re.compile(r"\d|\b(?:second|minute|hour|day|week)s?\b|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|hundred|thousand)\b", re.I), _told),
    Rule(_FASTER, _faster),
    Rule(re.compile(f"{_ALL_HOSTS.pattern}|{_LOCAL.pattern}", re.I), _host),
)  # fmt: skip
