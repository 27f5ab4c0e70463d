#!/usr/bin/env python3
"""Writes a model: a square net of beams, each crossing welded, held at its corners, that falls under gravity.

    make_net.py BEAMS_PER_SIDE ELEMENTS_BETWEEN_CROSSINGS > net.yaml

42 beams per side and 20 elements of degree 3 between crossings make 211,764 nodes.
"""
import sys

n, between = int(sys.argv[1]), int(sys.argv[2])
if n < 2 or between < 2 or between % 2:
    sys.exit("two beams per side and two elements between crossings at least, and an even number of elements")

print(f"""freeplay: 1
title: Net of {n} by {n} beams
gravity: [0, 0, -9.81 m/s^2]
sections:
  wire: {{material: {{E: 210 GPa, poisson: 0.3, density: 7850 kg/m^3}}, circle: {{radius: 5 mm}}}}
bodies:""")
for k in range(n):
    y = k + 0.5
    common = f"section: wire, elements: {n * between}, degree: 3"
    print(f"  along{k}: {{beam: {{from: [0, {y}, 0], to: [{n}, {y}, 0], {common}}}}}")
    print(f"  across{k}: {{beam: {{from: [{y}, 0, 0], to: [{y}, {n}, 0], {common}}}}}")
print("joints:")
for k in (0, n - 1):
    for end in ("start", "end"):
        print(f"  held_{k}_{end}: {{spherical: {{between: [ground, along{k}.{end}]}}}}")
for k in range(n):
    for m in range(n):
        print(f"  weld_{k}_{m}: {{fixed: {{between: [along{k}@{(m + 0.5) / n!r}, across{m}@{(k + 0.5) / n!r}]}}}}")
print("""analysis:
  dynamic: {end: 20 ms, step: 1 ms}
output: {every: 10 ms}""")
