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
