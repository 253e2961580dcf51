package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a writer task the current state of its stream and creates the events that the task appends. To be used on the
 * writer's thread, until the task returns.
 */
public interface WriterTaskContext {
    /** The stream the task was submitted for. */
    String stream();

    /** The stream's last seq, with the events this task made so far. */
    long lastSeq();

    /** The time of this batch. */
    Instant now();

    /** All events of one subject, in order; none where it is unknown. */
    List<LedgerEvent> history(String subject);

    /** How a subject stands. */
    Optional<SubjectSummary> summary(String subject);

    /** The event an envelope caused. */
    Optional<LedgerEvent> findByReference(String reference);

    /** All open subjects, the oldest first. Read from the database each time: not for every envelope. */
    List<SubjectSummary> openSubjects();

    /**
     * Makes the next event of the stream, at the time of this batch. It happens only if the task returns it, and then
     * all others it made as well.
     */
    LedgerEvent createEvent(String subject, String type, String actor, @Nullable String reference, LedgerBody body);
}
