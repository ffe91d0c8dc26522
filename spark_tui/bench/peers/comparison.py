"""Prepares a comparison: the same weights in every contender's format, and one process for each."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from spark_tui.bench.generation.times import POSITIONS
from spark_tui.bench.measuring.model_argument import place_of
from spark_tui.bench.peers.contender_worker import ContenderProcess
from spark_tui.bench.peers.contenders import OURS, OURS_FAST
from spark_tui.errors import NoBackend, SparkError, UsageError, install_command

PEERS: dict[str, tuple[str, tuple[str, ...]]] = {
    "transformers": ("transformers", ("transformers",)),
    "llama.cpp": ("llama_cpp", ("llama.cpp F32", "llama.cpp Q8_0", "llama.cpp Q4_0")),
    "ctranslate2": ("ctranslate2", ("ctranslate2", "ctranslate2 int8")),
    "onnxruntime": ("onnxruntime", ("onnxruntime", "onnxruntime int8")),
}
"""For each `--peer`: the module that must be installed, and the contenders that it stands for."""
_BESIDE = {"transformers": ("torch",), "llama.cpp": ("gguf",), "onnxruntime": ("onnx",)}

_FIRST = list(range(40, 104))
"""A prompt to warm up with."""


Start = Callable[[str, str, int], ContenderProcess]
"""Name, place, threads to a running contender."""


def installed() -> list[str]:
    """Peers that can run: their module is here, and those that their models are written with."""
    return [
        peer
        for peer, (module, _) in PEERS.items()
        if all(importlib.util.find_spec(name) is not None for name in (module, *_BESIDE.get(peer, ())))
    ]


def has_fast() -> bool:
    """Whether the extra with the compiled products is here."""
    return importlib.util.find_spec("numba") is not None


def chosen_peers(asked: Sequence[str] | None, default: Sequence[str] = tuple(PEERS)) -> list[str]:
    """The requested peers, or the installed ones of `default`. `none` selects no peer."""
    if not asked:
        return [peer for peer in installed() if peer in default]
    names = [] if list(asked) == ["none"] else list(asked)
    for name in names:
        if name not in PEERS:
            raise UsageError(f"unknown peer {name!r}", hint=f"Peers: {', '.join(PEERS)}, none.")
        if name not in installed():
            extra = " llama-cpp-python" if name == "llama.cpp" else ""
            raise NoBackend(f"{name} is not installed", hint=install_command("bench") + extra)
    return names


class PeerComparison:
    """The contenders of one model, each with its place (file or folder)."""

    def __init__(self, model: str, peers: Sequence[str], folder: Path, leave_out: Sequence[str] = ()) -> None:
        from spark_tui.engine.model_sizes import size

        self.model = model
        self._leave_out = leave_out
        self._place = place_of(model)
        if self._place is None:
            # A size that does not exist is said at once, not by each contender.
            size(model)
        place = f"random:{model}" if self._place is None else str(self._place)
        self.places: dict[str, str] = dict.fromkeys([OURS, OURS_FAST] if has_fast() else [OURS], place)
        self.skipped: list[str] = []
        if peers:
            self._write(peers, folder)

    def _write(self, peers: Sequence[str], folder: Path) -> None:
        from spark_tui.bench.peers import weight_formats
        from spark_tui.engine.checkpoint import load_checkpoint
        from spark_tui.engine.model_sizes import random_weights, size

        if self._place is not None:
            checkpoint = load_checkpoint(self._place)
            arch, weights = checkpoint.arch, checkpoint.weights
        else:
            arch = size(self.model)
            weights = random_weights(arch)
        for name in (contender for peer in peers for contender in PEERS[peer][1]):
            if name in self._leave_out:
                continue
            place = folder / name.replace(" ", "-").replace(".", "-")
            try:
                if name == "transformers":
                    place = self._place or weight_formats.write_hf(arch, weights, place)
                elif name.startswith("llama.cpp"):
                    weight_formats.write_gguf(arch, weights, place, name.split()[1])
                elif name.startswith("ctranslate2"):
                    # Quantized when it is loaded: both kinds read the same file.
                    place = folder / "ctranslate2"
                    if not place.is_dir():
                        weight_formats.write_ctranslate2(arch, weights, place)
                else:
                    from spark_tui.bench.peers.onnx_graph import write_onnx

                    write_onnx(arch, weights, place, positions=POSITIONS, int8=name.endswith("int8"))
            except SparkError as error:
                self.skipped.append(f"{name}: {error.what}")
                continue
            self.places[name] = str(place)

    @contextmanager
    def running(
        self, threads: int, start: Start, names: Iterable[str] | None = None
    ) -> Iterator[dict[str, ContenderProcess]]:
        """All contenders that start and write a few tokens; one that does not is noted and left out."""
        with ExitStack() as stack:
            workers: dict[str, ContenderProcess] = {}
            for name in names or self.places:
                workers[name] = start(name, self.places[name], threads)
                stack.callback(workers[name].close)
            # All load at once; only then is one waited for after the other.
            for name in list(workers):
                try:
                    workers[name].ready()
                    workers[name].ask("greedy", _FIRST, count=4)
                except NoBackend as error:
                    self.skipped.append(error.what)
                    workers.pop(name).close()
            yield workers


@contextmanager
def scene(model: str, peers: Sequence[str], leave_out: Sequence[str] = ()) -> Iterator[PeerComparison]:
    """A scene whose files are removed at the end. `leave_out` names contenders of these peers that are not
    wanted."""
    with tempfile.TemporaryDirectory(prefix="spark-bench-") as folder:
        yield PeerComparison(model, peers, Path(folder), leave_out)
