"""The figure of `spark bench harm` stands in one file, and every page that states it states that one."""

from pathlib import Path

import pytest

from spark_tui.backends import measured_harm

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["README.md", "docs/model.md"])
def test_the_pages_state_what_was_measured(name):
    page = (ROOT / name).read_text("utf-8")
    assert measured_harm.BEGIN in page
    assert page == measured_harm.with_figures(page, runs=name != "README.md"), (
        "run: python -m spark_tui.backends.measured_harm README.md docs/model.md"
    )


def test_the_figures_are_counts_of_one_run():
    found = measured_harm.measured_harm()
    assert 0 <= found.broken <= found.unmarked <= found.plans
    assert found.packages > 0 and found.command.startswith("spark bench harm")
