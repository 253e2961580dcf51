-- Times are microseconds since 1970: to_timestamp(at / 1e6) reads them. Bodies are JSON: convert_from(body, 'UTF8').
-- Names compare byte by byte, so that their order and their indexes depend on no locale.

-- Numbers of streams have no gap, so that a stream taken out is missed; they are given under a lock.
CREATE TABLE stream (
    id bigint PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    first_seq bigint NOT NULL DEFAULT 1,
    last_seq bigint NOT NULL DEFAULT 0,
    -- The hash of the stream's last event.
    head bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
)
-- Its rows are changed with every event: room beside them keeps that within their pages.
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
    -- A digest of what the event says, and a hash of that, its seq and the hash of the event before.
    digest bytea NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (stream, seq)
);

CREATE INDEX event_by_subject ON event (subject, seq);
CREATE UNIQUE INDEX event_by_reference ON event (stream, reference) WHERE reference IS NOT NULL;

-- What the events amount to; made anew from them at any time.
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

-- Where events were that are forgotten: as many as stood side by side, and the hash of the last of them, from which the
-- next one follows.
CREATE TABLE forgotten (
    stream bigint NOT NULL,
    last_seq bigint NOT NULL,
    first_seq bigint NOT NULL,
    hash bytea NOT NULL,
    PRIMARY KEY (stream, last_seq)
);

-- What only one process does at a time, and which one that is; times are the database's.
CREATE TABLE lease (
    name text COLLATE "C" PRIMARY KEY,
    holder text COLLATE "C" NOT NULL,
    epoch bigint NOT NULL,
    expires_at timestamptz NOT NULL
);

-- Random values that all processes share.
CREATE TABLE setting (
    name text COLLATE "C" PRIMARY KEY,
    value bytea NOT NULL
);
