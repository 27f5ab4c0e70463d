"""Draws the roller-crank as in figures 5 to 7 of the publication; prints differences and costs.

usage: plot.py RESULTS PICTURES
"""
import csv
import json
import math
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, ".."))
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from histories import read

folder, pictures = sys.argv[1:3]
MODELS = {"coulomb": "Coulomb", "regularised_coulomb": "regularised Coulomb", "stribeck": "Stribeck",
          "brown_mcphee": "Brown and McPhee", "dahl": "Dahl", "lugre_load_scaled": "LuGre, scaled"}
TIME, SLIP, NORMAL, RATIO = ("time [s]", "ground_contact.slip_velocity [m/s]", "ground_contact.normal_force [N]",
                             "ground_contact.friction_ratio")
RATE, ANGLE = "roller.angular_velocity.z [rad/s]", "shaft.angle [rad]"
runs = {name: read(f"{folder}/{name}/history.csv") for name in [*MODELS, "lugre"]}
reference = read(f"{here}/independent_regularised_coulomb.csv")


def signed_slip(run):
    """Velocity of the roller where it touches the ground; the column of the joint is its magnitude."""
    return [v + 0.05 * w for v, w in zip(run["roller.velocity.x [m/s]"], run[RATE])]


def acceleration(run):
    """Friction alone turns the roller: its moment is about x of the joint."""
    return [moment / 0.001 for moment in run["ground_contact.moment.x [N*m]"]]


def signed_ratio(run):
    """Friction that the roller exerts, which has the sign of the slip when it slips."""
    return [-f / n for f, n in zip(run["ground_contact.force.y [N]"], run[NORMAL])]


figure, axes = plt.subplots(3, 2, figsize=(11, 9), sharex=True, sharey=True)
for axis, (name, title) in zip(axes.flat, MODELS.items()):
    axis.plot(runs[name][TIME], acceleration(runs[name]), lw=0.9, label="Freeplay")
    if name == "regularised_coulomb":
        axis.plot(reference[TIME], reference["roller angular acceleration [rad/s2]"], "k:", label="independent")
    axis.set(title=title, xlim=(0, 2), ylim=(-25, 25))
    axis.legend(fontsize=8)
for axis in axes[-1]:
    axis.set_xlabel("time [s]")
for axis in axes[:, 0]:
    axis.set_ylabel("roller acceleration [rad/s2]")
figure.tight_layout()
figure.savefig(f"{pictures}/acceleration.png", dpi=80)

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4))
for name, title in {**MODELS, "lugre": "LuGre on the force"}.items():
    left.plot(runs[name][TIME], [1e3 * v for v in signed_slip(runs[name])], lw=1, label=title)
left.plot(reference[TIME], [1e3 * v for v in reference["slip [m/s]"]], "k:", label="regularised Coulomb, independent")
left.axhline(-5, color="grey", ls=":", lw=0.8)
left.set(xlim=(0, 0.3), ylim=(-8, 2), xlabel="time [s]", ylabel="slip [mm/s]")
left.legend(fontsize=7)
for name in ("regularised_coulomb", "lugre_load_scaled"):
    right.plot(runs[name][TIME], runs[name][NORMAL], lw=1, label=MODELS[name])
right.plot(reference[TIME], reference["normal force [N]"], "k:", label="regularised Coulomb, independent")
right.set(xlabel="time [s]", ylabel="normal force [N]", xlim=(0, 2))
right.legend(fontsize=7)
figure.tight_layout()
figure.savefig(f"{pictures}/slip.png", dpi=80)

figure, axes = plt.subplots(2, 3, figsize=(11, 6), sharex=True)
for axis, (name, title) in zip(axes.flat, MODELS.items()):
    axis.plot([1e3 * v for v in signed_slip(runs[name])], signed_ratio(runs[name]), ".", ms=2)
    axis.set(title=title, xlim=(-15, 15), xlabel="slip [mm/s]", ylabel="friction / normal force")
figure.tight_layout()
figure.savefig(f"{pictures}/ratio.png", dpi=80)


def reaches(run, speed):
    v, t = run[SLIP], run[TIME]
    i = next(i for i in range(len(v)) if v[i] >= speed)
    return t[i - 1] + (speed - v[i - 1]) / (v[i] - v[i - 1]) * (t[i] - t[i - 1])


def apart(a, b):
    """Of two angles; that of a joint is within half a turn."""
    return abs(math.remainder(a - b, 2 * math.pi))


def summary(name):
    with open(f"{folder}/{name}/summary.json") as file:
        return json.load(file)


def events(name):
    with open(f"{folder}/{name}/events.csv") as file:
        return list(csv.DictReader(file))


print("slip reaches 5 mm/s, largest F/N, smallest N, events, ledger")
for name in [*MODELS, "lugre"]:
    run = runs[name]
    print(f"  {name:20} {reaches(run, 5e-3):.5f} s  {max(run[RATIO]):.4f}  {min(run[NORMAL]):.4f} N  {len(events(name))}"
          f"  {abs(summary(name)['ledger']['relative_residual']):.0e}")
print("largest differences of crank angle [rad] up to 0.5 s and up to 2 s: tolerance 1e-6 and 1e-8 against the separate solution")
for name in MODELS:
    if name == "coulomb":
        continue
    other = read(f"{folder}/independent_{name}.csv")
    parts = []
    for run in (runs[name], read(f"{folder}/{name}_finer/history.csv")):
        gaps = [apart(a + math.pi / 2, b) for a, b in zip(run[ANGLE], other["crank angle [rad]"])]
        parts.append(f"{max(gaps[:1001]):.1e} {max(gaps):.1e}")
    print(f"  {name:20} " + "   ".join(parts))
fine = read(f"{folder}/coulomb_finer/history.csv")[ANGLE]
gaps = [apart(a, b) for a, b in zip(runs["coulomb"][ANGLE], fine)]
print(f"  coulomb, 1e-6 against 1e-8: {max(gaps[:1001]):.1e} {max(gaps):.1e}")
rows = {round(t * 1e4): i for i, t in enumerate(runs["regularised_coulomb"][TIME])}
v = signed_slip(runs["regularised_coulomb"])
print("against the independent data up to 0.5 s: slip differs by "
      f"{max(abs(v[rows[round(t * 1e4)]] - s) for t, s in zip(reference[TIME], reference['slip [m/s]'])):.1e} m/s")
best = {name: min(summary(f"cost_{name}_{k}")["seconds"]["steps"] for k in range(1, 6)) for name in MODELS}
print("cost, relative to regularised Coulomb (least of 5): wall time of the steps, steps, Newton iterations")
base = summary("cost_regularised_coulomb_1")["steps"]
for name in MODELS:
    steps = summary(f"cost_{name}_1")["steps"]
    print(f"  {name:20} {best[name] / best['regularised_coulomb']:.2f} ({best[name]:.3f} s)  "
          f"{steps['accepted'] / base['accepted']:.2f} ({steps['accepted']})  "
          f"{steps['newton_iterations'] / base['newton_iterations']:.2f}")
