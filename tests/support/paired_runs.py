"""Two runs over the same made-up cases, and task files, for the tests of comparisons."""

import json

from spark_tui.evals.cases import EvalCase
from spark_tui.evals.comparison import CandidateRun, PairedRuns


def record(right=True, seconds=0.1, verdict="edit", marked=0):
    return {
        "right": right,
        "offered": right,
        "verdict": verdict,
        "marked": marked,
        "prefill_s": seconds,
        "generation_s": 0.0,
    }


def paired(first, second, kinds=None):
    kinds = kinds or ["a"] * len(first)
    line = {"before": "x = 1\n", "instruction": "?"}
    cases = [EvalCase(str(n), "m.py", line["before"], "?", kind=kind) for n, kind in enumerate(kinds)]
    runs = [CandidateRun(name, None, records) for name, records in (("A", first), ("B", second))]
    return PairedRuns("tasks", cases, *runs, [n % 2 for n in range(len(cases))])


def write_tasks(path, count):
    lines = [
        {"id": n, "before": f"a_{n} = 1\n", "instruction": f"rename a_{n} to b_{n}", "after": f"b_{n} = 1\n"}
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path
