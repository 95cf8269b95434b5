"""The OpenAPI document and the page made of it, both from the code of the operations."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Response, get
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, Info, SecurityScheme
from markupsafe import Markup, escape

from veillee import __version__
from veillee.bots.characters import RANDOM
from veillee.client import types
from veillee.engine.registry import games
from veillee.web.bot_pool import levels
from veillee.web.http.api.operations import SECURITY
from veillee.web.http.api.tables import ME, OPEN
from veillee.web.http.context import AppContext
from veillee.web.http.dependencies import Caller, HttpRequest, limit
from veillee.web.http.pages import Pages
from veillee.web.http.refusals import API
from veillee.web.templating import MARATHON

DESCRIPTION = """\
Everything that a person can do at a table, for programs. Send a token, which you make on the page
/programs, as `Authorization: Bearer …`. What you get is what the person of the token may know."""
CONFIG = OpenAPIConfig(
    title="Veillée",
    version=__version__,
    description=DESCRIPTION,
    use_handler_docstrings=True,
    components=Components(
        security_schemes={
            SECURITY: SecurityScheme(
                type="http", scheme="bearer", description="A token of /programs."
            )
        }
    ),
    render_plugins=[],
)
STRUCTS = [
    each
    for each in vars(types).values()
    if isinstance(each, type) and issubclass(each, msgspec.Struct) and each is not msgspec.Struct
]
LINKED = {
    "play": {"action": "$response.body#/actions/0/text", "moment": "$response.body#/moment"},
}
"""OpenAPI links: values of an operation's body that come from the answer of another."""


@cache
def openapi_document(app: Litestar) -> dict[str, Any]:
    """The document: Litestar's operations, msgspec's schemas, and links between operations."""
    document: dict[str, Any] = app.openapi_schema.to_schema()
    document["info"] = Info(
        title=CONFIG.title, version=CONFIG.version, description=DESCRIPTION
    ).to_schema()
    _, schemas = msgspec.json.schema_components(STRUCTS, ref_template="#/components/schemas/{name}")
    used = document["components"]["schemas"]
    document["components"]["schemas"] = {name: schemas[name] for name in sorted(schemas)}
    missing = set(used) - set(schemas)
    assert not missing, missing
    asked = schemas["TableRequest"]["properties"]
    asked["game"]["enum"] = [*games(), MARATHON]
    bots = f"([a-z]+@)?({'|'.join(levels())}|[0-9]{{3,4}})"
    asked["seats"]["items"]["pattern"] = f"^({ME}|{OPEN}|{RANDOM}|{bots})$"
    _link(document)
    return document


def _link(document: dict[str, Any]) -> None:
    """Say what an answer can be used for: a table in the operations on tables, and the like."""
    document["paths"][f"{API}/webhooks"]["post"]["responses"]["201"]["links"] = {
        "deleteWebhook": {
            "operationId": "deleteWebhook",
            "parameters": {"path.hook_id": "$response.body#/id"},
        }
    }
    operations = [
        operation
        for path, item in document["paths"].items()
        for operation in item.values()
        if "{table_id}" in path
    ]
    links: dict[str, Any] = {}
    for operation in operations:
        name = operation["operationId"]
        links[name] = {
            "operationId": name,
            "parameters": {"path.table_id": "$response.body#/id"},
        } | ({"requestBody": LINKED[name]} if name in LINKED else {})
    table = {"$ref": "#/components/schemas/Table"}
    for item in document["paths"].values():
        for operation in item.values():
            for status in ("200", "201"):
                answer = operation["responses"].get(status, {})
                kinds = answer.get("content", {}).values()
                if any(kind.get("schema") == table for kind in kinds):
                    answer["links"] = links


@get(f"{API}/openapi.json", include_in_schema=False, sync_to_thread=False)
def document_file(request: HttpRequest) -> dict[str, Any]:
    return openapi_document(request.app)


@get("/api", include_in_schema=False)
async def reference_page(
    request: HttpRequest, context: AppContext, caller: Caller, pages: Pages
) -> Response[str]:
    """The reference: every operation, what it takes and what it answers."""
    limit(context, context.limits.expensive, caller.network)
    document = openapi_document(request.app)
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            entry = operation | {"method": method.upper(), "path": path}
            groups.setdefault(operation["tags"][0], []).append(entry)
    return pages.render(
        "api.html",
        groups=groups,
        schemas=document["components"]["schemas"],
        kind=kind_of,
        coded=coded,
    )


def coded(text: str) -> Markup:
    """A description with its names in code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped


def kind_of(schema: dict[str, Any]) -> str:
    """The type of a value in a few words."""
    match schema:
        case {"$ref": ref}:
            return str(ref).rpartition("/")[2]
        case {"anyOf": options} | {"oneOf": options} | {"allOf": options}:
            return " or ".join(kind_of(option) for option in options)
        case {"enum": values}:
            return " | ".join(str(value) for value in values)
        case {"type": "array", "items": items}:
            return f"list of {kind_of(items)}"
        case {"type": [*names]}:
            return " or ".join(names)
        case {"type": name}:
            return str(name)
    return "any"


HANDLERS = [document_file, reference_page]
