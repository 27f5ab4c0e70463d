#!/usr/bin/python3
"""Runs models, makes their reports and takes the pictures of doc/report.md in a headless browser.

Debian packages: chromium chromium-driver python3-selenium

    /usr/bin/python3 doc/images/make_report_pictures.py [build/freeplay] [NAME ...]

The PNG files are written beside this script.
"""

import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "report"))
from browser import Browser

STUDY = """title: Clearance of a crank pin
model: {model}
set: [analysis.dynamic.end=0.05 s]
vary:
  - {{parameters.speed: [1500 rpm, 2000 rpm, 2500 rpm]}}
  - {{parameters.clearance: [0.1 mm, 0.2 mm, 0.5 mm]}}
results:
  peak_force: {{maximum: {{column: crankpin.normal_force_max}}}}
  impacts: {{events: {{kind: impact, joint: crankpin}}}}
"""

# Name of the picture: command, model, options, where the slider of time is, scripts that prepare the view.
PICTURES = {
    "first_model": ("run", "input/first_model.yaml", [], 0.3, []),
    "rotor": ("run", "input/supercritical_rotor.yaml", [], 0.55, []),
    "spatial_crank": ("run", "input/spatial_crank_clearance.yaml", ["--end", "0.2 s"], 0.4, []),
    "stiction_loop": ("run", "input/stiction_loop/ex2c.yaml", [], 0.8, []),
    "stiction": ("stiction", "input/stiction_loop/ex1.yaml", [], None, []),
    "modes": ("modes", "input/twisted_strip.yaml", ["-n", "6"], None,
              ["document.querySelector('.play').click()", "document.querySelectorAll('#modes tbody tr')[1].click()"]),
    "campbell": ("campbell", "input/rotors/overhung.yaml", ["--speed", "0 rpm .. 6000 rpm"], None,
                 ["document.querySelector('.play').click()"]),
    "response": ("response", "input/rotors/jeffcott.yaml", ["--speed", "1000 rpm .. 4000 rpm"], None,
                 ["document.querySelector('.play').click()"]),
    "study": ("study", None, [], None, []),
}


def make_report(freeplay, name, folder):
    command, model, options, _, _ = PICTURES[name]
    results = folder / name
    if command == "study":
        model = folder / "study.yaml"
        model.write_text(STUDY.format(model=ROOT / "input/slider_crank/crank_pin_frictionless.yaml"))
    subprocess.run([freeplay, command, str(model), *options, "-o", results, "--quiet"], check=True, cwd=ROOT)
    subprocess.run([freeplay, "report", results], check=True, stdout=subprocess.DEVNULL)
    return results / "report.html"


def main():
    freeplay = pathlib.Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "freeplay"
    browser = Browser(1400, 900)
    with tempfile.TemporaryDirectory() as folder:
        for name in sys.argv[2:] or PICTURES:
            *_, fraction, scripts = PICTURES[name]
            browser.open(make_report(freeplay, name, pathlib.Path(folder)))
            if fraction is not None:
                browser.slide(".player .time", fraction)
            # Paths of the machine that makes the pictures are nobody's business.
            for script in ["document.getElementById('provenance')?.remove()", *scripts]:
                browser.script(script)
                browser.settle()
            file = HERE / f"report_{name}.png"
            browser.screenshot(file)
            print(f"{file.name}: {file.stat().st_size / 1000:.0f} kB", *browser.log())
    browser.quit()


if __name__ == "__main__":
    main()
