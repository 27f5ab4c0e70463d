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

# Speed and place of the clearance: the second turn.
torque, drives = "shaft.drive_moment [N*m]", "work.drives [J]"


def second_turn(name, joint, rpm):
    """Largest normal force, touches, share in contact, mean and largest crank torque, friction loss."""
    run, turn = result(name), 60.0 / rpm
    rows = [i for i, t in enumerate(run["time [s]"]) if t >= turn * (1 - 1e-9)]
    n_touches = sum(float(touch["time [s]"]) >= turn for touch in touches(f"{folder}/{name}"))
    first, last = rows[0], rows[-1]
    return (f"largest force {max(run[joint + '.normal_force_max [N]'][i] for i in rows):.0f} N, {n_touches} touches, "
            f"in contact {sum(run[joint + '.state'][i] > 0 for i in rows) / len(rows):.3f}, crank torque: mean "
            f"{(run[drives][last] - run[drives][first]) / (2 * math.pi):.2f}, largest "
            f"{max(abs(run[torque][i]) for i in rows):.0f} N m, friction takes "
            f"{run['loss.friction [J]'][last] - run['loss.friction [J]'][first]:.2f} J, ledger "
            f"{max(map(abs, run['ledger.residual [J]'])) / max(run['energy.kinetic [J]']):.0e}")


for pin in ("crank", "slider"):
    for rpm, name in ((1500, f"{pin}_pin_lugre_1500"), (2000, f"{pin}_pin_lugre_2000"), (2500, f"{pin}_pin_lugre")):
        print(f"{pin} pin at {rpm} rpm: {second_turn(name, pin + 'pin', rpm)}")
    for mu in ("0.01_0.2", "0.05_0.2", "0.1_0.2", "0.05_0.1", "0.05_0.15"):
        print(f"{pin} pin, mu_k_mu_s {mu}, 2000 rpm: {second_turn(f'{pin}_pin_mu_{mu}', pin + 'pin', 2000)}")

figure, axes = plt.subplots(3, 2, figsize=(11, 9), sharex=True)
for column, pin in enumerate(("crank", "slider")):
    for row, (rpm, name) in enumerate(((1500, f"{pin}_pin_lugre_1500"), (2000, f"{pin}_pin_lugre_2000"),
                                       (2500, f"{pin}_pin_lugre"))):
        run = result(name)
        axes[row][column].plot(degrees(run, rpm), run[torque], lw=0.7)
        axes[row][column].set(xlim=(360, 720), title=f"clearance at the {pin} pin, {rpm} rpm", ylabel="crank torque [N m]")
    axes[2][column].set_xlabel("crank angle [deg]")
figure.tight_layout()
figure.savefig(f"{pictures}/crank_torque.png", dpi=80)

# The clearance goes to zero: largest distance from the ideal slider and largest difference of its velocity, first turn.
r, l, w = 0.05, 0.3, 2500 * math.pi / 30


def off_the_ideal(run):
    ideal_x = [r * math.cos(w * t) + math.sqrt(l * l - (r * math.sin(w * t))**2) for t in run["time [s]"]]
    ideal_v = [-r * w * math.sin(w * t) * (1 + r * math.cos(w * t) / math.sqrt(l * l - (r * math.sin(w * t))**2))
               for t in run["time [s]"]]
    rows = [i for i, t in enumerate(run["time [s]"]) if t <= 0.024 * (1 + 1e-9)]
    x, v = run["slider.position.x [m]"], run["slider.velocity.x [m/s]"]
    return max(abs(x[i] - ideal_x[i]) for i in rows), math.sqrt(sum((v[i] - ideal_v[i])**2 for i in rows) / len(rows))


print("ideal: slider off the closed form by %.1e m, velocity (rms) %.1e m/s" % off_the_ideal(result("ideal")))
for pin in ("crank", "slider"):
    for clearance in ("0.5", "0.2", "0.1", "0.05", "0.02", "0.01"):
        name = f"{pin}_pin_frictionless" if clearance == "0.5" else f"{pin}_pin_clearance_{clearance}"
        x, v = off_the_ideal(result(name))
        print(f"{pin} pin, clearance {clearance} mm: slider off the ideal one by {1e3 * x:.4f} mm, velocity (rms) {v:.4f} m/s")
