"""The wheel carries what the product needs and runs from an empty folder."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from spark_tui import __version__
from spark_tui.config import paths

CHECKOUT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("wheel")
    code = (
        "import os, sys; from hatchling.build import build_wheel\n"
        f"os.chdir({str(CHECKOUT)!r}); print(build_wheel({str(out)!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return out / done.stdout.split()[-1]


def test_the_wheel_holds_the_package_the_themes_and_the_example_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("spark_tui/_data/themes/") and name.endswith(".yaml") for name in names)
    assert "spark_tui/_data/examples/shop/shop/cart.py" in names
    assert any(
        name.startswith("spark_tui/_data/examples/recordings/") and name.endswith(".jsonl") for name in names
    )
    tops = {name.split("/")[0] for name in names}
    assert tops == {"spark_tui", f"spark_tui-{__version__}.dist-info"}
    assert not [name for name in names if "__pycache__" in name]
    for module in (CHECKOUT / "spark_tui").rglob("*.py"):
        assert module.relative_to(CHECKOUT).as_posix() in names


def test_it_runs_from_an_empty_folder_out_of_the_wheel(wheel, tmp_path, empty_home):
    # The dependencies come from this interpreter; the package itself only from the wheel.
    venv.create(tmp_path / "venv", with_pip=False)
    site = next((tmp_path / "venv" / "lib").glob("python*")) / "site-packages"
    zipfile.ZipFile(wheel).extractall(site)
    (site / "dependencies.pth").write_text("\n".join(p for p in sys.path if p.endswith("site-packages")))
    (tmp_path / "empty").mkdir()
    code = (
        "from spark_tui.config import paths; print(paths.__file__); print(paths.themes_dir());"
        " print(paths.examples_dir())"
    )
    env = {"HOME": str(empty_home), "PATH": os.environ["PATH"]}

    def inside(*words):
        command = [str(tmp_path / "venv" / "bin" / "python"), *words]
        return subprocess.run(
            command, cwd=tmp_path / "empty", env=env, capture_output=True, text=True, check=True
        ).stdout

    module, themes, examples = inside("-c", code).split()
    assert all(Path(place).is_relative_to(site) for place in (module, themes, examples))
    assert list(Path(themes).glob("*.yaml"))
    assert inside("-m", "spark_tui", "--version") == f"spark {__version__}\n"


def test_a_checkout_or_an_installed_package_finds_its_data():
    assert list(paths.themes_dir().glob("*.yaml"))
    assert (paths.examples_dir() / "shop" / "shop" / "cart.py").is_file()
    assert list(paths.recordings_dir().glob("*.jsonl"))
