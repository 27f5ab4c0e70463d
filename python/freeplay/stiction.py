"""The stiction certificate."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any, Optional, Union

from .result import make_report
from .show import table


class Force:
    """All values that a force can have at rest [N]."""

    def __init__(self, data: dict[str, Any]):
        self.data = data

    @property
    def low(self) -> Optional[float]:
        """Smallest value; None: no limit, or no value at all."""
        return self.data["low"]

    @property
    def high(self) -> Optional[float]:
        """Largest value; None: no limit, or no value at all."""
        return self.data["high"]

    @property
    def parts(self) -> list[tuple[Optional[float], Optional[float]]]:
        """The intervals that are possible; several if there are gaps, none if no value is possible."""
        return [(low, high) for low, high in self.data["parts"]]

    @property
    def is_unique(self) -> bool:
        """Whether there is only one value."""
        return bool(self.data["unique"])

    @property
    def reason(self) -> str:
        """Why it is unique."""
        return self.data.get("reason", "")

    @property
    def value(self) -> float:
        """The value of a force that is unique."""
        if not self.is_unique or self.low is None or self.high is None:
            raise ValueError(f"the force is not unique: {self}")
        return 0.5 * (self.low + self.high)

    def __contains__(self, value: float) -> bool:
        return any((low is None or low <= value) and (high is None or value <= high) for low, high in self.parts)

    def __str__(self) -> str:
        if not self.parts:
            return "no value is possible"
        if self.is_unique and self.low is not None:
            return f"{self.value:.6g} N ({self.reason})"
        return " or ".join(f"{_limit(low)} ... {_limit(high)} N" for low, high in self.parts)

    def __repr__(self) -> str:
        return f"<freeplay.Force {self}>"


class StictionJoint:
    """What is certain about a joint with friction."""

    def __init__(self, name: str, data: dict[str, Any]):
        self.name = name
        self.data = data

    @property
    def friction_forces(self) -> list[Force]:
        """Friction along each direction of slip."""
        return [Force(force) for force in self.data["friction_force"]]

    @property
    def friction(self) -> Union[Force, tuple[Force, ...]]:
        """The friction force; a tuple if the joint slips in several directions."""
        forces = self.friction_forces
        return forces[0] if len(forces) == 1 else tuple(forces)

    @property
    def normal(self) -> Force:
        """The normal force."""
        return Force(self.data["normal_force"])

    @property
    def may_slip(self) -> str:
        """``yes``, ``no`` or ``not decided``."""
        return self.data["may_slip"]

    def __repr__(self) -> str:
        return f"<freeplay.StictionJoint {self.name}: friction {'; '.join(map(str, self.friction_forces))}>"


class Stiction:
    """What ``freeplay stiction`` found; ``data`` has all of ``stiction.json``."""

    def __init__(self, data: dict[str, Any]):
        self.data = data
        self.dir = Path(data["results"])

    @property
    def joints(self) -> dict[str, StictionJoint]:
        """The joints and contacts with friction, by name."""
        return {name: StictionJoint(name, data) for name, data in self.data["joints"].items()}

    @property
    def rest_is_possible(self) -> str:
        """``yes``, ``no`` or ``not decided``."""
        return self.data["rest_is_possible"]

    @property
    def rest_is_guaranteed(self) -> str:
        """``yes``, ``no`` or ``not decided``."""
        return self.data["rest_is_guaranteed"]

    @property
    def first_possible_slip(self) -> Union[float, str]:
        """A load factor, ``never`` or ``not decided``."""
        return self.data["first_possible_slip"]

    @property
    def certain_slip(self) -> Union[float, str, None]:
        """A load factor, ``never`` or ``not decided``; None for a model that deforms."""
        return self.data.get("certain_slip")

    def report(self, *, open: bool = False) -> Path:
        """Makes the report with a bar for each force (``freeplay report``)."""
        return make_report(self.dir, open)

    def __repr__(self) -> str:
        return f"<freeplay.Stiction rest is possible: {self.rest_is_possible}, guaranteed: {self.rest_is_guaranteed}>"

    def _repr_html_(self) -> str:
        rows = [(name, "; ".join(map(str, joint.friction_forces)), str(joint.normal), joint.may_slip)
                for name, joint in self.joints.items()]
        verdict = f"rest is possible: {self.rest_is_possible}, guaranteed: {self.rest_is_guaranteed}"
        return (f"<p><b>{escape(self.data.get('title') or 'Stiction')}</b> {escape(verdict)}</p>"
                + table(("joint", "friction", "normal force", "may slip"), rows))


def _limit(value: Optional[float]) -> str:
    return "no limit" if value is None else f"{value:.6g}"
