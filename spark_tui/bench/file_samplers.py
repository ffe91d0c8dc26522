"""Random calls of the operations on whole files: modules renamed, tests written, words of other languages."""

from __future__ import annotations

import ast

from spark_tui.bench.sampling import Sample, Sampler, sampler
from spark_tui.codemods.slots import FilePath, SymbolKind

Drawn = tuple[object, ...] | None
LANGUAGE_FILES = {
    "web/app.js": "// count of all\nlet count = 1; // count\nconst note = `count ${count} of ${total}`;\n"
    "function add(total) {\n  count += total; /* total */\n  return 'count' + count / total / 2;\n}\n",
    "web/types.ts": "export interface Item { count: number; total?: number }\n"
    "export const add = (item: Item): number => item.count + (item.total ?? 0); // count\n",
    "main.go": "package main\n\n// add counts\nfunc add(count int, total string) string {\n"
    '\tif count > 1 { return "count" + `total` + total }\n\treturn total\n}\n',
    "lib.rs": 'fn add<\'a>(count: &\'a str, total: char) -> &\'a str {\n    let note = r#"count "total""#;'
    " // count\n    if total == '\\'' { count } else { note }\n}\n",
    "add.c": "#include <total.h>\n/* count */\nint add(int count, char *total) {\n"
    "  return count + total[0] == 'c' ? *\"count\" : count;\n}\n",
    "Add.java": 'class Add {\n  int count; // total\n  String add(String total) { return total + "count"'
    " + count + 'c'; }\n}\n",
    "run.sh": 'count=1 # count\ntotal="$count of ${count}"\necho \'total\' "$total" $total \\"count\n',
}


def _wrap_in_retry(at: Sample) -> Drawn:
    one = at.node(ast.stmt, lambda one: at.source.function_of(one) is not None)
    if one is None:
        return None
    return at.lines(one), "(KeyError, OSError)", at.rng.choice([2, 5]), at.rng.choice(["", "0.25"])


def _rename_module(at: Sample) -> Drawn:
    stem = at.path.rpartition("/")[2].removesuffix(".pyi").removesuffix(".py")
    folder = at.path.rpartition("/")[0]
    new = f"renamed_{stem.strip('_')}"
    if at.rng.random() < 0.3:
        others = sorted({one.rpartition("/")[0] for one in at.repo.index.paths} - {folder, ""})
        ending = at.path.rpartition(".")[2]
        new = f"{at.rng.choice(others)}/{new}.{ending}" if others else new
    return FilePath(at.path), new


def _add_test(at: Sample) -> Drawn:
    return (at.symbol(SymbolKind.FUNCTION, SymbolKind.CLASS, SymbolKind.METHOD),)


def _rename_word(at: Sample) -> Drawn:
    path = at.rng.choice([".", *sorted(LANGUAGE_FILES)])
    return FilePath(path), at.rng.choice(["count", "total", "add"]), f"sampled{at.rng.randint(1, 9)}"


SAMPLERS: dict[str, Sampler] = {
    name: sampler(name, make)
    for name, make in {
        "wrap_in_retry": _wrap_in_retry,
        "rename_module": _rename_module,
        "add_test": _add_test,
        "rename_word": _rename_word,
    }.items()
}
