"""Freeplay from Python: mechanisms with clearance and friction in their joints.

    import freeplay as fp
    m = fp.load("slider_crank.yaml")
    m["parameters.c"] = "0.2 mm"                 # the same paths as --set
    m.check()                                    # fp.ModelError: file, line, key, message
    r = m.run(end="2 s")                         # progress bar; r.summary, r.events, r.dir
    r["wrist.normal_force"].plot()               # xarray.DataArray with units

The package starts the program ``freeplay`` and reads what it writes; see doc/python.md.
"""

from __future__ import annotations

from .errors import FreeplayError, Interrupted, ModelError, NumericalError, Problem, ProgramNotFound
from .examples import example, examples
from .model import Model, load
from .modes import Mode, Modes
from .program import find_program
from .result import Result, open_result
from .stiction import Force, Stiction, StictionJoint
from .study import Range, Study, linear, log, open_study, study

__all__ = [
    "Force", "FreeplayError", "Interrupted", "Mode", "Model", "ModelError", "Modes", "NumericalError", "Problem",
    "ProgramNotFound", "Range", "Result", "Stiction", "StictionJoint", "Study", "example", "examples", "find_program",
    "linear", "load", "log", "open_result", "open_study", "study", "version",
]


def version() -> str:
    """What ``freeplay --version`` prints."""
    from . import program

    return program.run(["--version"]).out.strip()
