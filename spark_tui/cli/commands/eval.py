"""`spark eval SUITE`: how good a model is, on the packaged set, a public benchmark, or tasks of your own."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from spark_tui.bars import print_report
from spark_tui.cli import flags, output
from spark_tui.errors import ExitCode, MalformedInput, UsageError
from spark_tui.evals.cases import BUILTIN, SUITES, EvalCase, again, sampled
from spark_tui.workspace import json_lines

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend
    from spark_tui.evals.case_runner import CaseAnswer
    from spark_tui.evals.scoring import Score

Judged = TypeVar("Judged")
QUICK_CASES = 150
READER = "reader"
"""How well instructions are read: needs no model and no path."""
PACKAGES = "packages"
"""Instructions about whole packages, which need their wheels."""
MOST_TOKENS = 1024
"""Of one answer."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    names = [*(suite.name for suite in SUITES), READER, PACKAGES]
    add = parser.add_argument
    add("suite", choices=names, nargs="?", default="builtin")
    add("path", nargs="?", type=Path, help="local copy of the benchmark, or the file with the tasks")
    add("--output", type=Path, metavar="FILE", help="write the edited texts as JSON lines: `id`, `after`")
    add("--details", type=Path, metavar="FILE", help="write all details of each case as JSON lines")
    add(
        "--sample",
        "--limit",
        dest="limit",
        type=flags.whole_number(1),
        default=0,
        metavar="N",
        help="run N cases, drawn with a fixed seed",
    )
    add("--only", metavar="NAME", help="run only the cases of one group or kind (`fill`: ghost text)")
    add("--packages", type=Path, metavar="DIR", help="folder with the wheels for `packages`")
    add("--half", choices=("dev", "held"), default="", help="run only this half of `packages`")
    add("--around", type=Path, metavar="DIR", help="read each case as if it were part of this repository")
    add("--again", action="store_true", help="ask each of the `tasks` where its right result stands already")
    add("--baselines", action="store_true", help="also run an untrained model and one that never edits")
    add(
        "--compare",
        nargs=2,
        metavar=("A", "B"),
        help="ask both the same cases: models, servers, key=value of a setting, or commit:REVISION",
    )
    add("--quick", action="store_true", help=f"run only {QUICK_CASES} cases")
    add(
        "--seconds",
        type=flags.whole_number(1),
        default=10,
        metavar="S",
        help="time limit of each check (default: 10)",
    )
    add("--json", action="store_true", help="one JSON object on stdout, the report on stderr")
    add("--check", action="store_true", help="exit with 1 if a bar is missed")
    add("--plot", type=Path, metavar="FILE.svg", help="draw the share of right answers")
    flags.add_place(parser)
    flags.add_backend(parser)


def run(args: argparse.Namespace) -> int:
    if args.compare:
        return _compare(args)
    if args.suite == READER:
        return _read(args)
    if args.suite == PACKAGES:
        return _packages(args)
    from spark_tui.backends.factory import create_backend
    from spark_tui.evals import reporting

    if args.suite == "tasks" and args.path is not None and args.output is None:
        raise UsageError(
            "tasks need --output for the edited texts", hint="spark eval tasks PATH --output RESULTS.jsonl"
        )
    if args.again and args.suite != "tasks":
        raise UsageError(f"{args.suite} cannot be asked --again", hint="It is for `spark eval tasks FILE`.")
    if args.check and args.suite != "builtin":
        raise UsageError(f"{args.suite} has no bars, so there is nothing to check", hint="Leave out --check.")
    if args.around is not None and not args.around.is_dir():
        raise UsageError(
            "is not a folder", where=str(args.around), hint="Name the repository to read cases in."
        )
    flags.check_writable(path for path in (args.output, args.details, args.plot) if path is not None)
    cases = _cases(args)
    loaded = flags.load(args, flags.directory(args))
    backend = create_backend(loaded.settings)
    try:
        exact = loaded.settings.exact
        asked = evaluate(
            backend,
            cases,
            check_seconds=args.seconds,
            exact=exact,
            around=args.around,
            least_confidence=loaded.settings.least_confidence / 100,
        )
        scores = list(_show(asked, len(cases)))
        report = reporting.summary(args.suite, backend.name, scores)
        if args.baselines:
            report["baselines"] = list(_baselines(backend, cases, args.seconds))
    finally:
        backend.close()
    print_report(reporting.table(report), as_json=args.json)
    if args.output:
        json_lines.write(args.output, ({"id": one.case.id, "after": one.answer.after} for one in scores))
    if args.details:
        json_lines.write(args.details, map(reporting.details, scores))
    if args.plot:
        args.plot.write_text(reporting.plot(report), "utf-8")
    return _finish(args, report)


def _finish(args: argparse.Namespace, report: Mapping[str, Any]) -> int:
    if args.json:
        print(json.dumps(report))
    missed = args.check and not all(bar["ok"] for bar in report["bars"])
    return int(ExitCode.NOTHING if missed else ExitCode.DONE)


def _compare(args: argparse.Namespace) -> int:
    from spark_tui.evals import comparison
    from spark_tui.evals.candidates import parse_candidate

    if args.suite == READER:
        raise UsageError("the reader alone cannot be compared", hint="Compare commits on another suite.")
    for flag in ("only", "again", "around", "baselines", "check", "plot", "output", "details"):
        if getattr(args, flag):
            raise UsageError(f"--{flag} does not go with --compare")
    first, second = (parse_candidate(text) for text in args.compare)
    suite = next(item for item in SUITES if item.name == args.suite)
    paired = comparison.compare(
        suite,
        comparison.sampled_records(suite, args.path, _limit(args)),
        (first, second),
        directory=flags.directory(args),
        check_seconds=args.seconds,
        progress=output.show_progress,
    )
    print_report(comparison.table(paired), as_json=args.json)
    if args.json:
        print(json.dumps(paired.as_dict()))
    return int(ExitCode.DONE)


def _read(args: argparse.Namespace) -> int:
    """Evaluates the reader of instructions on voices that it was not trained on."""
    from spark_tui.evals import reading
    from spark_tui.intent.reading.evaluation import case_from, evaluation_report, judge_case
    from spark_tui.intent.reading.reader import Reader

    cases = [case_from(record) for record in json_lines.read(args.path or reading.CASES)]
    if args.only:
        cases = [case for case in cases if args.only in (case.voice, case.language, case.orders[0].intent)]
    cases = sampled(cases, _limit(args))
    if not cases:
        raise UsageError(f"no voice, language or intent is called {args.only!r}")
    reader = Reader.load()
    scores = [judge_case(case, reader.read(case.text, case.symbols, case.earlier)) for case in cases]
    report = evaluation_report(scores)
    print_report(reading.table(report), as_json=args.json)
    if args.details:
        json_lines.write(args.details, map(reading.details, scores))
    return _finish(args, report)


def _packages(args: argparse.Namespace) -> int:
    """Asks the built-in reader about whole packages, and the model that it leaves the rest to."""
    from spark_tui.backends.factory import create_backend
    from spark_tui.evals import package_report
    from spark_tui.evals.package_runner import run_tasks
    from spark_tui.evals.package_tasks import read_package_tasks, select

    if args.path is None or args.packages is None:
        hint = "spark eval packages TASKS --packages DIR: a folder of TOML files, a folder of wheels"
        raise UsageError("packages need a folder of tasks and one of wheels", hint=hint)
    flags.check_writable(path for path in (args.details,) if path is not None)
    sets = select(read_package_tasks(args.path, args.half), args.only or "", _limit(args))
    if not sets:
        raise UsageError(f"no package, voice, language or kind is called {args.only!r}")
    missing: list[str] = []
    backend = create_backend(flags.load(args, flags.directory(args)).settings)
    try:
        asked = run_tasks(sets, args.packages, missing, backend)
        scores = list(_show(asked, sum(len(item.tasks) for item in sets)))
    finally:
        backend.close()
    report = package_report.summary(scores, missing)
    print_report(package_report.table(report), as_json=args.json)
    if args.details:
        json_lines.write(args.details, map(package_report.details, scores))
    return _finish(args, report)


def _cases(args: argparse.Namespace) -> list[EvalCase]:
    suite = next(item for item in SUITES if item.name == args.suite)
    if suite.needs_path and args.path is None:
        raise UsageError(f"{suite.name} needs a path", hint=f"spark eval {suite.name} PATH: {suite.summary}")
    cases = suite.read(args.path) if args.path is not None else suite.read(BUILTIN)
    cases = again(cases) if args.again else cases
    if not cases:
        raise MalformedInput("holds no case", where=str(args.path))
    if args.only:
        known = sorted({name for case in cases for name in (case.group, case.kind) if name})
        cases = [case for case in cases if args.only in (case.group, case.kind)]
        if not cases:
            raise UsageError(
                f"no group or kind is called {args.only!r}", hint=f"Choose one of: {', '.join(known)}."
            )
    return sampled(cases, _limit(args))


def _limit(args: argparse.Namespace) -> int:
    return args.limit or (QUICK_CASES if args.quick else 0)


def evaluate(
    backend: Backend,
    cases: Iterable[EvalCase],
    *,
    check_seconds: int = 10,
    max_tokens: int = MOST_TOKENS,
    exact: bool = False,
    around: Path | None = None,
    least_confidence: float = 0.0,
) -> Iterator[Score]:
    """Run each case, judge it, and execute its check if it has one. With `exact` the learned reader is asked
    first, as a session with the built-in model does; it sees the cases in the repository `around` them. What
    it leaves to the model has to be as sure as `least_confidence`."""
    from spark_tui.evals import case_runner
    from spark_tui.evals.reader_runner import CaseReader

    if exact and (reach := getattr(backend, "warm_up", None)) is not None:
        reach()  # what a server's model reads is known once its list of models was read
    reader = CaseReader(around) if exact and getattr(backend, "small_window", None) else None
    for case in cases:
        if case.answer == "fill":
            answer = case_runner.ask_fill(backend, case)
        else:
            read = case_runner.ask_reader(reader, case) if reader is not None else None
            least = least_confidence if reader is not None and not case.steer else 0.0
            answer = read or case_runner.ask_case(backend, case, max_tokens, least)
            if reader is not None and read is None:
                answer = case_runner.with_offers(reader, case, answer)
        yield _judged(case, answer, check_seconds)


def _judged(case: EvalCase, answer: CaseAnswer, check_seconds: int) -> Score:
    """The score of an answer; of a choice, also whether the right edit is among what was offered."""
    from spark_tui.evals import sandbox, scoring
    from spark_tui.evals.cases import program_of

    score = scoring.judge(case, answer)
    if answer.choices:
        ways = [replace(answer, after=text, verdict="edit", choices=()) for text in answer.choices]
        return replace(score, offered=any(_judged(case, way, check_seconds).right for way in ways))
    if case.check and not score.right and answer.verdict == "edit":
        verdict = sandbox.run_program(program_of(case.check, answer.after), seconds=check_seconds)
        score = replace(score, right=verdict.ok, check_s=verdict.seconds, reason=verdict.reason)
    return replace(score, offered=score.right)


def _baselines(backend: Backend, cases: Sequence[EvalCase], check_seconds: int) -> Iterator[dict[str, Any]]:
    """The same cases with models that know nothing; the untrained one gets only some, because it
    never stops.
    """
    from spark_tui.evals import baselines, scoring

    unchanged = list(evaluate(baselines.NeverEdits(), cases, check_seconds=check_seconds))
    yield {"model": "unchanged", "rows": scoring.rows(unchanged)}
    untrained = baselines.untrained(backend)
    if untrained is not None:
        some = random.Random(7).sample(cases, min(len(cases), baselines.UNTRAINED_CASES))
        tokens = baselines.UNTRAINED_TOKENS
        try:
            scores = list(evaluate(untrained, some, check_seconds=check_seconds, max_tokens=tokens))
        finally:
            untrained.close()
        yield {"model": "untrained", "max_tokens": tokens, "rows": scoring.rows(scores)}


def _show(scores: Iterator[Judged], total: int) -> Iterator[Judged]:
    """A counter on stderr."""
    for number, score in enumerate(scores, 1):
        output.show_progress(number, total)
        yield score
