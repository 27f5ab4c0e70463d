#!/usr/bin/python3
"""Reports of real runs, as a user makes them, in a real browser.

    /usr/bin/python3 tests/report/test_reports.py build/freeplay
"""

import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import Browser, different
from test_page import drag

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MB = 1e6

STUDY = """title: Two pendulums
model: {model}
vary:
  - {{parameters.speed: [100 rpm, 300 rpm]}}
set: [analysis.dynamic.end=0.1 s]
results:
  last: {{value: {{column: piston.position.x}}}}
  steps: {{summary: {{key: steps.accepted}}}}
"""


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.results = pathlib.Path(cls.folder.name)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertEqual(self.browser.log(), [], "messages in the console")

    def freeplay(self, *arguments, expected=0):
        done = subprocess.run([FREEPLAY, *map(str, arguments)], capture_output=True, text=True, cwd=self.results)
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done.stdout

    def report_of(self, results):
        self.freeplay("report", results)
        return results / "report.html"

    def run_model(self, model, name, *options, expected=0):
        results = self.results / name
        self.freeplay("run", ROOT / model, "-o", results, "--quiet", *options, expected=expected)
        return self.report_of(results)

    def open(self, file):
        self.browser.open(file)
        self.assertEqual(self.browser.script("return document.documentElement.dataset.ready"), "true", self.text())

    def text(self):
        return self.browser.script("return document.body.innerText")

    def check_picture_moves(self):
        self.browser.slide(".player .time", 0)
        first = self.browser.pixels()
        self.assertGreater(len(set(first)), 50, "the canvas is blank")
        self.browser.slide(".player .time", 0.37)
        self.assertGreater(different(first, self.browser.pixels()), 5, "the slider of time moves nothing")

    def magnify(self):
        """Clearances, deformations and forces as much as the sliders allow."""
        self.browser.script(
            """for (const s of document.querySelectorAll('.slider input')) {
                 s.value = s.max;
                 s.dispatchEvent(new Event('input'));
               }"""
        )
        self.browser.settle()

    def check_plots(self):
        labels = "return [...document.querySelectorAll('#plots .dygraph-axis-label-x')].map(e => e.textContent).join()"
        before = self.browser.script(labels)
        drag(self.browser, "#plots .graph", 0.5, 0.7)
        self.assertNotEqual(self.browser.script(labels), before, "dragging zooms")
        chips = self.browser.count("#plots .chip")
        self.browser.click(".add-column")
        self.browser.script("document.querySelector('.picker:not([hidden]) .columns button[aria-selected=false]').click()")
        self.browser.wait(lambda: self.browser.count("#plots .chip") == chips + 1)

    def check_run(self, file, largest, magnified=False):
        self.assertLess(file.stat().st_size, largest)
        self.open(file)
        self.assertIn("Finished", self.text())
        if magnified:
            self.magnify()
        self.check_picture_moves()
        self.check_plots()

    def test_first_model(self):
        self.check_run(self.run_model("input/first_model.yaml", "first"), 1.5 * MB)
        self.assertEqual(self.browser.texts(".owner"), ["crank", "rod", "piston"])
        self.assertEqual(sorted(self.browser.texts("#joints tbody td:first-child")), ["bearing", "bore", "crankpin", "wrist"])

    def test_rotor(self):
        """Nobody waits for all of its four seconds here."""
        self.check_run(self.run_model("input/supercritical_rotor.yaml", "rotor", "--end", "0.3 s"), 3 * MB, True)
        self.assertEqual(self.browser.count(".orbit canvas"), 1)
        self.assertIn("clearance 8e−4 m", self.text())

    def test_spatial_crank(self):
        self.check_run(self.run_model("input/spatial_crank_clearance.yaml", "crank", "--end", "0.05 s"), 4 * MB)
        before = self.browser.pixels()
        self.magnify()
        self.assertGreater(different(before, self.browser.pixels()), 5, "magnification shows")

    def test_stiction_loop(self):
        self.check_run(self.run_model("input/stiction_loop/ex2c.yaml", "loop"), 1.5 * MB)

    def test_stiction_certificate(self):
        results = self.results / "certificate"
        self.freeplay("stiction", ROOT / "input/stiction_loop/ex1.yaml", "-o", results)
        self.open(self.report_of(results))
        self.assertIn("14.7368 … 23.4483", self.text())
        self.assertEqual(self.browser.count(".track .bar"), 4)

    def test_modes(self):
        results = self.results / "modes"
        self.freeplay("modes", ROOT / "input/twisted_strip.yaml", "-n", "3", "-o", results)
        self.open(self.report_of(results))
        self.assertEqual(self.browser.count("#modes tbody tr"), 3)
        self.browser.click(".play")
        self.check_picture_moves()

    def test_campbell(self):
        results = self.results / "campbell"
        self.freeplay("campbell", ROOT / "input/rotors/overhung.yaml", "--speed", "0 rpm .. 6000 rpm", "--points", "25", "-o", results)
        file = self.report_of(results)
        self.assertLess(file.stat().st_size, 1.5 * MB)
        self.open(file)
        self.assertIn("Campbell diagram", self.text())
        self.browser.click(".play")
        self.check_picture_moves()
        critical = self.browser.texts("#critical tbody td:nth-child(4)")
        self.assertIn("forward", critical)
        self.assertIn("backward", critical)
        title = self.browser.texts(".mode-title")
        self.browser.click("#modes tbody tr:nth-child(4)")
        self.browser.settle()
        self.assertNotEqual(self.browser.texts(".mode-title"), title, "a click on a mode shows it")
        heading = self.browser.texts("#modes h2")
        self.browser.script("document.querySelector('#critical tbody tr:last-child').click()")
        self.browser.settle()
        self.assertNotEqual(self.browser.texts("#modes h2"), heading, "a click on a critical speed goes there")
        labels = "return [...document.querySelectorAll('#campbell .dygraph-axis-label-x')].map(e => e.textContent).join()"
        before = self.browser.script(labels)
        drag(self.browser, "#campbell .graph", 0.3, 0.6)
        self.assertNotEqual(self.browser.script(labels), before, "dragging zooms")

    def test_response(self):
        results = self.results / "response"
        self.freeplay("response", ROOT / "input/rotors/jeffcott.yaml", "--speed", "1000 rpm .. 4000 rpm", "--points", "61", "-o", results)
        self.open(self.report_of(results))
        self.browser.click(".play")
        self.check_picture_moves()
        self.assertIn("disk", self.browser.texts("#peaks tbody td:first-child"))
        self.check_plots()
        title = self.browser.texts(".mode-title")
        self.browser.script("document.querySelector('#peaks tbody tr:last-child').click()")
        self.browser.settle()
        self.assertEqual(len(self.browser.texts(".mode-title")), len(title))

    def test_study(self):
        study = self.results / "two.yaml"
        study.write_text(STUDY.format(model=ROOT / "input/first_model.yaml"))
        results = self.results / "study"
        self.freeplay("study", study, "-o", results)
        self.open(self.report_of(results))
        self.assertEqual(self.browser.count("#cases tbody tr"), 2)
        self.assertEqual(self.browser.count("#figures svg.scatter"), 2)

    def test_failed_run(self):
        results = self.results / "failed"
        self.freeplay("run", ROOT / "tests/numerical_failure" / FAILING, "-o", results, "--quiet", expected=3)
        self.open(self.report_of(results))
        self.assertIn("Failed", self.text())

    def test_interrupted_run(self):
        results = self.results / "interrupted"
        model = ROOT / "input/first_model.yaml"
        run = subprocess.Popen([FREEPLAY, "run", model, "-o", results, "--quiet", "--end", "10000 s"])
        until = time.monotonic() + 60
        history = results / "history.csv"
        while (not history.exists() or history.read_bytes().count(b"\n") < 100) and time.monotonic() < until:
            time.sleep(0.05)
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(60), 130)
        self.open(self.report_of(results))
        self.assertIn("Interrupted", self.text())
        self.check_picture_moves()

    def test_statics(self):
        self.open(self.run_model("input/statics/lee_frame.yaml", "frame"))
        self.assertIn("Finished", self.text())
        self.check_picture_moves()

    def test_chain_of_500_bodies(self):
        model = self.results / "chain.yaml"
        model.write_text(chain(500))
        self.open(self.run_model(model, "chain"))
        self.assertIn("and 460 more", self.text())
        self.check_picture_moves()

    def test_text_of_the_model_is_no_html(self):
        model = self.results / "nasty.yaml"
        text = (ROOT / "input/first_model.yaml").read_text()
        nasty = "</script><script>window.broken = 1</script>"
        model.write_text(re.sub("(?m)^title:.*$", f'title: "{nasty}"', text) + f"\n# {nasty} <!--FREEPLAY-DATA-->\n")
        self.open(self.run_model(model, "nasty", "--end", "0.01 s"))
        self.assertIsNone(self.browser.script("return window.broken ?? null"))
        self.assertEqual(self.browser.texts("h1"), [nasty])

    def test_results_without_pictures(self):
        """Of an older version, or cut: the rest is shown."""
        results = self.results / "bare"
        self.freeplay("run", ROOT / "input/first_model.yaml", "-o", results, "--quiet", "--end", "0.1 s")
        for name in ("scene.json", "motion.bin"):
            (results / name).unlink()
        self.open(self.report_of(results))
        self.assertIn("There is no picture", self.text())
        self.check_plots()


FAILING = "drive_beyond_reach.yaml"


def chain(n):
    """A hanging chain of n rods, let go from a slant."""
    lines = ["freeplay: 1", "title: Chain", "gravity: [0, 0, -9.81]", "bodies:"]
    for k in range(n):
        lines.append(f"  rod{k}: {{rigid: {{mass: 1, inertia: [0.1, 0.1, 0.1], at: [{k + 0.5}, 0, 0], points: {{a: [-0.5, 0, 0], b: [0.5, 0, 0]}}}}}}")
    lines += ["joints:", "  j0: {spherical: {between: [ground, rod0.a], at: [0, 0, 0]}}"]
    lines += [f"  j{k}: {{spherical: {{between: [rod{k - 1}.b, rod{k}.a]}}}}" for k in range(1, n)]
    lines += ["analysis: {dynamic: {end: 0.5 s}}", "output: {every: 0.1 s, columns: [energy.kinetic, rod499.position.z]}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FREEPLAY = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
