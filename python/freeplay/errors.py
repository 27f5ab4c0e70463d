"""What can go wrong, as exceptions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .result import Result


class FreeplayError(Exception):
    """Anything that the program reports: the base of the errors below."""


class ProgramNotFound(FreeplayError):
    """The program ``freeplay`` is not where it was looked for."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a model."""

    file: Optional[str]  #: model file; None for a model made in Python, and for what belongs to no file
    line: Optional[int]  #: from 1
    column: Optional[int]  #: from 1
    key: Optional[str]  #: dotted path of the key, such as ``joints.pin.revolute.axis``
    message: str  #: what is wrong and what would be right
    severity: str = "error"

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Problem:
        """From an entry of ``freeplay check --json``."""
        return cls(**{name: data.get(name) for name in ("file", "line", "column", "key")},
                   message=str(data["message"]), severity=str(data.get("severity", "error")))

    def __str__(self) -> str:
        parts = []
        if self.file and self.line:
            parts.append(f"{self.file}:{self.line}:{self.column}")
        elif self.file:
            parts.append(self.file)
        if self.key:
            parts.append(self.key)
        return ": ".join([*parts, self.message])


class ModelError(FreeplayError):
    """The model is wrong. ``errors`` has everything that is wrong with it, all at once."""

    def __init__(self, errors: list[Problem]):
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))

    @property
    def file(self) -> Optional[str]:
        """File of the first error."""
        return self.errors[0].file

    @property
    def line(self) -> Optional[int]:
        """Line of the first error."""
        return self.errors[0].line

    @property
    def key(self) -> Optional[str]:
        """Dotted path of the first error."""
        return self.errors[0].key

    @property
    def message(self) -> str:
        """Text of the first error."""
        return self.errors[0].message


class NumericalError(FreeplayError):
    """The computation failed; ``result`` has everything up to there."""

    def __init__(self, message: str, result: Optional[Result] = None):
        self.message = message
        self.result = result
        super().__init__(message)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: the program ended in good order; ``result`` has everything up to there."""

    def __init__(self, result: Any = None):
        self.result = result
        where = getattr(result, "dir", None)
        super().__init__(f"interrupted; results up to here are in {where}" if where else "interrupted")
