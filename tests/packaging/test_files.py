"""The files around the package agree with each other."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PINS = sorted((ROOT / "requirements").glob("*.txt"))


def names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[A-Za-z0-9_.-]+", line) for line in requirements)
    return {re.sub(r"[-_.]+", "-", each[0]).lower() for each in found if each}


def wanted(*extras: str) -> set[str]:
    """Return the names of the packages that the core and these extras ask for."""
    asked = names(PROJECT["dependencies"])
    for extra in extras:
        for requirement in PROJECT["optional-dependencies"][extra]:
            if inner := re.fullmatch(r"veillee\[(.+)\]", requirement):
                asked |= wanted(*inner[1].split(","))
            else:
                asked |= names([requirement])
    return asked


@pytest.mark.parametrize("path", PINS, ids=lambda path: path.name)
def test_pins_are_names_and_versions_only(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        assert re.fullmatch(r"[a-z0-9-]+(\[\w+\])?==[\w.]+( ; .+)?", line), line


@pytest.mark.parametrize(
    ("path", "extras"),
    [
        ("play.txt", ("build", "web")),
        ("server.txt", ("build", "postgresql", "redis")),
        ("dev.txt", ("build", "web", "dev")),
        ("mutants.txt", ("build", "web", "mutants")),
    ],
)
def test_everything_asked_for_is_pinned(path: str, extras: tuple[str, ...]) -> None:
    pinned = names((ROOT / "requirements" / path).read_text("utf-8").splitlines())
    assert wanted(*extras) <= pinned


def test_no_registry_address() -> None:
    for name in (".npmrc", "package.json", "package-lock.json", "Makefile"):
        assert "://" not in (ROOT / name).read_text("utf-8"), name


def test_extra_all_is_everything_for_users() -> None:
    development = {"all", "build", "bench", "peers", "test", "lint", "docs", "dev", "clients"}
    users = set(PROJECT["optional-dependencies"]) - development - {"mutants", "node"}
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert set(everything.removeprefix("veillee[").removesuffix("]").split(",")) == users


def test_image_and_compose_file_start_the_same_server() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    command = compose["services"]["server"]["command"]
    assert command[:4] == ["veillee", "serve", "--host=0.0.0.0", "--port=8000"]
    image = (ROOT / "Dockerfile").read_text("utf-8")
    assert 'CMD ["veillee", "serve", "--host", "0.0.0.0", "--port", "8000"]' in image
    assert "USER veillee" in image
    assert "dynamic a server 8000" in (ROOT / "deploy" / "Caddyfile").read_text("utf-8")


def test_compose_file_starts_without_settings_and_shuts_the_database_in() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    used = re.findall(r"\$\{(.+?)\}", text)
    assert set(used) == {"POSTGRES_PASSWORD:-veillee", "VEILLEE_SITE:-localhost"}
    compose = yaml.safe_load(text)
    services = compose["services"]
    database, server = services["database"], services["server"]
    assert "ports" not in database
    assert "ports" not in server
    assert compose["networks"]["database"] == {"internal": True}
    assert database["networks"] == ["database"]
    assert server["networks"] == ["database", "default"]
    assert "networks" not in services["proxy"]


def test_changelog_has_a_section_for_each_version_it_links() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## \[(.+?)\] - (?:Unreleased|\d{4}-\d\d-\d\d)$", text, re.MULTILINE)
    assert sections == re.findall(r"^\[(.+?)\]: ", text, re.MULTILINE)
    assert "0.2.0" in sections


def test_every_file_names_the_same_version_and_address() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    source = (ROOT / "veillee" / "__init__.py").read_text("utf-8")
    assert f'__version__ = "{citation["version"]}"' in source
    assert citation["repository-code"] == PROJECT["urls"]["Source"]
    site = yaml.load((ROOT / "mkdocs.yml").read_text("utf-8"), yaml.BaseLoader)
    assert site["site_url"] == PROJECT["urls"]["Documentation"]


def test_hosted_workflow_runs_the_tests_on_every_system_and_python() -> None:
    jobs = workflow("ci.yml")["jobs"]
    supported = supported_pythons()
    assert jobs["test"]["strategy"]["matrix"] == {
        "os": ["ubuntu-latest", "macos-latest"],
        "python": supported,
    }
    assert jobs["windows"]["runs-on"] == "windows-latest"
    assert jobs["windows"]["strategy"]["matrix"]["python"] == supported
    (package,) = (step["with"] for step in jobs["package"]["steps"] if "with" in step)
    assert package["python-version"].split() == supported


def supported_pythons() -> list[str]:
    return [
        line.rpartition(" ")[2]
        for line in PROJECT["classifiers"]
        if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", line)
    ]


def test_every_file_names_the_same_pythons() -> None:
    lowest, highest = supported_pythons()[0], supported_pythons()[-1]
    assert PROJECT["requires-python"] == f">={lowest}"
    for name in ("README.md", "CONTRIBUTING.md", "tools/environment.sh"):
        assert f"Python {lowest} to {highest}" in (ROOT / name).read_text("utf-8"), name


def test_a_release_waits_for_every_check_and_the_site_is_published() -> None:
    jobs = workflow("ci.yml")["jobs"]
    assert {*jobs["build"]["needs"], "build", "publish", "site"} == set(jobs)
    assert jobs["publish"]["needs"] == "build"
    actions = [step.get("uses", "").partition("@")[0] for step in jobs["site"]["steps"]]
    assert actions[-2:] == ["actions/upload-pages-artifact", "actions/deploy-pages"]
    assert jobs["site"]["permissions"]["pages"] == "write"


def workflow(name: str) -> Any:
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text("utf-8"))


def test_hosted_workflow_calls_what_is_there() -> None:
    jobs = [*workflow("ci.yml")["jobs"].values(), *workflow("weekly.yml")["jobs"].values()]
    commands = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    targets = {found for command in commands for found in re.findall(r"make ([\w-]+)", command)}
    makefile = (ROOT / "Makefile").read_text("utf-8")
    suites = {f"test-{name}" for name in ("screens", "package", "cluster", "clients")}
    assert targets == {"lint", "docs", "test", *suites}
    assert all(f"\n{target}:" in makefile for target in targets)
    tests = {path for command in commands for path in re.findall(r"tests/\S+", command)}
    assert len(tests) >= 5
    assert all((ROOT / path).exists() for path in tests)
    extras = {each for command in commands for each in re.findall(r"\.\[(.+?)\]", command)}
    for extra in ",".join(extras).split(","):
        assert extra in PROJECT["optional-dependencies"]
