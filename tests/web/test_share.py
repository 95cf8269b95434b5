"""Several processes at one address: whoever accepts a connection, the right one answers."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.guest import Guest
from tests.web.served import Served, sqlite_in
from veillee.web.share import Share

PROCESSES = 3


@pytest.fixture
def several(tmp_path: Path) -> Iterator[Served]:
    with Served(sqlite_in(tmp_path), "--no-limits", "--processes", str(PROCESSES)) as served:
        yield served


def a_share(number: int = 0) -> Share:
    """One of three, with nobody at the other ends."""
    return Share(number, {other: socket.socket() for other in range(PROCESSES) if other != number})


def owner(path: str) -> int:
    return a_share().owner(path.rpartition("/")[2])


def tables_of_all(guest: Guest, seats: str = "me bot:random") -> dict[int, str]:
    """A table of each process."""
    found: dict[int, str] = {}
    for _ in range(100):
        path = guest.set_table("nomads", seats)
        found.setdefault(owner(path), path)
        if len(found) == PROCESSES:
            return found
    raise AssertionError("tables are not spread over the processes")


def test_a_request_is_seen_to_be_for_one_process() -> None:
    share = a_share(1)
    for method in (b"GET", b"POST"):
        whose = {share.asked(b"%b /t/%b/live?tall=0 HTTP/1.1\r\n" % (method, b"abc"))}
        whose.add(share.asked(b"%b /t/abc?pick.do=sow HTTP/1.1\r\n" % method))
        whose.add(share.asked(b"%b /t/abc HTTP/1.1\r\n" % method))
        assert whose == {share.owner("abc")}
    assert share.asked(b"GET / HTTP/1.1\r\n") == 1
    assert share.asked(b"GET /rules/nomads?back=/t/abc HTTP/1.1\r\n") == 1


def test_one_connection_plays_at_tables_of_all(several: Served) -> None:
    """A browser keeps its connection, and goes from table to table."""
    guest = Guest(several.address)
    for path in tables_of_all(guest).values():
        assert guest.play_on(path) > 10
        assert guest.look(path)[0]["state"] == "over"
        assert "podium" in guest.http.get(path).text
    page = guest.http.get("/").text
    assert page.count('href="/t/') >= PROCESSES, "the list knows the tables of all"


def test_a_request_that_comes_in_pieces_finds_its_process(several: Served) -> None:
    guest = Guest(several.address)
    cookie = "; ".join(f"{name}={value}" for name, value in guest.http.cookies.items())
    for path in tables_of_all(guest).values():
        with socket.create_connection(("127.0.0.1", several.port), timeout=20) as line:
            head = f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: {cookie}\r\n\r\n".encode()
            for at in range(0, len(head), 9):
                line.sendall(head[at : at + 9])
            assert line.recv(64).startswith(b"HTTP/1.1 200")


def test_what_is_too_large_is_refused_wherever_it_arrives(several: Served) -> None:
    guest = Guest(several.address)
    for path in tables_of_all(guest).values():
        answer = guest.http.post(f"{path}/play", content=b"x" * 300_000)
        assert answer.status_code == 413
        guest.http.close()
        guest = Guest(several.address)
        with socket.create_connection(("127.0.0.1", several.port), timeout=20) as line:
            line.sendall(f"GET {path}/".encode() + b"x" * 100_000)
            line.sendall(b" HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert line.recv(64).startswith(b"HTTP/1.1 400")


def test_friends_play_each_other_and_see_a_new_name(several: Served) -> None:
    host, friend = Guest(several.address), Guest(several.address)
    for path in tables_of_all(host, "me friend").values():
        friend.form(f"{path}/sit")
        host.form(f"{path}/start")
        for _ in range(6):
            shared, own = host.look(path)
            who = host if own.get("yours") else friend
            _, own = who.look(path)
            action = own["choices"]["all"][0]["action"]
            assert who.act(path, "play", action=action, moment=shared["moment"]).status_code == 200
        friend.form("/settings", name=f"Zoë {owner(path)}", language="en")
        for _ in range(100):  # the others hear of it a moment later
            if f"Zoë {owner(path)}" in host.look(path)[0]["top"]:
                break
        else:
            raise AssertionError("the new name is not seen")


def test_a_rematch_goes_on_wherever_it_belongs(several: Served) -> None:
    guest = Guest(several.address)
    path = guest.set_table("nomads", "me bot:random")
    owners = {owner(path)}
    for _ in range(8):
        guest.play_on(path)
        path = guest.form(f"{path}/next", what="rematch").headers["location"]
        owners.add(owner(path))
        assert guest.look(path)[0]["state"] == "playing"
    assert len(owners) > 1


def test_they_stop_together(several: Served) -> None:
    children = _children(several)
    assert len(children) == PROCESSES - 1
    guest = Guest(several.address)
    with guest.stream(guest.set_table()) as messages:
        next(messages)
        assert several.stop() == 0
    assert not any(map(_lives, children))


def test_if_one_dies_all_stop_and_say_so(several: Served) -> None:
    process = several.process
    assert process is not None
    children = _children(several)
    os.kill(children[0], signal.SIGKILL)
    assert process.wait(20) == 1
    assert not any(map(_lives, children))


def test_nothing_is_lost_when_all_are_killed(several: Served) -> None:
    guest = Guest(several.address)
    tables = tables_of_all(guest)
    before = {}
    for path in tables.values():
        guest.play_on(path, 5)
        before[path] = guest.look(path)[0]["moment"]
    several.kill()
    several.start()
    for path, moment in before.items():
        assert guest.look(path)[0]["moment"] >= moment
        assert guest.play_on(path) > 5


def _children(served: Served) -> list[int]:
    """The processes that share the work; not those that think."""
    assert served.process is not None
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text("ascii").rpartition(")")[2].split()
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) == served.process.pid and b"--processes" in command:
                found.append(int(entry.name))
    return found


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
