"""`spark promote MODEL`: make a model the default, if it meets the criteria of a TOML file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from spark_tui.bars import print_report
from spark_tui.cli import flags, output
from spark_tui.errors import ExitCode, UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("model", help="a built-in model, a folder with one, or a server; as in --compare")
    add("--criteria", type=Path, metavar="FILE.toml", help="the criteria (default: the packaged file)")
    add("--over", metavar="MODEL", default="", help="compare with this (default: what the settings use now)")
    add("--dry-run", action="store_true", help="only say whether the criteria hold")
    add("--json", action="store_true", help="one JSON object on stdout, the report on stderr")
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    from spark_tui.config import paths
    from spark_tui.evals import comparison, promotion
    from spark_tui.evals.candidates import Candidate, parse_candidate

    candidate = parse_candidate(args.model)
    if candidate.commit:
        raise UsageError("a commit cannot be the default", hint="Compare it with `spark eval --compare`.")
    over = parse_candidate(args.over) if args.over else Candidate("the current default")
    criteria = promotion.read_criteria(args.criteria or promotion.DEFAULT_CRITERIA)
    found = comparison.compare(
        criteria.suite,
        comparison.sampled_records(criteria.suite, criteria.path, criteria.sample),
        (over, candidate),
        directory=flags.directory(args),
        check_seconds=criteria.check_seconds,
        progress=output.show_progress,
    )
    verdicts = promotion.judge(criteria, found)
    print_report(comparison.table(found), as_json=args.json)
    for verdict in verdicts:
        value = "not measured" if verdict.value is None else f"{verdict.value:.4g}"
        kind = "" if verdict.criterion.kind == comparison.ALL else f" of {verdict.criterion.kind}"
        bound = f"{verdict.criterion.bound.replace('_', ' ')} {verdict.criterion.limit:g}"
        mark = "✓" if verdict.holds else "✗"
        line = f"{mark} {verdict.criterion.name}: {verdict.criterion.measure}{kind} {value}, {bound}"
        print_report(line, as_json=args.json)
    holds = all(item.holds for item in verdicts)
    promoted = holds and not args.dry_run
    if promoted:
        path = paths.user_config_file()
        candidate.save(path)
        print(f"spark: {args.model} is the default now ({path})", file=sys.stderr)
    elif not holds:
        failed = [item.criterion.name for item in verdicts if not item.holds]
        print(f"spark: {args.model} is not promoted: {'; '.join(failed)}", file=sys.stderr)
    if args.json:
        rows = [item.as_dict() for item in verdicts]
        print(json.dumps({**found.as_dict(), "criteria": rows, "holds": holds, "promoted": promoted}))
    return int(ExitCode.DONE if holds else ExitCode.NOTHING)
