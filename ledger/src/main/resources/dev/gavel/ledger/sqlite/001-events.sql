-- Times are microseconds since 1970: datetime(at / 1000000, 'unixepoch') converts them.

CREATE TABLE stream (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    first_seq INTEGER NOT NULL DEFAULT 1,
    last_seq INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Events contain a subject's id instead of its name. Ids grow, so the index by subject grows at its end, whose pages
-- are cached; names would cause writes all over the index.
CREATE TABLE subject (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (stream, name)
) STRICT;

CREATE TABLE event (
    id INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    subject INTEGER NOT NULL,
    type TEXT NOT NULL,
    actor TEXT NOT NULL,
    reference TEXT,
    body BLOB NOT NULL,
    UNIQUE (stream, seq)
) STRICT;

CREATE INDEX event_by_subject ON event (subject, seq);
CREATE UNIQUE INDEX event_by_reference ON event (stream, reference) WHERE reference IS NOT NULL;

-- The current state of each subject, computed from its events; it can be rebuilt at any time.
CREATE TABLE summary (
    subject INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    state TEXT NOT NULL,
    open INTEGER NOT NULL,
    owner TEXT NOT NULL,
    due_at INTEGER,
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    last_seq INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;

CREATE INDEX summary_by_stream ON summary (stream, subject);
CREATE INDEX summary_by_state ON summary (stream, state, subject);
CREATE INDEX summary_by_owner ON summary (stream, owner, subject);
CREATE INDEX summary_open ON summary (stream, subject) WHERE open = 1;
CREATE INDEX summary_due ON summary (stream, due_at, subject) WHERE due_at IS NOT NULL;
CREATE INDEX summary_ended ON summary (ended_at) WHERE ended_at IS NOT NULL;
