package dev.gavel.lifecycle.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ordered events of one specification proposal, and its current state as computed from them. Immutable. */
public final class LifecycleHistory {
    private static final LifecycleHistory EMPTY = new LifecycleHistory(List.of(), null);

    private final List<LifecycleEvent> events;
    private final @Nullable LifecycleSnapshot snapshot;

    private LifecycleHistory(List<LifecycleEvent> events, @Nullable LifecycleSnapshot lifecycleSnapshot) {
        this.events = events;
        this.snapshot = lifecycleSnapshot;
    }

    /** Returns the history of a proposal that is not submitted yet. */
    public static LifecycleHistory empty() {
        return EMPTY;
    }

    /** Returns the history of these events, the first of which must be the submission. */
    public static LifecycleHistory of(List<LifecycleEvent> events) {
        return EMPTY.append(events);
    }

    /** Returns this history with more events appended. */
    public LifecycleHistory append(List<? extends LifecycleEvent> newEvents) {
        LifecycleSnapshot current = snapshot;
        for (LifecycleEvent event : newEvents) {
            current = current == null ? firstSnapshot(event) : current.apply(event);
        }
        List<LifecycleEvent> all = new ArrayList<>(events);
        all.addAll(newEvents);
        return new LifecycleHistory(List.copyOf(all), current);
    }

    /** Returns the events, earliest first. */
    public List<LifecycleEvent> events() {
        return events;
    }

    /** Returns the current snapshot; empty before the submission. */
    public Optional<LifecycleSnapshot> snapshot() {
        return Optional.ofNullable(snapshot);
    }

    private static LifecycleSnapshot firstSnapshot(LifecycleEvent first) {
        if (first instanceof LifecycleEvent.Submitted submitted) {
            return LifecycleSnapshot.of(submitted);
        }
        throw new IllegalArgumentException("a history begins with a submission, not with " + first);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LifecycleHistory history && events.equals(history.events);
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
