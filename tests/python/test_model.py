"""Models: values, checks, errors, and models made in Python."""

import copy
import math
import os

import numpy as np
import pytest

import freeplay as fp
from conftest import PENDULUM


def test_a_value_is_set_and_read_by_the_paths_of_the_command_line(crank):
    assert crank["parameters.r"] == "50 mm"
    crank["parameters.r"] = "40 mm"
    assert crank["parameters.r"] == "40 mm"
    assert crank.parameters["r"] == pytest.approx(0.04)
    assert crank.parameters["x"] == pytest.approx(math.sqrt(0.13**2 - 0.04**2))  # an expression that uses r
    crank["bodies.crank.rigid.mass"] = np.float64(3.5)
    assert crank.summary()["bodies"]["crank"]["mass"] == 3.5
    del crank["parameters.r"]
    assert crank.parameters["r"] == pytest.approx(0.05)


def test_the_file_is_not_changed_and_copies_are_independent(crank):
    before = crank.file.read_text()
    other = crank.copy({"parameters.r": "30 mm"})
    assert crank.parameters["r"] == pytest.approx(0.05)
    assert other.parameters["r"] == pytest.approx(0.03)
    assert crank.file.read_text() == before


def test_an_unknown_path_has_no_value(crank):
    with pytest.raises(KeyError):
        crank["parameters.nonsense"]


def test_check_gives_bodies_in_their_assembled_places(crank):
    summary = crank.check().summary()
    # The rod of 130 mm between the crank pin, 50 mm up, and the piston: its middle is half way.
    assert summary["bodies"]["rod"]["position"] == pytest.approx([0.06, 0.025, 0.0], abs=1e-9)
    assert summary["size"]["mobility"] == 1
    assert summary["warnings"] == []
    assert crank.columns["piston.position.x"] == "m"


def test_all_errors_come_at_once_with_file_line_and_key(tmp_path):
    text = fp.example("first_model.yaml").read_text()
    text = text.replace("mass: 4 kg", "mass: 4 mm").replace("crank.pin, rod.big", "cranck.pin, rod.big")
    file = tmp_path / "wrong.yaml"
    file.write_text(text)
    with pytest.raises(fp.ModelError) as caught:
        fp.load(file).check()
    first, second = caught.value.errors
    line = 1 + text[: text.index("4 mm")].count("\n")
    assert (first.file, first.line, first.key) == (str(file), line, "bodies.crank.rigid.mass")
    assert "a length" in first.message
    assert second.key == "joints.crankpin.spherical.between.0"
    assert "did you mean 'crank'" in second.message
    assert (caught.value.line, caught.value.key) == (line, first.key)
    assert f"{file}:{line}:" in str(caught.value)


def test_a_wrong_value_set_here_is_an_error_of_check_and_run(crank):
    crank["parameters.r"] = "40 kg"
    for action in (crank.check, crank.run, crank.modes, crank.stiction):
        with pytest.raises(fp.ModelError) as caught:
            action()
        assert caught.value.errors[0].key, action
    assert os.listdir() == []


def test_broken_yaml_and_missing_files(tmp_path):
    (tmp_path / "broken.yaml").write_text("bodies: [1, 2\n")
    with pytest.raises(fp.ModelError) as caught:
        fp.load("broken.yaml").check()
    assert caught.value.errors[0].line is not None
    with pytest.raises(FileNotFoundError, match="fp.example"):
        fp.load("slider_crank.yaml")
    with pytest.raises(FileNotFoundError):
        fp.load("nothing.yaml")


def test_a_model_made_in_python_runs(pendulum):
    result = pendulum.run()
    assert result.dir.name == "pendulum"
    # Starts level: the angular acceleration is m g L / (I + m L^2).
    expected = -2 * 9.81 / (1e-3 + 2)
    assert float(result["bob.acceleration.y"][0]) == pytest.approx(expected, rel=1e-6)


def test_an_error_in_a_model_made_in_python_names_the_path_alone():
    wrong = copy.deepcopy(PENDULUM)
    wrong["bodies"]["bob"]["rigid"]["mass"] = "2 m"
    with pytest.raises(fp.ModelError) as caught:
        fp.Model(wrong).check()
    error = caught.value.errors[0]
    assert (error.file, error.line, error.key) == (None, None, "bodies.bob.rigid.mass")
    assert str(error).startswith("bodies.bob.rigid.mass: ")


def test_values_that_cannot_stand_in_a_file_are_refused(pendulum):
    with pytest.raises(TypeError):
        pendulum["parameters.L"] = object()
    with pytest.raises(TypeError):
        fp.Model({"freeplay": {1, 2}})
    with pytest.raises(ValueError):
        fp.Model(PENDULUM, name="../escape")


def test_files_of_models_made_in_python_do_not_stay():
    model = fp.Model(PENDULUM)
    folder = model.file.parent
    other = model.copy()
    assert folder.exists()
    del model
    assert folder.exists()
    del other
    assert not folder.exists()


def test_notebooks_show_models_and_their_errors(crank, pendulum):
    assert "piston" in crank._repr_html_()
    pendulum["title"] = "<script>alert(1)</script>"
    assert "<script>" not in pendulum._repr_html_()
    pendulum["parameters.L"] = "1 kg"
    assert "is wrong" in pendulum._repr_html_()
