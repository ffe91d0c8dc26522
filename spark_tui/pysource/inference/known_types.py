"""Names of Python and its library by what is known of their values."""

from __future__ import annotations

import ast
import sys

from spark_tui.pysource.words import word_set

PASS_THROUGH = word_set(
    "next max min getattr iter reversed sorted enumerate zip filter map sum eval vars anext"
    " globals __import__"
)
PASSING_MODULES = word_set(
    "asyncio concurrent contextlib contextvars copy functools importlib inspect itertools operator pickle"
    " queue typing types unittest weakref collections abc dataclasses enum heapq random secrets"
    " statistics"
)
HANDING_OUT = word_set("get pop popitem popleft setdefault parse_args parse_known_args local")
"""What gives what was put in: methods of containers, arguments that were read, storage of a thread."""
CONTAINERS = word_set(
    "list set frozenset tuple deque Sequence Iterable Iterator Collection List Set FrozenSet Tuple Deque "
    "Generator AsyncIterator AsyncIterable AsyncGenerator MutableSequence AbstractSet MutableSet KeysView"
    " ValuesView"
)
MAPPINGS = word_set("dict Dict Mapping MutableMapping defaultdict DefaultDict OrderedDict")
WRAPPERS = word_set("Optional Union Annotated ClassVar Final Required NotRequired InitVar")
DISPLAYS: dict[type[object], str] = {
    ast.JoinedStr: "str",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Tuple: "tuple",
    ast.Compare: "bool",
}
"""The builtin type of an expression whose form tells it."""
COLLECTIONS = word_set("list tuple set frozenset dict")
BUILTIN_TYPES = COLLECTIONS | word_set("str bytes int float bool")
CHANGING = word_set(
    "append appendleft extend extendleft insert remove pop popleft popitem clear add discard update"
    " setdefault sort reverse move_to_end difference_update intersection_update symmetric_difference_update"
)
"""Methods that change what they are called on."""
GIVING_NOTHING = word_set("sort reverse append extend insert clear update")
"""Those of them whose result is None, of lists and dictionaries."""
ADDING = word_set("append add update extend setdefault insert")
LOG_LEVELS = ("debug", "info", "warning", "warn", "error", "exception", "critical")
"""Methods of loggers."""


def is_foreign_module(module: str) -> bool:
    """Whether a module of the standard library gives nothing of the repository."""
    top = module.split(".")[0]
    return top in sys.stdlib_module_names and top not in PASSING_MODULES


def is_dots(node: ast.expr) -> bool:
    """Whether an annotation is `...`, as in `tuple[int, ...]`."""
    return isinstance(node, ast.Constant) and node.value is ...
