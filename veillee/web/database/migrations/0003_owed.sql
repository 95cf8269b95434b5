-- Work that one server does at a time: bots and clocks of a table, and other kinds of jobs.
-- `due` is in milliseconds since 1970, NULL if nothing is owed; `owner` is the server at work.
CREATE TABLE owed (
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    due BIGINT,
    owner TEXT NOT NULL,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX owed_due ON owed (kind, due);

-- Messages between workers on one SQLite file that are not entries of a log.
CREATE TABLE notice (id BIGINT PRIMARY KEY, at BIGINT NOT NULL, data TEXT NOT NULL);

-- Short-lived values that all servers share: presence and rate limits.
CREATE TABLE shared_key (
    space TEXT NOT NULL,
    key TEXT NOT NULL,
    value BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    PRIMARY KEY (space, key)
);
CREATE INDEX shared_key_expires ON shared_key (expires);
