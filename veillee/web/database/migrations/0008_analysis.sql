-- Analyses of finished games: how far they are, and the result as JSON when they are done.
CREATE TABLE analysis (
    table_id TEXT PRIMARY KEY,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    data TEXT
);
