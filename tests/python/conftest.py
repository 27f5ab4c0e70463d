"""Models, and a folder of its own for each test."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

import freeplay as fp  # noqa: E402


@pytest.fixture(autouse=True)
def scratch(tmp_path, monkeypatch):
    """Results of models without a directory of their own land here."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def crank():
    """A crank that drives a piston: quick, has a spring and four joints."""
    return fp.load(fp.example("first_model.yaml"))


PENDULUM = {
    "freeplay": 1,
    "title": "Pendulum",
    "parameters": {"L": "1 m"},
    "gravity": [0, -9.81, 0],
    "bodies": {"bob": {"rigid": {"mass": 2, "inertia": 1e-3, "at": ["${L}", 0, 0]}}},
    "joints": {"pin": {"revolute": {"between": ["ground", "bob"], "at": [0, 0, 0], "axis": [0, 0, 1]}}},
    "analysis": {"dynamic": {"end": "0.2 s"}},
    "output": {"every": "10 ms"},
}


@pytest.fixture
def pendulum():
    """A model made in Python."""
    return fp.Model(PENDULUM, name="pendulum")
