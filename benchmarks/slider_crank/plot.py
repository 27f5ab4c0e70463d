"""usage: plot.py RESULTS PICTURES"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
from histories import largest_difference, read, touches

folder, pictures = sys.argv[1:3]
here = os.path.dirname(os.path.abspath(__file__))
result = lambda name: read(f"{folder}/{name}/history.csv")
degrees = lambda history, rpm=2500: [t * rpm * 6 for t in history["time [s]"]]
acceleration, force = "slider.acceleration.x [m/s^2]", "{}.normal_force [N]"

figure, axes = plt.subplots(2, 2, figsize=(11, 7), sharex=True)
for column, case in enumerate(("slider_pin_frictionless", "slider_pin_lugre")):
    run, other = result(case), read(f"{here}/independent_{case}.csv")
    turn = 24e-3 * 2500 * 6
    for row, (name, independent) in enumerate(((acceleration, "slider acceleration [m/s2]"),
                                               (force.format("sliderpin"), "normal force [N]"))):
        axes[row][column].plot(degrees(run), run[name], lw=1.5, label="Freeplay")
        axes[row][column].plot(degrees(other), other[independent], "k--", lw=0.8, label="independent")
        axes[row][column].set(xlim=(0, turn), ylabel=independent)
        print(f"{case}: {independent} differs by {largest_difference(run, other, name, independent, 0.024):.1e}")
    axes[0][column].set_title(case)
    axes[1][column].set_xlabel("crank angle [deg]")
axes[0][0].legend()
figure.tight_layout()
figure.savefig(f"{pictures}/slider_pin.png", dpi=90)

figure, axes = plt.subplots(2, 2, figsize=(11, 7))
for case, colour in (("crank_pin_frictionless", "C7"), ("crank_pin_lugre", "C0")):
    run = result(case)
    axes[0][0].plot(degrees(run), run[acceleration], colour, lw=0.8, label=case)
run = result("crank_pin_lugre")
axes[0][0].set(xlim=(360, 720), xlabel="crank angle [deg]", ylabel="slider acceleration [m/s2]")
axes[0][0].legend()
axes[0][1].plot(degrees(run), run["crankpin.friction_force [N]"], lw=0.8)
axes[0][1].set(xlim=(360, 720), xlabel="crank angle [deg]", ylabel="friction force, magnitude [N]")
axes[1][0].plot(run["crankpin.slip_velocity [m/s]"], run["crankpin.friction_ratio"], ".", ms=2)
axes[1][0].set(xlabel="slip [m/s]", ylabel="friction / normal force", ylim=(0, 1))
axes[1][1].plot([1e3 * x for x in run["crankpin.eccentricity.x [m]"]], [1e3 * x for x in run["crankpin.eccentricity.y [m]"]], lw=0.6)
axes[1][1].set(xlabel="journal in the bearing, x [mm]", ylabel="y [mm]", aspect="equal")
figure.tight_layout()
figure.savefig(f"{pictures}/crank_pin.png", dpi=90)

for case in ("slider_pin_frictionless", "slider_pin_lugre", "crank_pin_frictionless", "crank_pin_lugre"):
    a, b = result(case), result(case + "_finer")
    parts = [f"{1e3 * end:.0f} ms {largest_difference(a, b, 'slider.velocity.x [m/s]', 'slider.velocity.x [m/s]', end):.1e}"
             for end in (0.012, 0.024, 0.048)]
    joint = case[:case.index("_pin")] + "pin"
    for name, run in ((case, a), (case + "_finer", b)):
        print(f"{name}: {len(touches(f'{folder}/{name}'))} touches, "
              f"in contact {sum(s > 0 for s in run[joint + '.state']) / len(run[joint + '.state']):.3f} of the time, "
              f"largest force {max(run[joint + '.normal_force_max [N]']):.0f} N, "
              f"ledger {max(map(abs, run['ledger.residual [J]'])) / max(run['energy.kinetic [J]']):.0e}")
    print(f"{case}: slider velocity of two tolerances differs by " + ", ".join(parts))

r, l, w = 0.05, 0.3, 2500 * math.pi / 30
exact = [r * math.cos(w * t) + math.sqrt(l * l - (r * math.sin(w * t))**2) for t in result("ideal")["time [s]"]]
for name in ("ideal", "clearance_0.02", "clearance_0.1", "slider_pin_frictionless"):
    x = result(name)["slider.position.x [m]"]
    print(f"{name}: slider off the ideal one by {1e3 * max(abs(a - b) for a, b in zip(x, exact)):.2g} mm")
