-- How much each identity uses: open subjects, the latest starts, and the bytes written on each day (days since 1970).
CREATE INDEX summary_open_by_owner ON summary (owner, subject) WHERE open = 1;
CREATE INDEX summary_by_owner_start ON summary (owner, started_at);

CREATE TABLE written (
    identity text COLLATE "C" NOT NULL,
    day bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (identity, day)
);
