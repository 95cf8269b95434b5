-- Games that people look back on together: the moment they see, and who moves it.
CREATE TABLE review (
    id TEXT PRIMARY KEY,
    table_id TEXT NOT NULL,
    leader TEXT NOT NULL,
    moment INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at BIGINT NOT NULL
);
