"""Freeplay from Python, step by step. Run it, or paste it into a notebook block by block.

It writes its results and pictures into the current folder. doc/python.md has the whole interface.
"""

# %% The models that come with Freeplay: copied, so that you can change them
import sys
from pathlib import Path

import matplotlib

if "ipykernel" not in sys.modules:
    matplotlib.use("Agg")  # not in a notebook: pictures go to files
import matplotlib.pyplot as plt

import freeplay as fp

print(fp.version())
if not Path("models").exists():
    fp.examples("models")

# %% A slider-crank whose wrist pin has play: what is in the model
m = fp.load("models/slider_crank.yaml")
facts = m.check().summary()
print(facts["title"], "has mobility", facts["size"]["mobility"])
for name, body in facts["bodies"].items():
    print(f"  {name:8s} {body['type']:6s} {body['mass']:.4g} kg")

# %% Values are changed by their path in the file; the file stays as it is
m["parameters.c"] = "0.2 mm"
print("the bearing has a radius of", m.parameters["c"] + 0.01, "m")

# %% What is wrong is said with file, line, key and remedy, all at once
wrong = m.copy({"parameters.speed": "300 mm", "joints.wrist.planar-clearance.contact": "stee"})
try:
    wrong.check()
except fp.ModelError as error:
    for each in error.errors:
        print("wrong:", each.key, "-", each.message)

# %% A run
r = m.run(end="0.3 s")
print(r)
print(r.summary["steps"]["accepted"], "steps; energy balance open by", r.summary["ledger"]["residual"], "J")

# %% Columns know their units and plot themselves
figure, (above, below) = plt.subplots(2, sharex=True)
r["piston.velocity.x"].plot(ax=above)
r["wrist.normal_force_max"].plot(ax=below)
figure.savefig("slider_crank.png")

# %% They are xarray arrays: mean force from 0.1 s on
print("mean force in the wrist pin", float(r["wrist.normal_force"].sel(time=slice(0.1, None)).mean()), "N")

# %% Events: when does the pin touch, and how hard
events = r.events
impacts = events[events["kind"] == "impact"]
print(len(impacts), "impacts in the wrist pin")
if len(impacts):
    hardest = impacts.loc[impacts["value"].idxmax()]
    print(f"the hardest at {hardest['time']:.4f} s: {hardest['value']:.3g} {hardest['unit']}, {hardest['detail']}")

# %% How does the peak force depend on the clearance?
s = fp.study(m, vary={"parameters.c": fp.log("20 um", "500 um", 4)},
             results={"peak": ("maximum", "wrist.normal_force_max")}, jobs=2)
print(s.table)
figure, axes = plt.subplots()
s.plot("c", "peak", ax=axes)
axes.set_xscale("log")
figure.savefig("clearance.png")

# %% Natural frequencies, and what friction can hold at rest
print("natural frequencies", m.modes(6).frequency_hz.round(1), "Hz")
hold = m.stiction().joints["slide1"].friction
print("friction of the piston at rest:", hold)

# %% A model made in Python: the same keys as in the file
pendulum = fp.Model({
    "freeplay": 1,
    "title": "Pendulum",
    "gravity": [0, "-9.81 m/s^2", 0],
    "bodies": {"bob": {"rigid": {"mass": "2 kg", "inertia": 1e-3, "at": ["1 m", 0, 0]}}},
    "joints": {"pin": {"revolute": {"between": ["ground", "bob"], "at": [0, 0, 0], "axis": [0, 0, 1]}}},
    "analysis": {"dynamic": {"end": "2 s"}},
    "output": {"every": "10 ms"},
}, name="pendulum")
swing = pendulum.run()
print("the pendulum swings to", float(swing["pin.angle"].min()), "rad")
