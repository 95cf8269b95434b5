-- Programs that act for people, or as bots of their own. Tokens are stored as digests.
CREATE TABLE api_token (
    digest TEXT PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    owner TEXT NOT NULL,
    person TEXT NOT NULL,
    label TEXT NOT NULL,
    scopes TEXT NOT NULL,
    made BIGINT NOT NULL,
    used BIGINT NOT NULL
);
CREATE INDEX api_token_owner ON api_token (owner);
CREATE INDEX api_token_person ON api_token (person);
CREATE TABLE bot_account (
    person TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE
);
CREATE INDEX bot_account_owner ON bot_account (owner);
CREATE TABLE invitation (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (person, table_id)
);
-- Addresses that are called, and the calls that are still to be made.
CREATE TABLE webhook (
    id TEXT PRIMARY KEY,
    person TEXT NOT NULL,
    url TEXT NOT NULL,
    secret TEXT NOT NULL,
    events TEXT NOT NULL,
    failures INTEGER NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX webhook_person ON webhook (person);
CREATE TABLE webhook_call (
    id TEXT PRIMARY KEY,
    webhook TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    at BIGINT NOT NULL
);
