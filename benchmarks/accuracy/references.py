#!/usr/bin/env python3
"""Reference values of accuracy.yaml: closed forms, and independent integrations to 12 digits (numpy, scipy).

usage: references.py [PROBLEM...]   prints the lines of `compare` for each problem. Nothing is shared with Freeplay.
"""
import math
import os
import sys

import numpy as np
from scipy.special import ellipj, ellipk

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from beam import Beam
from mechanism import Plane, Space, integrate, one_body, turn, way

G = 9.81


def entry(columns, at, values, size):
    values = ", ".join("%.12g" % v for v in np.atleast_1d(values))
    print("      - {columns: [%s], at: %g s, reference: [%s], size: %.4g}" % (", ".join(columns), at, values, size))


def position(place, dimensions="xyz"):
    return [place + ".position." + k for k in dimensions]


def flywheel():
    entry(["turns.angle"], 0.5, 200 * 0.5, 100)


def spin_up():
    entry(["turns.angle"], 2, 2 / 0.05 * 2**2 / 2, 80)


def spinning_flight():
    entry(position("body"), 0.5, [5, 0, 0], 5)
    a = 100 * 0.5
    entry(["body.axis1." + k for k in "xyz"], 0.5, [math.cos(a), math.sin(a), 0], a)


def unbalanced_wheel():
    M, m, e, I, k, c, w = 10.1, 10.0, 1e-4, 1.0, 111350.0, 42.0, 100.0

    def rates(t, y):  # x, y of the housing, angle of the wheel, and their rates
        C, S = math.cos(y[2]), math.sin(y[2])
        matrix = np.array([[M, 0, -m * e * S], [0, M, m * e * C], [-m * e * S, m * e * C, I + m * e * e]])
        f = [-k * y[0] - c * y[3] + m * e * C * y[5]**2, -k * y[1] - c * y[4] + m * e * S * y[5]**2, 0]
        return np.concatenate([y[3:], np.linalg.solve(matrix, f)])
    y = integrate(rates, [0, 0, 0, 0, 0, w], 2)
    speed = lambda s: math.hypot(s[3], s[4])
    for t in (1, 2):
        entry(position("housing", "xy"), t, y(t)[:2], way(speed, y, t))
    entry(["wheel.axis1.x", "wheel.axis1.y"], 2, [math.cos(y(2)[2]), math.sin(y(2)[2])], 200)


def top(name, m, l, J, direction, q, spin, end, times):
    """A body on a ball joint: the centre of mass is at l along a body axis; J about the joint."""
    axis = np.array(direction, float)
    moment = lambda R: m * np.cross(l * axis, R.T @ np.array([0, 0, -G]))
    y = one_body(J, q, spin, moment, end)
    speed = lambda s: np.linalg.norm(np.cross(s[4:], l * axis))
    for t in times:
        entry(position(name), t, turn(y(t)[:4]) @ (l * axis), way(speed, y, t))
    s, spins = y(end), lambda s: np.linalg.norm(s[4:])
    other = 1 if axis[0] else 0  # an axis of the body that spins with it
    entry(["%s.axis%d.%s" % (name, other + 1, k) for k in "xyz"], end, turn(s[:4])[:, other], way(spins, y, end))


def heavy_top():
    top("top", 15.0, 1.0, [0.234375 + 15, 0.46875, 0.234375 + 15], [0, 1, 0], [1, 0, 0, 0], [0, 150, -4.61538], 1, (0.5, 1))


def gyroscope():
    a = -math.pi / 6  # about y: lifts the axis x
    top("rotor", 1.0, 0.1, [2e-3, 1.2e-3 + 0.01, 1.2e-3 + 0.01], [1, 0, 0], [math.cos(a / 2), 0, math.sin(a / 2), 0],
        [60, 0, 0], 1, (0.25, 0.5, 0.75, 1))


def tumbling_body():
    y = one_body([1e-3, 2e-3, 2.8e-3], [1, 0, 0, 0], [0.1, 10, 0.1], lambda R: np.zeros(3), 2)
    for t in (0.5, 1, 1.5, 2):
        R = turn(y(t)[:4])
        for k in (0, 1):
            entry(["body.axis%d.%s" % (k + 1, c) for c in "xyz"], t, R[:, k], way(lambda s: np.linalg.norm(s[4:]), y, t))


def rolling_disk():
    r, w, W = 0.2, 20.0, 2.0
    for t in (1, 2):
        a = W * t
        entry(position("disk"), t, [r * w / W * math.sin(a), r * w / W * (1 - math.cos(a)), r], r * w * t)


def pendulum():
    """sin(angle/2) = sin(45 deg) sn: the angle from the vertical starts at -90 degrees, where the bob is at rest."""
    m, w = 0.5, math.sqrt(G)
    rate = lambda t: abs(2 * math.sqrt(m) * w * ellipj(w * t + 3 * ellipk(m), m)[1])
    for t in (1, 10):
        a = 2 * math.asin(math.sqrt(m) * ellipj(w * t + 3 * ellipk(m), m)[0])
        entry(position("bob", "xy"), t, [math.sin(a), -math.cos(a)], way(rate, lambda s: s, t))


def double_pendulum():
    rod = {"m": 1.0, "I": 1 / 12}
    a = math.pi / 3  # rods hang along -y at angle 0
    system = Plane([rod, rod], [("pin", None, (0, 0), 0, (0, 0.5)), ("pin", 0, (0, -0.5), 1, (0, 0.5))], G)
    q = np.array([math.sin(a) / 2, -math.cos(a) / 2, a, math.sin(a), -math.cos(a) - 0.5, 0])
    y = system.motion(q, np.zeros(6), 3)
    for t in (1, 2, 3):
        for name, body in (("upper.b", 0), ("lower.b", 1)):
            speed = lambda s: np.linalg.norm(system.velocity(s[:6], s[6:], body, (0, -0.5)))
            entry(position(name, "xy"), t, system.place(y(t)[:6], body, (0, -0.5))[0], way(speed, y, t))


def andrews():
    b, g, p, d, e = (-0.0617138900142764496358948458001, 0.455279819163070380255912382449,
                     0.222668390165885884674473185609, 0.487364979543842550225598953530,
                     1.23054744454982119249735015568)
    A, B, C = np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273]), np.array([0.014, 0.072])
    at = lambda a: np.array([math.cos(a), math.sin(a)])
    down = lambda a: np.array([math.sin(a), -math.cos(a)])
    F = 0.007 * at(b)
    E = F - 0.028 * at(b)
    H, K = A + 0.04 * at(d), A + 0.04 * down(e)
    centres = [0.00092 * at(b), F - 0.0115 * at(b), B + 0.01874 * down(g) + 0.01043 * at(g),
               H + 0.00579 * down(p + d), A + 0.02308 * at(d) - 0.00916 * down(d), K + 0.00579 * at(e - p),
               A + 0.01228 * down(e) - 0.00449 * at(e)]
    D = B + 0.018 * down(g) + 0.02 * at(g)
    masses = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    inertias = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    pin = lambda first, second, P: ("pin", first, P if first is None else P - centres[first], second, P - centres[second])
    joints = [pin(None, 0, np.zeros(2)), pin(0, 1, F), pin(None, 2, B), pin(1, 2, E), pin(1, 3, E), pin(1, 5, E),
              pin(4, 3, H), pin(6, 5, K), pin(None, 4, A), pin(None, 6, A)]

    def force(system, q, v):
        f = np.zeros(21)
        f[2] = 0.033
        P, arm = system.place(q, 2, D - centres[2])
        u = P - C
        length = np.linalg.norm(u)
        pull = -4530 * (length - 0.07785) / length * u
        f[6:9] = [*pull, arm[0] * pull[1] - arm[1] * pull[0]]
        return f
    system = Plane([{"m": m, "I": I} for m, I in zip(masses, inertias)], joints, 0.0, force)
    q = np.concatenate([np.array([*c, 0.0]) for c in centres])
    y = system.motion(q, np.zeros(21), 0.03)
    print("      # crank at 0.03 s: %.12f, published 15.81077119629904" % (y(0.03)[2] + b))
    for t in (0.015, 0.03):
        for name, body, point in (("K1.F", 0, F), ("K2.E", 1, E), ("K7", 6, centres[6])):
            P = point - centres[body]
            speed = lambda s: np.linalg.norm(system.velocity(s[:21], s[21:], body, P))
            entry(position(name, "xy"), t, system.place(y(t)[:21], body, P)[0], way(speed, y, t))


def reactions(system, y, end, times, pins):
    """Forces of pins relative to their largest, in the axes of the first body: ground, or the crank, which is body 0."""
    history = np.array([system.solve(y(t))[1] for t in np.linspace(0, end, 2001)])
    for t in times:
        for name, row, on_crank in pins:
            largest = np.max(np.linalg.norm(history[:, row:row + 2], axis=1))
            angle = y(t)[2] if on_crank else 0.0
            C, S = math.cos(angle), math.sin(angle)
            f = system.solve(y(t))[1][row:row + 2]
            entry([name + ".force." + k for k in "xy"], t, [C * f[0] + S * f[1], C * f[1] - S * f[0]], largest)


def four_bar():
    w, a, c, b, f = 20.0, 0.1, 0.3, 0.25, 0.3
    reach = math.hypot(f, a)
    angle = math.acos((c * c + reach**2 - b * b) / (2 * c * reach)) - math.atan2(a, f)
    O, A, C = np.zeros(2), np.array([0, a]), np.array([f, 0])
    B = A + c * np.array([math.cos(angle), math.sin(angle)])
    centres = [A / 2, (A + B) / 2, (B + C) / 2]
    pin = lambda first, second, P: ("pin", first, P if first is None else P - centres[first], second, P - centres[second])
    system = Plane([{"m": 1, "I": 1e-3}, {"m": 2, "I": 0.02}, {"m": 1.5, "I": 0.01}],
                   [pin(None, 0, O), pin(0, 1, A), pin(1, 2, B), pin(None, 2, C)], G,
                   lambda system, q, v: np.eye(1, 9, 2)[0] * 2.0)
    # Angular velocities of coupler and rocker: w k x A + w2 k x (B - A) = w3 k x (B - C).
    cross = lambda u: np.array([-u[1], u[0]])
    w2, w3 = np.linalg.solve(np.stack([cross(B - A), -cross(B - C)], axis=1), -w * cross(A))
    q = np.concatenate([np.array([*p, 0.0]) for p in centres])
    v = np.concatenate([[*(w * cross(A) / 2), w], [*(w * cross(A) + w2 * cross(B - A) / 2), w2],
                        [*(w3 * cross(B - C) / 2), w3]])
    y, times = system.motion(q, v, 0.4), (0.1, 0.2, 0.3, 0.4)
    speed = lambda s: math.hypot(s[12], s[13])
    for t in times:
        entry(position("coupler", "xy"), t, y(t)[3:5], way(speed, y, t))
    reactions(system, y, 0.4, times, [("shaft", 0, False), ("pin", 2, True), ("foot", 6, False)])


def slider_crank():
    w, r, l = 2500 * math.pi / 30, 0.05, 0.3
    system = Plane([{"m": 17.9, "I": 0.460327}, {"m": 1.13, "I": 0.0153}, {"m": 1.013, "I": 0.001}],
                   [("pin", None, (0, 0), 0, (0, 0)), ("pin", 0, (r, 0), 1, (-l / 2, 0)), ("pin", 1, (l / 2, 0), 2, (0, 0)),
                    ("fix", 2, 1), ("fix", 2, 2), ("fix", 0, 2)])
    q = np.array([0, 0, 0, r + l / 2, 0, 0, r + l, 0, 0])
    v = np.array([0, 0, w, 0, w * r / 2, -w * r / l, 0, 0, 0])
    y, times = system.motion(q, v, 0.04), (0.008, 0.016, 0.04)
    for t in times:
        entry(position("slider", "x"), t, y(t)[6], way(lambda s: abs(s[15]), y, t))
    reactions(system, y, 0.04, times, [("shaft", 0, False), ("crankpin", 2, True)])
    # Geometry gives all of these. The work of the drive is what has to be integrated: the change of the kinetic energy.
    kinetic = lambda t: 0.5 * system.mass @ y(t)[9:]**2
    for t in times:
        entry(["work.drives"], t, kinetic(t) - kinetic(0), way(lambda s: abs(w * system.solve(s)[1][-1]), y, t))


def bricard():
    I = 1 / 12
    inertia = ([0, I, I], [I, 0, I], [I, I, 0], [0, I, I], [I, 0, I])
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    centres = [(P[k] + P[k + 1]) / 2 for k in range(5)]
    axes = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]], float)
    hinges = [(None, P[0], 0, P[0] - centres[0], axes[0])]
    hinges += [(k - 1, P[k] - centres[k - 1], k, P[k] - centres[k], axes[k]) for k in range(1, 5)]
    hinges += [(4, P[5] - centres[4], None, P[5], axes[5])]
    y = Space([(1.0, J) for J in inertia], hinges, [0, -G, 0]).motion(centres, 4)
    for t in (2, 4):
        entry(position("rod3"), t, y(t)[14:17], way(lambda s: np.linalg.norm(s[35 + 12:35 + 15]), y, t))
    print("      # joint P3 is open by %.1e at the end" % np.linalg.norm(
        y(4)[7:10] + turn(y(4)[10:14]) @ (P[2] - centres[1]) - y(4)[14:17] - turn(y(4)[17:21]) @ (P[2] - centres[2])))


def tip(beam, name, v, end, times, held=()):
    y = beam.motion(v, end, held)
    n = beam.n
    speed = lambda s: math.hypot(s[3 * n + n - 1], s[4 * n + n - 1])
    for t in times:
        s = y(t)
        entry(position(name, "xy"), t, [s[n - 1], s[2 * n - 1]], way(speed, y, t))


def pendulum_of(EI, elements):
    beam = Beam(1.0, elements, 4, 1e6, 3.8e5, EI, 1.0, 1e-4, G)
    tip(beam, "beam.end", np.zeros(3 * beam.n), 0.5, (0.25, 0.5), held=(0, beam.n))


def flexible_pendulum_stiff():
    pendulum_of(100.0, 4)


def flexible_pendulum_soft():
    pendulum_of(1.0, 8)


def flying_beam():
    beam = Beam(1.0, 4, 4, 1e4, 4e3, 1.0, 1.0, 1e-4)
    w = 6.28
    tip(beam, "beam.end", np.concatenate([np.zeros(beam.n), w * beam.x, w * np.ones(beam.n)]), 2, (1, 2))


def rotating_beam():
    w, EA = 60.0, 1e5
    a = w / math.sqrt(EA)
    radius, angle = math.tan(a) / a, 60 * 1.5 - 15
    entry(position("blade.end", "xy"), 1.5, [radius * math.cos(angle), radius * math.sin(angle)], radius * angle)
    entry(["blade.start.section_force.z"], 1.5, EA * (1 / math.cos(a) - 1), EA * (1 / math.cos(a) - 1))


def bouncing_ball():
    """Between the touches a parabola; in touch the depth is W/k (1 - cos wt) + v/w sin wt with w^2 = k/m."""
    k, m, h = 1e6, 1.0, 0.2
    w, v, sag = math.sqrt(k / m), math.sqrt(2 * G * h), m * G / k
    down, fly = math.sqrt(2 * h / G), 2 * v / G
    touch = 2 * (math.pi - math.atan(v / (w * sag))) / w
    deepest = sag + math.hypot(sag, v / w)

    def height(t):
        if t < down:
            return h - G * t * t / 2
        t = (t - down) % (touch + fly)
        if t < touch:
            return -(sag * (1 - math.cos(w * t)) + v / w * math.sin(w * t))
        return v * (t - touch) - G * (t - touch)**2 / 2
    for t in (1, 2, 3):
        bounces = (t - down) / (touch + fly)
        entry(["ball.position.z"], t, 0.02 + height(t), (2 * bounces + 1) * (h + deepest))


def slider_pin():
    import independent
    import io

    def rows(turned=0.0):
        model, out = independent.CASES["slider_pin_frictionless"](), io.StringIO()
        model.start[0] += turned / model.L  # moves the end of the rod sideways by so much
        independent.solve(model, 0.024, 0.0002, out, tolerance=1e-13)
        return [[float(c) for c in line.split(",")] for line in out.getvalue().splitlines()[1:]]
    small, travelled = 1e-9, 0.0
    exact, moved = rows(), rows(small)
    for before, row, other in zip(exact, exact[1:], moved[1:]):
        travelled += abs(row[1] - before[1])
        time = round(1e4 * row[0])
        if time in (8, 16, 24, 32):
            entry(["slider.position.x"], row[0], row[1], travelled)
        if time in (8, 16, 24, 32, 40, 80, 160, 240):
            print("      # a small change at the start is magnified %.2g times" % (abs(other[1] - row[1]) / small))


def belt():
    m, k, v, N, s0, vs, static, kinetic = 1.0, 100.0, 0.1, 9.81, 1e4, 0.01, 0.3, 0.15
    s1 = math.sqrt(s0 / N)

    def rates(t, y):  # x, x', bristles; slip of the mass on the belt
        slip = y[1] - v
        g = kinetic + (static - kinetic) * math.exp(-(slip / vs)**2)
        dz = slip - s0 * abs(slip) / g * y[2]
        return [y[1], (-k * y[0] - N * (s0 * y[2] + s1 * dz)) / m, dz]
    y = integrate(rates, [0, v, 0], 4, rtol=1e-12, atol=1e-15, max_step=1e-3)
    for t in np.arange(0.5, 4.1, 0.5):
        entry(["block.position.x"], t, 1 + y(t)[0], way(lambda s: abs(s[1]), y, t))


if __name__ == "__main__":
    problems = [flywheel, spin_up, spinning_flight, unbalanced_wheel, heavy_top, gyroscope, tumbling_body, rolling_disk,
                pendulum, double_pendulum, andrews, bricard, four_bar, slider_crank, flexible_pendulum_stiff,
                flexible_pendulum_soft, flying_beam, rotating_beam, bouncing_ball, slider_pin, belt]
    for problem in problems:
        if len(sys.argv) == 1 or problem.__name__ in sys.argv[1:]:
            print("  %s:" % problem.__name__)
            problem()
