package dev.gavel.lifecycle.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that happened to one proposal, and how it therefore stands. Immutable. */
public final class History {
    private static final History EMPTY = new History(List.of(), null);

    private final List<Event> events;
    private final @Nullable Standing standing;

    private History(List<Event> events, @Nullable Standing standing) {
        this.events = events;
        this.standing = standing;
    }

    /** A proposal that has not begun. */
    public static History empty() {
        return EMPTY;
    }

    /** The history these events make, the first of which began the proposal. */
    public static History of(List<Event> events) {
        return EMPTY.plus(events);
    }

    /** This history with more events after it. */
    public History plus(List<? extends Event> more) {
        Standing now = standing;
        for (Event event : more) {
            now = now == null ? begun(event) : now.after(event);
        }
        List<Event> all = new ArrayList<>(events);
        all.addAll(more);
        return new History(List.copyOf(all), now);
    }

    /** What happened, the earliest first. */
    public List<Event> events() {
        return events;
    }

    /** How the proposal stands; empty before it began. */
    public Optional<Standing> standing() {
        return Optional.ofNullable(standing);
    }

    private static Standing begun(Event first) {
        if (first instanceof Event.Submitted submitted) {
            return Standing.of(submitted);
        }
        throw new IllegalArgumentException("a history begins with a submission, not with " + first);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof History history && events.equals(history.events);
    }

    @Override
    public int hashCode() {
        return events.hashCode();
    }

    @Override
    public String toString() {
        return events.toString();
    }
}
