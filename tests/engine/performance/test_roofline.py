"""The roofline: measured in a second, kept per machine, measured again where the machine has changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace

import pytest

from spark_tui.engine.kernels import int8_products
from spark_tui.engine.model import Model
from spark_tui.engine.model_sizes import random_weights, size
from spark_tui.engine.performance import roofline, roofline_store
from spark_tui.engine.performance.kernel_timing import pass_shares
from spark_tui.engine.performance.pass_cost import pass_cost
from spark_tui.engine.performance.roofline import FP32, READ, Rate, Roofline
from spark_tui.engine.performance.roofline_store import change, known_roofline, machine_key
from spark_tui.engine.runtime import machine_files

KNOWN = Roofline(
    (Rate(READ, 4, 1, 40.0), Rate(READ, 16, 1, 20.0), Rate(FP32, 1, 1, 50.0), Rate(FP32, 16, 1, 100.0))
)


def test_every_rate_is_measured():
    found = roofline.measure()
    assert {rate.what for rate in found.rates} >= {"read", "fp32"}
    for rows in roofline.ROWS:
        assert 0 < found.rate("fp32", rows) < 1e5
    assert Roofline.from_dict(json.loads(json.dumps(asdict(found)))) == found
    assert "4 / 16 / 64 MB" in found.lines()[0]


def test_a_rate_is_that_of_the_next_larger_size_and_of_the_largest_beyond_it():
    assert KNOWN.rate(READ, 3) == 40.0
    assert KNOWN.rate(READ, 5) == KNOWN.rate(READ, 900) == 20.0
    assert KNOWN.rate(READ, 3, threads=2) is None


def test_work_takes_as_long_as_the_slower_of_reading_and_computing():
    arch = size("25M")
    one, many = pass_cost(arch, 1), pass_cost(arch, 512)
    assert one.bytes_read == pytest.approx(many.bytes_read, rel=0.1)
    assert KNOWN.seconds(one) == pytest.approx(one.bytes_read / 20e9)
    assert KNOWN.seconds(many) == pytest.approx(many.flops / 100e9)
    quarter = pass_cost(arch, 1, int8=True)
    assert KNOWN.seconds(quarter) == pytest.approx(KNOWN.seconds(one) / 4, rel=0.01)


def test_a_window_and_a_selection_bound_what_a_pass_reads():
    plain, long = size("spark"), size("spark-long")
    assert pass_cost(long, 1, 100_000).bytes_read < pass_cost(plain, 1, 100_000).bytes_read
    assert pass_cost(long, 1, 100_000) == pass_cost(long, 1, 50_000)


def test_the_second_process_reads_what_the_first_one_measured(tmp_path, monkeypatch):
    first = known_roofline(tmp_path / "cache")
    assert first.note == "measured at first use"
    monkeypatch.setattr(roofline_store, "probe", lambda: first.roofline)
    monkeypatch.setattr(roofline_store, "measure", lambda: pytest.fail("measured again"))
    assert known_roofline(tmp_path / "cache") == (first.roofline, "")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [f"roofline-{machine_key()}.json"]


@pytest.mark.parametrize("factor", [0.4, 2.5])
def test_a_machine_that_changed_its_speed_is_measured_again(tmp_path, monkeypatch, factor):
    monkeypatch.setattr(roofline_store, "measure", lambda: KNOWN)
    known_roofline(tmp_path)
    now = Roofline(tuple(replace(rate, value=rate.value * factor) for rate in KNOWN.rates))
    monkeypatch.setattr(roofline_store, "probe", lambda: now)
    monkeypatch.setattr(roofline_store, "measure", lambda: now)
    chosen = machine_files.folder() / "kernels-int8-1.json"
    assert not machine_files.write(chosen, {"name": "vnni"})
    found = known_roofline(tmp_path)
    assert not chosen.exists()  # it was chosen at another speed
    assert found.roofline == now and f"{factor:g} × the speed" in found.note
    assert known_roofline(tmp_path).note == ""


def test_noise_is_no_change():
    near = Roofline((Rate(READ, 4, 1, 30.0), Rate(FP32, 16, 1, 120.0)))
    assert change(KNOWN, near) is None
    assert change(KNOWN, Roofline((Rate(READ, 4, 1, 13.0),))) == pytest.approx(13 / 40)


def test_a_read_only_cache_is_said_and_the_machine_measured_all_the_same(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")  # no folder can be made below a file, whoever runs the tests
    found = known_roofline(blocked / "spark")
    assert "not kept: Not a directory" in found.note and found.roofline.rates


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"rates": []}', '{"rates": [{"what": 1}]}', "\x00", "[" * 9999]
)
def test_a_damaged_file_is_measured_over(tmp_path, monkeypatch, text):
    monkeypatch.setattr(roofline_store, "measure", lambda: KNOWN)
    (tmp_path / f"roofline-{machine_key()}.json").write_text(text)
    assert known_roofline(tmp_path).roofline == KNOWN
    monkeypatch.setattr(roofline_store, "probe", lambda: KNOWN)
    assert known_roofline(tmp_path).note == ""


def test_without_numba_there_are_no_int8_rates_and_fp32_bounds_the_work(monkeypatch):
    monkeypatch.setattr(int8_products, "missing", lambda: "numba is not installed")
    found = roofline.measure()
    assert found.trouble == "numba is not installed"
    assert found.rate("int8", 1) is None and found.seconds(pass_cost(size("5M"), 1, int8=True))


def probe_process(prefix: str) -> dict:
    code = (
        "import json; from dataclasses import asdict; from spark_tui.engine.performance import roofline;"
        "from spark_tui.engine.runtime import machine;"
        "found = roofline.measure();"
        "print(json.dumps([machine.core_count(), asdict(found)]))"
    )
    done = subprocess.run(
        ["bash", "-c", f"{prefix} {sys.executable} -c '{code}'"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    cores, found = json.loads(done.stdout)
    return {"cores": cores, "sizes": {(r["what"], r["size"], r["threads"]) for r in found["rates"]}}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="cores cannot be taken away here")
def test_on_one_core_nothing_is_measured_with_two_threads():
    core = min(os.sched_getaffinity(0))
    found = probe_process(f"taskset -c {core}")
    assert found["cores"] == 1
    assert {threads for _, _, threads in found["sizes"]} == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="address space cannot be bounded here")
def test_with_512_mb_of_address_space_the_machine_is_measured():
    found = probe_process("ulimit -v 524288;")
    assert ("read", 4, 1) in found["sizes"] and ("fp32", 16, 1) in found["sizes"]


def test_a_pass_is_a_share_of_the_roofline():
    arch = size("5M")
    shares = pass_shares(Model(arch, random_weights(arch)), KNOWN, (1, 4), tries=2)
    assert [share.rows for share in shares] == [1, 4]
    assert all(0 < share.share < 10 for share in shares)
