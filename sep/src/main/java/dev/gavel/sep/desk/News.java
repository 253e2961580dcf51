package dev.gavel.sep.desk;

import dev.gavel.ledger.Event;
import dev.gavel.ledger.Extent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.Replay;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.EventCodec;
import dev.gavel.sep.kept.Streams;
import dev.gavel.sep.sweep.Feed;
import dev.gavel.sep.sweep.Notice;
import dev.gavel.sep.sweep.Outbox;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What there is to tell of proposals, from the ledger's tail: to those it concerns, and to whoever follows. Waits for the
 * disk. Thread-safe.
 *
 * @param link where a proposal can be read, if that is known
 */
record News(
        LedgerReader ledger,
        EventCodec codec,
        Lifecycle lifecycle,
        Shelf shelf,
        Supplier<Roster> roster,
        Optional<URI> base,
        IntFunction<Optional<URI>> link)
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

    private Optional<Notice> notice(Event kept) {
        dev.gavel.lifecycle.history.Event event = codec.read(kept);
        return shelf.find(Integer.parseInt(kept.subject()))
                .flatMap(sep -> Notice.of(
                        event,
                        sep,
                        lifecycle,
                        Facts.of(sep, List.of(), lifecycle.process(), roster.get(), shelf::find),
                        link.apply(sep.number())));
    }

    /** What happened lately, the latest first. */
    Feed feed() {
        long last = ledger.extent(Streams.SEPS).last();
        List<Feed.Entry> entries = new ArrayList<>();
        for (Event kept : events(Math.max(0, last - MOST_ENTRIES), MOST_ENTRIES)) {
            dev.gavel.lifecycle.history.Event event = codec.read(kept);
            int number = Integer.parseInt(kept.subject());
            String title = shelf.find(number).map(Sep::title).orElse("");
            entries.add(new Feed.Entry(
                    Feed.idOf(kept.stream(), kept.seq()),
                    "SEP-" + number + ": " + title,
                    event.at(),
                    event.by().person().login(),
                    Sayings.of(event),
                    link.apply(number)));
        }
        Instant updated = entries.stream()
                .map(Feed.Entry::updated)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        return new Feed(
                Feed.idOf(Streams.SEPS, 0),
                lifecycle.process().title(),
                base.map(uri -> uri.resolve("/seps/feed.atom")),
                updated,
                entries.reversed());
    }
}
