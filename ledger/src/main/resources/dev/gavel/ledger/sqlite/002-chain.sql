-- The digest of the event's content, and the hash of that digest, the seq and the hash of the preceding event;
-- docs/ledger.md describes the bytes. The migration computes both for existing events in the same transaction.
ALTER TABLE event ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
ALTER TABLE event ADD COLUMN hash BLOB NOT NULL DEFAULT x'';

-- The hash of the stream's last event.
ALTER TABLE stream ADD COLUMN head BLOB NOT NULL
    DEFAULT x'0000000000000000000000000000000000000000000000000000000000000000';

-- The ranges of pruned events: each is a run of adjacent events with the hash of the last one, from which the next
-- event follows.
CREATE TABLE forgotten (
    stream INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    first_seq INTEGER NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (stream, last_seq)
) STRICT, WITHOUT ROWID;
