package dev.gavel.ledger.writer;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one task is shown, and the events it makes. Used by the writer's thread alone. */
final class TaskView implements View {
    private final Deciding deciding;
    private final String stream;
    private final Instant now;
    private final long before;
    private final List<Event> made = new ArrayList<>();
    private final Set<String> unused = new HashSet<>();

    TaskView(Deciding deciding, String stream, Instant now, long lastSeq) {
        this.deciding = deciding;
        this.stream = stream;
        this.now = now;
        this.before = lastSeq;
    }

    @Override
    public String stream() {
        return stream;
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public List<Event> history(String subject) {
        return deciding.known(stream, subject).history();
    }

    @Override
    public Optional<Summary> summary(String subject) {
        return Optional.ofNullable(deciding.known(stream, subject).summary());
    }

    @Override
    public Optional<Event> byReference(String reference) {
        Optional<Event> found = deciding.byReference(stream, reference);
        if (found.isEmpty()) {
            unused.add(reference);
        }
        return found;
    }

    @Override
    public List<Summary> open() {
        return deciding.open(stream);
    }

    @Override
    public Event event(String subject, String type, String actor, @Nullable String reference, Body body) {
        Event event = new Event(stream, lastSeq() + 1, now, subject, type, actor, reference, body);
        made.add(event);
        return event;
    }

    /** The events made so far. */
    List<Event> made() {
        return made;
    }

    @Override
    public long lastSeq() {
        return before + made.size();
    }

    /** Whether no event has this reference; the database is not asked twice. */
    boolean isUnused(String reference) {
        return unused.contains(reference) || byReference(reference).isEmpty();
    }
}
