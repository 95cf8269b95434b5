-- On whose account a job is done: a digest of a network, or a person; "" for nobody's.
ALTER TABLE owed ADD COLUMN payer TEXT NOT NULL DEFAULT '';
