-- Portable between SQLite and PostgreSQL.
CREATE TABLE setting (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    host TEXT,
    name TEXT NOT NULL,
    settings TEXT NOT NULL,
    made BIGINT NOT NULL
);
CREATE INDEX person_host ON person (host);
CREATE TABLE game_table (
    id TEXT PRIMARY KEY,
    seed TEXT NOT NULL,
    state TEXT NOT NULL,
    listed INTEGER NOT NULL,
    changed BIGINT NOT NULL
);
CREATE INDEX game_table_state ON game_table (state, listed, changed);
CREATE TABLE entry (
    table_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    token TEXT,
    at BIGINT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE UNIQUE INDEX entry_once ON entry (table_id, token);
CREATE TABLE sitting (
    person TEXT NOT NULL,
    table_id TEXT NOT NULL,
    PRIMARY KEY (person, table_id)
);
