"""Reports made from numbers, without a run: what the page must show whatever the program writes."""

import base64
import json
import math
import struct
import zlib

IDENTITY = [0.0, 0.0, 0.0, 1.0]
CODES = {"f32": "f", "f64": "d", "i32": "i", "u8": "B"}


def array(kind, values, width=None, shuffled=False):
    """An array as the page reads it; `width` numbers per row, or a plain list."""
    values = list(values)
    shape = [len(values)] if width is None else [len(values) // width if width else 0, width]
    if shuffled and width:
        values = [values[r * width + c] for c in range(width) for r in range(shape[0])]
    data = struct.pack(f"<{len(values)}{CODES[kind]}", *values)
    if shuffled:
        size = struct.calcsize(CODES[kind])
        data = b"".join(data[b::size] for b in range(size))
    packed = {"type": kind, "shape": shape, "data": base64.b64encode(zlib.compress(data)).decode()}
    return {**packed, "layout": "transposed-shuffled"} if shuffled else packed


def column(name, unit, values):
    return {"name": name, "unit": unit, "values": array("f32", values)}


def place(name, frame, at=(0, 0, 0)):
    return {"name": name, "frame": frame, "at": list(at), "q": IDENTITY}


def scene(bodies, joints=(), length=1.0, **more):
    return {"format": 1, "length": length, "up": [0, 1, 0], "bounds": [[-length] * 3, [length] * 3], "n_frames": len(bodies),
            "bodies": list(bodies), "beams": [], "joints": list(joints), "springs": [], "loads": [], "contacts": [],
            "ground": {"points": {}}, "time": {"name": "time", "unit": "s"}, **more}


def body(name, frame, radius=0.1):
    return {"name": name, "frame": frame, "points": {}, "centre": [0, 0, 0],
            "shapes": [{"kind": "sphere", "centre": [0, 0, 0], "radius": radius}]}


def report(kind="run", **parts):
    whole = {"format": 1, "kind": kind, "title": "Made from numbers", "model_file": "numbers.yaml", "made": "2020-01-01",
             "version": "freeplay", "verdict": {"status": "finished", "message": "", "rows": [], "warnings": []}, "scene": None,
             "motion": None, "history": None, "samples": None, "events": None, "joints": [], "energy": None, "texts": [],
             "provenance": []}
    whole.update(parts)
    return whole


def history(times, columns, **more):
    return {"x": {"name": "time", "unit": "s", "values": array("f64", times)}, "columns": columns, "rows": len(times),
            "thinned": False, **more}


def motion(times, poses, forces=(), contacts=(), shuffled=False):
    """Poses: for each time the list of all frames' seven numbers."""
    rows = len(times)
    widths = [len(part) // rows for part in (poses, forces, contacts)]
    packed = [array("f32", part, width, shuffled and width > 0)
              for part, width in zip((poses, forces, contacts), widths)]
    return {"time": array("f64", times), "poses": packed[0], "forces": packed[1], "contacts": packed[2]}


def circling(n_bodies=1, n_times=41, shuffled=False):
    """Balls on a circle that move around it once in a second."""
    times = [k / (n_times - 1) for k in range(n_times)]
    poses = []
    for t in times:
        for b in range(n_bodies):
            angle = 2 * math.pi * (t + b / n_bodies)
            poses += [math.cos(angle), math.sin(angle), 0, *IDENTITY]
    radius = min(0.2, 2 / n_bodies)
    return {"scene": scene([body(f"ball {b}", b, radius) for b in range(n_bodies)]), "motion": motion(times, poses, shuffled=shuffled),
            "history": history(times, [column("ball 0.position.x", "m", [math.cos(2 * math.pi * t) for t in times]),
                                       column("ball 0.position.y", "m", [math.sin(2 * math.pi * t) for t in times])])}


def write(template, whole, file):
    """What `freeplay report` does: the data take the place of a comment in the template."""
    text = json.dumps(whole, allow_nan=False).replace("<", "\\u003c")
    script = f'<script type="application/json" id="freeplay-data">{text}</script>'
    page = template.read_text(encoding="utf-8")
    mark = "<!--FREEPLAY-DATA-->"
    assert page.count(mark) == 1, "the template has one place for data"
    file.write_text(page.replace(mark, script), encoding="utf-8")


def turned(angle):
    """Quaternion of a rotation about z."""
    return [0.0, 0.0, math.sin(angle / 2), math.cos(angle / 2)]


def workshop(n_times=201):
    """One of everything: a journal that rolls in its bearing, a bending beam, a spring, a ball on a plane, loads, contacts."""
    times = [2 * k / (n_times - 1) for k in range(n_times)]
    stations = 17
    clearance = 0.002
    poses, forces, contacts, eccentricity = [], [], [], []
    for t in times:
        angle = 2 * math.pi * t
        e = [clearance * math.cos(angle), clearance * math.sin(angle)]
        eccentricity.append(e)
        poses += [*e, 0, *turned(3 * angle)]
        poses += [0.8, 0.15 + 0.1 * abs(math.cos(angle)), 0, *turned(-angle)]
        for k in range(stations):
            s = 0.8 * k / (stations - 1)
            slope = 0.06 * s * math.sin(angle)
            poses += [-0.2 - s, 0.3 + slope * s / 2, 0, *beam_axes(slope)]
        forces += [10 * math.cos(angle), 10 * math.sin(angle), 0, 0, -4, 0]
        n = [-10 * math.cos(angle), -10 * math.sin(angle), 0]
        contacts += [0.052 * math.cos(angle), 0.052 * math.sin(angle), 0, *n, -0.3 * n[1], 0.3 * n[0], 0, -1e-6, 1]
    outline = [[[0.02 * math.cos(2 * math.pi * k / 20), 0.02 * math.sin(2 * math.pi * k / 20)] for k in range(20)]]
    rest = [[-0.2 - 0.8 * k / (stations - 1), 0.3, 0, *beam_axes(0)] for k in range(stations)]
    journal = {"kind": "circle", "bearing_radius": 0.05 + clearance, "journal_radius": 0.05, "length": 0, "clearance": clearance, "bearing": "a"}
    ball = {"kind": "plane", "bearing_radius": 0, "journal_radius": 0.05, "length": 0, "clearance": 0, "bearing": "a", "journal": "ball"}
    up = [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)]  # z of the place along y of ground
    joints = [
        {"name": "bearing", "type": "planar-clearance", "a": place("ground", -1), "b": place("rotor", 0), "axis": [0, 0, 1], "force": 0, "clearance": journal},
        {"name": "floor", "type": "ball-on-plane", "a": {**place("ground", -1, (0.8, 0.1, 0)), "q": up}, "b": place("ball", 1), "axis": [0, 0, 1], "force": -1, "clearance": ball},
        {"name": "clamp", "type": "fixed", "a": place("ground", -1, (-0.2, 0.3, 0)), "b": place("strip.start", 2), "axis": None, "force": -1, "clearance": None},
    ]
    rotor = {"name": "rotor", "frame": 0, "points": {}, "centre": [0, 0, 0],
             "shapes": [{"kind": "cylinder", "from": [0, 0, 0.06], "to": [0, 0, 0.1], "radius": 0.15}]}
    view = scene([rotor, body("ball", 1, 0.05)], joints, springs=[{"name": "spring", "kind": "translational", "a": place("ground.wall", -1, (0.8, 0.7, 0)), "b": place("ball", 1), "free_length": 0.5}],
                 loads=[{"name": "weight", "kind": "force", "at": place("ball", 1), "force": 1}],
                 contacts=[{"name": "bearing", "joint": "bearing"}],
                 beams=[{"name": "strip", "first_frame": 2, "n_frames": stations, "s": [k / 16 for k in range(17)], "outline": outline, "rest": rest}])
    view["n_frames"] = 2 + stations
    wave = [math.sin(2 * math.pi * t) ** 2 for t in times]
    columns = [column("bearing.eccentricity.x", "m", [e[0] for e in eccentricity]), column("bearing.eccentricity.y", "m", [e[1] for e in eccentricity]),
               column("bearing.normal_force", "N", [10.0] * n_times), column("ball.position.y", "m", poses[8::7 * (2 + stations)]),
               column("energy.kinetic", "J", wave), column("energy.gravity", "J", [-0.5 * w for w in wave]),
               column("loss.friction", "J", [0.2 * t for t in times]),
               column("work.drives", "J", [0.2 * t + 0.5 * w for t, w in zip(times, wave)])]
    table = {"name": "bearing", "type": "planar-clearance", "largest_force": {"value": 10.4, "time": 0.5}, "largest_moment": None, "touches": 1,
             "impacts": 0, "contact_fraction": 1.0, "stick_fraction": 0.0, "friction_loss": 0.4, "contact_loss": 0.0}
    return {"scene": view, "motion": motion(times, poses, forces, contacts, shuffled=True), "history": history(times, columns), "joints": [table],
            "energy": {"stored": ["energy.kinetic", "energy.gravity"], "input": ["work.drives"], "lost": ["loss.friction"], "residual": "ledger.residual"},
            "events": {"total": 1, "rows": [[0.5, "touch", "bearing", 0.01, "m/s", ""]]}, "texts": [{"title": "Model", "file": "model.yaml", "text": "freeplay: 1\n"}],
            "provenance": [["model sha256", "0" * 64]],
            "verdict": {"status": "finished", "message": "", "rows": [{"label": "energy balance", "value": "open by 2e-14 J", "level": "ok"}, {"label": "tolerance", "value": "1e-4 of the way", "level": "ok"}], "warnings": []}}


def beam_axes(slope):
    """Axes of a section whose third axis is -x of ground, turned by the slope about z."""
    half = math.sqrt(0.5)
    x, y, z, w = 0.0, -half, 0.0, half  # z -> -x
    s, c = math.sin(-slope / 2), math.cos(-slope / 2)
    return [c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z]


def modes():
    """The first bending modes of a strip between two hinges, and a whirling one with an imaginary part."""
    n = 41
    s = [k / (n - 1) for k in range(n)]
    outline = [[[-0.04, -0.01], [0.04, -0.01], [0.04, 0.01], [-0.04, 0.01]]]
    base = [x for k in range(n) for x in (s[k], 0, 0, 0, math.sqrt(0.5), 0, math.sqrt(0.5))]
    strip = {"name": "strip", "first_frame": 0, "n_frames": n, "s": s, "outline": outline, "rest": []}
    view = scene([], [{"name": end, "type": "revolute", "a": place("ground", -1, (x, 0, 0)), "b": place(f"strip.{end}", frame), "axis": [0, 0, 1],
                       "force": -1, "clearance": None} for end, x, frame in (("start", 0, 0), ("end", 1, n - 1))], beams=[strip])
    view["n_frames"] = n

    def shape(number, part):
        w = [math.sin(number * math.pi * x) for x in s]
        slope = [number * math.pi * math.cos(number * math.pi * x) for x in s]
        rows = [(0, a, 0, 0, 0, b) if part == "real" else (0, 0, a, 0, -b, 0) for a, b in zip(w, slope)]
        return array("f32", [x for row in rows for x in row])

    listed = [{"number": k, "hz": 10.0 * k * k, "rad_s": 62.8 * k * k, "damping_ratio": 0.01 if k == 3 else None, "kind": "vibration", "moves_most": "strip",
               "real": shape(k, "real"), "imaginary": shape(k, "imaginary") if k == 3 else None} for k in (1, 2, 3)]
    return {"scene": view, "modes": {"base": array("f32", base), "modes": listed, "note": "about the assembled position"}}


def study():
    """Three lengths times four dampings, one case failed."""
    rows = []
    for length in (0.5, 1.0, 2.0):
        for damping in (0.01, 0.1, 1.0, 10.0):
            failed = length == 2.0 and damping == 10.0
            rows.append({"case": f"L={length}_c={damping}", "status": "failed" if failed else "finished", "exit_code": 3 if failed else 0,
                         "message": "no convergence at t = 1 s" if failed else "", "link": None if failed else f"L={length}_c={damping}/report.html",
                         "values": [length, damping, None if failed else length * math.exp(-damping / 3), None if failed else math.sqrt(length) + damping]})
    return {"study": {"parameters": [{"name": "parameters.L", "unit": "m"}, {"name": "parameters.c", "unit": ""}],
                      "results": [{"name": "last_angle", "unit": "rad"}, {"name": "top_speed", "unit": "m/s"}], "rows": rows}}
