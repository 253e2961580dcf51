package dev.gavel.sep.desk;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.sep.kept.Archive;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.kept.Unreadable;
import dev.gavel.sep.sweep.Feed;
import dev.gavel.sep.sweep.Notice;
import dev.gavel.sep.sweep.Outbox;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What there is to tell of proposals, from the ledger's tail: to those it concerns, and to whoever follows. Waits for the
 * disk. Thread-safe.
 *
 * @param roster everybody as they are now
 * @param base where the server is reached, if that is known
 */
record News(
        LedgerReader ledger,
        EventCodec codec,
        Lifecycle lifecycle,
        Archive archive,
        Shelf shelf,
        Supplier<Roster> roster,
        Optional<URI> base)
        implements Outbox {
    private static final int MOST_ENTRIES = 50;

    @Override
    public List<Letter> after(long seq, int most) {
        List<Letter> letters = new ArrayList<>();
        for (Event kept : events(seq, most)) {
            letters.add(new Letter(kept.seq(), notice(kept)));
        }
        return letters;
    }

    private List<Event> events(long seq, int most) {
        return switch (ledger.after(Streams.SEPS, seq, most)) {
            case Replay.Events(List<Event> events) -> events;
            case Replay.Resync(Extent kept) -> events(kept.first() - 1, most);
        };
    }

    /** What to tell of an event; nothing of one that cannot be read, lest nothing behind it were ever told. */
    private Optional<Notice> notice(Event kept) {
        int number = Integer.parseInt(kept.subject());
        return read(kept)
                .flatMap(event -> shelf.readable(number)
                        .flatMap(sep -> Notice.of(
                                event,
                                sep,
                                lifecycle,
                                Facts.of(sep, List.of(), lifecycle.process(), roster.get(), shelf::readable),
                                link(number))));
    }

    private Optional<dev.gavel.lifecycle.history.Event> read(Event kept) {
        try {
            return Optional.of(codec.read(kept));
        } catch (Unreadable e) {
            archive.passOver(Integer.parseInt(kept.subject()), e);
            return Optional.empty();
        }
    }

    /** Where a proposal can be read, if that is known. */
    private Optional<URI> link(int number) {
        return base.map(uri -> under(uri, "/seps/" + number));
    }

    /** An address below another, whose path stays: a server may be reached below the path of another one. */
    static URI under(URI base, String path) {
        String root = base.getRawPath() == null ? "" : base.getRawPath().replaceFirst("/+$", "");
        return URI.create(base.getScheme() + "://" + base.getRawAuthority() + root + path);
    }

    /** What happened lately, the latest first. */
    Feed feed() {
        long last = ledger.extent(Streams.SEPS).last();
        List<Feed.Entry> entries = new ArrayList<>();
        for (Event kept : events(Math.max(0, last - MOST_ENTRIES), MOST_ENTRIES)) {
            int number = Integer.parseInt(kept.subject());
            read(kept)
                    .ifPresent(event -> entries.add(new Feed.Entry(
                            Feed.idOf(kept.stream(), kept.seq()),
                            "SEP-" + number
                                    + shelf.readable(number)
                                            .map(sep -> ": " + sep.title())
                                            .orElse(""),
                            event.at(),
                            event.by().person().login(),
                            Sayings.of(event),
                            link(number))));
        }
        Instant updated = entries.stream()
                .map(Feed.Entry::updated)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        return new Feed(
                Feed.idOf(Streams.SEPS, 0),
                lifecycle.process().title(),
                base.map(uri -> under(uri, "/seps/feed.atom")),
                updated,
                entries.reversed());
    }
}
