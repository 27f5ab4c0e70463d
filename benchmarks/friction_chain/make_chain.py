"""Writes a hanging chain of links with friction in every pin: /usr/bin/python3 make_chain.py N LAW > chain.yaml"""
import sys

n, law = int(sys.argv[1]), sys.argv[2]
laws = {
    "coulomb": "coulomb: {static: 0.3, kinetic: 0.2}",
    "lugre": "lugre: {static: 0.3, kinetic: 0.2, sigma0: 1e5 1/m, sigma1: 300 s/m, stribeck-velocity: 1 mm/s}",
    "regularised": "regularised-coulomb: {coefficient: 0.2, velocity: 1 mm/s}",
}
print(f"""freeplay: 1
title: Chain of {n} links with friction in every pin
gravity: [0, -9.81, 0]
frictions: {{dry: {{{laws[law]}}}}}
bodies:""")
for k in range(n):
    print(f"  link{k + 1}: {{rigid: {{mass: 1 kg, inertia: [0.001, 0.01, 0.01], at: [{0.1 * k + 0.05:g}, 0, 0], "
          f"points: {{a: [-0.05, 0, 0], b: [0.05, 0, 0]}}}}}}")
print("joints:")
for k in range(n):
    first = "ground" if k == 0 else f"link{k}.b"
    print(f"  pin{k + 1}: {{revolute: {{between: [{first}, link{k + 1}.a], axis: [0, 0, 1], "
          f"friction: {{law: dry, radius: 10 mm}}}}}}")
print("""analysis: {dynamic: {end: 5 s, step: 1 ms}}
output: {every: 50 ms, columns: ["link*.position.*", "*.state", "energy.*", "loss.*", "ledger.*"]}""")
