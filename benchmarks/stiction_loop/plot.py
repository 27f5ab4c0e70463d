"""Draws the stuck loop as in figures 4 to 6, 8 and 9 of the publication and compares runs with each other.

usage: plot.py RESULTS PICTURES
"""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from histories import read

folder, pictures = sys.argv[1:3]
TIME, FORCE, RATIO = "time [s]", "slide{}.friction_force [N]", "slide{}.friction_ratio"
histories = {}


def result(name):
    if name not in histories:
        histories[name] = read(f"{folder}/{name}/history.csv")
    return histories[name]


def slips(name):
    """When each slide slips for the first time."""
    with open(f"{folder}/{name}/events.csv") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "slip"]
    return [next((float(row["time [s]"]) for row in rows if row["joint"] == f"slide{slide}"), None) for slide in (1, 2)]


def draw(file, panels):
    """One row for each panel: friction forces left, friction to normal force right; the second run of a panel dashed."""
    figure, axes = plt.subplots(len(panels), 2, figsize=(11, 3 * len(panels)), sharex=True, squeeze=False)
    for (left, right), (title, runs) in zip(axes, panels):
        for name, style in zip(runs, ("-", "--")):
            run = result(name)
            for slide, colour in ((1, "C0"), (2, "C1")):
                label = f"slide{slide}" + (", " + runs[name] if runs[name] else "")
                left.plot(run[TIME], run[FORCE.format(slide)], colour + style, lw=1.2, label=label)
                right.plot(run[TIME], run[RATIO.format(slide)], colour + style, lw=1.2, label=label)
        for level in (0.3, 0.5):
            right.axhline(level, color="grey", ls=":", lw=0.8)
        left.set(title=title, ylabel="friction force [N]", xlim=(0, 4))
        right.set(ylabel="friction / normal force", ylim=(0, 0.55))
        left.legend(fontsize=8)
    for axis in axes[-1]:
        axis.set_xlabel("time [s]")
    figure.tight_layout()
    figure.savefig(f"{pictures}/{file}", dpi=80)
    plt.close(figure)


draw("example2.png", [("an equation of pin1 left out", {"ex2a": ""}), ("an equation of pin2 left out", {"ex2b": ""}),
                      ("minimum norm", {"ex2c": ""})])
draw("example3.png", [("equal threshold velocities", {"ex3a": ""}), ("twice that of slide1", {"ex3b": ""})])
draw("example4.png", [("equal bristles", {"ex4a": ""}), ("twice the stiffness in slide1", {"ex4b": ""})])
for springs, title in (("equal", "equal springs"), ("stiff", "first spring three times as stiff")):
    draw(f"example5_{springs}.png",
         [(f"{title}, true stick", {f"ex5_{springs}_coulomb": ""}),
          (f"{title}, creep", {f"ex5_{springs}_piecewise_a": "equal", f"ex5_{springs}_piecewise_b": "unequal"}),
          (f"{title}, bristles", {f"ex5_{springs}_lugre_a": "equal", f"ex5_{springs}_lugre_b": "unequal"})])


def differences(a, b, begin, end):
    """Largest difference of a friction force between two runs, relative to the force."""
    a, b = result(a), result(b)
    rows = [i for i, t in enumerate(a[TIME]) if begin - 1e-9 <= t <= end + 1e-9]
    return [max(abs(a[FORCE.format(s)][i] / b[FORCE.format(s)][i] - 1) for i in rows) for s in (1, 2)]


def compare(what, a, b, begin, end):
    one, two = differences(a, b, begin, end)
    print(f"{what}, {begin} to {end} s: {100 * one:.2f} % of slide1, {100 * two:.2f} % of slide2")


print("first slip of slide1 and slide2 [s]")
for name in sorted(name for name in os.listdir(folder) if name.startswith("ex")):
    one, two = slips(name)
    print(f"  {name:32} " + ("never" if one is None and two is None else f"{one} {two}"))
print("largest difference of the friction forces between two runs")
for springs, end in (("equal", 1.89), ("stiff", 4.0)):
    for begin, until in ((0.2, 1.0), (0.2, end)):
        compare(f"  {springs} springs, creep, the two values of gamma1", f"ex5_{springs}_piecewise_b", f"ex5_{springs}_piecewise_a", begin, until)
        compare(f"  {springs} springs, bristles, the two values of sigma0", f"ex5_{springs}_lugre_b", f"ex5_{springs}_lugre_a", begin, until)
        for friction in ("piecewise_a", "piecewise_b", "lugre_a", "lugre_b"):
            compare(f"  {springs} springs, {friction} and true stick", f"ex5_{springs}_{friction}", f"ex5_{springs}_coulomb", begin, until)
    for friction in ("coulomb", "piecewise_a", "lugre_a"):
        for ends in ("heavy", "light"):
            compare(f"  {springs} springs, {friction}, {ends} ends", f"ex5_{springs}_{friction}_{ends}_ends", f"ex5_{springs}_{friction}", 0.2, end)
