"""`veillee admin`, backup and restore, on the store of a server that is running."""

from __future__ import annotations

import json
import re
import sqlite3
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.web.guest import Guest
from tests.web.http.api.program import Program, bot_name, make_token
from tests.web.served import Served, sqlite_in
from veillee.cli.main import app


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that looks at the list of bans all the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VEILLEE_BAN_REFRESH", "0.2")
        with Served(sqlite_in(tmp_path_factory.mktemp("admin")), "--no-limits") as server:
            yield server


def veillee(*words: str) -> Result:
    """Run the command in a thread: other tests' browsers keep a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(CliRunner().invoke, app, words).result()


def admin(served: Served, *words: str) -> Result:
    return veillee("admin", *words, "--database", served.database)


def act_once(guest: Guest, path: str) -> Any:
    """Take the first choice at a table."""
    shared, own = guest.look(path)
    action = own["choices"]["all"][0]["action"]
    return guest.act(path, "play", action=action, moment=shared["moment"])


def test_tables_are_listed_and_inspected(served: Served) -> None:
    path = Guest(served.address).set_table("nomads", "me screen")
    table_id = path.rpartition("/")[2]
    assert table_id in admin(served, "list", "--state", "playing").output
    assert table_id not in admin(served, "list", "--state", "over").output
    shown = admin(served, "inspect", table_id).output
    assert shown.startswith("nomads, rules ")
    assert '{"is":"start"}' in shown


def test_a_closed_table_can_be_seen_but_nothing_happens_there(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me screen")
    assert act_once(guest, path).status_code == 200
    assert admin(served, "close", path.rpartition("/")[2]).exit_code == 0
    refused = act_once(guest, path)
    assert refused.status_code == 422
    assert "closed" in refused.text
    assert guest.http.get(path).status_code == 200


def test_a_deleted_table_is_gone_even_where_it_is_in_memory(served: Served) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me screen")
    table_id = path.rpartition("/")[2]
    assert act_once(guest, path).status_code == 200
    assert admin(served, "delete", table_id).exit_code == 0
    refused = act_once(guest, path)
    assert refused.status_code == 422
    assert "closed" in refused.text
    with sqlite3.connect(served.database) as store:
        left = store.execute("SELECT data FROM entry WHERE table_id = ?", (table_id,)).fetchall()
    assert left == [('{"is":"close"}',)]
    assert "no table" in admin(served, "inspect", table_id).output


def test_an_id_may_begin_with_a_dash(served: Served) -> None:
    assert "There is no table -x7" in admin(served, "delete", "-x7").output


def test_a_banned_person_is_refused_until_the_ban_is_lifted(
    served: Served,
) -> None:
    guest = Guest(served.address)
    path = guest.set_table("nomads", "me screen")
    shown = admin(served, "inspect", path.rpartition("/")[2]).output
    found = re.search(r"host (\S+),", shown)
    assert found
    person = found[1]
    assert admin(served, "ban", person).exit_code == 0
    assert person in admin(served, "bans").output
    wait_until(lambda: act_once(guest, path).status_code == 403)
    assert guest.act(path, "back").status_code == 403
    assert guest.form("/new", game="nomads", seat0="me", seat1="screen").status_code == 403
    assert admin(served, "unban", person).exit_code == 0
    wait_until(lambda: act_once(guest, path).status_code == 200)
    assert "not banned" in admin(served, "unban", person).output


def test_a_forgotten_person_has_no_name_at_the_tables_in_memory(served: Served) -> None:
    guest, friend = Guest(served.address), Guest(served.address)
    guest.form("/settings", name="Zénobie")
    path = guest.set_table("nomads", "me friend", listed="1")
    token = make_token(guest, bot_name("zenobot"))
    assert "Zénobie" in friend.http.get(path).text
    shown = admin(served, "inspect", path.rpartition("/")[2]).output
    found = re.search(r"host (\S+),", shown)
    assert found
    assert admin(served, "forget", found[1]).exit_code == 0
    wait_until(lambda: "Zénobie" not in friend.http.get(path).text)
    Program(served.address, token).get("/tables", 401)


def wait_until(condition: Any) -> None:
    for _ in range(300):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen")


def test_a_table_is_exported_for_the_owner_only(served: Served, tmp_path: Path) -> None:
    path = Guest(served.address).set_table("nomads", "me screen")
    file = tmp_path / "table.json"
    assert admin(served, "export", path.rpartition("/")[2], str(file)).exit_code == 0
    exported = json.loads(file.read_text())
    assert exported["entries"][0]["entry"]["is"] == "open"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "exists already" in admin(served, "export", path.rpartition("/")[2], str(file)).output


def test_the_store_is_checked(served: Served, tmp_path: Path) -> None:
    Guest(served.address).set_table("nomads", "me screen")
    assert "no problem" in admin(served, "check").output
    copy = tmp_path / "copy.sqlite"
    veillee("backup", str(copy), "--database", served.database)
    with sqlite3.connect(copy) as store:
        store.execute('UPDATE entry SET data = \'{"is":"nonsense"}\' WHERE number = 1')
        store.execute("DELETE FROM entry WHERE number = 2")
    found = veillee("admin", "check", "--database", str(copy))
    assert found.exit_code == 2
    assert "an entry is missing" in found.output
    assert "entry 1 cannot be replayed" in found.output


def test_a_store_or_table_that_is_not_there_is_told_in_a_sentence(
    served: Served, tmp_path: Path
) -> None:
    nothing = str(tmp_path / "nothing.sqlite")
    missing = veillee("admin", "list", "--database", nothing)
    assert missing.exit_code == 2
    assert "There is no store" in missing.output
    assert not Path(nothing).exists()
    unknown = admin(served, "close", "unknown")
    assert unknown.exit_code == 2
    assert "There is no table unknown" in unknown.output


def test_cookies_of_the_last_key_stay_good_after_a_rotation(tmp_path: Path) -> None:
    with Served(sqlite_in(tmp_path), "--no-limits") as served:
        guest = Guest(served.address)
        path = guest.set_table("nomads", "me screen")
        assert served.stop() == 0
        assert admin(served, "rotate-key").exit_code == 0
        served.start()
        assert guest.http.get(path).status_code == 200  # a page renews the cookie
        served.stop()
        admin(served, "rotate-key")
        served.start()
        assert act_once(guest, path).status_code == 200


def test_a_backup_is_restored_and_played_on(tmp_path: Path) -> None:
    copy, restored = tmp_path / "copy.sqlite", tmp_path / "elsewhere" / "tables.sqlite"
    with Served(sqlite_in(tmp_path), "--no-limits") as served:
        guest = Guest(served.address)
        path = guest.set_table("nomads", "me screen")
        assert act_once(guest, path).status_code == 200
        command = ["backup", str(copy), "--database", served.database]
        assert veillee(*command).exit_code == 0
    assert veillee("restore", str(copy), "--database", str(restored)).exit_code == 0
    again = veillee("restore", str(copy), "--database", str(restored))
    assert again.exit_code == 2
    assert "exists already" in again.output
    with Served(str(restored), "--no-limits") as served:
        guest.http.base_url = served.address
        assert act_once(guest, path).status_code == 200


def test_a_torn_store_is_not_copied(tmp_path: Path) -> None:
    database = Path(sqlite_in(tmp_path))
    with sqlite3.connect(database) as store:
        store.execute("CREATE TABLE entry (data TEXT)")
        store.executemany("INSERT INTO entry VALUES (?)", [("x" * 500,)] * 500)
    content = bytearray(database.read_bytes())
    content[8192:40960] = bytes(32768)
    database.write_bytes(content)
    copy = tmp_path / "copy.sqlite"
    torn = veillee("backup", str(copy), "--database", str(database))
    assert torn.exit_code == 2
    assert "no copy was made" in torn.output
    assert not copy.exists()
    (tmp_path / "text").write_text("no store")
    wrong = veillee("restore", str(tmp_path / "text"), "--database", str(copy))
    assert wrong.exit_code == 2
    assert not copy.exists()


def test_people_stay_who_they_are_while_servers_change_to_a_new_key(tmp_path: Path) -> None:
    """A new server signs with the key that an old one has not read yet."""
    with Served(sqlite_in(tmp_path), "--no-limits") as old:
        guest = Guest(old.address)
        path = guest.set_table("nomads", "me screen")
        assert admin(old, "rotate-key").exit_code == 0
        with Served(old.database, "--no-limits") as new:
            signed = guest.http.cookies["veillee"]
            assert guest.http.get(f"{new.address}{path}").status_code == 200
            assert guest.http.cookies["veillee"] != signed
            assert guest.http.get("/nowhere").status_code == 404
            assert guest.http.get("/").status_code == 200
            assert act_once(guest, path).status_code == 200
