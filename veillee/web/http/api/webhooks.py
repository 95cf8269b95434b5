"""Webhooks: addresses that are called when it is your turn, or your game is over."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from litestar import delete
from litestar.params import Parameter

from veillee.client import types
from veillee.engine.refusal import Refusal
from veillee.web.database.api_queries import WebhookRow
from veillee.web.http.api.operations import SECURITY, options, problems, reads, writes
from veillee.web.http.context import AppContext
from veillee.web.people import Person

WEBHOOKS = "Webhooks"
SCOPE: Literal["webhooks"] = "webhooks"
HookId = Annotated[str, Parameter(pattern=r"^[A-Za-z0-9_-]{1,64}$", description="A webhook.")]


def _shown(hook: WebhookRow) -> types.Webhook:
    return types.Webhook(hook.id, hook.url, _events(hook), hook.failures)


def _events(hook: WebhookRow) -> list[types.HookEvent]:
    return cast(list[types.HookEvent], hook.events.split())


@reads(
    "/webhooks", WEBHOOKS, scope=SCOPE, operation_id="listWebhooks", summary="List your webhooks"
)
async def list_webhooks(context: AppContext, person: Person) -> list[types.Webhook]:
    """The addresses that are called for you."""
    return [_shown(hook) for hook in await context.webhooks.of(person.id)]


@writes(
    "/webhooks",
    WEBHOOKS,
    scope=SCOPE,
    status=201,
    operation_id="addWebhook",
    summary="Add a webhook",
)
async def add_webhook(
    context: AppContext, person: Person, data: types.WebhookRequest
) -> types.NewWebhook:
    """Have an address called with the message that the stream of all tables would tell.

    Calls are signed with the secret that is answered, as https://www.standardwebhooks.com says,
    and tried again for some hours if they are not answered with a status of 2xx.
    """
    hook = await context.webhooks.add(person.id, data.url, data.events)
    return types.NewWebhook(hook.id, hook.url, _events(hook), hook.failures, hook.secret)


@delete(
    "/webhooks/{hook_id:str}",
    tags=[WEBHOOKS],
    opt={"scope": SCOPE},
    security=[{SECURITY: [SCOPE]}],
    responses=problems(400, 401, 403, 404, 429),
    operation_id="deleteWebhook",
    summary="Delete a webhook",
)
async def delete_webhook(context: AppContext, person: Person, hook_id: HookId) -> None:
    """Have an address called no more."""
    if not await context.webhooks.delete(person.id, hook_id):
        raise Refusal("unknown", "web.hook.unknown")


HANDLERS = [options("/webhooks", "GET", "POST"), list_webhooks, add_webhook, delete_webhook]
