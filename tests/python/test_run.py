"""Runs: columns, events, failures, Ctrl-C, and what happens without the optional libraries."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import freeplay as fp
from conftest import PENDULUM, ROOT


def test_columns_are_arrays_over_time_with_units(crank):
    result = crank.run(end="0.1 s")
    force = result["wrist.force.x"]
    assert force.attrs["units"] == "N"
    assert force["time"].attrs["units"] == "s"
    assert force.dims == ("time",)
    assert float(force.time[-1]) == pytest.approx(0.1)
    assert len(force) == 51  # rows every 2 ms
    assert result.history["piston.position.x"].attrs["units"] == "m"
    assert result.status == "finished" and result.summary["time"]["reached"] == pytest.approx(0.1)
    assert "piston.position.x" in result and "nonsense" not in result


def test_an_unknown_column_gets_a_suggestion(crank):
    result = crank.run(end="10 ms")
    with pytest.raises(KeyError, match="did you mean 'wrist.force.x'"):
        result["wrist.forces.x"]


def test_plots_have_names_and_units(crank):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    crank.run(end="20 ms")["bearing.force.x"].plot()
    assert plt.gca().get_ylabel() == "bearing.force.x [N]"
    assert plt.gca().get_xlabel() == "time [s]"
    plt.close("all")


def test_results_are_never_overwritten_and_go_where_they_are_wanted(pendulum):
    first, second = pendulum.run(), pendulum.run()
    assert (first.dir, second.dir) == (Path("results/pendulum"), Path("results/pendulum-2"))
    there = pendulum.run(dir="mine")
    assert there.dir == Path("mine")
    with pytest.raises(fp.ModelError, match="mine"):
        pendulum.run(dir="mine")
    assert len(fp.open_result("mine").time) == 21
    with pytest.raises(FileNotFoundError):
        fp.open_result("nowhere")


def test_events_are_a_table():
    height = 5e-3
    ball = fp.Model({
        "freeplay": 1,
        "gravity": [0, -9.81, 0],
        "bodies": {"ball": {"rigid": {"mass": 1, "inertia": 1e-3, "at": [0, height, 0]}}},
        "contacts": {"stiff": {"linear": {"stiffness": "1 MN/m"}}},
        "joints": {"floor": {"ball-on-plane": {"between": ["ground", "ball"], "at": [0, 0, 0], "normal": [0, 1, 0],
                                               "contact": "stiff"}}},
        "analysis": {"dynamic": {"end": "40 ms"}},
    })
    events = ball.run().events
    assert list(events.columns) == ["time", "kind", "joint", "value", "unit", "detail"]
    touch = events[events["kind"] == "touch"].iloc[0]
    assert touch["joint"] == "floor" and touch["unit"] == "m/s"
    assert touch["time"] == pytest.approx(np.sqrt(2 * height / 9.81), rel=1e-3)
    assert touch["value"] == pytest.approx(np.sqrt(2 * height * 9.81), rel=1e-3)


def test_the_energy_of_a_pendulum_is_constant(pendulum):
    result = pendulum.run()
    energy = result["energy.kinetic"] + result["energy.gravity"]
    # At rest at height zero to begin with; no losses but those of the scheme, which has its own column.
    open_energy = energy + result["loss.numerical"] + result["loss.projection"]
    assert float(abs(open_energy).max()) < 1e-10


def test_a_numerical_failure_has_its_message_and_the_results_so_far():
    deck = sorted((ROOT / "tests" / "numerical_failure").glob("*.yaml"))[0]
    with pytest.raises(fp.NumericalError) as caught:
        fp.load(deck).run()
    assert caught.value.message
    assert caught.value.result.status == "failed"
    assert caught.value.result.message == caught.value.message
    assert len(caught.value.result.time) >= 1


def interrupt_after(seconds):
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_stops_the_program_in_good_order_and_the_run_goes_on_later(pendulum):
    pendulum["output.every"] = "1 s"
    timer = interrupt_after(1.5)
    with pytest.raises(KeyboardInterrupt) as caught:
        pendulum.run(end="1e7 s")
    timer.cancel()
    assert isinstance(caught.value, fp.Interrupted)
    result = caught.value.result
    assert result.status == "interrupted"
    reached = result.summary["time"]["reached"]
    assert 0.0 < reached < 1e7
    longer = pendulum.resume(result, end=reached + 1.0)
    assert longer.status == "finished"
    assert float(longer.time[-1]) == pytest.approx(reached + 1.0)


def test_no_program_stays_behind_when_python_is_killed():
    code = "import freeplay as fp, conftest as c; fp.Model(c.PENDULUM).run(end='1e7 s', dir='orphan')"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{Path(__file__).parent}"}
    python = subprocess.Popen([sys.executable, "-c", code], env=environment)
    wait_until(lambda: Path("orphan/history.csv").exists())
    python.kill()
    python.wait()
    wait_until(lambda: Path("orphan/summary.json").exists())
    assert json.loads(Path("orphan/summary.json").read_text())["status"] == "interrupted"


def wait_until(condition):
    import time

    limit = time.monotonic() + 60.0  # a busy machine
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.05)


def test_the_progress_bar_of_the_program_is_shown(pendulum, capsys):
    pendulum["output.every"] = "10 s"
    pendulum.run(end="200 s", progress=True)
    shown = capsys.readouterr().err
    assert "%" in shown and "ETA" in shown
    pendulum.run(progress=False)
    assert capsys.readouterr().err == ""


WITHOUT = """
import sys
for name in {missing!r}:
    sys.modules[name] = None
import numpy as np
import freeplay as fp, conftest as c
r = fp.Model(c.PENDULUM).run(dir={dir!r})
assert isinstance(r["bob.position.x"], np.ndarray), type(r["bob.position.x"])
assert isinstance(r.events, list) and isinstance(r.history, dict)
assert r.units["bob.position.x"] == "m"
np.save("{dir}.npy", r["bob.velocity.y"])
"""


@pytest.mark.parametrize("missing", [["xarray", "pandas", "matplotlib"], ["xarray", "pandas", "matplotlib", "netCDF4"]])
def test_it_works_without_the_optional_libraries(pendulum, missing):
    name = f"without{len(missing)}"
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'python'}:{Path(__file__).parent}"}
    subprocess.run([sys.executable, "-c", WITHOUT.format(missing=missing, dir=name)], env=environment, check=True)
    expected = pendulum.run()["bob.velocity.y"].values
    assert np.load(f"{name}.npy") == pytest.approx(expected, rel=1e-11, abs=1e-11)  # twelve digits in history.csv


def test_the_program_is_found_or_named(monkeypatch):
    monkeypatch.setenv("FREEPLAY", "/nowhere/freeplay")
    with pytest.raises(fp.ProgramNotFound, match="/nowhere/freeplay"):
        fp.Model(PENDULUM).check()


def test_notebooks_show_results(pendulum):
    html = pendulum.run()._repr_html_()
    assert "finished" in html and "Pendulum" in html


def test_the_version_names_the_commit():
    assert fp.version().startswith("freeplay ") and "commit" in fp.version()
