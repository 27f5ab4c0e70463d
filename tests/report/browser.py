"""A headless Chromium that opens reports from disk. Debian packages: chromium, chromium-driver, python3-selenium."""

import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError as error:
    raise SystemExit(f"{error}: tools/test installs what tests need (chromium, chromium-driver, python3-selenium)")


# WebGL without a graphics card, however slow it is; no sandbox because tests may run as root in a container.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-watchdog",
    "--disable-gpu-compositing",  # the page itself is drawn without WebGL: ten times as fast on a busy machine
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--no-first-run",
)
PATIENCE = 120  # s: tests share their machine with builds


class Browser:
    def __init__(self, width=1400, height=900):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)
        self.size(width, height)

    def size(self, width, height):
        """Of the page itself, whatever the window's frame takes."""
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def open(self, file):
        """Loads a report and waits until it is there; returns the seconds that took."""
        self.log()
        start = time.monotonic()
        self.driver.get(file.resolve().as_uri())
        self.wait(lambda: self.script("return document.documentElement.dataset.ready"), PATIENCE)
        seconds = time.monotonic() - start
        self.settle()
        return seconds

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def wait(self, condition, seconds=10):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the page did not get there in time")
            time.sleep(0.05)

    def settle(self):
        """Until two frames have been drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))")

    def log(self):
        """Messages of the console since the last call, without remarks of the graphics driver on its speed."""
        entries = self.driver.get_log("browser")
        return [e["message"] for e in entries if "GPU stall due to ReadPixels" not in e["message"]
                and "GL Driver Message" not in e["message"] and "software WebGL" not in e["message"]]

    def texts(self, selector):
        return self.script("return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector)

    def count(self, selector):
        return self.script("return document.querySelectorAll(arguments[0]).length", selector)

    def click(self, selector):
        self.script("document.querySelector(arguments[0]).click()", selector)
        self.settle()

    def slide(self, selector, fraction):
        """Moves a slider to a fraction of its range."""
        self.script("""const s = document.querySelector(arguments[0]);
            s.value = Number(s.min) + arguments[1] * (s.max - s.min);
            s.dispatchEvent(new Event("input", {bubbles: true}));""", selector, fraction)
        self.settle()

    def pixels(self, selector=".stage > canvas"):
        """The canvas, made smaller: rows of (r, g, b)."""
        data = self.script("""const source = document.querySelector(arguments[0]);
            const small = document.createElement("canvas");
            small.width = 160; small.height = 100;
            const context = small.getContext("2d");
            context.drawImage(source, 0, 0, 160, 100);
            return Array.from(context.getImageData(0, 0, 160, 100).data);""", selector)
        return [tuple(data[k:k + 3]) for k in range(0, len(data), 4)]

    def screenshot(self, file):
        file.write_bytes(self.driver.get_screenshot_as_png())

    def quit(self):
        self.driver.quit()


def different(first, second, tolerance=12):
    """How many pixels differ."""
    return sum(1 for a, b in zip(first, second) if max(abs(x - y) for x, y in zip(a, b)) > tolerance)
