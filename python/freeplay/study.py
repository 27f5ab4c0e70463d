"""Studies: a model with many values of its parameters."""

from __future__ import annotations

import csv
import json
import math
import os
import shutil
import tempfile
from html import escape
from pathlib import Path
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np

from . import program
from .errors import FreeplayError, Interrupted, ModelError, Problem
from .model import Model, PathLike, _plain
from .result import Result, make_report
from .show import table


class Range:
    """Values from one end to the other, made by log() or linear()."""

    def __init__(self, first: Union[str, float], last: Union[str, float], count: int, scale: str):
        self.first, self.last, self.count, self.scale = first, last, int(count), scale

    def as_study(self) -> dict[str, Any]:
        """As the study file has it."""
        return {"from": self.first, "to": self.last, "count": self.count, "scale": self.scale}

    def __repr__(self) -> str:
        return f"fp.{self.scale}({self.first!r}, {self.last!r}, {self.count})"


def log(first: Union[str, float], last: Union[str, float], count: int) -> Range:
    """``count`` values with equal ratios, both ends included: ``fp.log("10 um", "500 um", 20)``."""
    return Range(first, last, count, "log")


def linear(first: Union[str, float], last: Union[str, float], count: int) -> Range:
    """``count`` values with equal differences, both ends included: ``fp.linear("1 m", "2 m", 11)``."""
    return Range(first, last, count, "linear")


class Study:
    """The table of a study, and the results of its cases.

    >>> s = fp.study(m, vary={"parameters.c": fp.log("10 um", "500 um", 20)},
    ...              results={"peak": ("maximum", "wrist.normal_force_max")}, jobs=2)
    >>> s["peak"], s.table, s.cases[0]["wrist.gap"]
    """

    def __init__(self, dir: PathLike):
        """``dir``: a directory that ``freeplay study`` has written."""
        self.dir = Path(dir)
        if not (self.dir / "study.csv").exists():
            raise FileNotFoundError(f"{self.dir} has no results of a study: there is no study.csv")

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each case that is done: what was varied, the results, exit_code, seconds, message."""
        with open(self.dir / "study.csv", newline="", encoding="utf-8") as file:
            return [{_name(key): _value(value) for key, value in row.items()} for row in csv.DictReader(file)]

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column, ``""`` if it has none."""
        with open(self.dir / "study.csv", newline="", encoding="utf-8") as file:
            header = next(csv.reader(file))
        return {_name(text): text.rsplit(" [", 1)[1].rstrip("]") if " [" in text else "" for text in header}

    @property
    def table(self) -> Any:
        """The rows as a pandas.DataFrame, or as a list of dicts if there is no pandas."""
        try:
            import pandas
        except ImportError:
            return self.rows
        return pandas.DataFrame(self.rows, columns=list(self.units))

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self.units)

    def __getitem__(self, column: str) -> np.ndarray:
        """A column as a numpy array; nan where a case has no such result."""
        if column not in self.units:
            raise KeyError(f"there is no column {column!r} (columns: {', '.join(self.units)})")
        return np.array([math.nan if row[column] == "" else row[column] for row in self.rows])

    @property
    def cases(self) -> list[Result]:
        """The results of each case."""
        return [Result(self.dir / str(row["case"])) for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def plot(self, x: str, y: str, **options: Any) -> Any:
        """Plots one column over another (needs matplotlib) and returns the axes."""
        import matplotlib.pyplot as plt

        axes = options.pop("ax", None) or plt.gca()
        axes.plot(self[x], self[y], options.pop("marker", "o-"), **options)
        labels = [f"{name} [{self.units[name]}]" if self.units[name] else name for name in (x, y)]
        axes.set(xlabel=labels[0], ylabel=labels[1])
        return axes

    def report(self, *, open: bool = False) -> Path:
        """Makes the report, one HTML file that can be sent (``freeplay report``)."""
        return make_report(self.dir, open)

    def __repr__(self) -> str:
        return f"<freeplay.Study {self.dir}, {len(self)} cases, columns {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        units = self.units
        header = [f"{name} [{unit}]" if unit else name for name, unit in units.items()]
        return f"<p><b>{escape(str(self.dir))}</b></p>" + table(header, ([row[n] for n in units] for row in self.rows))


Vary = Union[Mapping[str, Union[Range, Iterable[Any]]], Sequence[Mapping[str, Union[Range, Iterable[Any]]]]]


def study(model: Model, vary: Vary, results: Mapping[str, Any], *, jobs: Optional[int] = None, modes: int = 0,
          title: str = "", dir: Optional[PathLike] = None, resume: bool = False,
          progress: Optional[bool] = None) -> Study:
    """Runs a model with many values (``freeplay study``) and returns the table.

    ``vary``: paths and their values, a list or fp.log() or fp.linear(); several paths are combined in every way. A
    list of dicts instead: paths in one dict change together.

    ``results``: a name and what is wanted, ``("maximum", "wrist.normal_force_max")`` or as in a study file,
    ``{"maximum": {"column": "wrist.normal_force_max", "from": "0.1 s"}}``. A single word after the measure is the
    column; for ``summary`` the key, for ``mode`` the number.

    ``jobs``: how many cases run at a time; if absent as many as there are cores. ``dir`` and ``resume=True``: does what
    is missing of a study that was interrupted.
    """
    text = json.dumps({**({"title": title} if title else {}),
                       "model": str(model.file.resolve()),
                       **({"set": model.settings} if model.settings else {}),
                       **({"modes": modes} if modes else {}),
                       "vary": _items(vary),
                       "results": {name: _measure(value) for name, value in results.items()}}, indent=2)
    folder = tempfile.mkdtemp(prefix="freeplay-")
    try:
        file = Path(folder) / f"{model.file.stem}-study.yaml"
        file.write_text(text + "\n", encoding="utf-8")
        return _do_study(file, jobs, dir, resume, progress)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def open_study(dir: PathLike) -> Study:
    """A study that is already there."""
    return Study(dir)


def _do_study(file: Path, jobs: Optional[int], directory: Optional[PathLike], resume: bool,
              progress: Optional[bool]) -> Study:
    arguments = ["study", str(file), "--json"]
    arguments += ["-j", str(int(jobs))] if jobs is not None else []
    arguments += ["-o", os.fspath(directory)] if directory is not None else []
    arguments += ["--continue"] if resume else []
    show = program.shower(progress)
    arguments += ["--quiet"] if show is None else []
    try:
        answer = program.ask(arguments, show)
    except ModelError as error:
        raise ModelError([_seen_by_user(each, file) for each in error.errors]) from None
    data = answer.json()
    if data is None:
        if answer.interrupted:
            raise Interrupted()
        raise FreeplayError(answer.err.strip() or "the program printed no result")
    table_file = Path(data["results"]) / "study.csv"
    if answer.interrupted:
        raise Interrupted(Study(data["results"]) if table_file.exists() else None)
    return Study(data["results"])


def _seen_by_user(error: Problem, file: Path) -> Problem:
    if error.file != str(file):
        return error
    return Problem(None, None, None, error.key, error.message, error.severity)


def _items(vary: Vary) -> list[dict[str, Any]]:
    items = [{path: values} for path, values in vary.items()] if isinstance(vary, Mapping) else list(vary)
    return [{path: _values(values) for path, values in item.items()} for item in items]


def _values(values: Any) -> Any:
    if isinstance(values, Range):
        return _plain(values.as_study())
    if isinstance(values, (str, Mapping)):
        raise TypeError(f"{values!r}: give a list of values, fp.log(...) or fp.linear(...)")
    return [_plain(value) for value in values]


_ARGUMENT = {"summary": "key", "mode": "number"}


def _measure(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _plain(value)
    if isinstance(value, str) or len(value) != 2:
        raise TypeError(f"{value!r}: give a measure and its column, such as ('maximum', 'wrist.normal_force_max')")
    measure, what = value
    return {measure: _plain(what) if isinstance(what, Mapping) else {_ARGUMENT.get(measure, "column"): _plain(what)}}


def _name(text: str) -> str:
    return text.rsplit(" [", 1)[0]


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
