"""The site as an app: manifest, service worker, the page without a connection, a message shown."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import NewPage
from tests.web.guest import Guest
from tests.web.served import Served


def test_the_manifest_names_icons_that_are_there(served: Served) -> None:
    guest = Guest(served.address, "es")
    manifest = guest.http.get("/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    told = manifest.json()
    assert told["lang"] == "es"
    assert told["display"] == "standalone"
    sizes = {}
    for icon in told["icons"]:
        picture = guest.http.get(icon["src"])
        assert picture.content.startswith(b"\x89PNG")
        width = int.from_bytes(picture.content[16:20])
        assert icon["sizes"] == f"{width}x{width}"
        sizes[width] = icon
    assert {192, 512} <= sizes.keys()
    assert guest.http.get("/icon/7.png").status_code == 404


def test_without_a_connection_a_page_says_so(new_page: NewPage) -> None:
    page = new_page(locale="fr")
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    page.context.set_offline(True)
    page.goto("/history")
    expect(page.locator("h1")).to_have_text("Vous êtes hors ligne")
    expect(page.locator("main")).to_have_css("max-width", "1184px")
    page.context.set_offline(False)
    page.get_by_role("link", name="Réessayer").click()
    expect(page.locator("h1")).to_have_text("Autour du feu")


def test_a_message_is_shown_and_leads_to_the_table(new_page: NewPage, served: Served) -> None:
    page = new_page(permissions=["notifications"])
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(each["registrationId"] for each in event["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    data = '{"title": "Lumens", "body": "Your turn", "path": "/t/x", "tag": "a"}'
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": served.address, "registrationId": found[0], "data": data},
    )
    page.wait_for_function(
        """async () => {
            const worker = await navigator.serviceWorker.ready;
            const [shown] = await worker.getNotifications();
            return shown?.title === "Lumens" && shown.data === "/t/x";
        }"""
    )
