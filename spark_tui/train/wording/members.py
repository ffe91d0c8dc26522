# ruff: noqa: E501 - templates read better unbroken
"""How people ask for members of a class by what they should give.

Comes in: nothing. Goes out: tuples of templates. Must not know: code, generators, the model.
"""

from __future__ import annotations

from spark_tui.train.phrasing import HELD_OUT

_NEED = "[i need|I need|we need|I want|add|give {c}|write|please add|can you add|could you add|there should be|implement|i'd like|we want|make me]"


def _asks(what: str, *more: str) -> tuple[str, ...]:
    """`what` is a member with what it gives; asked in the usual ways, of a class."""
    kept = [t.replace("WHAT", what) for t in ("have {c} come with WHAT", "for {c}, WHAT would be good")]
    plain = [
        f"{_NEED.replace('|give {c}', '')} WHAT [on|to|in|for] {{c}}", f"{_NEED.replace('|give {c}', '')} WHAT [on|in|for] the class {{c}}", "give {c} WHAT", "{c} needs WHAT", "{c} should have WHAT", "{c} could use WHAT", "{c} lacks WHAT", "WHAT for {c}", "WHAT on {c} please", "in {c}, add WHAT", "class {c}: WHAT", "{c} has no such thing yet: WHAT", "extend {c} [with|by] WHAT", "I miss WHAT on {c}",
    ]  # fmt: skip
    return (*(t.replace("WHAT", what) for t in plain), *more, HELD_OUT, *kept)


LEN: tuple[str, ...] = _asks(
    "a __len__ [that gives|with|returning|for] the number of {said}",
    "len() of [a|an] {c} should be the number of {said}",
    "len() should work on {c}, counting {rows}",
    "let me call len() on [a|an] {c}, it's the length of {rows}",
    "{c} should have a length, that of {rows}",
    "len(x) for [a|an] {c} -> number of {said}",
    "__len__ for {c} from {rows}",
    "support len() in {c} (via {rows})",
    "how many {said} [a|an] {c} has should be its len",
)
ITER: tuple[str, ...] = _asks(
    "an __iter__ over {rows}",
    "make {c} iterable over {rows}",
    "looping over [a|an] {c} should go over {rows}",
    "{c} should be iterable, it gives its {said}",
    "for x in [a|an] {c} should run over {rows}",
    "I want to loop over [a|an] {c} directly and get the {said}",
    "iterating {c} -> {rows}",
    "let {c} be iterated, {rows}",
    "support iteration over {rows} in {c}",
)
CONTAINS: tuple[str, ...] = _asks(
    "a __contains__ that looks in {rows}",
    "`in` should work on {c}, looking in {rows}",
    "item in [a|an] {c} should look in {rows}",
    "let me write `item in` for [a|an] {c}, in {rows}",
    "support `in` for {c} (its {said})",
    "membership tests on {c} should go to {rows}",
    "{c} should know whether an item is in {rows}, with __contains__",
    "make `in` work for {c} with {rows}",
)
BOOL: tuple[str, ...] = _asks(
    "a __bool__ [that is true when|which tells whether] there are {said}",
    "[a|an] {c} without {said} should be falsy",
    "bool() of {c} should be that of {rows}",
    "{c} should be falsy when {rows} is empty",
    "an empty {c} (no {said}) should be false in an if",
    "{c} is truthy only with something in {rows}",
    "support bool() in {c} via {rows}",
    "make {c} false if it has no {said}",
)
COUNT: tuple[str, ...] = _asks(
    "a property count [that gives|with|for] the number of {said}",
    "{c}.count should be the number of {said}, as a property",
    "a count property on {c}: how many {said} there are",
    "property count in {c}, the length of {rows}",
    "I want x.count without parens on {c}, the length of {rows}",
    "add a property called count to {c}, len of {rows}",
    "how many {said} does [a|an] {c} have? property count",
)
IS_EMPTY: tuple[str, ...] = _asks(
    "a method is_empty [that tells whether|for when] there are no {said}",
    "is_empty() on {c}: true when {rows} is empty",
    "{c}.is_empty() should say if there are no {said}",
    "I want to ask [a|an] {c} is_empty(), it looks at {rows}",
    "method is_empty for {c} (not {rows})",
    "add is_empty to {c}, true without {said}",
    "let {c} tell whether it has no {said}: is_empty",
)
CLEAR: tuple[str, ...] = _asks(
    "a method {n} that [empties|clears|resets] {rows}",
    "{n} on {c} should set {rows} back to {lit}",
    "a {n} method in {c} that makes {rows} {lit} again",
    "{c} should be able to forget its {said}: {n}",
    "{c}.{n} should empty {rows}",
    "let me empty the {said} of [a|an] {c} with {n}",
    "add {n} to {c}, it sets {rows} to {lit}",
    "method {n} for {c}: {rows} = {lit}",
    "there's no way to empty {rows} of {c}, add {n}",
)
PROPERTY: tuple[str, ...] = _asks(
    "a property {p} [that returns|for|giving] {a}",
    "make {a} of {c} readable as property {p}",
    "expose {a} as property {p} in {c}",
    "{c}.{p} should give {a}, as a property",
    "property {p} on {c} for {a}",
    "a read-only {p} for {a} in {c}",
    "people shouldn't use {a} of {c} directly, add a property {p}",
    "add a property called {p} to {c}, it returns {a}",
)
RESET: tuple[str, ...] = _asks(
    "a method {r} that sets {a} back to {v}",
    "{r} on {c} should set {a} to {v}",
    "{c} should be able to reset {a}: {r} sets it to {v}",
    "add {r} to {c}: {a} = {v}",
    "method {r} in {c}, {a} goes back to {v}",
    "let {r} put {a} of {c} back to {v}",
    "{c}.{r} -> {a} is {v} again",
)
SETTER: tuple[str, ...] = _asks(
    "a setter {set} for {a}",
    "a method {set} in {c} that sets {a}",
    "{set} on {c} should set {a}",
    "add {set} to {c} to change {a}",
    "let {a} of {c} be changed with {set}",
    "method {set} for {c}, it stores its argument in {a}",
    "{c}.{set} -> sets {a}",
)
GETTER: tuple[str, ...] = _asks(
    "a getter {get} for {a}",
    "a method {get} in {c} that returns {a}",
    "{get} on {c} should return {a}",
    "add {get} to {c}, it gives {a}",
    "method {get} for {c}, returns {a}",
    "{c}.{get} -> returns {a}",
    "let me ask [a|an] {c} for {a} with {get}",
)
STR: tuple[str, ...] = _asks(
    "a __str__ [that returns|with|giving|showing] {a}",
    "str() of [a|an] {c} should be its {a}",
    "printing [a|an] {c} should show its {a}",
    "print([a|an] {c}) -> {a}",
    "{c} should be shown as its {a}, with __str__",
    "as text [a|an] {c} is its {a} (__str__)",
    "str({c}) should give {a}",
    "when I print [a|an] {c} I want to see {a}",
)
REPR: tuple[str, ...] = _asks(
    "a __repr__ [that shows|with|showing] {a}",
    "the repr of [a|an] {c} should show its {a}",
    "a useful repr for {c}: {a}",
    "repr() of {c} with {a}",
    "debugging {c} is hard, add a __repr__ with {a}",
    "{c} shows up as <object at 0x...>, add a __repr__ with {a}",
    "in the debugger I want to see {a} of [a|an] {c}, __repr__",
)
CONTEXT: tuple[str, ...] = _asks(
    "__enter__ and __exit__",
    "make {c} a context manager",
    "{c} should be a context manager",
    "{c} should work in a with statement",
    "I want to use {c} in a with block",
    "with {c}(...) should close it at the end",
    "let {c} be used with `with`, closing at the end",
    "turn {c} into a context manager that closes itself",
    "support the with statement in {c}",
    "{c} as context manager please",
    "with support for {c}",
    "leaving a with block should close [a|an] {c}",
)

COUNTER: tuple[str, ...] = (
    "count the calls of {f} in {n}", "count how often {f} is called in {sn}", "{c} should count calls of {f} in {n}", "add an attribute {n} that counts the calls of {f}", "keep a counter {n} in {c}, {f} increases it", "{sn} should start at 0 and grow by one with every {f}", "add {sn} = 0 in __init__ and increment it in {f}", "a counter {n} for {f}", "how often is {f} called? count in {n}", "I want to know how many times {f} ran, in {n}", "every call of {f} should increase {n}", "track the number of {f} calls in {n}", "{n} counts calls of {f}, from 0", "{c} needs a counter {n} that {f} increments", "{f} should increment {sn}, 0 at first", "in {c}, {n} starts at 0 and {f} adds 1 first thing",
    HELD_OUT, "let {n} tell how many times {f} was used", "each {f} is to be counted in {n}",
)  # fmt: skip
FLAG: tuple[str, ...] = (
    "remember in {n} whether {f} was called", "add a flag {n}, False at first, that {f} sets to True", "{f} should set {sn} to True, it's False at the start", "{sn} = False in __init__ and True in {f}", "{c} needs a flag {n} that {f} sets", "keep track of whether {f} was called, in {n}", "{n} should be True once {f} was called", "a flag {n} for {f}", "{n} becomes True in {f}, before that False", "{c} should know if {f} ran: {n}", "add {n} to {c}: False until {f} is called", "mark {c} as {n} in {f}, False at first",
    HELD_OUT, "let {n} tell whether {f} was ever used", "after {f}, {n} has to be True and False before",
)  # fmt: skip
LAST: tuple[str, ...] = (
    "remember the last {x} of {f} in {n}", "{f} should store {x} in {sn}, None at first", "keep the last {x} that {f} got in {n}", "add an attribute {n}, None at first, that {f} sets to {x}", "{sn} = None in __init__ and {x} in {f}", "{c} should remember the last {x} given to {f}, in {n}", "store {x} of {f} in {sn}", "{n} of {c} is None until {f} sets it to {x}", "save the {x} of the latest {f} in {n}", "we need the last {x} of {f} later, keep it in {n}",
    HELD_OUT, "let {n} hold what {f} got as {x} last", "the most recent {x} of {f} belongs in {n}",
)  # fmt: skip
