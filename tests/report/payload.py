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
    return {
        "format": 1,
        "length": length,
        "up": [0, 1, 0],
        "bounds": [[-length] * 3, [length] * 3],
        "n_frames": len(bodies),
        "bodies": list(bodies),
        "beams": [],
        "joints": list(joints),
        "springs": [],
        "loads": [],
        "contacts": [],
        "ground": {"points": {}},
        "time": {"name": "time", "unit": "s"},
        **more,
    }


def body(name, frame, radius=0.1):
    return {"name": name, "frame": frame, "points": {}, "centre": [0, 0, 0],
            "shapes": [{"kind": "sphere", "centre": [0, 0, 0], "radius": radius}]}


def report(kind="run", **parts):
    nothing = dict.fromkeys(("scene", "motion", "history", "samples", "events", "energy"))
    return {
        "format": 1,
        "kind": kind,
        "title": "Made from numbers",
        "model_file": "numbers.yaml",
        "made": "2020-01-01",
        "version": "freeplay",
        "verdict": {"status": "finished", "message": "", "rows": [], "warnings": []},
        **nothing,
        "joints": [],
        "texts": [],
        "provenance": [],
        **parts,
    }


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
    x = column("ball 0.position.x", "m", [math.cos(2 * math.pi * t) for t in times])
    y = column("ball 0.position.y", "m", [math.sin(2 * math.pi * t) for t in times])
    return {
        "scene": scene([body(f"ball {b}", b, radius) for b in range(n_bodies)]),
        "motion": motion(times, poses, shuffled=shuffled),
        "history": history(times, [x, y]),
    }


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


CLEARANCE = 0.002
STATIONS = 17
JOURNAL = {
    "kind": "circle",
    "bearing_radius": 0.05 + CLEARANCE,
    "journal_radius": 0.05,
    "length": 0,
    "clearance": CLEARANCE,
    "bearing": "a",
}
BALL = {
    "kind": "plane",
    "bearing_radius": 0,
    "journal_radius": 0.05,
    "length": 0,
    "clearance": None,
    "bearing": "a",
    "journal": "ball",
}


def joint(name, kind, a, b, clearance=None, force=-1):
    return {"name": name, "type": kind, "a": a, "b": b, "axis": [0, 0, 1], "force": force, "clearance": clearance}


def workshop_scene():
    circle = [2 * math.pi * k / 20 for k in range(20)]
    upwards = [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)]  # z of the place along y of ground
    rotor = {
        "name": "rotor",
        "frame": 0,
        "points": {},
        "centre": [0, 0, 0],
        "shapes": [{"kind": "cylinder", "from": [0, 0, 0.06], "to": [0, 0, 0.1], "radius": 0.15}],
    }
    strip = {
        "name": "strip",
        "first_frame": 2,
        "n_frames": STATIONS,
        "s": [k / (STATIONS - 1) for k in range(STATIONS)],
        "outline": [[[0.02 * math.cos(a), 0.02 * math.sin(a)] for a in circle]],
        "rest": [[-0.2 - 0.8 * k / (STATIONS - 1), 0.3, 0, *beam_axes(0)] for k in range(STATIONS)],
    }
    joints = [
        joint("bearing", "planar-clearance", place("ground", -1), place("rotor", 0), JOURNAL, 0),
        joint("floor", "ball-on-plane", {**place("ground", -1, (0.8, 0.1, 0)), "q": upwards}, place("ball", 1), BALL),
        joint("clamp", "fixed", place("ground", -1, (-0.2, 0.3, 0)), place("strip.start", 2)),
    ]
    spring = {"name": "spring", "kind": "translational", "free_length": 0.5}
    view = scene(
        [rotor, body("ball", 1, 0.05)],
        joints,
        springs=[{**spring, "a": place("ground.wall", -1, (0.8, 0.7, 0)), "b": place("ball", 1)}],
        loads=[{"name": "weight", "kind": "force", "at": place("ball", 1), "force": 1}],
        contacts=[{"name": "bearing", "joint": "bearing"}],
        beams=[strip],
    )
    view["n_frames"] = 2 + STATIONS
    return view


def workshop_motion(times):
    poses, forces, contacts = [], [], []
    for t in times:
        angle = 2 * math.pi * t
        c, s = math.cos(angle), math.sin(angle)
        poses += [CLEARANCE * c, CLEARANCE * s, 0, *turned(3 * angle)]
        poses += [0.8, 0.15 + 0.1 * abs(c), 0, *turned(-angle)]
        for k in range(STATIONS):
            x = 0.8 * k / (STATIONS - 1)
            slope = 0.06 * x * s
            poses += [-0.2 - x, 0.3 + slope * x / 2, 0, *beam_axes(slope)]
        forces += [10 * c, 10 * s, 0, 0, -4, 0]
        contacts += [0.052 * c, 0.052 * s, 0, -10 * c, -10 * s, 0, 3 * s, -3 * c, 0, -1e-6, 1]
    return motion(times, poses, forces, contacts, shuffled=True)


def workshop_columns(times):
    angles = [2 * math.pi * t for t in times]
    wave = [math.sin(a) ** 2 for a in angles]
    return [
        column("bearing.eccentricity.x", "m", [CLEARANCE * math.cos(a) for a in angles]),
        column("bearing.eccentricity.y", "m", [CLEARANCE * math.sin(a) for a in angles]),
        column("bearing.normal_force", "N", [10.0] * len(times)),
        column("ball.position.y", "m", [0.15 + 0.1 * abs(math.cos(a)) for a in angles]),
        column("energy.kinetic", "J", wave),
        column("energy.gravity", "J", [-0.5 * w for w in wave]),
        column("loss.friction", "J", [0.2 * t for t in times]),
        column("work.drives", "J", [0.2 * t + 0.5 * w for t, w in zip(times, wave)]),
    ]


def workshop(n_times=201):
    """One of everything: a journal that rolls in its bearing, a bending beam, a spring, a ball on a plane, loads."""
    times = [2 * k / (n_times - 1) for k in range(n_times)]
    table = {
        "name": "bearing",
        "type": "planar-clearance",
        "largest_force": {"value": 10.4, "time": 0.5},
        "largest_moment": None,
        "touches": 1,
        "impacts": 0,
        "contact_fraction": 1.0,
        "stick_fraction": 0.0,
        "friction_loss": 0.4,
        "contact_loss": 0.0,
    }
    rows = [("energy balance", "open by 2e-14 J"), ("tolerance", "1e-4 of the way")]
    verdict = {"status": "finished", "message": "", "warnings": []}
    return {
        "scene": workshop_scene(),
        "motion": workshop_motion(times),
        "history": history(times, workshop_columns(times)),
        "joints": [table],
        "energy": {
            "stored": ["energy.kinetic", "energy.gravity"],
            "input": ["work.drives"],
            "lost": ["loss.friction"],
            "residual": "ledger.residual",
        },
        "events": {"total": 1, "rows": [[0.5, "touch", "bearing", 0.01, "m/s", ""]]},
        "texts": [{"title": "Model", "file": "model.yaml", "text": "freeplay: 1\n"}],
        "provenance": [["model sha256", "0" * 64]],
        "verdict": {**verdict, "rows": [{"label": a, "value": b, "level": "ok"} for a, b in rows]},
    }


def beam_axes(slope):
    """Axes of a section whose third axis is -x of ground, turned by the slope about z."""
    half = math.sqrt(0.5)
    x, y, z, w = 0.0, -half, 0.0, half  # z -> -x
    s, c = math.sin(-slope / 2), math.cos(-slope / 2)
    return [c * x - s * y, c * y + s * x, c * z + s * w, c * w - s * z]


def mode_shape(number, s, part):
    """Bending in y (real) or z (imaginary) with the slope as rotation."""
    rows = []
    for x in s:
        w, slope = math.sin(number * math.pi * x), number * math.pi * math.cos(number * math.pi * x)
        rows += [0, w, 0, 0, 0, slope] if part == "real" else [0, 0, w, 0, -slope, 0]
    return array("f32", rows)


def modes():
    """The first bending modes of a strip between two hinges, and a whirling one with an imaginary part."""
    n = 41
    s = [k / (n - 1) for k in range(n)]
    base = [x for k in range(n) for x in (s[k], 0, 0, 0, math.sqrt(0.5), 0, math.sqrt(0.5))]
    outline = [[[-0.04, -0.01], [0.04, -0.01], [0.04, 0.01], [-0.04, 0.01]]]
    strip = {"name": "strip", "first_frame": 0, "n_frames": n, "s": s, "outline": outline, "rest": []}
    ends = (("start", 0, 0), ("end", 1, n - 1))
    hinges = [joint(end, "revolute", place("ground", -1, (x, 0, 0)), place(end, frame)) for end, x, frame in ends]
    view = {**scene([], hinges, beams=[strip]), "n_frames": n}
    listed = []
    for k in (1, 2, 3):
        mode = {"number": k, "hz": 10.0 * k * k, "rad_s": 62.8 * k * k, "kind": "vibration", "moves_most": "strip"}
        complex_part = mode_shape(k, s, "imaginary") if k == 3 else None
        mode["damping_ratio"] = 0.01 if k == 3 else None
        listed.append({**mode, "real": mode_shape(k, s, "real"), "imaginary": complex_part})
    return {
        "scene": view,
        "modes": {"base": array("f32", base), "modes": listed, "note": "about the assembled position"},
    }


def study_row(length, damping):
    failed = length == 2.0 and damping == 10.0
    case = f"L={length}_c={damping}"
    results = [None, None] if failed else [length * math.exp(-damping / 3), math.sqrt(length) + damping]
    return {
        "case": case,
        "status": "failed" if failed else "finished",
        "exit_code": 3 if failed else 0,
        "message": "no convergence at t = 1 s" if failed else "",
        "link": None if failed else f"{case}/report.html",
        "values": [length, damping, *results],
    }


def study():
    """Three lengths times four dampings, one case failed."""
    rows = [study_row(length, damping) for length in (0.5, 1.0, 2.0) for damping in (0.01, 0.1, 1.0, 10.0)]
    parameters = [{"name": "parameters.L", "unit": "m"}, {"name": "parameters.c", "unit": ""}]
    results = [{"name": "last_angle", "unit": "rad"}, {"name": "top_speed", "unit": "m/s"}]
    return {"study": {"parameters": parameters, "results": results, "rows": rows}}
