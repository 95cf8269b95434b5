"""Find a Chromium for the browser tests, or install one.

    python -m tools.browser           # find or install, and print what was chosen

In this order:

1. the program named by the environment variable CHROMIUM;
2. Chromium, Chrome or Edge of the system;
3. as root, or with sudo that asks for no password: the system's package manager;
4. on Linux x86-64, the npm package `@sparticuz/chromium`, a headless Chromium that brings the
   libraries it needs;
5. Playwright's own download.

A candidate is accepted if Playwright renders a page with it. The choice and the npm package are
stored in the virtual environment, in the folder `browser`; Playwright keeps its download in a cache
folder of the user.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypedDict

from tools import node, packages
from tools.packages import say

CACHE = Path(sys.prefix) / "browser"
SPARTICUZ = "@sparticuz/chromium@153.0.0"
NAMES = (
    "chromium",
    "chromium-browser",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
MAC_APPS = (
    "Chromium.app/Contents/MacOS/Chromium",
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)
PACKAGES = {
    "apt-get": ("chromium", "fonts-noto-core"),
    "dnf": ("chromium", "dejavu-sans-fonts"),
}


@dataclass(frozen=True)
class Browser:
    """A Chromium, and the environment variables it needs."""

    executable: str
    environment: Mapping[str, str] = field(default_factory=dict)


class LaunchOptions(TypedDict):
    """Arguments of Playwright's `chromium.launch`."""

    executable_path: str
    args: list[str]
    env: dict[str, str | float | bool]


class NoBrowserError(RuntimeError):
    """No browser was found, and none could be installed."""


def launch_options(flags: Sequence[str] = ()) -> LaunchOptions:
    """Return what `playwright.chromium.launch(**...)` needs to start the browser."""
    return options_of(get(), flags)


def options_of(browser: Browser, flags: Sequence[str]) -> LaunchOptions:
    return {
        "executable_path": browser.executable,
        "args": list(flags),
        "env": {**os.environ, **browser.environment},
    }


def get() -> Browser:
    """Return the browser chosen before; find or install one the first time."""
    with _locked():
        browser = stored()
        if browser is None:
            browser = choose()
            (CACHE / "browser.json").write_text(json.dumps(asdict(browser), indent=1), "utf-8")
        return browser


def choose() -> Browser:
    """Return the first browser that works, installing one if none does."""
    for browser in from_system():
        if works(browser):
            return browser
    installers: list[Callable[[], Browser | None]] = [from_packages, from_npm, from_playwright]
    for install in installers:
        try:
            installed = install()
        except (OSError, subprocess.CalledProcessError) as error:
            say(f"That failed: {error}")
            continue
        if installed is not None and works(installed):
            return installed
    raise NoBrowserError(
        "The browser tests need Chromium, and none could be installed. Install Chromium or Chrome, "
        "or set CHROMIUM to the path of one."
    )


def stored() -> Browser | None:
    """Return the browser chosen before, unless it is gone or CHROMIUM names another."""
    try:
        browser = Browser(**json.loads((CACHE / "browser.json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    named = os.environ.get("CHROMIUM")
    if (named and named != browser.executable) or not Path(browser.executable).exists():
        return None
    return browser


# A child process, because a browser that hangs must not hang its caller.
RENDER = """
import json, sys
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(**json.loads(sys.argv[1]))
    page = browser.new_page()
    page.set_content("<p>ready</p>")
    assert page.inner_text("p") == "ready"
    browser.close()
"""


def works(browser: Browser) -> bool:
    """Tell whether Playwright can render a page with the browser; print why if it cannot."""
    options = json.dumps(options_of(browser, ("--no-sandbox", "--disable-gpu")))
    try:
        answer = subprocess.run(
            [sys.executable, "-c", RENDER, options],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=60,
        )
    except subprocess.TimeoutExpired:
        say(f"{browser.executable} does not answer.")
        return False
    if answer.returncode:
        say(f"{browser.executable} does not work:\n{answer.stderr.strip()[-1000:]}")
    return answer.returncode == 0


def from_system() -> Iterator[Browser]:
    """Yield the installed browsers; only the one named by CHROMIUM if it is set."""
    if named := os.environ.get("CHROMIUM"):
        yield Browser(named)
        return
    for name in NAMES:
        if path := shutil.which(name):
            yield Browser(path)
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            for app in MAC_APPS:
                if (folder / app).exists():
                    yield Browser(str(folder / app))


def from_packages() -> Browser | None:
    """Install Chromium and a font with apt-get or dnf, if we are allowed to."""
    if not packages.install(PACKAGES, "Chromium"):
        return None
    return next(from_system(), None)


def from_npm() -> Browser | None:
    """Unpack the Chromium in the npm package `@sparticuz/chromium`, which is built for Linux."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return None
    say(f"No Chromium found: downloading {SPARTICUZ} from npm (70 MB).")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        npm = node.get()
        _check(npm.run("npm", "pack", "--loglevel=error", SPARTICUZ, cwd=folder), "npm pack")
        (archive,) = folder.glob("*.tgz")
        _extract(archive, folder)
        say("Decompressing it.")
        compressed = folder / "package" / "bin"
        _check(npm.run("node", "--eval", DECOMPRESS, str(compressed)), "brotli")
        return unpack(compressed, CACHE / "sparticuz")


# Python's standard library has no Brotli, Node's has.
DECOMPRESS = """
const { createReadStream, createWriteStream, readdirSync } = require("node:fs");
const { createBrotliDecompress } = require("node:zlib");
const { pipeline } = require("node:stream/promises");
const folder = process.argv[1];
const inflate = name => pipeline(
    createReadStream(`${folder}/${name}`),
    createBrotliDecompress(),
    createWriteStream(`${folder}/${name.slice(0, -3)}`));
Promise.all(readdirSync(folder).filter(name => name.endsWith(".br")).map(inflate));
"""


def unpack(source: Path, target: Path) -> Browser:
    """Put the decompressed files of `@sparticuz/chromium` where the browser expects them."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in ("al2023.tar", "swiftshader.tar", "fonts.tar"):
        _extract(source / name, target)
    shutil.move(source / "chromium", target / "chromium")
    (target / "chromium").chmod(0o755)
    environment = {"LD_LIBRARY_PATH": str(target / "lib")}
    if not Path("/etc/fonts/fonts.conf").exists():
        fonts = f"<fontconfig><dir>{target / 'fonts'}</dir></fontconfig>"
        (target / "fonts.conf").write_text(fonts, "utf-8")
        environment["FONTCONFIG_FILE"] = str(target / "fonts.conf")
    return Browser(str(target / "chromium"), environment)


def from_playwright() -> Browser | None:
    """Let Playwright download the Chromium that it was tested with."""
    say("No Chromium found: downloading Playwright's.")
    packages.run(sys.executable, "-m", "playwright", "install", "chromium")
    ask = (
        "from playwright.sync_api import sync_playwright\n"
        "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
    )
    answer = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return Browser(answer.stdout.strip())


def _extract(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as opened:
        if hasattr(tarfile, "data_filter"):  # Python 3.11.4
            opened.extraction_filter = tarfile.data_filter
        opened.extractall(target)


def _check(code: int, what: str) -> None:
    if code:
        raise subprocess.CalledProcessError(code, what)


@contextlib.contextmanager
def _locked() -> Iterator[None]:
    """Let one process at a time choose or install the browser."""
    CACHE.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    try:
        browser = get()
    except NoBrowserError as error:
        print(error, file=sys.stderr)
        return 1
    say(f"Browser tests use {browser.executable}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
