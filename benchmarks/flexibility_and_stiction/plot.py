"""Draws the share of the load that the first slider carries: plot.py STUDY.csv FOLDER"""
import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

rows = list(csv.DictReader(open(sys.argv[1])))
name = lambda start: next(key for key in rows[0] if key == start or key.startswith(start + " "))
EA, F1, F2, moves = name("EA"), name("F1"), name("F2"), name("moves")
label = next(key for key in rows[0] if "label" in key or rows[0][key] == "regularised")
length = 0.65
styles = {
    "regularised": ("#b5483a", "o-"), "regularised_2gamma": ("#b5483a", "s--"),
    "lugre": ("#2f6b9a", "o-"), "lugre_2sigma0": ("#2f6b9a", "s--"), "lugre_2sigma1": ("#2f6b9a", "^:"),
    "lugre_2theta": ("#2f6b9a", "v:"), "coulomb": ("#222222", "D-"),
}
texts = {
    "regularised": "piecewise linear law", "regularised_2gamma": "... threshold velocity of joint 1 doubled",
    "lugre": "LuGre", "lugre_2sigma0": "... bristle stiffness of joint 1 doubled",
    "lugre_2sigma1": "... bristle damping doubled", "lugre_2theta": "... Stribeck velocity doubled",
    "coulomb": "true stick",
}
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4))
share = {}
for law, (colour, style) in styles.items():
    mine = sorted((float(r[EA]) / length, r) for r in rows if r[label] == law)
    share[law] = [(k, float(r[F1]) / 20.0) for k, r in mine]
    left.semilogx(*zip(*share[law]), style, color=colour, markersize=4, label=texts[law], linewidth=1)
    times = [(k, float(r[moves]) if r[moves] else float("nan")) for k, r in mine]
    right.semilogx(*zip(*times), style, color=colour, markersize=4, linewidth=1)
left.set(xlabel="axial stiffness of the rod EA/L [N/m]", ylabel="share of the load at slider 1 (t = 1.5 s)")
right.set(xlabel="axial stiffness of the rod EA/L [N/m]", ylabel="slider 1 has moved 1 mm at [s]; no point: never")
left.legend(fontsize=7)
for axis in (left, right):
    axis.grid(alpha=0.3)
figure.tight_layout()
figure.savefig(pathlib.Path(sys.argv[2]) / "share.png", dpi=110)

print("stiffness [N/m]   spread of the share over secondary parameters:  piecewise  LuGre  all laws")
for i, (k, _) in enumerate(share["coulomb"]):
    spread = lambda laws: max(share[law][i][1] for law in laws) - min(share[law][i][1] for law in laws)
    lugre = [law for law in styles if law.startswith("lugre")]
    print(f"{k:12.3g} {spread(['regularised', 'regularised_2gamma']):12.4f} {spread(lugre):12.4f} {spread(list(styles)):12.4f}")
