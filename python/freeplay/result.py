"""Results of a run: columns over time, events, summary."""

from __future__ import annotations

import csv
import difflib
import json
import math
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy as np

from . import program
from .errors import FreeplayError
from .show import table

if TYPE_CHECKING:
    from .model import Model, PathLike


class Result:
    """The results directory of a run, finished or not.

    >>> r = m.run(end="2 s")
    >>> r["wrist.normal_force"].plot()       # xarray.DataArray with units over time
    >>> r.summary["steps"]["accepted"], r.events, r.dir

    Without xarray the columns are numpy arrays (and ``r.units`` has their units), without pandas ``events`` is a list
    of dicts, without netCDF4 the columns come from ``history.csv``, with twelve digits.
    """

    def __init__(self, dir: PathLike, *, model: Optional[Model] = None):
        """``dir``: a directory that ``freeplay run`` has written; ``model`` is what was run, if it is known."""
        self.dir = Path(dir)
        self.model = model
        if not (self.dir / "history.csv").exists():
            raise FileNotFoundError(f"{self.dir} has no results of a run: there is no history.csv")
        self._columns: Optional[dict[str, np.ndarray]] = None
        self._units: dict[str, str] = {}

    # --------------------------------------------------------------- content

    @property
    def summary(self) -> dict[str, Any]:
        """``summary.json``: status, sizes, steps, energies, largest joint loads. Empty while the run goes on."""
        file = self.dir / "summary.json"
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    @property
    def status(self) -> str:
        """``finished``, ``interrupted``, ``failed``, or ``running`` if there is no summary yet."""
        return self.summary.get("status", "running")

    @property
    def message(self) -> str:
        """Why the run failed; else empty."""
        return self.summary.get("message", "")

    @property
    def log(self) -> str:
        """``run.log``."""
        return (self.dir / "run.log").read_text(encoding="utf-8", errors="replace")

    @property
    def events(self) -> Any:
        """Touches, losses of contact, impacts, sticks and slips: a pandas.DataFrame, or a list of dicts.

        Columns: ``time`` [s], ``kind``, ``joint``, ``value``, ``unit``, ``detail``.
        """
        with open(self.dir / "events.csv", newline="", encoding="utf-8") as file:
            rows = [_event(row) for row in csv.DictReader(file)]
        try:
            import pandas
        except ImportError:
            return rows
        return pandas.DataFrame(rows, columns=["time", "kind", "joint", "value", "unit", "detail"])

    # --------------------------------------------------------------- columns

    @property
    def columns(self) -> list[str]:
        """Names of the columns, without the time."""
        return list(self._load())[1:]

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column, ``""`` if it has none."""
        self._load()
        return dict(self._units)

    @property
    def time(self) -> np.ndarray:
        """Times of the rows [s]; load factors for a static analysis."""
        return next(iter(self._load().values()))

    def __getitem__(self, column: str) -> Any:
        """A column over time: an xarray.DataArray with its unit, or a numpy array if there is no xarray."""
        data = self._load()
        if column not in data:
            raise KeyError(self._unknown(column))
        try:
            import xarray
        except ImportError:
            return data[column]
        return self._array(xarray, column)

    def __contains__(self, column: object) -> bool:
        return column in self._load()

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def _ipython_key_completions_(self) -> list[str]:
        return self.columns

    @property
    def history(self) -> Any:
        """All columns: an xarray.Dataset, or a dict of numpy arrays if there is no xarray."""
        data = self._load()
        try:
            import xarray
        except ImportError:
            return dict(data)
        return xarray.Dataset({name: self._array(xarray, name) for name in self.columns},
                              attrs={"title": self.summary.get("title", ""), "results": str(self.dir)})

    def reload(self) -> Result:
        """Forgets what was read: for a run that still goes on."""
        self._columns = None
        return self

    # --------------------------------------------------------------- pictures

    def report(self, *, open: bool = False) -> Path:
        """Makes the report, one HTML file that can be sent (``freeplay report``), and returns where it is.

        ``open``: shows it in the browser.
        """
        return make_report(self.dir, open)

    def __repr__(self) -> str:
        return f"<freeplay.Result {self.dir}, {self.status}, {len(self.time)} rows of {len(self._load())} columns>"

    def _repr_html_(self) -> str:
        summary = self.summary
        facts: list[tuple[str, Any]] = [("status", self.status)]
        if self.message:
            facts.append(("message", self.message))
        if "time" in summary:
            facts.append(("reached", f"{summary['time'].get('reached', math.nan):.6g} s"))
        if "steps" in summary:
            facts.append(("steps", summary["steps"].get("accepted")))
        if "ledger" in summary:
            facts.append(("energy balance open by", f"{summary['ledger'].get('residual', math.nan):.2g} J"))
        facts += [("rows, columns", f"{len(self.time)}, {len(self._load())}"), ("results", str(self.dir))]
        loads = [(name, _of(entry, "force"), _of(entry, "moment"))
                 for name, entry in summary.get("largest_joint_loads", {}).items()]
        return (f"<p><b>{escape(summary.get('title') or self.dir.name)}</b></p>" + table(("", ""), facts)
                + (table(("joint", "largest force [N]", "largest moment [N m]"), loads) if loads else ""))

    # ---------------------------------------------------------------- details

    def _load(self) -> dict[str, np.ndarray]:
        if self._columns is None:
            self._columns, self._units = _read_netcdf(self.dir) or _read_csv(self.dir)
        return self._columns

    def _array(self, xarray: Any, column: str) -> Any:
        time_name = next(iter(self._load()))
        x = xarray.Variable(time_name, self.time, attrs={"units": self._units[time_name]})
        attributes = {"units": self._units[column]} if self._units[column] else {}
        return xarray.DataArray(self._load()[column], coords={time_name: x}, dims=time_name, name=column,
                                attrs={"long_name": column, **attributes})

    def _unknown(self, column: str) -> str:
        names = self.columns
        close = difflib.get_close_matches(column, names, n=3) or [name for name in names if column in name][:3]
        hint = f", did you mean {' or '.join(map(repr, close))}?" if close else ""
        return f"there is no column {column!r}{hint} (r.columns has all {len(names)} names)"


def open_result(dir: PathLike) -> Result:
    """Results that are already there."""
    return Result(dir)


def make_report(directory: Path, show: bool) -> Path:
    """Runs ``freeplay report``."""
    file = Path(directory) / "report.html"
    answer = program.ask(["report", str(directory)])
    if answer.code != program.EXIT_OK or not file.exists():
        raise FreeplayError(answer.err.strip() or f"no report was made of {directory}")
    if show:
        import webbrowser

        webbrowser.open(file.resolve().as_uri())
    return file


def _event(row: dict[str, str]) -> dict[str, Any]:
    return {"time": float(row["time [s]"]), "kind": row["kind"], "joint": row["joint"],
            "value": float(row["value"]) if row["value"] else math.nan, "unit": row["unit"], "detail": row["detail"]}


def _of(entry: dict[str, Any], name: str) -> Optional[float]:
    value = entry.get(name, {}).get("value")
    return None if value is None else float(value)


Columns = tuple[dict[str, np.ndarray], dict[str, str]]


def _read_netcdf(directory: Path) -> Optional[Columns]:
    """None if there is no netCDF4, or the file is being written, or was spoiled by a kill: history.csv has all too."""
    try:
        import netCDF4
    except ImportError:
        return None
    try:
        with netCDF4.Dataset(directory / "history.nc") as file:
            file.set_auto_mask(False)
            columns = {name: np.asarray(variable[:], dtype=float) for name, variable in file.variables.items()}
            units = {name: getattr(variable, "units", "") for name, variable in file.variables.items()}
    except (OSError, RuntimeError):
        return None
    return columns, {name: "" if unit == "1" else unit for name, unit in units.items()}


def _read_csv(directory: Path) -> Columns:
    with open(directory / "history.csv", newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        # A run that was killed may leave a row without its end.
        values = [[float(cell) if cell else math.nan for cell in row] for row in rows if len(row) == len(header)]
    names = [text.rsplit(" [", 1) for text in header]
    data = np.array(values, dtype=float).reshape(len(values), len(header))
    columns = {parts[0]: np.ascontiguousarray(data[:, i]) for i, parts in enumerate(names)}
    return columns, {parts[0]: parts[1].rstrip("]") if len(parts) > 1 else "" for parts in names}
