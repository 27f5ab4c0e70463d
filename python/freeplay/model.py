"""Models: a file, or a nested dict, with changes."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import weakref
from html import escape
from pathlib import Path
from typing import Any, Mapping, Optional, Union

from . import program
from .errors import FreeplayError, Interrupted, ModelError, NumericalError, Problem
from .modes import Modes
from .result import Result
from .show import table
from .stiction import Stiction

PathLike = Union[str, "os.PathLike[str]"]


class Model:
    """A model file, or a nested dict with the same keys, and what has been changed in it.

    >>> m = fp.load("slider_crank.yaml")
    >>> m["parameters.c"] = "0.2 mm"        # the same paths as `freeplay run --set`
    >>> m.check()

    The file itself is never changed.
    """

    def __init__(self, source: Union[PathLike, Mapping[str, Any]], *, name: str = "model"):
        """``source``: a model file, or a nested dict; ``name`` names the results of a dict."""
        self._settings: dict[str, str] = {}
        self._written: dict[str, Any] = {}
        self._made_in_python = isinstance(source, Mapping)
        if isinstance(source, Mapping):
            self.file = _write_model(source, name, self)
        else:
            self.file = Path(source)
            if not self.file.exists():
                raise FileNotFoundError(_missing_file(self.file))

    # ---------------------------------------------------------------- values

    def __setitem__(self, path: str, value: Any) -> None:
        """Replaces the value at a dotted path: a text as in the file (``"0.2 mm"``), a number, a list or a dict."""
        if not isinstance(path, str) or not path or "=" in path:
            raise KeyError(f"{path!r} is not a path of keys such as 'parameters.c'")
        # A later value of a whole table replaces earlier changes inside of it, as it does on the command line.
        self._settings.pop(path, None)
        self._settings[path] = as_text(value)
        self._written[path] = value

    def __getitem__(self, path: str) -> Any:
        """The value at a dotted path, as written in the file or set here."""
        if path in self._written and list(self._settings)[-1] == path:
            return self._written[path]
        value: Any = self.summary()["as_written"]
        for part in path.split("."):
            try:
                value = value[int(part)] if isinstance(value, list) else value[part]
            except (KeyError, ValueError, IndexError, TypeError):
                raise KeyError(path) from None
        return value

    def __delitem__(self, path: str) -> None:
        """Takes a change back: the value of the file counts again."""
        del self._settings[path]
        del self._written[path]

    @property
    def changes(self) -> dict[str, Any]:
        """What was changed since the model was loaded."""
        return dict(self._written)

    def copy(self, changes: Optional[Mapping[str, Any]] = None) -> Model:
        """The same model with more changes; this one stays as it is."""
        other = object.__new__(Model)
        other.__dict__.update(self.__dict__)
        other._original = self  # type: ignore[attr-defined]  # keeps the file of a model made in Python
        other._settings, other._written = dict(self._settings), dict(self._written)
        for path, value in (changes or {}).items():
            other[path] = value
        return other

    # -------------------------------------------------------------- commands

    def check(self) -> Model:
        """Reads, checks and assembles the model. Raises ModelError with everything that is wrong; runs nothing."""
        self.summary()
        return self

    def summary(self) -> dict[str, Any]:
        """What ``freeplay check --json`` says: bodies in their assembled places, joints, mobility, warnings, columns."""
        return self._data(["check", *self._arguments(), "--json"], None)

    @property
    def columns(self) -> dict[str, str]:
        """Names and units of the columns that a run has."""
        return self.summary()["columns"]

    @property
    def parameters(self) -> dict[str, float]:
        """Values of the parameters in SI units, expressions evaluated."""
        return {name: entry["value"] for name, entry in self.summary()["parameters"].items()}

    def run(self, end: Union[str, float, None] = None, dir: Optional[PathLike] = None, *, petsc: str = "",
            progress: Optional[bool] = None) -> Result:
        """Runs the analysis and returns its results.

        ``end``: another end than in the file, such as ``"2 s"``. ``dir``: a new or empty directory; if absent
        ``results/NAME``, or the next that is free. ``progress``: whether a progress bar is shown; if absent, at a
        terminal and in a notebook.

        Raises ModelError if the model is wrong, NumericalError if the computation fails, and Interrupted on Ctrl-C;
        the last two have a ``result`` with everything up to there.
        """
        arguments = ["run", *self._arguments()]
        if end is not None:
            arguments += ["--end", as_text(end)]
        if petsc:
            arguments += ["--petsc", petsc]
        return self._result(arguments, dir, progress)

    def resume(self, result: Union[Result, PathLike], end: Union[str, float, None] = None, *,
               progress: Optional[bool] = None) -> Result:
        """Goes on with an interrupted run, or makes a finished one longer (``freeplay run --continue``)."""
        directory = result.dir if isinstance(result, Result) else Path(result)
        arguments = ["run", *self._arguments(), "--continue"]
        if end is not None:
            arguments += ["--end", as_text(end)]
        return self._result(arguments, directory, progress)

    def modes(self, n: int = 10, *, static: bool = False, at_speed: Union[str, float, None] = None,
              axis: Optional[str] = None, paraview: bool = False, dir: Optional[PathLike] = None) -> Modes:
        """The ``n`` lowest natural frequencies and their modes (``freeplay modes``)."""
        arguments = ["modes", *self._arguments(), "-n", str(n), "--json"]
        arguments += ["--static"] if static else []
        arguments += ["--at-speed", as_text(at_speed)] if at_speed is not None else []
        arguments += ["--axis", axis] if axis is not None else []
        arguments += ["--paraview"] if paraview else []
        return Modes(self._data(arguments, dir))

    def stiction(self, *, time: Union[str, float, None] = None, scale: Union[str, list[str], None] = None,
                 rigid: bool = False, search: Optional[float] = None, dir: Optional[PathLike] = None) -> Stiction:
        """What friction can do to the model at rest (``freeplay stiction``)."""
        arguments = ["stiction", *self._arguments(), "--json"]
        arguments += ["--time", as_text(time)] if time is not None else []
        for load in [scale] if isinstance(scale, str) else scale or []:
            arguments += ["--scale", load]
        arguments += ["--rigid"] if rigid else []
        arguments += ["--search", repr(float(search))] if search is not None else []
        return Stiction(self._data(arguments, dir))

    # --------------------------------------------------------------- details

    def _arguments(self) -> list[str]:
        arguments = [str(self.file)]
        for setting in self.settings:
            arguments += ["--set", setting]
        return arguments

    @property
    def settings(self) -> list[str]:
        """The changes as ``freeplay run --set`` takes them."""
        return [f"{path}={value}" for path, value in self._settings.items()]

    def _ask(self, arguments: list[str], progress: Optional[bool] = False) -> program.Answer:
        try:
            answer = program.ask(arguments, program.shower(progress))
        except ModelError as error:
            # Lines of a file that Python has written tell nobody anything; the path does.
            raise ModelError([self._seen_by_user(each) for each in error.errors]) from None
        return answer

    def _seen_by_user(self, error: Problem) -> Problem:
        if not self._made_in_python or error.file != str(self.file):
            return error
        return Problem(None, None, None, error.key, error.message, error.severity)

    def _result(self, arguments: list[str], directory: Optional[PathLike], progress: Optional[bool]) -> Result:
        arguments = [*arguments, "--json"]
        if directory is not None:
            arguments += ["-o", os.fspath(directory)]
        if program.shower(progress) is None:
            arguments.append("--quiet")
        answer = self._ask(arguments, progress)
        summary = answer.json()
        if summary is None:
            if answer.interrupted:
                raise Interrupted()
            raise FreeplayError(answer.err.strip() or "the program printed no summary")
        result = Result(summary["results"], model=self.copy())
        if answer.code == program.EXIT_NUMERICAL_FAILURE:
            raise NumericalError(summary.get("message", "the computation failed"), result)
        if answer.interrupted:
            raise Interrupted(result)
        return result

    def _data(self, arguments: list[str], directory: Optional[PathLike]) -> dict[str, Any]:
        if directory is not None:
            arguments = [*arguments, "-o", os.fspath(directory)]
        answer = self._ask(arguments)
        data = answer.json()
        if answer.interrupted:
            raise Interrupted()
        if data is None:
            raise NumericalError(answer.err.strip().removeprefix("freeplay: ") or "the computation failed")
        return data

    def __repr__(self) -> str:
        changes = "".join(f", {path}={value!r}" for path, value in self._written.items())
        return f"<freeplay.Model {self.file.name if self._made_in_python else self.file}{changes}>"

    def _repr_html_(self) -> str:
        try:
            summary = self.summary()
        except ModelError as error:
            items = "".join(f"<li>{escape(str(each))}</li>" for each in error.errors)
            return f"<p><b>{escape(self.file.name)}</b> is wrong:</p><ul>{items}</ul>"
        rows = [(name, body["type"], f"{body['mass']:.6g} kg", _place(body)) for name, body in summary["bodies"].items()]
        joints = [(name, joint["type"], " - ".join(joint["between"])) for name, joint in summary["joints"].items()]
        size = summary["size"]
        warnings = "".join(f"<p>{escape(warning)}</p>" for warning in summary["warnings"])
        return (f"<p><b>{escape(summary['title'] or self.file.name)}</b> mobility {size['mobility']}, "
                f"{len(size['redundant_equations'])} redundant equations</p>"
                + table(("body", "kind", "mass", "place after assembly [m]"), rows)
                + table(("joint", "kind", "between"), joints) + warnings)


def load(file: PathLike) -> Model:
    """Loads a model file. Its errors are found by check() or run()."""
    return Model(file)


def as_text(value: Any) -> str:
    """A value as it would stand in a model file."""
    if isinstance(value, str):
        return value
    return json.dumps(_plain(value))


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy as Python's own."""
    if isinstance(value, Mapping):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    raise TypeError(f"{value!r} cannot stand in a model file: give a number, a text, a list or a dict")


def _write_model(source: Mapping[str, Any], name: str, owner: Model) -> Path:
    if not re.fullmatch(r"[\w.+-]+", name):
        raise ValueError(f"name={name!r}: only letters, digits and _ . + - may be in the name of a model")
    folder = tempfile.mkdtemp(prefix="freeplay-")
    weakref.finalize(owner, shutil.rmtree, folder, ignore_errors=True)
    file = Path(folder) / f"{name}.yaml"
    file.write_text(json.dumps(_plain(source), indent=2, allow_nan=False) + "\n", encoding="utf-8")
    return file


def _missing_file(file: Path) -> str:
    from .examples import example_files

    text = f"there is no file {file}"
    if file.name in (known := example_files()):
        return f"{text}; the example of that name is loaded with fp.load(fp.example({known[file.name]!r}))"
    return text


def _place(body: dict[str, Any]) -> str:
    def vector(v: list[float]) -> str:
        return "(" + ", ".join(f"{x:.6g}" for x in v) + ")"

    return vector(body["position"]) if body["type"] == "rigid" else f"{vector(body['start'])} to {vector(body['end'])}"
