"""Reads histories and events for the plots of the benchmarks."""
import csv


def read(path):
    with open(path) as file:
        rows = csv.reader(file)
        names = next(rows)
        columns = zip(*([float(cell) for cell in row] for row in rows))
        return dict(zip(names, map(list, columns)))


def touches(folder):
    with open(folder + "/events.csv") as file:
        return [row for row in csv.DictReader(file) if row["kind"] == "touch"]


def largest_difference(a, b, name_a, name_b, until):
    """Between rows of the same time, relative to the largest value of b."""
    values = {round(t * 1e9): v for t, v in zip(a["time [s]"], a[name_a])}
    pairs = [(values[round(t * 1e9)], v) for t, v in zip(b["time [s]"], b[name_b])
             if t <= until and round(t * 1e9) in values]
    return max(abs(x - y) for x, y in pairs) / max(abs(y) for x, y in pairs)
