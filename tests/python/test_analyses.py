"""Modes, stiction, studies, reports, examples, and the example of the documentation."""

import math
import re
import subprocess

import numpy as np
import pytest

import freeplay as fp
from conftest import ROOT


def has_report():
    return " report " in subprocess.run([fp.find_program(), "--help"], capture_output=True, text=True).stdout


def test_modes_of_a_mass_on_a_spring():
    model = fp.Model({
        "freeplay": 1,
        "bodies": {"mass": {"rigid": {"mass": 2, "inertia": 1, "at": [0, 0, 0], "points": {"p": [0, 0, 0]}}}},
        "joints": {"guide": {"prismatic": {"between": ["ground", "mass"], "at": [0, 0, 0], "axis": [1, 0, 0]}}},
        "ground": {"points": {"wall": ["-1 m", 0, 0]}},
        "springs": {"k": {"translational": {"between": ["ground.wall", "mass.p"], "stiffness": "800 N/m",
                                            "free-length": "1 m"}}},
        "analysis": {"dynamic": {"end": 1}},
    })
    modes = model.modes(1)
    assert modes.angular_frequency == pytest.approx([math.sqrt(800 / 2)], rel=1e-9)
    assert modes.frequency_hz == pytest.approx(modes.angular_frequency / (2 * math.pi))
    assert modes[0].body == "mass" and modes[0].kind == "vibration"
    assert "vibration" in modes._repr_html_()


def test_stiction_of_the_published_loop():
    certificate = fp.load(fp.example("stiction_loop/ex1.yaml")).stiction()
    friction = certificate.joints["slide1"].friction
    # doc/stiction.md: of the two solutions printed in the paper, 15 N and -12 N is possible, 10 N and -24 N is not.
    assert 15.0 in friction and 10.0 not in friction
    assert -12.0 in certificate.joints["slide2"].friction
    assert (friction.low, friction.high) == pytest.approx((14.7368, 23.4483), rel=1e-4)
    assert not friction.is_unique
    with pytest.raises(ValueError):
        friction.value
    assert (certificate.rest_is_possible, certificate.rest_is_guaranteed) == ("yes", "no")
    assert "slide1" in certificate._repr_html_()


def test_stiction_of_the_example_is_what_a_leaning_piston_needs():
    friction = fp.load(fp.example("slider_crank.yaml")).stiction().joints["slide1"].friction
    assert friction.value == pytest.approx(0.5 * 9.81 * math.sin(math.radians(30)), rel=1e-6)


def test_a_study_is_a_table_and_its_cases_are_results(pendulum):
    study = fp.study(pendulum, vary={"parameters.L": fp.log("0.5 m", "2 m", 3)},
                     results={"top": ("maximum", "bob.velocity.x"), "steps": ("summary", "steps.accepted")}, jobs=2)
    assert study["L"] == pytest.approx([0.5, 1.0, 2.0])
    assert study.units["L"] == "m" and study.units["top"] == "m/s"
    assert (study["exit_code"] == 0).all()
    assert len(study.cases) == 3
    for top, case in zip(study["top"], study.cases):
        assert top == pytest.approx(float(case["bob.velocity.x"].max()))
    assert list(study.table["steps"]) == list(study["steps"])
    again = fp.open_study(study.dir)
    assert len(again) == 3 and "parameters" not in again._repr_html_()


def test_a_study_takes_changes_of_the_model_and_lists_that_go_together(pendulum):
    pendulum["analysis.dynamic.end"] = "20 ms"
    study = fp.study(pendulum, vary=[{"parameters.L": ["1 m", "2 m"], "bodies.bob.rigid.mass": [1, 4.5]}],
                     results={"weight": {"value": {"column": "bob.acceleration.y", "at": "0 s"}}}, dir="paired")
    assert len(study) == 2
    assert all(case.summary["time"]["end"] == pytest.approx(0.02) for case in study.cases)


def test_wrong_studies_are_refused_before_a_case_runs(pendulum, scratch):
    with pytest.raises(fp.ModelError) as caught:
        fp.study(pendulum, vary={"parameters.M": [1, 2]}, results={"top": ("maximum", "bob.velocity.q")})
    assert any("velocity" in str(error) or "M" in str(error) for error in caught.value.errors)
    assert not (scratch / "results").exists()
    with pytest.raises(TypeError):
        fp.study(pendulum, vary={"parameters.L": "1 m"}, results={"top": ("maximum", "bob.velocity.x")})
    with pytest.raises(TypeError):
        fp.study(pendulum, vary={"parameters.L": [1]}, results={"top": "maximum"})


def test_examples_are_copied_and_nothing_is_overwritten(scratch):
    names = fp.examples("models")
    assert "slider_crank.yaml" in names and "stiction_loop/ex1.yaml" in names
    assert (scratch / "models" / "stiction_loop" / "ex1.yaml").exists()
    with pytest.raises(fp.ModelError, match="overwritten"):
        fp.examples("models")
    with pytest.raises(FileNotFoundError):
        fp.example("nothing")


@pytest.mark.skipif(not has_report(), reason="this program has no `freeplay report`")
def test_a_report_is_one_file(pendulum):
    file = pendulum.run().report()
    assert file.stat().st_size > 10_000
    assert "Pendulum" in file.read_text(encoding="utf-8")


def test_the_example_of_the_documentation_works_as_printed(scratch):
    import matplotlib

    matplotlib.use("Agg")
    text = (ROOT / "doc" / "python.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(import freeplay.*?)```", text, re.S).group(1)
    if not has_report():
        code = code.replace("; r.report()", "")
    fp.examples(".")
    names = {}
    exec(compile(code, "doc/python.md", "exec"), names)
    result, study = names["r"], names["s"]
    assert result.status == "finished" and float(result.time[-1]) == pytest.approx(2.0)
    assert len(study) == 20 and np.isfinite(study["peak"]).all()
    assert study["c"][-1] == pytest.approx(500e-6)
