-- How much each identity uses: open subjects, the latest starts, and the bytes written on each day (days since 1970).
CREATE INDEX summary_open_by_owner ON summary (owner, subject) WHERE open = 1;
CREATE INDEX summary_by_owner_start ON summary (owner, started_at);

CREATE TABLE written (
    identity TEXT NOT NULL,
    day INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (identity, day)
) STRICT, WITHOUT ROWID;
