package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.sep.notification.AtomFeed;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.store.SepEventCodec;
import dev.gavel.sep.store.SepLedgerReader;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.UnreadableSepException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads events of SEPs from the ledger and turns them into notifications and the Atom feed. Blocks on disk reads.
 * Thread-safe.
 *
 * @param peopleResolver supplies the current people and roles
 * @param base the public base address of the server, if it is known
 */
record LedgerSepNotificationReader(
        LedgerReader ledger,
        SepEventCodec codec,
        LifecycleEngine lifecycleEngine,
        SepLedgerReader sepReader,
        OpenSepCache openSeps,
        Supplier<PeopleResolver> peopleResolver,
        Optional<URI> base)
        implements SepNotificationReader {
    private static final int MOST_ENTRIES = 50;

    @Override
    public List<Entry> readAfter(long seq, int most) {
        List<Entry> notifications = new ArrayList<>();
        for (LedgerEvent kept : events(seq, most)) {
            notifications.add(new Entry(kept.seq(), toNotification(kept)));
        }
        return notifications;
    }

    @Override
    public long lastSeq() {
        return ledger.retainedRange(SepStreamNames.SEPS).last();
    }

    private List<LedgerEvent> events(long seq, int most) {
        return switch (ledger.eventsAfter(SepStreamNames.SEPS, seq, most)) {
            case StreamReadResult.Events(List<LedgerEvent> events) -> events;
            case StreamReadResult.Resync(RetainedStreamRange kept) -> events(kept.first() - 1, most);
        };
    }

    /**
     * Returns the notification about an event. An unreadable event has none, so that it does not block the events after
     * it.
     */
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
                                link(number))))
                .map(sepNotification -> sepNotification.withHolders(peopleResolver.get()::holders));
    }

    private Optional<dev.gavel.lifecycle.history.LifecycleEvent> read(LedgerEvent kept) {
        try {
            return Optional.of(codec.decode(kept));
        } catch (UnreadableSepException e) {
            sepReader.logUnreadable(Integer.parseInt(kept.subject()), e);
            return Optional.empty();
        }
    }

    /** Returns the address of a SEP's page, if the base address is known. */
    private Optional<URI> link(int number) {
        return base.map(uri -> appendPath(uri, "/seps/" + number));
    }

    /** Appends a path to a base address and keeps the base path, because the server may run behind a path prefix. */
    static URI appendPath(URI base, String path) {
        String root = base.getRawPath() == null ? "" : base.getRawPath().replaceFirst("/+$", "");
        return URI.create(base.getScheme() + "://" + base.getRawAuthority() + root + path);
    }

    /** Returns the feed of recent events, the latest first. */
    AtomFeed feed() {
        long last = ledger.retainedRange(SepStreamNames.SEPS).last();
        List<AtomFeed.Entry> entries = new ArrayList<>();
        PeopleResolver people = peopleResolver.get();
        SepEventSentenceFormatter sentences =
                new SepEventSentenceFormatter(people, lifecycleEngine.processDefinition());
        for (LedgerEvent kept : events(Math.max(0, last - MOST_ENTRIES), MOST_ENTRIES)) {
            int number = Integer.parseInt(kept.subject());
            read(kept)
                    .ifPresent(event -> entries.add(new AtomFeed.Entry(
                            AtomFeed.idOf(kept.stream(), kept.seq()),
                            lifecycleEngine.processDefinition().terms().numberLabel(number)
                                    + openSeps.findReadable(number)
                                            .map(sep -> ": " + sep.title())
                                            .orElse(""),
                            event.at(),
                            people.name(event.by().person()),
                            sentences.format(event),
                            link(number))));
        }
        Instant updated = entries.stream()
                .map(AtomFeed.Entry::updated)
                .max(Instant::compareTo)
                .orElse(Instant.EPOCH);
        return new AtomFeed(
                AtomFeed.idOf(SepStreamNames.SEPS, 0),
                lifecycleEngine.processDefinition().title(),
                base.map(uri -> appendPath(uri, "/seps/feed.atom")),
                updated,
                entries.reversed());
    }
}
