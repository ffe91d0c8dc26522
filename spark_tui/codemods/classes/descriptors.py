"""Values that may work in the body of a class only: what answers for its attribute by `__get__`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_PLAIN = word_set(
    "list dict set tuple frozenset bytearray int float str bool object len range sorted defaultdict deque"
    " Counter OrderedDict Lock RLock Event Condition Semaphore Queue SimpleQueue Path Decimal Fraction date"
    " datetime timedelta now time compile getLogger count uuid4 WeakSet WeakKeyDictionary WeakValueDictionary"
    " StringIO BytesIO"
)
"""What makes no descriptor, which works in a class only."""


def descriptor_doubts(repo: Repository, source: Source, value: ast.expr) -> Iterator[Unfollowed]:
    """Doubts about a value that is made by something unknown, or may be a function and so a method."""
    module = repo.index.scopes(source.path).module
    asked = value.func if isinstance(value, ast.Call) else value
    found = repo.infer.values(source.path, asked, module)
    if isinstance(value, ast.Call):
        own = any(isinstance(one, ClassValue) and not _describes(repo, one) for one in found)
        if called_name(value) not in _PLAIN and not own:
            reason = f"what {ast.unparse(value.func)} gives may work in a class only"
            yield Unfollowed(source.path, value.lineno, reason)
        return
    named = isinstance(value, ast.Name | ast.Attribute) and not last_name(value).isupper()
    if named and (UNKNOWN in found or not found):
        yield Unfollowed(source.path, value.lineno, f"{ast.unparse(value)} may be a function")


def _describes(repo: Repository, value: ClassValue) -> bool:
    members = {name for one in repo.classes.ancestors(value) for name in repo.classes.own_members(one)}
    return bool(members & {"__get__", "__set__", "__set_name__"}) or repo.classes.has_foreign_base(value)
