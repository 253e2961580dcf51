-- Times are microseconds since 1970: to_timestamp(at / 1e6) converts them. Bodies are JSON: convert_from(body, 'UTF8').
-- Names are compared byte by byte, so that their order and their indexes do not depend on a locale.

-- Stream ids have no gaps, so that the audit notices a deleted stream; they are assigned under a lock.
CREATE TABLE stream (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    first_seq bigint NOT NULL DEFAULT 1,
    last_seq bigint NOT NULL DEFAULT 0,
    -- The hash of the stream's last event.
    head bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
)
-- Its rows change with every event: free space lets PostgreSQL store the new row versions in the same page.
WITH (fillfactor = 20);

CREATE TABLE subject (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    UNIQUE (stream, name)
);

CREATE TABLE event (
    stream bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    subject bigint NOT NULL,
    type text COLLATE "C" NOT NULL,
    actor text COLLATE "C" NOT NULL,
    reference text COLLATE "C",
    body bytea NOT NULL,
    -- The digest of the event's content, and the hash of that digest, the seq and the hash of the preceding event.
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (stream, seq)
);

CREATE INDEX event_by_subject ON event (subject, seq);
CREATE UNIQUE INDEX event_by_reference ON event (stream, reference) WHERE reference IS NOT NULL;

-- The current state of each subject, computed from its events; it can be rebuilt at any time.
CREATE TABLE summary (
    subject bigint PRIMARY KEY,
    stream bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    open integer NOT NULL,
    owner text COLLATE "C" NOT NULL,
    due_at bigint,
    started_at bigint NOT NULL,
    ended_at bigint,
    last_seq bigint NOT NULL,
    body bytea NOT NULL
);

CREATE INDEX summary_by_stream ON summary (stream, subject);
CREATE INDEX summary_by_state ON summary (stream, state, subject);
CREATE INDEX summary_by_owner ON summary (stream, owner, subject);
CREATE INDEX summary_open ON summary (stream, subject) WHERE open = 1;
CREATE INDEX summary_due ON summary (stream, due_at, subject) WHERE due_at IS NOT NULL;
CREATE INDEX summary_ended ON summary (ended_at) WHERE ended_at IS NOT NULL;

-- The ranges of pruned events: each is a run of adjacent events with the hash of the last one, from which the next
-- event follows.
CREATE TABLE forgotten (
    stream bigint NOT NULL,
    last_seq bigint NOT NULL,
    first_seq bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (stream, last_seq)
);

-- The tasks that only one process runs at a time, with the process that holds each; times are by the database's clock.
CREATE TABLE lease (
    name text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    expires_at timestamptz NOT NULL
);

-- Random values that all processes of this ledger share.
CREATE TABLE setting (
    name text COLLATE "C" PRIMARY KEY,
    value bytea NOT NULL
);
