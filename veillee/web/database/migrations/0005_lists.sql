-- What lists of tables show, written in the transaction of the entry that changes it.
-- `awaited` is the person whose decision a table awaits, "" for nobody, NULL if it is not known yet.
ALTER TABLE game_table ADD COLUMN awaited TEXT;

-- Whether a person has put a table away from their lists.
ALTER TABLE sitting ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;

-- How a finished game ended, by seat. `own` is 0 for others on the person's screen, `name_key` is
-- where the name is stored, `level` is a bot's, `part` is which game of a series it was, else 0.
CREATE TABLE result (
    table_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    person TEXT NOT NULL,
    own INTEGER NOT NULL,
    name_key TEXT NOT NULL,
    level TEXT NOT NULL,
    game TEXT NOT NULL,
    part INTEGER NOT NULL,
    place INTEGER NOT NULL,
    points INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX result_person ON result (person, game);
