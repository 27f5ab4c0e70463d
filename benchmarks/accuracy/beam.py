"""A beam in the plane, discretised in space as Freeplay does it (polynomials on Gauss-Lobatto points, lumped inertia,
reduced integration of the strains) but written on its own, and integrated in time by Dormand and Prince's method of order
8: what Freeplay should give on the same mesh if its steps were infinitely small."""
import numpy as np
from numpy.polynomial import legendre

from mechanism import integrate


def lobatto(p):
    """Points and weights of p + 1 points on [-1, 1]."""
    P = np.eye(1, p + 1, p)[0]
    x = np.concatenate([[-1], np.sort(legendre.legroots(legendre.legder(P)).real), [1]])
    return x, 2 / (p * (p + 1) * legendre.legval(x, P)**2)


class Beam:
    """Straight along x at the start; q = (x..., y..., angle...) of the nodes."""

    def __init__(self, length, elements, degree, EA, GA, EI, mass, rotary, gravity=0.0):
        x, w = lobatto(degree)
        h = length / elements
        n = elements * degree + 1
        gauss, weights = legendre.leggauss(degree)
        V = np.vander(x, increasing=True)
        shape = np.linalg.solve(V.T, np.vander(gauss, degree + 1, increasing=True).T).T
        slope = np.linalg.solve(V.T, (np.arange(degree + 1) * np.hstack(
            [np.zeros((degree, 1)), np.vander(gauss, degree, increasing=True)])).T).T * 2 / h
        self.N, self.D = np.zeros((elements * degree, n)), np.zeros((elements * degree, n))
        self.weights = np.tile(weights * h / 2, elements)
        lumped = np.zeros(n)
        for e in range(elements):
            nodes = slice(e * degree, (e + 1) * degree + 1)
            points = slice(e * degree, (e + 1) * degree)
            self.N[points, nodes], self.D[points, nodes] = shape, slope
            lumped[nodes] += w * h / 2
        self.x = np.concatenate([(x[:-1] + 1) / 2 * h + e * h for e in range(elements)] + [[length]])
        self.n, self.EA, self.GA, self.EI = n, EA, GA, EI
        self.mass = np.concatenate([mass * lumped, mass * lumped, rotary * lumped])
        self.weight = np.concatenate([np.zeros(n), -mass * lumped * gravity, np.zeros(n)])

    def forces(self, q):
        """Minus the derivative of the strain energy. Strains: t.r' - 1, m.r', (m.t' - t.m')/2 with the interpolated
        director t along the beam and m across it."""
        x, y, a = q.reshape(3, self.n)
        c, s = np.cos(a), np.sin(a)
        N, D = self.N, self.D
        fields = np.stack([x, y, c, s], axis=1)
        v, d = N @ fields, D @ fields
        xs, ys, C, S, Cs, Ss = d[:, 0], d[:, 1], v[:, 2], v[:, 3], d[:, 2], d[:, 3]
        A = self.weights * self.EA * (C * xs + S * ys - 1)
        Q = self.weights * self.GA * (-S * xs + C * ys)
        K = self.weights * self.EI * (C * Ss - S * Cs)  # t = (C, S), m = (-S, C)
        fx, fy = D.T @ (A * C - Q * S), D.T @ (A * S + Q * C)
        fc = N.T @ (A * xs + Q * ys + K * Ss) - D.T @ (K * S)
        fs = N.T @ (A * ys - Q * xs - K * Cs) + D.T @ (K * C)
        return -np.concatenate([fx, fy, -s * fc + c * fs])

    def motion(self, v, end, held=()):
        """From the straight position with the velocities v; components in `held` stay."""
        free = np.ones(3 * self.n)
        free[list(held)] = 0.0
        mass, n = free / self.mass, 3 * self.n

        def rates(t, y):
            return np.concatenate([y[n:], mass * (self.forces(y[:n]) + self.weight)])
        q = np.concatenate([self.x, np.zeros(2 * self.n)])
        return integrate(rates, np.concatenate([q, v]), end, rtol=1e-12, atol=1e-13)
