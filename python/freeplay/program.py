"""Finds and starts the program ``freeplay``."""

from __future__ import annotations

import ctypes
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, Sequence

from .errors import FreeplayError, ModelError, Problem, ProgramNotFound

EXIT_OK = 0
EXIT_INPUT_ERROR = 2
EXIT_NUMERICAL_FAILURE = 3
EXIT_INTERRUPTED = 130

# Looked up before any fork: nothing may be loaded between fork and exec.
_prctl = getattr(ctypes.CDLL(None), "prctl", None)
_PR_SET_PDEATHSIG = 1


def find_program() -> str:
    """Path of the program.

    The variable ``FREEPLAY`` decides if it is set. Otherwise it is the program that belongs to this package
    (``build/freeplay`` of the same clone, ``bin/freeplay`` of the same installation), or one on ``PATH``.
    """
    chosen = os.environ.get("FREEPLAY")
    if chosen:
        found = shutil.which(chosen)
        if found is None:
            raise ProgramNotFound(f"FREEPLAY={chosen}: there is no such program")
        return found
    package = Path(__file__).resolve().parent
    beside = [package.parents[1] / "build" / "freeplay"]
    beside += [folder / "bin" / "freeplay" for folder in package.parents[2:5]]
    for program in beside:
        if os.access(program, os.X_OK) and program.is_file():
            return str(program)
    found = shutil.which("freeplay")
    if found is None:
        raise ProgramNotFound("there is no program 'freeplay': build it with tools/build, put it on PATH, or set FREEPLAY")
    return found


@dataclass
class Answer:
    """What the program printed and how it ended."""

    code: int
    out: str
    err: str
    interrupted: bool = False  #: by Ctrl-C or a signal, even if it came when all was done

    def json(self) -> Optional[dict[str, Any]]:
        """Standard output as JSON, None if it is none."""
        try:
            value = json.loads(self.out)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


def run(arguments: Sequence[str], show: Optional[Callable[[str], None]] = None) -> Answer:
    """Starts the program and waits for it.

    With ``show`` the program believes to be at a terminal: ``show`` gets what it draws, its progress bar too. Ctrl-C
    is passed on once, so that the program ends in good order and its results are complete; a second one ends it at
    once.
    """
    command = [find_program(), *arguments]
    reader, writer = os.pipe() if show is None else _terminal()
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=writer,
                                   start_new_session=True, preexec_fn=_end_with_parent)
    except BaseException:
        os.close(reader)
        raise
    finally:
        os.close(writer)
    try:
        out, err, n_interrupts = _collect(process, reader, show)
    except BaseException:
        process.terminate()
        process.wait()
        raise
    finally:
        os.close(reader)
        assert process.stdout is not None
        process.stdout.close()
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Answer(code, out, err, n_interrupts > 0 or code == EXIT_INTERRUPTED)


def ask(arguments: Sequence[str], show: Optional[Callable[[str], None]] = None) -> Answer:
    """Like run(), but raises ModelError if the input is wrong, and FreeplayError for what nobody expects."""
    answer = run(arguments, show)
    if answer.code == EXIT_INPUT_ERROR:
        raise ModelError(_problems(answer))
    if answer.code not in (EXIT_OK, EXIT_NUMERICAL_FAILURE, EXIT_INTERRUPTED):
        raise FreeplayError(_last_text(answer.err) or f"the program ended with code {answer.code}")
    return answer


def shower(progress: Optional[bool]) -> Optional[Callable[[str], None]]:
    """Where the progress bar goes: to standard error of Python, if somebody looks there."""
    if progress is None:
        progress = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    if not progress:
        return None

    def show(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()

    return show


def _end_with_parent() -> None:
    # A program that nobody waits for any more ends in good order too.
    if _prctl is not None:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _terminal() -> tuple[int, int]:
    import fcntl
    import pty
    import termios

    reader, writer = pty.openpty()
    columns = shutil.get_terminal_size((110, 24)).columns
    fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    attributes = termios.tcgetattr(writer)
    attributes[1] &= ~termios.OPOST  # lines end as the program ends them
    termios.tcsetattr(writer, termios.TCSANOW, attributes)
    return reader, writer


def _collect(process: subprocess.Popen[bytes], reader: int, show: Optional[Callable[[str], None]]) -> tuple[str, str, int]:
    assert process.stdout is not None
    texts: dict[int, list[bytes]] = {process.stdout.fileno(): [], reader: []}
    opened = set(texts)
    n_interrupts = 0
    while opened or process.poll() is None:
        try:
            if not opened:
                process.wait()
                break
            for stream in select.select(list(opened), [], [])[0]:
                data = _read(stream)
                if not data:
                    opened.discard(stream)
                texts[stream].append(data)
                if show is not None and stream == reader and data:
                    show(data.decode(errors="replace"))
        except KeyboardInterrupt:
            n_interrupts += 1
            process.send_signal(signal.SIGINT if n_interrupts < 3 else signal.SIGKILL)
    process.wait()
    out, err = (b"".join(texts[stream]).decode(errors="replace") for stream in texts)
    return out, err, n_interrupts


def _read(stream: int) -> bytes:
    try:
        return os.read(stream, 65536)
    except OSError:  # a terminal whose other side is closed
        return b""


def _problems(answer: Answer) -> list[Problem]:
    data = answer.json()
    if data and data.get("errors"):
        return [Problem.from_json(error) for error in data["errors"]]
    lines = [line for line in _last_text(answer.err).splitlines() if line.strip()]
    return [Problem(None, None, None, None, _without(line, "error: ")) for line in lines or ["wrong input"]]


def _without(text: str, start: str) -> str:
    return text[len(start):] if text.startswith(start) else text


def _last_text(err: str) -> str:
    """Messages without the progress bars before them, each of which begins with a carriage return."""
    return "\n".join(line.split("\r")[-1].replace("\x1b[K", "") for line in err.split("\n")).strip()
