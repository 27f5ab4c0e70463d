"""Independent solutions of mechanisms of rigid bodies, to compare Freeplay with: accelerations and reactions from Newton's
laws and twice differentiated joint equations, integrated by Dormand and Prince's method of order 8 to 13 digits."""
import numpy as np
from scipy.integrate import solve_ivp


def integrate(rates, start, end, rtol=1e-13, atol=1e-14, **options):
    return solve_ivp(rates, (0.0, end), start, method="DOP853", rtol=rtol, atol=atol, dense_output=True, **options).sol


def way(speed, solution, end, n=20001):
    """Length of the path: integral of the speed, by the trapezoidal rule."""
    t = np.linspace(0.0, end, n)
    v = np.array([speed(solution(s)) for s in t])
    return float(np.trapz(v, t))


class Plane:
    """Bodies in a plane with q = (x, y, angle) each, about their centres of mass; points are given in body axes."""

    def __init__(self, bodies, joints, gravity=0.0, force=None):
        self.bodies, self.joints, self.force = bodies, joints, force
        self.mass = np.repeat([b["m"] for b in bodies], 3).astype(float)
        self.mass[2::3] = [b["I"] for b in bodies]
        self.weight = np.zeros(3 * len(bodies))
        self.weight[1::3] = [-b["m"] * gravity for b in bodies]

    def place(self, q, body, point):
        """Position of a point and the arm from the centre of mass to it; body None is ground."""
        if body is None:
            return np.array(point, float), np.zeros(2)
        c, s = np.cos(q[3 * body + 2]), np.sin(q[3 * body + 2])
        arm = np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])
        return q[3 * body:3 * body + 2] + arm, arm

    def velocity(self, q, v, body, point):
        arm = self.place(q, body, point)[1]
        return v[3 * body:3 * body + 2] + v[3 * body + 2] * np.array([-arm[1], arm[0]])

    def equations(self, q, v):
        """Rows G and right side of G a = r. Joints: ('pin', A, p, B, p), ('fix', body, coordinate)."""
        G, r = [], []
        for joint in self.joints:
            if joint[0] == "fix":  # a coordinate with a constant rate
                G.append(np.eye(1, len(q), 3 * joint[1] + joint[2])[0])
                r.append(0.0)
                continue
            rows, right = np.zeros((2, len(q))), np.zeros(2)
            for body, point, sign in ((joint[1], joint[2], -1.0), (joint[3], joint[4], 1.0)):
                if body is None:
                    continue
                arm = self.place(q, body, point)[1]
                rows[:, 3 * body:3 * body + 2] += sign * np.eye(2)
                rows[:, 3 * body + 2] += sign * np.array([-arm[1], arm[0]])
                right += sign * v[3 * body + 2]**2 * arm
            G.extend(rows)
            r.extend(right)
        return np.array(G), np.array(r)

    def solve(self, y):
        """Accelerations and multipliers: force on the second body of a pin, force or torque of a fixed coordinate."""
        q, v = np.split(y, 2)
        G, r = self.equations(q, v)
        f = self.weight if self.force is None else self.weight + self.force(self, q, v)
        free = f / self.mass
        multipliers = np.linalg.solve(G / self.mass @ G.T, r - G @ free)
        return free + G.T @ multipliers / self.mass, multipliers

    def motion(self, q, v, end):
        return integrate(lambda t, y: np.concatenate([y[len(y) // 2:], self.solve(y)[0]]), np.concatenate([q, v]), end)


def turn(q):
    """Rotation matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion_rate(q, w):
    """From the angular velocity in body axes."""
    return 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])


def one_body(J, q, w, moment, end):
    """Euler's equations in body axes about a fixed point (or the centre of mass): y = (quaternion, w)."""
    J = np.array(J, float)

    def rates(t, y):
        return np.concatenate([quaternion_rate(y[:4], y[4:]),
                               (moment(turn(y[:4])) - np.cross(y[4:], J * y[4:])) / J])
    return integrate(rates, np.concatenate([q, w]).astype(float), end)


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Space:
    """Bodies in space joined by hinges, y = (x, quaternion)... (v, w)... with the angular velocity in inertial axes. The
    equations may be redundant: least squares. Hinges: (A, point, B, point, axis), all in body axes, which are those of
    ground at the start; ground is None, with points from the origin."""

    def __init__(self, bodies, hinges, gravity):
        self.bodies, self.hinges, self.gravity = bodies, hinges, np.array(gravity, float)

    def solve(self, y):
        n = len(self.bodies)
        pose, rate = y[:7 * n].reshape(n, 7), y[7 * n:].reshape(n, 6)
        R = [turn(p[3:]) for p in pose]
        M, f = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for k, (m, J) in enumerate(self.bodies):
            inertia, w = R[k] @ np.diag(J) @ R[k].T, rate[k, 3:]
            M[6 * k:6 * k + 3, 6 * k:6 * k + 3] = m * np.eye(3)
            M[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = inertia
            f[6 * k:6 * k + 3] = m * self.gravity
            f[6 * k + 3:6 * k + 6] = -np.cross(w, inertia @ w)
        rows, right = [], []
        for A, a, B, b, axis in self.hinges:
            G, r = np.zeros((3, 6 * n)), np.zeros(3)
            for k, point, sign in ((A, a, -1.0), (B, b, 1.0)):
                if k is not None:
                    arm, w = R[k] @ point, rate[k, 3:]
                    G[:, 6 * k:6 * k + 3] = sign * np.eye(3)
                    G[:, 6 * k + 3:6 * k + 6] = -sign * skew(arm)
                    r -= sign * np.cross(w, np.cross(w, arm))
            rows.append(G)
            right.append(r)
            RA, wA = (R[A], rate[A, 3:]) if A is not None else (np.eye(3), np.zeros(3))
            RB, wB = (R[B], rate[B, 3:]) if B is not None else (np.eye(3), np.zeros(3))
            u = RA @ axis
            for k in range(3):  # the axis of A stays normal to the two other directions of B
                if axis[k] != 0:
                    continue
                s, G = RB[:, k], np.zeros((1, 6 * n))
                if A is not None:
                    G[0, 6 * A + 3:6 * A + 6] = np.cross(u, s)
                if B is not None:
                    G[0, 6 * B + 3:6 * B + 6] = -np.cross(u, s)
                du, ds = np.cross(wA, u), np.cross(wB, s)
                rows.append(G)
                right.append([-(np.cross(wA, du) @ s + 2 * du @ ds + u @ np.cross(wB, ds))])
        G, r = np.vstack(rows), np.concatenate(right)
        matrix = np.block([[M, G.T], [G, np.zeros((len(r), len(r)))]])
        return np.linalg.lstsq(matrix, np.concatenate([f, r]), rcond=1e-11)[0][:6 * n]

    def motion(self, positions, end):
        n = len(self.bodies)

        def rates(t, y):
            pose, rate = y[:7 * n].reshape(n, 7), y[7 * n:].reshape(n, 6)
            moved = [np.concatenate([v[:3], quaternion_rate(p[3:], turn(p[3:]).T @ v[3:])]) for p, v in zip(pose, rate)]
            return np.concatenate(moved + [self.solve(y)])
        start = [np.concatenate([x, [1, 0, 0, 0]]) for x in positions]
        return integrate(rates, np.concatenate(start + [np.zeros(6 * n)]), end, rtol=1e-12, atol=1e-13)
