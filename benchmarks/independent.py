#!/usr/bin/env python3
"""Independent solutions of plane mechanisms with one clearance joint, to compare Freeplay with.

Nothing is shared with Freeplay: minimal coordinates, an explicit Runge-Kutta method (Dormand and Prince) with error
control, moments of touch and loss located by bisection. usage: benchmarks/independent.py CASE END EVERY > history.csv
"""
import math
import sys

C = ((), (1 / 5,), (3 / 40, 9 / 40), (44 / 45, -56 / 15, 32 / 9),
     (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
     (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
     (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84))
NODES = (0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1)
ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


def attempt(f, t, y, h):
    k = []
    for row, node in zip(C, NODES):
        k.append(f(t + node * h, [a + h * sum(c * q[i] for c, q in zip(row, k)) for i, a in enumerate(y)]))
    new = [a + h * sum(c * q[i] for c, q in zip(C[-1], k)) for i, a in enumerate(y)]
    return new, [h * sum(c * q[i] for c, q in zip(ERROR, k)) for i in range(len(y))]


class Hertz:
    """Normal force of Lankarani and Nikravesh, and bristles on the coefficient or on the force."""

    def __init__(self, bearing, journal, friction=None):
        s = 2 * (1 - 0.3**2) / 207e9
        self.R, self.r, self.c = bearing, journal, bearing - journal
        self.K = 4 / (3 * s) * math.sqrt(bearing * journal / (bearing - journal))
        self.hysteresis = 0.75 * (1 - 0.9**2)
        self.friction = friction or (lambda slip, N, z: (0.0, 0.0))

    def forces(self, depth, rate, slip, z, speed):
        """Normal force, friction force against the slip, rate of the bristles."""
        if depth <= 0:
            return 0.0, 0.0, 0.0
        N = self.K * depth**1.5 * max(0.0, 1 + self.hysteresis * rate / speed)
        return N, *self.friction(slip, N, z)


def lugre(static, kinetic, vs, s0, s1):
    def law(v, N, z):
        dz = v - s0 * abs(v) / (kinetic + (static - kinetic) * math.exp(-(v / vs)**2)) * z
        return N * (s0 * z + s1 * dz), dz
    return law


def lugre_force(static, kinetic, vs, s0, s1, least):
    def law(v, N, z):
        if N <= 0:
            return 0.0, 0.0
        g = max(N, least) * (kinetic + (static - kinetic) * math.exp(-(v / vs)**2))
        dz = v - s0 * abs(v) / g * z
        return s0 * z + s1 * dz, dz
    return law


def brown_mcphee(static, kinetic, vs):
    def law(v, N, z):
        u = abs(v) / vs
        mu = kinetic * math.tanh(4 * u) + (static - kinetic) * u / (u * u / 4 + 0.75)**2
        return math.copysign(N * mu, v), 0.0
    return law


class Model:
    """Coordinates, their rates, and the bristle deflection, in this order."""
    touching, speed = False, 1.0

    def contact(self, e, de, slip_of, z):
        """Force on the journal, its normal, and what goes into results. Both bodies slip past each other and feel
        friction in one place, the point of the journal that is deepest in the bearing: no angular momentum is lost."""
        length = math.hypot(*e)
        n = (e[0] / length, e[1] / length) if length > 0 else (1.0, 0.0)
        t = (-n[1], n[0])
        rate = n[0] * de[0] + n[1] * de[1]
        slip = slip_of(t, de, length + self.law.r)
        depth = length - self.law.c if self.touching else 0.0
        N, F, dz = self.law.forces(depth, rate, slip, z, self.speed)
        return (-N * n[0] - F * t[0], -N * n[1] - F * t[1]), n, dz, (length, rate, N, F, slip)


class SliderPin(Model):
    """Crank at constant speed, rod with the bearing, slider with the journal; gravity off."""
    names = ("slider x [m]", "slider velocity [m/s]", "slider acceleration [m/s2]")
    r, L, rod, I, slider = 0.05, 0.3, 1.13, 0.0153, 1.013

    def __init__(self, law, rpm):
        self.law, self.w = law, rpm * math.pi / 30
        self.start = [0.0, self.r + self.L, -self.w * self.r / self.L, 0.0, 0.0]

    def evaluate(self, t, y):
        a, x, da, dx, z = y
        s, c, p = math.sin(a), math.cos(a), self.w * t
        A = (self.r * math.cos(p), self.r * math.sin(p))
        dA = (-self.w * A[1], self.w * A[0])
        arm = (self.L * c, self.L * s)
        e = (x - A[0] - arm[0], -A[1] - arm[1])
        de = (dx - dA[0] + arm[1] * da, -dA[1] - arm[0] * da)
        f, n, dz, results = self.contact(e, de, lambda t, de, reach: t[0] * de[0] + t[1] * de[1] - da * reach, z)
        reach = results[0] + self.law.r
        at = (arm[0] + reach * n[0], arm[1] + reach * n[1])
        moment = -(at[0] * f[1] - at[1] * f[0])
        ddA = (-self.w**2 * A[0], -self.w**2 * A[1])
        moment -= self.rod * (arm[0] * ddA[1] - arm[1] * ddA[0]) / 2
        dda = moment / (self.I + self.rod * self.L**2 / 4)
        ddx = f[0] / self.slider
        return [da, dx, dda, ddx, dz], results, (x, dx, ddx)


class CrankPin(Model):
    """The same with the bearing in the crank and the journal in the rod."""
    names = SliderPin.names
    r, L, rod, I, slider = 0.05, 0.3, 1.13, 0.0153, 1.013

    def __init__(self, law, rpm):
        self.law, self.w = law, rpm * math.pi / 30
        self.start = [0.0, self.r + self.L, -self.w * self.r / self.L, 0.0, 0.0]

    def evaluate(self, t, y):
        a, x, da, dx, z = y
        s, c, p = math.sin(a), math.cos(a), self.w * t
        A = (self.r * math.cos(p), self.r * math.sin(p))
        arm = (-self.L * c, -self.L * s)  # from the slider to the journal
        e = (x + arm[0] - A[0], arm[1] - A[1])
        de = (dx - arm[1] * da + self.w * A[1], arm[0] * da - self.w * A[0])
        f, n, dz, results = self.contact(
            e, de, lambda t, de, reach: t[0] * de[0] + t[1] * de[1] + da * self.law.r - self.w * reach, z)
        at = (arm[0] + self.law.r * n[0], arm[1] + self.law.r * n[1])
        moment = at[0] * f[1] - at[1] * f[0]
        half = self.rod * self.L / 2
        m11, m12, m22 = self.slider + self.rod, half * s, self.I + half * self.L / 2
        b1, b2 = f[0] - half * c * da**2, moment
        det = m11 * m22 - m12**2
        ddx, dda = (m22 * b1 - m12 * b2) / det, (m11 * b2 - m12 * b1) / det
        return [da, dx, dda, ddx, dz], results, (x, dx, ddx)


class Journal(Model):
    """A journal in a bearing at rest, with gravity."""
    names = ("x [m]", "y [m]", "vx [m/s]", "vy [m/s]", "spin [rad/s]")
    m, I, g = 0.05, 2.45e-6, 9.81

    def __init__(self, law):
        self.law = law
        self.start = [0.0, 0.0, 0.0, 0.0, -2 * math.pi, 0.0]

    def evaluate(self, t, y):
        x, py, dx, dy, w, z = y
        f, n, dz, results = self.contact((x, py), (dx, dy),
                                         lambda t, de, reach: t[0] * de[0] + t[1] * de[1] + w * self.law.r, z)
        moment = self.law.r * (n[0] * f[1] - n[1] * f[0])
        return [dx, dy, f[0] / self.m, f[1] / self.m - self.g, moment / self.I, dz], results, tuple(y[:5])


def solve(model, end, every, out, tolerance=1e-11):
    f = lambda t, y: model.evaluate(t, y)[0]
    depth = lambda t, y: model.evaluate(t, y)[1][0] - model.law.c
    t, y, h, row, events = 0.0, list(model.start), 1e-7, 0, []
    peak = deepest = 0.0
    print("time [s]," + ",".join(model.names) + ",eccentricity [m],normal force [N],friction force [N],slip [m/s]", file=out)
    while True:
        if t >= row * every - 1e-15:
            _, r, values = model.evaluate(t, y)
            print(",".join("%.12g" % q for q in (t, *values, r[0], r[2], r[3], r[4])), file=out)
            row += 1
        if t >= end - 1e-15:
            return events
        step = min(h, row * every - t)
        if not model.touching:  # never across a whole penetration
            step = min(step, max(1e-9, 0.2 * model.law.c / max(1e-3, abs(model.evaluate(t, y)[1][1]))))
        new, err = attempt(f, t, y, step)
        scale = [1e-9] * (len(y) - 1) + [1e-12]
        size = max(abs(e) / (tolerance * abs(a) + 1e-3 * s) for e, a, s in zip(err, y, scale)) or 1e-9
        if size > 1:
            h = step * max(0.2, 0.9 * size**-0.2)
            continue
        if (depth(t + step, new) > 0) != model.touching:
            low, high = 0.0, step
            for _ in range(80):
                middle = 0.5 * (low + high)
                if (depth(t + middle, attempt(f, t, y, middle)[0]) > 0) != model.touching:
                    high = middle
                else:
                    low = middle
            new = attempt(f, t, y, high)[0]
            t, y = t + high, new
            model.touching = not model.touching
            y[-1] = 0.0  # bristles begin anew at each touch
            if model.touching:
                model.speed = model.evaluate(t, y)[1][1]
                events.append(("touch", t, model.speed))
                peak = deepest = 0.0
            else:
                events.append(("loss", t, peak, deepest))
            h = 1e-9
            continue
        t, y = t + step, new
        if t > row * every - 1e-14:
            t = row * every
        r = model.evaluate(t, y)[1]
        peak, deepest = max(peak, r[2]), max(deepest, r[0] - model.law.c)
        h = max(h, step) * min(3.0, 0.9 * size**-0.2) if size < 1 else h


PIN = (5e-3, 4.5e-3)
SLIDER_LUGRE = lugre(0.2, 0.1, 0.05, 1e5, 400.0)
SEATING = (10e-3, 9.9e-3)
DRY = (0.15, 0.1, 1e-3)
WEIGHT = 0.05 * 9.81
CASES = {
    "slider_pin_frictionless": lambda: SliderPin(Hertz(*PIN), 2500),
    "slider_pin_lugre": lambda: SliderPin(Hertz(*PIN, SLIDER_LUGRE), 2500),
    "crank_pin_frictionless": lambda: CrankPin(Hertz(*PIN), 2500),
    "crank_pin_frictionless_1500": lambda: CrankPin(Hertz(*PIN), 1500),
    "crank_pin_lugre": lambda: CrankPin(Hertz(*PIN, SLIDER_LUGRE), 2500),
    "journal_frictionless": lambda: Journal(Hertz(*SEATING)),
    "journal_brown_mcphee": lambda: Journal(Hertz(*SEATING, brown_mcphee(*DRY))),
    "journal_lugre_force": lambda: Journal(Hertz(*SEATING, lugre_force(*DRY, 1e5, math.sqrt(1e5), 0.1))),
    "journal_lugre_load_scaled": lambda: Journal(Hertz(*SEATING, lugre(*DRY, 1e5 / WEIGHT, math.sqrt(1e5) / WEIGHT))),
}

if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in CASES:
        sys.exit(__doc__ + "cases: " + ", ".join(CASES))
    for event in solve(CASES[sys.argv[1]](), float(sys.argv[2]), float(sys.argv[3]), sys.stdout):
        print(*("%.9g" % q if isinstance(q, float) else q for q in event), file=sys.stderr)
