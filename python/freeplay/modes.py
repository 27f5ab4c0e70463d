"""Natural frequencies."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Iterator

import numpy as np

from .result import make_report
from .show import table


@dataclass(frozen=True)
class Mode:
    """One mode of vibration."""

    number: int
    frequency_hz: float
    angular_frequency: float  #: [rad/s]
    damping_ratio: float
    decay_rate: float  #: [1/s]
    kind: str  #: ``rigid``, ``vibration``, ...
    body: str  #: the body that moves most
    body_share: float  #: its share of the motion


class Modes:
    """What ``freeplay modes`` found; ``data`` has all of ``modes.json``."""

    def __init__(self, data: dict[str, Any]):
        self.data = data
        self.dir = Path(data["results"])

    @property
    def modes(self) -> list[Mode]:
        """The modes by ascending frequency."""
        names = Mode.__dataclass_fields__
        return [Mode(**{name: mode.get(name) for name in names}) for mode in self.data["modes"]]

    @property
    def frequency_hz(self) -> np.ndarray:
        """Frequencies [Hz]."""
        return self._numbers("frequency_hz")

    @property
    def angular_frequency(self) -> np.ndarray:
        """Angular frequencies [rad/s]."""
        return self._numbers("angular_frequency")

    @property
    def damping_ratio(self) -> np.ndarray:
        """Damping ratios."""
        return self._numbers("damping_ratio")

    def __len__(self) -> int:
        return len(self.data["modes"])

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __getitem__(self, i: int) -> Mode:
        return self.modes[i]

    def report(self, *, open: bool = False) -> Path:
        """Makes the report with the mode shapes animated (``freeplay report``)."""
        return make_report(self.dir, open)

    def _numbers(self, name: str) -> np.ndarray:
        return np.array([np.nan if mode.get(name) is None else mode[name] for mode in self.data["modes"]], dtype=float)

    def __repr__(self) -> str:
        return f"<freeplay.Modes {', '.join(f'{f:.5g}' for f in self.frequency_hz)} Hz>"

    def _repr_html_(self) -> str:
        rows = [(m.number, m.frequency_hz, m.angular_frequency, m.damping_ratio, m.kind, m.body) for m in self]
        return f"<p><b>{escape(self.data.get('title') or 'Modes')}</b></p>" + table(
            ("mode", "Hz", "rad/s", "damping ratio", "kind", "moves most"), rows)
