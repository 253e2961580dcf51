package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReplayResult;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.sep.notification.AtomFeed;
import dev.gavel.sep.notification.NotificationSource;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepStreams;
import dev.gavel.sep.store.UnreadableSepException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads events of SEPs from the ledger and turns them into notifications and the Atom feed. Waits for the disk.
 * Thread-safe.
 *
 * @param peopleResolver everybody as they are now
 * @param base where the server is reached, if that is known
 */
record LedgerNotificationSource(
        LedgerReader ledger,
        SepEventCodec codec,
        LifecycleEngine lifecycleEngine,
        SepLedgerReader sepReader,
        OpenSepCache openSeps,
        Supplier<PeopleResolver> peopleResolver,
        Optional<URI> base)
        implements NotificationSource {
    private static final int MOST_ENTRIES = 50;

    @Override
    public List<Entry> readAfter(long seq, int most) {
        List<Entry> letters = new ArrayList<>();
        for (LedgerEvent kept : events(seq, most)) {
            letters.add(new Entry(kept.seq(), toNotification(kept)));
        }
        return letters;
    }

    private List<LedgerEvent> events(long seq, int most) {
        return switch (ledger.eventsAfter(SepStreams.SEPS, seq, most)) {
            case StreamReplayResult.Events(List<LedgerEvent> events) -> events;
            case StreamReplayResult.Resync(RetainedStreamRange kept) -> events(kept.first() - 1, most);
        };
    }

    /** What to tell of an event; nothing of one that cannot be read, lest nothing behind it were ever told. */
    private Optional<SepNotification> toNotification(LedgerEvent kept) {
        int number = Integer.parseInt(kept.subject());
        return read(kept)
                .flatMap(event -> openSeps.findReadable(number)
                        .flatMap(sep -> SepNotification.of(
                                event,
                                sep,
                                lifecycleEngine,
                                SepFactEvaluator.of(
                                        sep,
                                        List.of(),
                                        lifecycleEngine.processDefinition(),
                                        peopleResolver.get(),
                                        openSeps::findReadable),
                                link(number))));
    }

    private Optional<dev.gavel.lifecycle.history.LifecycleEvent> read(LedgerEvent kept) {
        try {
            return Optional.of(codec.decode(kept));
        } catch (UnreadableSepException e) {
            sepReader.logUnreadable(Integer.parseInt(kept.subject()), e);
            return Optional.empty();
        }
    }

    /** Where a proposal can be read, if that is known. */
    private Optional<URI> link(int number) {
        return base.map(uri -> appendPath(uri, "/seps/" + number));
    }

    /** An address below another, whose path stays: a server may be reached below the path of another one. */
    static URI appendPath(URI base, String path) {
        String root = base.getRawPath() == null ? "" : base.getRawPath().replaceFirst("/+$", "");
        return URI.create(base.getScheme() + "://" + base.getRawAuthority() + root + path);
    }

    /** What happened lately, the latest first. */
    AtomFeed feed() {
        long last = ledger.retainedRange(SepStreams.SEPS).last();
        List<AtomFeed.Entry> entries = new ArrayList<>();
        for (LedgerEvent kept : events(Math.max(0, last - MOST_ENTRIES), MOST_ENTRIES)) {
            int number = Integer.parseInt(kept.subject());
            read(kept)
                    .ifPresent(event -> entries.add(new AtomFeed.Entry(
                            AtomFeed.idOf(kept.stream(), kept.seq()),
                            "SEP-" + number
                                    + openSeps.findReadable(number)
                                            .map(sep -> ": " + sep.title())
                                            .orElse(""),
                            event.at(),
                            event.by().person().login(),
                            SepEventSentenceFormatter.format(event),
                            link(number))));
        }
        Instant updated = entries.stream()
                .map(AtomFeed.Entry::updated)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        return new AtomFeed(
                AtomFeed.idOf(SepStreams.SEPS, 0),
                lifecycleEngine.processDefinition().title(),
                base.map(uri -> appendPath(uri, "/seps/feed.atom")),
                updated,
                entries.reversed());
    }
}
