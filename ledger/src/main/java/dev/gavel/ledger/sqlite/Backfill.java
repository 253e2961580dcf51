package dev.gavel.ledger.sqlite;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Link;
import dev.gavel.ledger.sql.ChainReading;
import dev.gavel.ledger.sql.Room;
import java.sql.SQLException;
import java.util.List;

/**
 * Gives events written before there was a chain their places in one, a page at a time. What had been forgotten by then
 * counts for nothing: the event after it follows the one before it.
 */
final class Backfill {
    private static final int PAGE = 500;
    private static final long PAGE_BYTES = 4 << 20;

    private static final String EVENTS = ChainReading.EVENTS.replace("e.hash\n", "e.hash, e.id\n");

    private final Session session;
    private final Row stream;
    private Hash head = Chain.START;
    private long last;

    private Backfill(Session session, Row stream) {
        this.session = session;
        this.stream = stream;
    }

    static void chain(Session session) throws SQLException {
        List<Row> streams = session.list(
                "SELECT id, name, first_seq, last_seq FROM stream",
                row -> new Row(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4)));
        for (Row stream : streams) {
            new Backfill(session, stream).chain();
        }
    }

    private void chain() throws SQLException {
        List<Numbered> page;
        do {
            Room room = new Room(PAGE_BYTES);
            page = session.listWhile(
                    each -> !(each.link instanceof Link.Kept kept)
                            || room.leftBy(kept.event().body()),
                    EVENTS,
                    row -> new Numbered(ChainReading.link(session, stream.name, row), row.getLong(10)),
                    stream.id,
                    last,
                    PAGE);
            for (Numbered each : page) {
                add(each);
            }
        } while (!page.isEmpty());
        skipTo(stream.lastSeq + 1);
        session.update("UPDATE stream SET head = ? WHERE id = ?", head.bytes(), stream.id);
    }

    private void add(Numbered each) throws SQLException {
        skipTo(each.link.seq());
        if (each.link instanceof Link.Kept kept) {
            Hash digest = Chain.digest(kept.event());
            head = Chain.next(head, kept.seq(), digest);
            session.update(
                    "UPDATE event SET digest = ?, hash = ? WHERE id = ?", digest.bytes(), head.bytes(), each.number);
        }
        last = each.link.seq();
    }

    /** A gap before the first kept seq is what pruning left; any other is damage, and stays to be found. */
    private void skipTo(long seq) throws SQLException {
        long forgotten = Math.min(seq, stream.firstSeq) - 1;
        if (forgotten > last) {
            session.update(
                    "INSERT INTO forgotten (stream, last_seq, first_seq, hash) VALUES (?, ?, ?, ?)",
                    stream.id,
                    forgotten,
                    last + 1,
                    head.bytes());
        }
    }

    private record Row(long id, String name, long firstSeq, long lastSeq) {}

    private record Numbered(Link link, long number) {}
}
