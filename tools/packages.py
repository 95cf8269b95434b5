"""Install what the tests need with the system's package manager."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence


def install(packages: Mapping[str, Sequence[str]], missing: str) -> bool:
    """Install packages, named by manager, if we are allowed to; return whether it was done.

    Args:
        packages: The names of the packages for `apt-get`, `dnf` or `brew`.
        missing: What was not found, for the message.
    """
    manager = next(filter(shutil.which, packages), None)
    prefix = () if manager == "brew" else as_root()
    if manager is None or prefix is None:
        return False
    names = packages[manager]
    say(f"No {missing} found: installing {' '.join(names)} with {manager}.")
    if manager == "apt-get":
        quiet = ("env", "DEBIAN_FRONTEND=noninteractive")
        run(*prefix, *quiet, manager, "update", "-q")
        options = ("install", "-y", "-q", "--no-install-recommends")
        run(*prefix, *quiet, manager, *options, *names)
    else:
        yes = () if manager == "brew" else ("-y",)
        run(*prefix, manager, "install", *yes, *names)
    return True


def as_root() -> tuple[str, ...] | None:
    """Return the words that run a command as root: none, `sudo -n`, or None if we may not."""
    if sys.platform == "win32":
        return None
    if os.geteuid() == 0:
        return ()
    if shutil.which("sudo") is None:
        return None
    answer = subprocess.run(["sudo", "-n", "true"], check=False, capture_output=True)
    return ("sudo", "-n") if answer.returncode == 0 else None


def run(*command: str) -> None:
    """Print a command and run it."""
    say("$ " + " ".join(command))
    subprocess.run(command, check=True)


def say(text: str) -> None:
    print(text, flush=True)
