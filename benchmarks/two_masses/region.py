"""Where the closed form (4.9)-(4.10) of Zardecki (2007) holds, and where it contradicts Gauss's principle.

usage: /usr/bin/python3 benchmarks/two_masses/region.py        (writes region.png beside itself)
"""
import pathlib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

M1, M2 = 2.0, 3.0
T10, T20, T12 = 5.0, 7.0, 4.0  # limits of the three friction forces


def luz(x, limit):
    return x + 0.5 * (np.abs(x - limit) - np.abs(x + limit))


def least_constraint(F1, F2):
    """Accelerations that minimise M1 a1^2 + M2 a2^2: exact, as in tests/scheme/two_masses_test.cc."""
    candidates = [np.full_like(F1, -T12), np.full_like(F1, T12), np.zeros_like(F1)]
    for s1 in (-1, 1):
        candidates += [F1 - s1 * T10, s1 * T20 - F2]
        for s2 in (-1, 1):
            candidates.append(((F1 - s1 * T10) / M1 - (F2 - s2 * T20) / M2) / (1 / M1 + 1 / M2))
    w = np.clip(np.array(candidates), -T12, T12)
    a1, a2 = luz(F1 - w, T10) / M1, luz(F2 + w, T20) / M2
    best = np.argmin(M1 * a1**2 + M2 * a2**2, axis=0)
    pick = lambda a: np.take_along_axis(a, best[None], axis=0)[0]
    return pick(a1), pick(a2)


limit = 20.0
F1, F2 = np.meshgrid(np.linspace(-limit, limit, 801), np.linspace(-limit, limit, 801))
a1, a2 = least_constraint(F1, F2)
wrong = np.maximum(np.abs(a1 - luz(F1, T12 + T10) / M1), np.abs(a2 - luz(F2, T12 + T20) / M2)) > 1e-9
rests = np.maximum(np.abs(a1), np.abs(a2)) < 1e-12
said_to_rest = (np.abs(F1) <= T12 + T10) & (np.abs(F2) <= T12 + T20)
total = lambda mask: mask.sum() / mask.size
print(f"closed form right for          {100 * total(~wrong):.1f} % of the loads up to {limit:g} N")
print(f"rest, exact                    {100 * total(rests):.1f} %")
print(f"rest, closed form              {100 * total(said_to_rest):.1f} %")
print(f"rest, all of the closed form's, not true: {100 * (said_to_rest & ~rests).sum() / said_to_rest.sum():.1f} %")

figure, axis = plt.subplots(figsize=(6, 5.4))
axis.contourf(F1, F2, wrong.astype(float), levels=[0.5, 1.5], colors=["#f2c6b4"])
axis.contour(F1, F2, rests.astype(float), levels=[0.5], colors="#1f4e79", linewidths=2)
box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * [T12 + T10, T12 + T20]
axis.plot(box[:, 0], box[:, 1], "k--", linewidth=1)
axis.plot([], [], color="#1f4e79", linewidth=2, label="rest, exact: a hexagon")
axis.plot([], [], "k--", linewidth=1, label="rest by (4.9)-(4.10): a rectangle")
axis.fill([], [], color="#f2c6b4", label="(4.9)-(4.10) contradict the exact minimiser")
axis.set(xlabel="force on the first mass [N]", ylabel="force on the second mass [N]", aspect="equal")
axis.legend(loc="lower right", fontsize=8)
figure.tight_layout()
figure.savefig(pathlib.Path(__file__).with_name("region.png"), dpi=110)
