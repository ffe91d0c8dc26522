"""`spark work`: start a background job in its own worktree."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from spark_tui.cli import flags
from spark_tui.cli.output import print_error
from spark_tui.errors import ExitCode, NoBackend, Refused, SparkError, UsageError
from spark_tui.jobs import job as jobs
from spark_tui.jobs import job_status
from spark_tui.jobs.handoff import end_orphans
from spark_tui.jobs.job import Job, JobTask
from spark_tui.jobs.launcher import start_job, wait_until_it_works
from spark_tui.session.session_opener import root_of

_HEARD_SECONDS = 10.0
"""How long to wait for a model that cannot be opened, to report it here."""
_LOOK_SECONDS = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("instruction", nargs="*", help="instructions, carried out in order, one turn each")
    add(
        "-f",
        "--file",
        action="append",
        default=[],
        metavar="PATH",
        help="show this file with each instruction (repeatable)",
    )
    add(
        "--tasks",
        metavar="FILE",
        help="file with one instruction per line; `PATH: …` names its file; `-` is standard input",
    )
    add("--check", metavar="COMMAND", help="command to run after each edit; an edit that breaks it is undone")
    add(
        "--check-timeout",
        type=flags.seconds,
        default=600.0,
        metavar="SECONDS",
        help="time limit of the check (default: 600)",
    )
    add(
        "--rounds",
        type=flags.whole_number(0, 100),
        default=3,
        metavar="N",
        help="attempts to repair an edit that breaks the check (default: 3)",
    )
    add(
        "--timeout",
        type=flags.seconds,
        default=0.0,
        metavar="SECONDS",
        help="time limit of the job; what is done comes back for review",
    )
    add("--wait", action="store_true", help="wait for the job and print the outcome of each instruction")
    flags.add_place(parser)
    flags.add_backend(parser)


def run(args: argparse.Namespace) -> int:
    if args.check is not None and not args.check.strip():
        # An empty variable of a script, say: all edits would be kept.
        raise UsageError("the check is empty", hint="Name a command, or leave out --check.")
    directory = flags.directory(args)
    root = root_of(directory)
    files = tuple(flags.file_to_edit(root, directory, path) for path in args.file)
    tasks = [JobTask(text, files) for text in map(str.strip, args.instruction) if text]
    if args.tasks or not args.instruction:
        tasks += [
            _task(line, root, directory, files) for line in _lines(args.tasks, asked=bool(args.instruction))
        ]
    if not tasks:
        raise UsageError(
            "there is no instruction", hint='For example: spark work "rename qty to quantity" -f cart.py'
        )
    flags.load(args, root)  # what cannot be used is said here
    wanted = Job(
        id="",
        root="",
        within="",
        tasks=tasks,
        check=(args.check or "").strip(),
        check_seconds=args.check_timeout,
        rounds=args.rounds,
        time_limit=args.timeout,
        flags={key: value for key, value in vars(args).items() if "." in key and value is not None},
    )
    folder = start_job(directory, wanted)
    print(folder.name, flush=True)
    job = wait_until_it_works(folder, _HEARD_SECONDS)
    if job.phase == "failed":
        raise _failed(job)
    if job.phase == "starting" and not jobs.is_claimed(folder):
        hint = f"See its log: spark jobs show {job.id}"
        raise Refused(f"the worker of job {job.id} ended before it started", where=str(folder), hint=hint)
    many = "1 instruction" if len(tasks) == 1 else f"{len(tasks)} instructions"
    print_error(f"job {job.id} is running: {many}; for its progress: spark jobs show {job.id}")
    return _wait(folder) if args.wait else 0


def _lines(name: str | None, *, asked: bool) -> list[str]:
    if name is None or name == "-":
        if name is None and (asked or sys.stdin.isatty()):
            return []
        text = sys.stdin.read()
    else:
        try:
            text = Path(name).read_text(encoding="utf-8-sig", errors="surrogateescape")
        except OSError as error:
            hint = "--tasks names a text file, one instruction a line."
            raise UsageError(f"cannot read it: {error.strerror}", where=name, hint=hint) from error
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _task(line: str, root: Path, directory: Path, files: tuple[str, ...]) -> JobTask:
    """`PATH: instruction` if there is such a file, else the whole line as the instruction."""
    path, colon, text = line.partition(": ")
    if colon and text.strip() and (directory / path).is_file():
        return JobTask(text.strip(), (flags.file_to_edit(root, directory, path), *files))
    return JobTask(line, files)


def _wait(folder: Path) -> int:
    """Until it has ended. Ctrl+C ends the waiting only."""
    told = 0
    try:
        while True:
            claimed = jobs.is_claimed(folder)
            job = jobs.read(folder)
            for task in job.tasks[told:]:
                if task.state in ("waiting", "working"):
                    break
                told += 1
                print_error(f"  {told}/{len(job.tasks)} {job_status.task_line(task)}")
            if not claimed:
                break
            time.sleep(_LOOK_SECONDS)
    except KeyboardInterrupt:
        print_error(f"spark: job {folder.name} is still running; to stop it: spark jobs stop {folder.name}")
        raise
    if not job.over:
        for words in end_orphans(folder.parent.parent):
            print_error(f"spark: {words}")
        job = jobs.read(folder)
    print_error(job_status.outcome(job))
    return _code(job)


def _code(job: Job) -> int:
    if job.phase == "done":
        if not job.session and not any(task.state == "failed" for task in job.tasks):
            return int(ExitCode.NOTHING)
        return int(ExitCode.DONE if job.done == len(job.tasks) else ExitCode.MISFIT)
    codes = {"timeout": ExitCode.TIMEOUT, "stopped": ExitCode.INTERRUPTED}
    return int(codes.get(job.phase, job.exit_code or ExitCode.CRASHED))


def _failed(job: Job) -> SparkError:
    """Why the worker could not begin, as if it had been asked here."""
    what, _, hint = job.note.partition("\n")
    kind = NoBackend if job.exit_code == ExitCode.NO_BACKEND else SparkError
    error = kind(f"job {job.id} could not start: {what}", hint=hint.strip())
    error.exit_code = ExitCode(job.exit_code)
    return error
