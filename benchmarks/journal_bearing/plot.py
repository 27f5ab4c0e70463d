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
CASES = ("frictionless", "brown_mcphee", "lugre_force", "lugre_load_scaled")
runs = {case: read(f"{folder}/{case}/history.csv") for case in CASES}

figure, axes = plt.subplots(3, 3, figsize=(12, 11))
for column, case in enumerate(CASES[1:]):
    run = runs[case]
    e = [[1e3 * q for q in run[f"bearing.eccentricity.{k} [m]"]] for k in "xy"]
    axes[0][column].plot(*e, lw=0.6)
    axes[0][column].add_patch(plt.Circle((0, 0), 0.1, fill=False))
    axes[0][column].set(title=case, aspect="equal", xlabel="eccentricity x [mm]", ylabel="y [mm]")
    t = [1e3 * q for q in run["time [s]"]]
    axes[1][column].plot(t, run["bearing.normal_force_max [N]"], lw=0.6)
    axes[1][column].set(xlim=(0, 120), xlabel="t [ms]", ylabel="largest normal force per 0.1 ms [N]")
    axes[2][column].plot(t, [1e3 * y for y in run["journal.position.y [m]"]], label="Freeplay")
    path = f"{here}/independent_{case}.csv"
    if os.path.exists(path):
        other = read(path)
        axes[2][column].plot([1e3 * q for q in other["time [s]"]], [1e3 * y for y in other["y [m]"]], "k--", lw=0.8, label="independent")
        for name, theirs in (("journal.position.y [m]", "y [m]"), ("journal.angular_velocity.z [rad/s]", "spin [rad/s]")):
            print(f"{case}: {theirs} differs by {largest_difference(run, other, name, theirs, 0.1):.1e} up to {other['time [s]'][-1]:.2f} s")
    axes[2][column].set(xlim=(0, 60), xlabel="t [ms]", ylabel="y [mm]")
axes[2][0].legend()
figure.tight_layout()
figure.savefig(f"{pictures}/journal_bearing.png", dpi=80)

for case, run in runs.items():
    energy = [sum(run[f"energy.{part} [J]"][i] for part in ("kinetic", "gravity", "contact", "friction_state"))
              for i in range(len(run["time [s]"]))]
    rises = max(b - a for a, b in zip(energy, energy[1:]))
    ratio = max(run["bearing.friction_ratio"])
    print(f"{case}: {len(touches(f'{folder}/{case}'))} touches, last {float(touches(f'{folder}/{case}')[-1]['time [s]']):.4f} s, "
          f"largest ratio of friction {ratio:.3g}, energy rises by at most {rises:.0e} J of {energy[0] - energy[-1]:.1e}, "
          f"ledger {max(map(abs, run['ledger.residual [J]'])):.0e} J")
