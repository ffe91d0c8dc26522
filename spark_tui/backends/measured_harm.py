"""What `spark bench harm` measured last. README.md and docs/model.md state these figures."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from spark_tui.config import paths

BEGIN = "<!-- harm: python -m spark_tui.backends.measured_harm README.md docs/model.md -->"
END = "<!-- end of harm -->"


@dataclass(frozen=True, slots=True)
class MeasuredHarm:
    """Random exact edits written into copies of real packages, and how many unmarked ones broke something."""

    command: str
    runs: str
    """The options of the runs that were added up; README.md leaves them to docs/model.md."""
    packages: int
    plans: int
    unmarked: int
    broken: int
    tested: int = 0
    """After so many of the edits the tests of their package ran."""

    @property
    def sentence(self) -> str:
        return (
            f"Of {self.plans:,} random exact edits in copies of {self.packages} real packages,"
            f" {self.unmarked:,} had no mark, and {self.broken:,} of those\nbroke something: a file that no"
            " longer compiles, a name that nothing defines, a module that cannot be\nimported, or a test"
            f" of the package (run after {self.tested:,} of the edits) that passed before\n"
            f"(`{self.command}`"
        )


def measured_harm() -> MeasuredHarm:
    """The figures that the package carries."""
    return MeasuredHarm(**tomllib.loads((paths.models_dir() / "harm.toml").read_text("utf-8")))


def with_figures(page: str, *, runs: bool) -> str:
    """The page with the sentence between its marks brought up to date, with or without a list of the runs."""
    found = measured_harm()
    head, _, rest = page.partition(BEGIN)
    end = f":\n{found.runs})." if runs else ")."
    return f"{head}{BEGIN}\n{found.sentence}{end}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    import argparse

    parser = argparse.ArgumentParser(prog="python -m spark_tui.backends.measured_harm", description=__doc__)
    parser.add_argument("file", type=Path, nargs="+", help="page whose figures are brought up to date")
    for file in parser.parse_args().file:
        page = with_figures(file.read_text("utf-8"), runs=file.name != "README.md")
        file.write_text(page, "utf-8")
