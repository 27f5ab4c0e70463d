#!/usr/bin/env python3
"""kill.py PROGRAM [N]: kills (SIGKILL) N runs and N studies at random moments, 50 unless told. After each of them all files
must be readable, and --continue must lead to what the uninterrupted run has: the same rows and events, numbers to 1e-9.
(Not always to the last of the 12 digits: Newton's method of the first step does not have the old Jacobian.) Says what it
found, and ends with 1 if something was wrong."""

import csv
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

# Contacts and their events are in the checkpoint too. Without friction, which would magnify the last digits of slow slip.
MODEL = """freeplay: 1
parameters: {e: 0.7}
gravity: [0, 0, -9.81]
bodies:
  ball: {rigid: {mass: 1 kg, inertia: 0.004, at: [0, 0, 0.3], velocity: [1, 0, 0]}}
  arm: {rigid: {mass: 1 kg, inertia: 0.1, at: [0.5, 3, 1]}}
joints:
  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1, contact: rubber}}
  pin: {revolute: {between: [ground, arm], at: [0, 3, 1], axis: [0, 1, 0]}}
contacts: {rubber: {flores: {stiffness: 1e6, restitution: "${e}"}}}
analysis: {dynamic: {end: 2 s}}
output: {every: 1 ms, checkpoint-every: 20 ms, paraview: {every: 10 ms}}
"""
STUDY = """model: model.yaml
vary: [{parameters.e: [0.4, 0.5, 0.6, 0.7]}]
set: [analysis.dynamic.end=0.3 s]
results: {height: {value: {column: ball.position.z}}, touches: {events: {kind: touch}}}
"""


def whole_rows(path):
    """The rows of a table, of which a kill may not leave a part."""
    text = path.read_text()
    assert text == "" or text.endswith("\n"), f"{path.name} ends within a row"
    rows = list(csv.reader(text.splitlines()))
    assert all(len(row) == len(rows[0]) for row in rows), f"{path.name} has rows of different length"
    return rows


def check_files(results):
    for name in ("history.csv", "events.csv"):
        if (results / name).exists():
            whole_rows(results / name)
    index = results / "model.pvd"
    if index.exists():
        for entry in xml.etree.ElementTree.fromstring(index.read_bytes()).iter("DataSet"):
            # Its numbers are no XML.
            part = (results / entry.get("file")).read_bytes()
            assert part.rstrip().endswith(b"</VTKFile>"), f"{entry.get('file')} is not complete"


class Trial:
    def __init__(self, program, directory):
        self.program, self.directory = program, directory

    def call(self, *words):
        return subprocess.run([self.program, *words], cwd=self.directory, capture_output=True, text=True)

    def expect_done(self, *words):
        result = self.call(*words)
        assert result.returncode == 0, f"{' '.join(words)}: exit code {result.returncode}: {result.stderr}"

    def kill(self, after, *words):
        process = subprocess.Popen([self.program, *words], cwd=self.directory, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(after)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def is_same(a, b):
    try:
        return a == b or abs(float(a) - float(b)) <= 1e-9 * max(1.0, abs(float(b)))
    except ValueError:
        return False


def same_tables(found, expected, names):
    for name in names:
        rows, whole = whole_rows(found / name), whole_rows(expected / name)
        assert len(rows) == len(whole), f"{name} has {len(rows)} rows, the uninterrupted run {len(whole)}"
        for row, other in zip(rows, whole):
            for title, a, b in zip(whole[0], row, other):
                assert is_same(a, b), f"{name}: {title} is {a} instead of {b} at {other[0]}"


def run_trial(trial, delay):
    results = trial.directory / "run"
    shutil.rmtree(results, ignore_errors=True)
    trial.kill(delay, "run", "model.yaml", "-o", "run", "--quiet")
    if not results.exists():
        return "before it began"
    check_files(results)
    if not (results / "checkpoint").exists():
        return "before the first checkpoint"
    result = trial.call("run", "model.yaml", "-o", "run", "--quiet", "--continue")
    if "nothing to continue" not in result.stderr:
        assert result.returncode == 0, f"--continue: exit code {result.returncode}: {result.stderr}"
    check_files(results)
    names = ["history.csv", "events.csv"]
    same_tables(results, trial.directory / "whole_run", names)
    exact = all((results / n).read_bytes() == (trial.directory / "whole_run" / n).read_bytes() for n in names)
    return "continued to the last digit" if exact else "continued"


def study_trial(trial, delay):
    results = trial.directory / "study"
    shutil.rmtree(results, ignore_errors=True)
    trial.kill(delay, "study", "study.yaml", "-o", "study", "--quiet")
    if not results.exists():
        return "before it began"
    for case in results.iterdir():
        if case.is_dir():
            check_files(case)
    if (results / "study.csv").exists():
        whole_rows(results / "study.csv")
    words = ("study", "study.yaml", "-o", "study", "--quiet", "--continue")
    # Cases that live on finish first.
    while "is in use by another run" in trial.call(*words).stderr:
        time.sleep(0.05)
    trial.expect_done(*words)
    tables = []
    for directory in ("study", "whole_study"):
        rows = whole_rows(trial.directory / directory / "study.csv")
        kept = [k for k, name in enumerate(rows[0]) if name.split(" ")[0] != "seconds"]
        tables.append([[row[k] for k in kept] for row in rows])
    assert tables[0] == tables[1], "study.csv differs from the uninterrupted study"
    for case in (trial.directory / "whole_study").iterdir():
        if case.is_dir():
            same_tables(results / case.name, case, ["history.csv", "events.csv"])
    return "continued"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    random.seed(1)
    n_wrong = 0
    with tempfile.TemporaryDirectory() as name:
        trial = Trial(program, pathlib.Path(name))
        (trial.directory / "model.yaml").write_text(MODEL)
        (trial.directory / "study.yaml").write_text(STUDY)
        for what, one in (("run", run_trial), ("study", study_trial)):
            begin = time.monotonic()
            trial.expect_done(what, f"{'model' if what == 'run' else what}.yaml", "-o", f"whole_{what}", "--quiet")
            duration = time.monotonic() - begin
            outcomes = {}
            for _ in range(n):
                delay = random.uniform(0.0, duration)
                try:
                    outcome = one(trial, delay)
                except (AssertionError, OSError, xml.etree.ElementTree.ParseError) as error:
                    outcome = "WRONG"
                    n_wrong += 1
                    print(f"{what} killed after {delay:.3f} s: {error}")
                outcomes[outcome] = outcomes.get(outcome, 0) + 1
            print(f"{what} of {duration:.2f} s, killed {n} times: {outcomes}")
    sys.exit(1 if n_wrong else 0)


main()
