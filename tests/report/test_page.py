#!/usr/bin/python3
"""The page of `freeplay report` in a real browser, with results made from numbers: what it must survive and show.

    /usr/bin/python3 tests/report/test_page.py build/report.html
"""

import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

import payload
from browser import Browser, different

NASTY = '</script><script>window.broken=1</script><img src=x onerror="window.broken=1">'
LOADED_WITHIN = 20  # s: a second on an idle machine; tests share theirs with builds


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertEqual(self.browser.log(), [], "messages in the console")

    def open(self, whole):
        file = pathlib.Path(self.folder.name) / "report.html"
        payload.write(TEMPLATE, whole, file)
        seconds = self.browser.open(file)
        self.assertEqual(self.browser.script("return document.documentElement.dataset.ready"), "true")
        return seconds

    def says(self, text):
        self.assertIn(text, self.browser.script("return document.body.innerText"))

    def test_bodies_are_where_the_time_says(self):
        """A red ball that goes round: its place in the picture is that of the motion, in both layouts of the data."""
        for shuffled in (False, True):
            self.open(payload.report(**payload.circling(shuffled=shuffled)))
            self.browser.script("[...document.querySelectorAll('.options .buttons button')].find(b => b.textContent === 'z').click()")
            self.browser.script("document.querySelector('.options').remove(); document.querySelector('.legend').remove()")
            for fraction, x, y in ((0, 1, 0), (0.25, 0, 1), (0.5, -1, 0), (0.75, 0, -1)):
                self.browser.slide(".player .time", fraction)
                dx, dy = self.blue_from_middle()
                self.assertGreater(x * dx + y * dy, 20, f"ball at {fraction} of the time is at {dx}, {dy}")
                self.assertLess(abs(x * dy - y * dx), 6)

    def blue_from_middle(self):
        """Pixels from the middle of the picture (160 x 100) to the middle of the blue ball, upwards positive."""
        hits = [(k % 160, k // 160) for k, (r, g, b) in enumerate(self.browser.pixels()) if b > r + 50]
        hits = [(x, y) for x, y in hits if x > 30 or y < 70]  # not the triad of the axes
        self.assertTrue(hits, "no ball in the picture")
        x, y = (sum(c) / len(hits) for c in zip(*hits))
        return (x - 80) * 1.0, 50 - y

    def test_one_of_everything(self):
        self.open(payload.report(**payload.workshop()))
        self.says("open by 2e-14 J")
        self.assertEqual(self.browser.texts(".owner"), ["rotor", "ball", "strip"])
        self.assertGreater(len(set(self.browser.pixels())), 50, "the canvas is blank")
        for slider in range(3):  # clearances, deformations, forces
            before = self.browser.pixels()
            self.browser.slide(".player .time", 0.13)
            self.browser.script("const s = document.querySelectorAll('.slider input')[arguments[0]]; s.value = 0.9 * s.max; s.dispatchEvent(new Event('input'))", slider)
            self.browser.settle()
            self.assertGreater(different(before, self.browser.pixels()), 10, f"slider {slider} changes nothing")

    def test_what_can_be_computed_by_hand(self):
        """Magnification of clearances and deformations, modes, numbers: units.js."""
        self.open(payload.report())
        self.browser.script(bundle_units())
        self.assertEqual(self.browser.script("return window.wrong"), [])

    def test_clearances_are_magnified_to_be_seen(self):
        self.open(payload.report(**payload.workshop()))
        self.says("clearance 0.002 m, largest 0.002 m")
        self.assertEqual(self.browser.texts(".slider output")[0], "× 10")  # 0.3 r / c = 7.5

    def test_playing_moves_everything(self):
        self.open(payload.report(**payload.workshop()))
        line = "return [...document.querySelectorAll('.now-line')].map(e => e.style.transform)"
        before, lines = self.browser.pixels(), self.browser.script(line)
        self.browser.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}))")
        self.browser.wait(lambda: self.browser.script("return Number(document.querySelector('.player .time').value)") > 0.2, 20)
        self.browser.script("document.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}))")
        self.browser.settle()
        self.assertGreater(different(before, self.browser.pixels()), 10)
        now = self.browser.script(line)
        self.assertEqual(len(now), 3)
        self.assertTrue(all(a != b for a, b in zip(lines, now)), "every plot shows the time")

    def test_plots_zoom_together_and_take_columns(self):
        self.open(payload.report(**payload.workshop()))
        labels = "return [...document.querySelectorAll('.graph')].map(g => [...g.querySelectorAll('.dygraph-axis-label-x')].map(e => e.textContent).join())"
        before = self.browser.script(labels)
        drag(self.browser, "#plots .graph", 0.4, 0.6)
        after = self.browser.script(labels)
        self.assertTrue(all(a != b for a, b in zip(before, after)), f"not all zoomed: {before} {after}")
        self.browser.script("[...document.querySelectorAll('.quiet-button')].find(b => b.textContent === 'Reset zoom').click()")
        self.browser.settle()
        self.assertEqual(self.browser.script(labels), before)
        self.browser.click(".add-column")
        self.browser.script("const s = document.querySelector('.picker input'); s.value = 'kinetic'; s.dispatchEvent(new Event('input'))")
        self.assertEqual(self.browser.count(".picker:not([hidden]) .columns button"), 1)
        self.browser.click(".picker:not([hidden]) .columns button")
        self.browser.wait(lambda: "energy.kinetic" in " ".join(self.browser.texts("#plots .chip b")))
        self.assertTrue(any("J" in text for text in self.browser.texts("#plots .dygraph-y2label, #plots .dygraph-ylabel")))

    def test_click_in_a_plot_is_that_moment(self):
        self.open(payload.report(**payload.workshop()))
        self.browser.script("""const g = document.querySelector('#plots .graph canvas:last-of-type'), r = g.getBoundingClientRect();
            const at = {bubbles: true, clientX: r.left + 0.62 * r.width, clientY: r.top + 50, button: 0, detail: 1, view: window};
            for (const kind of ['mousemove', 'mousedown', 'mouseup', 'click']) g.dispatchEvent(new MouseEvent(kind, at));""")
        self.browser.settle()
        time = self.browser.script("return Number(document.querySelector('.player .time').value)")
        self.assertTrue(0.9 < time < 1.5, time)

    def test_joint_goes_into_the_plot(self):
        self.open(payload.report(**payload.workshop()))
        self.browser.click("#joints tbody tr")
        self.browser.wait(lambda: "bearing.normal_force" in self.browser.texts("#plots .chip b"))

    def test_energies_add_up(self):
        """Kinetic s + gravity -s/2 + friction 0.2 t = work put in: the legend shows each at the time of the animation."""
        self.open(payload.report(**payload.workshop()))
        self.browser.slide(".player .time", 0.125)  # t = 0.25 s, sin^2 = 1
        self.assertEqual(self.browser.texts("#energy .chip output"), ["1 J", "0 J", "0.05 J", "1.05 J"])

    def test_modes(self):
        self.open(payload.report("modes", **payload.modes()))
        self.browser.click(".play")  # they move from the beginning
        for row in (1, 2):
            before = self.browser.pixels()
            self.browser.script("document.querySelectorAll('#modes tbody tr')[arguments[0]].click()", row)
            self.browser.wait(lambda: f"mode {row + 1}" in self.browser.texts(".mode-title")[0])
            self.browser.settle()
            self.browser.slide(".player .time", 0.05)
            self.assertGreater(different(before, self.browser.pixels()), 10)
        before = self.browser.pixels()
        self.browser.slide(".options .slider input", 1)
        self.assertGreater(different(before, self.browser.pixels()), 10, "amplitude")

    def test_stiction(self):
        force = {"low": -1.5, "high": 2, "bounds": [-1.5, 2], "unique": False, "gaps": True, "parts": [[-1.5, 0], [1, 2]]}
        unique = {"low": 3, "high": 3, "bounds": [3, 3], "unique": True, "gaps": False, "parts": [[3, 3]], "reason": "equilibrium alone decides"}
        endless = {"low": 0, "high": None, "bounds": [0, None], "unique": False, "gaps": False, "parts": [[0, None]]}
        self.open(payload.report("stiction", stiction={"rest_is_possible": "yes", "rest_is_guaranteed": "no", "first_possible_slip": 0.5, "certain_slip": "never", "self_stresses": 1,
                                 "joints": {"slide": {"friction_force": [force, unique], "normal_force": endless, "may_slip": "yes"}}}))
        self.says("load factor 0.5")
        self.says("−1.5 … 0, 1 … 2")
        self.says("3: equilibrium alone decides")
        self.says("0 … no limit")
        self.assertEqual((self.browser.count(".track .bar"), self.browser.count(".track .dot")), (3, 1))

    def test_study(self):
        self.open(payload.report("study", **payload.study()))
        self.assertEqual(self.browser.count("#cases tbody tr"), 12)
        self.assertEqual(self.browser.count("#figures svg.scatter"), 4)
        self.assertEqual(self.browser.count("#figures circle"), 44)
        self.says("no convergence at t = 1 s")
        self.assertEqual(self.browser.script("return document.querySelector('#cases a').getAttribute('href')"), "L%3D0.5_c%3D0.01/report.html")
        self.browser.script("document.querySelectorAll('#cases th button')[4].click()")
        numbers = [float(t) for t in self.browser.texts("#cases tbody td:nth-child(5)") if t]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertEqual(self.browser.texts("#cases tbody td:nth-child(5)")[-1], "", "a missing result comes last")

    def test_names_are_never_html(self):
        parts = payload.workshop()
        parts["scene"]["bodies"][0]["name"] = NASTY
        parts["scene"]["joints"][0]["name"] = NASTY
        parts["joints"][0]["name"] = NASTY
        parts["history"]["columns"][2]["name"] = f"{NASTY}.normal_force"
        parts["history"]["columns"][2]["unit"] = NASTY
        parts["events"]["rows"][0][2] = NASTY
        parts["texts"][0] = {"title": NASTY, "file": NASTY, "text": NASTY}
        parts["verdict"] = {"status": "finished", "message": NASTY, "rows": [{"label": NASTY, "value": NASTY, "level": NASTY}], "warnings": [NASTY]}
        self.open(payload.report(**parts, title=NASTY))
        self.browser.click("#joints tbody tr")
        self.browser.script("document.querySelectorAll('.check input').forEach(box => box.click())")  # labels in the picture too
        self.browser.settle()
        self.assertIsNone(self.browser.script("return window.broken ?? null"))
        self.assertEqual(self.browser.count("#page script, #page img"), 0)
        self.assertIn(NASTY, self.browser.texts(".owner"))

    def test_nan_leaves_a_gap(self):
        parts = payload.circling()
        values = [math.nan if 10 < k < 30 else 1.0 for k in range(41)]
        parts["history"]["columns"] = [payload.column("hole", "m", values), payload.column("nothing", "N", [math.nan] * 41)]
        self.open(payload.report(**parts))
        self.browser.slide(".player .time", 0.5)
        self.assertEqual(self.browser.texts("#plots .chip output"), ["– m"])

    def test_failed_run(self):
        parts = payload.circling()
        self.open(payload.report(**{**parts, "verdict": {"status": "failed", "message": "no convergence at t = 0.3 s, joint pin", "rows": [], "warnings": ["a"]}}))
        self.says("Failed")
        self.says("no convergence at t = 0.3 s, joint pin")
        self.assertEqual(self.browser.script("return document.getElementById('verdict').className"), "verdict bad")

    def test_interrupted_run_with_one_frame(self):
        self.open(payload.report(**{**payload.circling(n_times=2), "verdict": {"status": "interrupted"}}))
        self.says("Interrupted")
        one = payload.circling(n_times=2)
        one["motion"] = payload.motion([0.0], [1, 0, 0, 0, 0, 0, 1])
        one["history"] = payload.history([0.0], [payload.column("a", "m", [1.0])])
        self.open(payload.report(**one))
        self.assertGreater(len(set(self.browser.pixels())), 20)

    def test_nothing_there(self):
        self.open(payload.report())
        self.says("the results have no scene")
        self.says("There are no rows of history")
        self.open(payload.report(scene=payload.scene([])))
        self.says("the model has no bodies")
        self.open(payload.report(scene=payload.scene([payload.body("ball", 0)])))
        self.says("the run wrote no frames")
        empty = payload.history([], [payload.column("a", "m", [])])
        self.open(payload.report(**{**payload.circling(), "history": empty}))
        self.says("There are no rows of history")
        for kind in ("modes", "campbell", "response", "study", "stiction"):
            self.open(payload.report(kind))

    def test_load_factor_that_falls(self):
        """Statics beyond a limit point: over the number of the row, because dygraphs and the slider need something that rises."""
        parts = payload.circling(n_times=5)
        parts["history"]["x"] = {"name": "load_factor", "unit": "", "values": payload.array("f64", [0, 1, 2, 1.5, 1.2])}
        parts["motion"]["time"] = payload.array("f64", [0, 1, 2, 1.5, 1.2])
        self.open(payload.report(**parts))
        self.browser.slide(".player .time", 1)
        self.says("load step = 4")

    def test_500_bodies(self):
        seconds = self.open(payload.report(**payload.circling(500, 5)))
        self.assertLess(seconds, LOADED_WITHIN)
        self.says("and 460 more")

    def test_small_screen_and_print(self):
        self.browser.size(1200, 700)
        self.open(payload.report(**payload.workshop()))
        wide = self.browser.script("return document.documentElement.scrollWidth")
        bottom = self.browser.script("return document.querySelector('.player').getBoundingClientRect().bottom")
        self.browser.size(1400, 900)
        self.assertLessEqual(wide, 1200, "nothing hangs out of the page")
        self.assertLessEqual(bottom, 700, "verdict and animation fit on the screen")
        pdf = self.browser.driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
        self.assertGreater(len(pdf), 20000)


def bundle_units():
    """units.js with the page's own modules, as CMake bundles them."""
    here = pathlib.Path(__file__).resolve().parent
    libraries = pathlib.Path("/usr/share/javascript")
    command = ["esbuild", here / "units.js", "--bundle", "--format=iife", f"--alias:three={libraries}/three/three.module.js",
               f"--alias:three-examples={libraries}/three/examples/jsm", f"--alias:dygraphs={libraries}/dygraphs", "--log-level=warning"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def drag(browser, selector, start, end):
    """With the mouse, over fractions of the width of a plot."""
    browser.script("""const g = document.querySelector(arguments[0] + ' canvas:last-of-type'), r = g.getBoundingClientRect();
        const at = (f) => ({bubbles: true, clientX: r.left + f * r.width, clientY: r.top + 60, screenX: r.left + f * r.width, screenY: r.top + 60, button: 0, detail: 1, view: window});
        g.dispatchEvent(new MouseEvent('mousedown', at(arguments[1])));
        for (const f of [0.3, 0.7, 1]) document.dispatchEvent(new MouseEvent('mousemove', at(arguments[1] + f * (arguments[2] - arguments[1]))));
        document.dispatchEvent(new MouseEvent('mouseup', at(arguments[2])));""", selector, start, end)
    browser.settle()


if __name__ == "__main__":
    TEMPLATE = pathlib.Path(sys.argv.pop(1))
    unittest.main()
