"""Random calls of the operations on whole files: modules renamed, tests written, words of other languages."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling.places import Drawn, FileSample, Sampler, law_files, sampler
from spark_tui.codemods.slots import FilePath, SymbolKind

LANGUAGE_FILES = law_files("languages")


def _wrap_in_retry(at: FileSample) -> Drawn:
    one = at.node(ast.stmt, lambda item: at.source.function_of(item) is not None)
    return at.lines(one), "(KeyError, OSError)", at.rng.choice([2, 5]), at.rng.choice(["", "0.25"])


def _rename_module(at: FileSample) -> Drawn:
    stem = at.path.rpartition("/")[2].removesuffix(".pyi").removesuffix(".py")
    folder = at.path.rpartition("/")[0]
    new = f"renamed_{stem.strip('_')}"
    if at.rng.random() < 0.3:
        others = sorted({path.rpartition("/")[0] for path in at.repo.index.paths} - {folder, ""})
        ending = at.path.rpartition(".")[2]
        new = f"{at.rng.choice(others)}/{new}.{ending}" if others else new
    return FilePath(at.path), new


def _rename_all(at: FileSample) -> Drawn:
    one = at.symbol(SymbolKind.ATTRIBUTE, SymbolKind.METHOD, SymbolKind.FUNCTION)
    return (one.name.rpartition(".")[2], f"renamed_{at.rng.randint(1, 9)}") if one is not None else None


def _rename_word(at: FileSample) -> Drawn:
    path = at.rng.choice([".", *sorted(LANGUAGE_FILES)])
    return FilePath(path), at.rng.choice(["count", "total", "add"]), f"sampled{at.rng.randint(1, 9)}"


SAMPLERS: dict[str, Sampler] = {
    name: sampler(name, make)
    for name, make in {
        "wrap_in_retry": _wrap_in_retry,
        "rename_module": _rename_module,
        "rename_all": _rename_all,
        "add_test": lambda at: (at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD),),
        "rename_word": _rename_word,
    }.items()
}
