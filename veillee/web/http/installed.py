"""The site as an installable app: manifest, service worker, offline page."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from veillee.engine.i18n import Words
from veillee.web.http.site import static_files
from veillee.web.templating import environment, fingerprint

NIGHT = "#0e1127"
NO_CACHE = {"cache-control": "no-cache"}


@get("/manifest.webmanifest")
async def manifest(words: Words) -> Response[Any]:
    icons = [
        {"src": f"/icon/{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    maskable = {"src": "/icon/maskable.png", "sizes": "512x512", "purpose": "maskable"}
    return Response(
        {
            "id": "/",
            "name": "Veillée",
            "short_name": "Veillée",
            "description": words("web.tagline"),
            "lang": words.language,
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": NIGHT,
            "theme_color": NIGHT,
            "categories": ["games"],
            "icons": [*icons, maskable],
        },
        media_type="application/manifest+json",
        headers=NO_CACHE,
    )


@get("/sw.js")
async def service_worker() -> Response[bytes]:
    """The service worker, at the root so that it is in charge of the whole site."""
    script = static_files()["worker.js"].raw.replace(b"FINGERPRINT", fingerprint().encode())
    return Response(script, media_type="text/javascript", headers=NO_CACHE)


@get("/offline")
async def offline(words: Words) -> Response[str]:
    """The page that the service worker keeps; it says nothing about the person."""
    body = environment().get_template("offline.html").render(t=words, language=words.language)
    return Response(body, media_type="text/html", headers=NO_CACHE)


HANDLERS = [manifest, service_worker, offline]
