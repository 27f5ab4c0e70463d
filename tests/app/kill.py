#!/usr/bin/env python3
"""kill.py PROGRAM [N [SEED]]: kills (SIGKILL) N runs and N studies at random moments, 50 unless told. After each of them
all files must be readable, and --continue must lead to the very files of the uninterrupted run, byte for byte; of
summary.json and case.json all but the seconds. Says what it found, and ends with 1 if something was wrong. Needs ncdump (netcdf-bin)."""

import csv
import json
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

# Everything that remembers something: contact with bristles, joints with bristles and with true stick, a beam, stuck
# joints in a loop of which not all forces are determined.
MODEL = """freeplay: 1
parameters: {e: 0.7}
gravity: [0, 0, -9.81]
sections: {s: {stiffness: {axial: 1e5, shear: 4e4, bending: 5, torsion: 4}, mass: 1, rotary: [0.001, 0.001, 0.002]}}
frictions:
  bristles: {lugre: {static: 0.4, kinetic: 0.3, sigma0: 1e5, sigma1: 100, stribeck-velocity: 0.01}}
  dry: {coulomb: {static: 0.5, kinetic: 0.3}}
contacts: {rubber: {flores: {stiffness: 1e6, restitution: "${e}"}}}
bodies:
  ball: {rigid: {mass: 1 kg, inertia: 0.004, at: [0, 0, 0.3], velocity: [1, 0, 0]}}
  arm: {rigid: {mass: 1 kg, inertia: 0.1, at: [0.5, 3, 1]}}
  belt: {rigid: {mass: 1 kg, inertia: 0.1, at: [0, 6, 0]}}
  block: {rigid: {mass: 1 kg, inertia: 0.1, at: [0, 6, 0.1]}}
  rope: {beam: {section: s, from: [0, 9, 0], to: [1, 9, 0], elements: 4}}
joints:
  floor: {ball-on-plane: {between: [ground, ball], normal: [0, 0, 1], radius: 0.1, contact: rubber, friction: bristles}}
  pin: {revolute: {between: [ground, arm], at: [0, 3, 1], axis: [0, 1, 0], friction: {law: bristles, radius: 0.05}}}
  track: {prismatic: {between: [ground, belt], at: [0, 6, 0], axis: [1, 0, 0]}}
  top: {prismatic: {between: [belt, block], at: [0, 6, 0.05], axis: [1, 0, 0], friction: {law: dry}}}
  hook: {spherical: {between: [ground, rope.start]}}
springs:
  shaker: {translational: {between: [ground.far, belt], stiffness: 500, free-length: 1.2}}
  pull: {translational: {between: [ground.far, block], stiffness: 20, free-length: 1}}
ground: {points: {far: [-1, 6, 0]}}
analysis: {dynamic: {end: 2 s}}
output: {every: 1 ms, checkpoint-every: 20 ms, paraview: {every: 10 ms}}
"""
STUDY = """model: model.yaml
vary: [{parameters.e: [0.4, 0.5, 0.6, 0.7]}]
set: [analysis.dynamic.end=0.3 s]
results: {height: {value: {column: ball.position.z}}, touches: {events: {kind: touch}}}
"""


# Of a run, and of a case of a study: the seconds that they took are never the same.
TIMED = ("summary.json", "case.json")


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
    if (results / "history.nc").exists() and (results / "history.nc").stat().st_size > 0:
        dump = subprocess.run(["ncdump", results / "history.nc"], capture_output=True, text=True)
        assert dump.returncode == 0, f"history.nc cannot be read: {dump.stderr}"
    index = results / "model.pvd"
    if index.exists():
        for entry in xml.etree.ElementTree.fromstring(index.read_bytes()).iter("DataSet"):
            # Its numbers are no XML.
            part = (results / entry.get("file")).read_bytes()
            assert part.rstrip().endswith(b"</VTKFile>"), f"{entry.get('file')} is not complete"


def contents(results):
    """What must be the same in all runs, by the name of the file."""
    found = {}
    for path in sorted(results.rglob("*")):
        name = str(path.relative_to(results))
        # These tell of the way that the run took, and of its time.
        if path.is_file() and name not in ("run.log", "checkpoint", *TIMED):
            found[name] = path.read_bytes()
    for name in TIMED:
        if (results / name).exists():
            content = json.loads((results / name).read_text())
            found[name] = {key: value for key, value in content.items() if key not in ("seconds", "results")}
    return found


def compare(results, expected):
    is_there, wanted = contents(results), contents(expected)
    assert is_there.keys() == wanted.keys(), f"other files: {is_there.keys() ^ wanted.keys()}"
    for name, content in wanted.items():
        assert is_there[name] == content, f"{name} differs from that of the uninterrupted run"


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


def run_trial(trial, delay):
    results = trial.directory / "run"
    shutil.rmtree(results, ignore_errors=True)
    trial.kill(delay, "run", "model.yaml", "-o", "run", "--quiet")
    if not results.exists():
        return "before it began"
    check_files(results)
    begun = (results / "checkpoint").exists()
    result = trial.call("run", "model.yaml", "-o", "run", "--quiet", "--continue")
    if "nothing to continue" in result.stderr:
        compare(results, trial.directory / "whole_run")
        return "after its end, all files the same"
    assert result.returncode == 0, f"--continue: exit code {result.returncode}: {result.stderr}"
    check_files(results)
    compare(results, trial.directory / "whole_run")
    return "continued, all files the same" if begun else "begun anew, all files the same"


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
            compare(results / case.name, case)
    return "continued, all files the same"


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
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
