"""What all tests of benches share."""

import pytest

from spark_tui.bench.packages import sandbox


@pytest.fixture(autouse=True)
def no_plugins_in_the_sandbox(monkeypatch, measured_machine):
    """The tests of a made-up package need none of the plugins that happen to be installed here: they take a
    second to load in each run."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setattr(sandbox, "_KEPT", (*sandbox._KEPT, "PYTEST_DISABLE_PLUGIN_AUTOLOAD"))
