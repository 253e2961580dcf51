package dev.gavel.ledger.writer;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Summary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a task decides by: a stream as it is with everything durable and everything decided before in the same batch. To
 * be used on the writer's thread, until the task returns.
 */
public interface View {
    /** The stream the task was submitted for. */
    String stream();

    /** The stream's last seq, with the events this task made so far. */
    long lastSeq();

    /** The time of this batch. */
    Instant now();

    /** All events of one subject, in order; none where it is unknown. */
    List<Event> history(String subject);

    /** How a subject stands. */
    Optional<Summary> summary(String subject);

    /** The event an envelope caused. */
    Optional<Event> byReference(String reference);

    /** All open subjects, the oldest first. Read from the database each time: not for every envelope. */
    List<Summary> open();

    /**
     * Makes the next event of the stream, at the time of this batch. It happens only if the task returns it, and then
     * all others it made as well.
     */
    Event event(String subject, String type, String actor, @Nullable String reference, Body body);
}
