"""Terms of code as people type them in a message: what sort they are.

Comes in: terms. Goes out: sorts. Must not know: files, hunks, ids.
"""

from __future__ import annotations

import builtins
import re

NUMBERS = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905
}
_CONSTANTS = ("None", "True", "False")
LEVELS = ("debug", "info", "warning", "error", "critical", "exception")
_TYPES = frozenset(
    """
    int float str bool bytes list dict set tuple object complex frozenset Any Optional Path Sequence Mapping
    Iterable Iterator Callable Decimal datetime date defaultdict deque Counter OrderedDict
    """.split()  # noqa: SIM905
)
NUMBER = r"-?\d[\d_]*(?:\.\d+)?(?:[eE]-?\d+)?"
_NAME = r"[A-Za-z_]\w*(?:\.\w+)*"
STRAY = frozenset(
    """
    a an the it that this these those there here in on at to of for with and or not no only just also too as is
    are be was by from if when where what which i we you they my your make use call name take set put say call let
    do does did done don leave keep remove drop delete add write return raise print log instead rather please more
    less first second last other another one same all both every each new old without nothing something anything
    stay stays remain remains work works happen why how who ok yes better shorter longer simpler clearer faster slower
    cleaner nicer smaller bigger larger safer stricter looser tighter quieter louder smarter prettier neater stronger weaker
    readable pythonic robust generic different required optional after before above below line lines
    """.split()  # noqa: SIM905
)


def bare(term: str) -> str:
    """A term without its quotes."""
    for quote in ('"""', "`", '"', "'"):
        if len(term) > 2 * len(quote) - 1 and term.startswith(quote) and term.endswith(quote):
            return term[len(quote) : -len(quote)]
    return term.removesuffix("()")


def sort_of(term: str) -> str:
    if term.startswith('"""'):
        return "docstring"
    if term[0] in "'\"":
        return "text"
    word = bare(term)
    if re.fullmatch(NUMBER, word) or word.lower() in NUMBERS:
        return "number"
    if word in _CONSTANTS or word in ("[]", "{}", "()", ""):
        return "constant"
    if re.search(r"(?:Error|Exception|Warning|Exit|Interrupt)$", word) or (
        isinstance(getattr(builtins, word, None), type) and issubclass(getattr(builtins, word), BaseException)
    ):
        return "error"
    if re.sub(r"\[.*", "", word) in _TYPES:
        return "type"
    if word.lower() in LEVELS:
        return "level"
    return "name" if re.fullmatch(_NAME, word) else "text"
