-- A digest of what the event says, and a hash of that, its seq and the hash of the event before: docs/ledger.md has the
-- bytes. Events written before this get theirs in the same transaction.
ALTER TABLE event ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
ALTER TABLE event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

-- The hash of the stream's last event.
ALTER TABLE stream ADD COLUMN head BLOB NOT NULL
    DEFAULT x'0000000000000000000000000000000000000000000000000000000000000000';

-- Where events were that are forgotten: as many as stood side by side, and the hash of the last of them, from which the
-- next one follows.
CREATE TABLE forgotten (
    stream INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (stream, last_seq)
) STRICT, WITHOUT ROWID;
