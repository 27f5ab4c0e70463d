"""The roller-crank with two coordinates, apart from Freeplay: crank angle and roller angle, with the reactions from the
balances of force and moment, by an implicit Runge-Kutta method (Radau, order 5).

usage: independent.py CASE [END] > history.csv
"""
import math
import sys

import numpy
from scipy.integrate import solve_ivp

r, L, R, g = 0.10, 0.30, 0.05, 9.81
crank, rod, roller = (0.12, 0.002), (0.30, 0.002), (0.10, 0.001)  # mass, moment of inertia
LOAD = (roller[0] + rod[0] / 2) * g
STRIBECK = 1e-3


def bristles(static, kinetic, s0, s1):
    def law(v, z):
        dz = v - s0 * abs(v) / (kinetic + (static - kinetic) * math.exp(-(v / STRIBECK)**2)) * z
        return s0 * z + s1 * dz, dz
    return law


def brown_mcphee(v, z):
    u = v / STRIBECK
    return 0.1 * math.tanh(4 * u) + 0.05 * u / (u * u / 4 + 0.75)**2, 0.0


CASES = {
    "regularised_coulomb": lambda v, z: (0.1 * math.tanh(v / 1e-3), 0.0),
    "stribeck": lambda v, z: ((0.1 + 0.05 * math.exp(-(v / STRIBECK)**2)) * math.tanh(v / 1e-5), 0.0),
    "brown_mcphee": brown_mcphee,
    "dahl": bristles(0.1, 0.1, 1e5 / LOAD, 0.0),
    "lugre_load_scaled": bristles(0.15, 0.1, 1e5 / LOAD, math.sqrt(1e5) / LOAD),
}


def evaluate(y, law):
    """Rates of the state (crank angle, its rate, roller rate, bristles), slip, normal force, friction / normal force."""
    a, da, w, z = y
    s, c = math.sin(a), math.cos(a)
    sb = (r - r * s) / L  # the roller is as high as the crank is long
    cb = math.sqrt(1 - sb * sb)
    db = -r * c * da / (L * cb)
    slip = -r * s * da - L * sb * db + w * R
    mu, dz = law(slip, z)
    # Rod angle: b'' = by_a a'' + rest; accelerations of the middle of the rod and of the roller likewise.
    by_a, rest = -r * c / (L * cb), (r * s * da**2 + L * sb * db**2) / (L * cb)
    gx, gx0 = -r * s - L / 2 * sb * by_a, -r * c * da**2 - L / 2 * (sb * rest + cb * db**2)
    gy, gy0 = r * c + L / 2 * cb * by_a, -r * s * da**2 + L / 2 * (cb * rest - sb * db**2)
    bx, bx0 = -r * s - L * sb * by_a, -r * c * da**2 - L * (sb * rest + cb * db**2)
    # Unknowns: a'', w', force of the crank on the rod (x, y), force of the rod on the roller (x, y), normal force.
    m, h = rod[0], L / 2
    matrix = [[crank[1] + crank[0] * r * r / 4, 0, -r * s, r * c, 0, 0, 0],
              [m * gx, 0, -1, 0, 1, 0, 0],
              [m * gy, 0, 0, -1, 0, 1, 0],
              [rod[1] * by_a, 0, -h * sb, h * cb, -h * sb, h * cb, 0],
              [roller[0] * bx, 0, 0, 0, -1, 0, mu],
              [0, 0, 0, 0, 0, 1, 1],
              [0, roller[1], 0, 0, 0, 0, mu * R]]
    right = [-crank[0] * g * r / 2 * c, -m * gx0, -m * (gy0 + g), -rod[1] * rest, -roller[0] * bx0, roller[0] * g, 0]
    x = numpy.linalg.solve(matrix, right)
    return (da, x[0], x[1], dz), slip, x[6], mu


def main():
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1] not in CASES:
        sys.exit(__doc__ + "cases: " + ", ".join(CASES))
    law, end = CASES[sys.argv[1]], float(sys.argv[2]) if len(sys.argv) == 3 else 2.0
    times = numpy.arange(round(end / 5e-4) + 1) * 5e-4
    solution = solve_ivp(lambda t, y: evaluate(y, law)[0], (0, end), [math.pi / 2, 4, 8, 0], method="Radau", rtol=1e-9,
                         atol=[1e-11, 1e-11, 1e-11, 1e-15], max_step=5e-4, t_eval=times)
    print("time [s],crank angle [rad],roller rate [rad/s],slip [m/s],roller angular acceleration [rad/s2],normal force [N],"
          "friction/normal")
    for t, y in zip(solution.t, solution.y.T):
        rates, slip, normal, mu = evaluate(y, law)
        print(",".join("%.10g" % q for q in (t, y[0], y[2], slip, rates[2], normal, mu)))


if __name__ == "__main__":
    main()
