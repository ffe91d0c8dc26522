"""The edits that are measured: true texts before and after, as ids.

A shape without a tokenizer of its own gets one trained on the standard library, kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
import sysconfig
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from spark_tui.config import paths
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.errors import MalformedInput
from spark_tui.shared_ends import same_ends

VOCABULARY = 8192
_CORPUS_BYTES = 3_000_000
_COPIED_TOKENS = 8
"""Shorter runs that stand in the file, too, are no copies."""
_NEAR_TOKENS = 400


@dataclass(frozen=True, slots=True)
class EditTrace:
    name: str
    path: str
    before: str
    instruction: str
    after: str


@dataclass(frozen=True, slots=True)
class RewriteTask:
    """One edit as ids: the whole file is written again. `source` is the file alone."""

    name: str
    prompt: tuple[int, ...]
    truth: tuple[int, ...]
    source: tuple[int, ...]


def load_traces(kind: str, folder: Path | None = None) -> list[EditTrace]:
    """`short` or `long`. A line that is no trace is an error with its number."""
    folder = folder or paths.examples_dir() / "traces"
    path = folder / f"{kind}.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise MalformedInput(f"cannot be read ({error.strerror})", where=str(path)) from error
    traces = []
    for number, line in enumerate(lines, start=1):
        try:
            traces.append(_trace(json.loads(line), folder))
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise MalformedInput(f"line {number} is not a trace ({error})", where=str(path)) from error
    return traces


def _trace(row: dict[str, Any], folder: Path) -> EditTrace:
    if "after" in row:
        return EditTrace(row["id"], row["path"], row["before"], row["instruction"], row["after"])
    before = (folder / "files" / row["path"]).read_text(encoding="utf-8")
    lines = before.split("\n")
    for edit in reversed(row["edits"]):
        lines[edit["start"] - 1 : edit["end"] - 1] = edit["new_lines"]
    return EditTrace(row["id"], row["path"], before, row["instruction"], "\n".join(lines))


def rewrite_task(trace: EditTrace, tokenizer: Tokenizer, max_tokens: int = 0) -> RewriteTask:
    """The file, the instruction, then the whole file as it shall be (at most `max_tokens` of it)."""
    source = tokenizer.encode(trace.before)
    prompt = [*source, *tokenizer.encode(f"\n\n# {trace.path}: {trace.instruction}\n\n")]
    truth = tokenizer.encode(trace.after)
    return RewriteTask(
        trace.name, tuple(prompt), tuple(truth[:max_tokens] if max_tokens else truth), tuple(source)
    )


def decided_tokens(task: RewriteTask) -> int:
    """How many tokens of the text are not copied from the file: what an answer in hunks would spell out."""
    source, truth = task.source, task.truth
    begin, end = same_ends(source, truth)
    left, right = source[begin : len(source) - end], truth[begin : len(truth) - end]
    near = left[: len(right) + _NEAR_TOKENS]
    blocks = SequenceMatcher(None, near, right, autojunk=False).get_matching_blocks()
    return len(right) - sum(block.size for block in blocks if block.size >= _COPIED_TOKENS)


def bench_tokenizer() -> Tokenizer:
    """A byte-level BPE of 8,192 ids, trained once on a part of the standard library."""
    texts = _corpus()
    digest = hashlib.sha256("".join(texts).encode("utf-8", "replace")).hexdigest()[:16]
    path = paths.cache_dir() / "bench" / f"bpe-{VOCABULARY}-{digest}" / "tokenizer.json"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        _train(texts, path)
    return Tokenizer.load(path.parent)


def _corpus() -> list[str]:
    texts, size = [], 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="replace")
        texts.append(text)
        size += len(text)
        if size > _CORPUS_BYTES:
            break
    return texts


def _train(texts: list[str], path: Path) -> None:
    from tokenizers import Tokenizer as Backend
    from tokenizers import decoders, models, pre_tokenizers, trainers

    backend = Backend(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    backend.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=VOCABULARY, initial_alphabet=alphabet, show_progress=False)
    )
    backend.save(str(path))
