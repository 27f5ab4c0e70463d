"""The models that come with Freeplay."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Optional

from . import program
from .errors import FreeplayError


@lru_cache(maxsize=None)
def _folder(found: str) -> Optional[Path]:
    answer = program.run(["examples", "--where"])
    return Path(answer.out.strip()) if answer.code == program.EXIT_OK else None


def example_files() -> dict[str, str]:
    """Path inside the examples of each file name; of two with the same name the one that is less deep."""
    folder = _folder(program.find_program())
    if folder is None:
        return {}
    files = sorted(folder.rglob("*.yaml"), key=lambda file: (-len(file.parts), file))
    return {file.name: str(file.relative_to(folder)) for file in files}


def examples(dir: Optional[str] = None) -> list[str]:
    """Names of the example models; with ``dir``, copies them all there (nothing is overwritten).

    >>> fp.examples("models")
    >>> m = fp.load("models/slider_crank.yaml")
    """
    if dir is not None:
        answer = program.ask(["examples", str(dir)])
        if answer.code != program.EXIT_OK:
            raise FreeplayError(answer.err.strip())
    folder = _folder(program.find_program())
    if folder is None:
        raise FreeplayError("the example models are not installed")
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*.yaml"))


def example(name: str) -> Path:
    """Path of an example model: ``fp.load(fp.example("slider_crank.yaml"))``."""
    folder = _folder(program.find_program())
    wanted = name if name.endswith(".yaml") else f"{name}.yaml"
    if folder is None or not (folder / wanted).is_file():
        raise FileNotFoundError(f"there is no example {name!r}; fp.examples() lists them")
    return folder / wanted
