"""Laws that hold for every operation, on modules of the standard library."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

import pytest
from codemods.planting import planted, snippets
from pysource.test_source import stdlib_texts

from spark_tui.bench.samplers import SAMPLERS
from spark_tui.bench.sampling.blocks import LANGUAGE_FILES
from spark_tui.bench.sampling.definitions import CONFIG_FILES
from spark_tui.codemods import registry
from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.families.names.rename import Rename
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.slots import NewName, Symbol
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.names.undefined import undefined
from spark_tui.pysource.repository import Repository

SIGNATURES = (
    "rename",
    "add_parameter",
    "remove_parameter",
    "reorder_parameters",
    "set_default",
    "remove_default",
    "make_keyword_only",
    "sort_imports",
    "add_import",
)
EXAMPLES, SEEDS = 1000, range(100, 400)
SLOW_SIZES = dict.fromkeys(("add_main_guard", "open_with", "to_f_string"), (24, 1))
SLOW_SIZES |= dict.fromkeys(("remove_unused_imports", "remove_unreachable", "remove_else"), (24, 1))
SLOW_SIZES |= dict.fromkeys(("one_statement_a_line", "use_elif", "merge_branches", "merge_handlers"), (24, 1))
"""Files, and calls a file, of operations that mean a whole file."""
LARGEST = 16_000
"""Characters of a module where there are many calls: most take time in proportion to it."""
SIZES = {
    "move_statements": (6, 8),
}
"""Files, and calls a file, of operations that seldom fit in the library of some Python."""
SELDOM = {"builtin_generics": 200, "one_statement_a_line": 600}
"""At least so many places are in the library for what few modules have."""
RARE = {
    "one_statement_a_line": {
        "signs.py": "def f(x):\n    if x: return 1\n    a = 1; b = 2\n    return a + b\n"
    },
    "inline_function": {"half.py": "def half(n):\n    return n / 2\n\n\ndef f(x):\n    return half(x + 1)\n"},
    "loop_directly": {"index.py": "def f(xs):\n    for i in range(len(xs)):\n        print(xs[i])\n"},
    "loop_zip": {"pairs.py": "def f(xs, ys):\n    for i in range(len(xs)):\n        print(xs[i], ys[i])\n"},
}
"""A module with a place for an operation, where the libraries of some Pythons have none."""
REMOVING = (
    "remove_item",
    "comment_out",
    "remove_comments",
    "set_comment",
    "delete_statements",
    "replace_statements",
    "delete_file",
    "remove_definition",
    "remove_decorator",
    "remove_key",
    "remove_list_item",
    "replace_lines",
    "delete_lines",
    "substitute",
    "drop_python2",
    "remove_unused_imports",
    "remove_unused_variables",
    "set_value",
    "set_return",
    "unwrap_try",
    "unwrap_if",
    "unwrap_try",
    "reraise",
    "inline_constant",
    "inline_function",
)
"""What is asked to take text away takes the comments on it along."""
JOINING = ("merge_branches", "merge_handlers")
"""Of two comments that say the same one is left."""
REPEATABLE = (
    "merge_branches",
    "unwrap_if",
    "unwrap_try",
    "if_to_match",
    "if_to_lookup",
    "remove_item",
    "leave_early",
    "remove_else",
    "loop_items",
    "replace_in_strings",
    "reorder_parameters",
    "rename",
    "remove_default",
    # Another place stands where the first one stood, or the wanted one is asked for again.
    "swap_arguments",
    "delete_statements",
    "move_statements",
    "remove_definition",
    "delete_lines",
    "replace_lines",
    "change_operator",
    "wrap_in_if",
    "wrap_in_try",
    "wrap_in_with",
    "wrap_in_retry",
    "apply_pattern",
    "rewrite",
    "set_comment",
    "to_f_string",
    "remove_comments",
    "remove_docstring",
    "inline_variable",
    "replace_statements",
    "replace_expression",
    "print_to_logging",
)
"""What can be done twice: through another symbol or place, or because it is wanted again; see the tests of
each."""


@lru_cache(maxsize=4)
def library(files: int, seed: int, largest: int) -> tuple[dict[str, str], Repository]:
    """Some standard modules, and a repository of them in which each is parsed once for all operations."""
    texts = {path: text for path, text in stdlib_texts(files, seed) if len(text) <= largest}
    return texts, Repository(DictTree({**texts, **CONFIG_FILES, **LANGUAGE_FILES}))


def samples(
    name: str, files: int, each: int, seed: int, largest: int = 10**9
) -> Iterator[tuple[Repository, registry.Operation, Plan]]:
    """Calls of an operation with their plans, each in a repository of some standard modules."""
    rng = random.Random(seed)
    texts, shared = library(files, seed, largest)
    own = {**(planted(texts, name, rng) if largest == LARGEST else texts), **RARE.get(name, {})}
    repo = shared.with_changes({path: text for path, text in own.items() if texts.get(path) != text})
    for path in repo.index.paths:
        if not repo.index.summary(path).parses:
            continue
        for _ in range(each):
            call = SAMPLERS[name](repo, path, rng)
            found = call.plan(repo) if call is not None else None
            if call is not None and isinstance(found, Plan):
                yield repo, call, found


AS_ASKED = ("special results",)
"""Harm that a call asks for in so many words, such as `return None` in a `__repr__`: it is only marked."""
OF_LINES = ("insert_lines", "replace_lines", "delete_lines", "substitute")
"""Operations that write what is given into any file: that it cannot be read any more is only marked."""


def check_laws(name: str, files: int, each: int, seed: int, largest: int = 10**9) -> int:
    count = 0
    for repo, call, plan in samples(name, files, each, seed, largest):
        count += 1
        shown = registry.render(call)
        texts = plan.texts(repo)
        assert texts, shown
        after = repo.with_changes(texts)
        if name not in REMOVING:
            left = comments(after, texts)
            lost = Counter(comments(repo, texts)) - Counter(left)
            lost = Counter(one for one in lost if one not in left) if name in JOINING else lost
            assert not lost, (shown, lost)
        for path, text in texts.items():
            now = plan.moved.get(path, path)
            text = texts[now]
            if path in plan.removed:
                continue
            assert text is not None, shown
            if path.endswith(".py"):
                assert after.index.source(now).tree is not None, shown
            if path in plan.created or path in plan.moved.values():
                continue
            before = repo.index.text(path) or ""
            kept = [edit for edit in plan.edits if edit.path == path]
            assert outside(before, [(edit.start, edit.end) for edit in kept]) == outside(
                text, moved([(edit.start, edit.end, edit.new) for edit in kept])
            ), shown
            if path.endswith(".py"):
                known = {occurrence.name for occurrence in undefined(repo.index.scopes(path))}
                assert not {occurrence.name for occurrence in undefined(after.index.scopes(now))} - known, (
                    shown
                )
        if not plan.unfollowed:
            harm = [finding for finding in checked(plan, repo).findings if finding.sure]
            asked = (*AS_ASKED, "configuration") if name in OF_LINES else AS_ASKED
            assert not [finding for finding in harm if finding.kind not in asked], shown
        if name not in REPEATABLE:
            again = call.plan(after)
            assert isinstance(again, Refused), (shown, again)
    return count


def comments(repo: Repository, paths: Iterable[str]) -> list[str]:
    there = [path for path in paths if repo.index.text(path) is not None]
    return [comment.text for path in there for comment in repo.index.source(path).comments]


def outside(text: str, spans: list[tuple[int, int]]) -> str:
    out, done = [], 0
    for start, end in sorted(set(spans)):
        out.append(text[done:start])
        done = end
    return "".join([*out, text[done:]])


def moved(edits: list[tuple[int, int, str]]) -> list[tuple[int, int]]:
    """Where edits stand in the new text."""
    shift, out = 0, []
    for start, end, new in sorted(set(edits)):
        out.append((start + shift, start + shift + len(new)))
        shift += len(new) - (end - start)
    return out


def test_every_operation_has_a_sampler() -> None:
    assert set(SAMPLERS) == set(registry.operations())


@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_the_laws_hold_on_standard_modules(name: str) -> None:
    files, each = SIZES.get(name, (6, 3) if name in SIGNATURES or name in snippets() else (2, 4))
    if name == "builtin_generics" and sys.version_info >= (3, 13):
        pytest.skip("the standard library of this Python no longer imports `List` and the like")
    # Not every Python's library has a place for it among the first modules.
    assert any(check_laws(name, files, each, seed, LARGEST) for seed in range(4, 12))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SAMPLERS))
def test_the_laws_hold_for_a_thousand_calls(name: str) -> None:
    count = 0
    for seed in SEEDS:
        count += check_laws(name, *SLOW_SIZES.get(name, (24, 12)), seed, LARGEST)
        if count >= EXAMPLES:
            return
    assert count >= SELDOM.get(name, EXAMPLES)


def check_there_and_back(files: int, each: int, seed: int) -> int:
    count = 0
    for repo, call, plan in samples("rename", files, each, seed):
        assert isinstance(call, Rename)
        texts = plan.texts(repo)
        after = repo.with_changes(texts)
        old = call.target.name.rpartition(".")
        back = Rename(
            Symbol(f"{old[0]}{old[1]}{call.new}", call.target.path, call.target.line), NewName(old[2])
        )
        found = back.plan(after)
        if isinstance(found, Refused) and "builtin" in str(found):
            continue
        assert isinstance(found, Plan), (registry.render(call), found)
        restored = {**texts, **found.texts(after)}
        assert restored == {path: repo.index.text(path) for path in restored}, registry.render(call)
        count += 1
    return count


def test_a_rename_there_and_back_is_the_identity() -> None:
    assert check_there_and_back(5, 6, 4) >= 15


@pytest.mark.slow
def test_a_thousand_renames_there_and_back_are_the_identity() -> None:
    assert sum(check_there_and_back(40, 10, seed) for seed in range(20, 24)) >= 1000
