package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.SubjectSummary;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Gives a writer task the current state of its stream and creates the events that the task appends. Valid on the
 * writer's thread only, until the task returns.
 */
public interface WriterTaskContext {
    /** Returns the stream for which the task was submitted. */
    String stream();

    /** Returns the stream's last seq, including the events that this task has created. */
    long lastSeq();

    /** Returns the time of this batch. */
    Instant now();

    /** Returns all events of one subject in order; empty if the subject is unknown. */
    List<LedgerEvent> history(String subject);

    /** Returns the current summary of a subject. */
    Optional<SubjectSummary> summary(String subject);

    /** Returns the event with this reference, such as the id of the envelope that caused it. */
    Optional<LedgerEvent> findByReference(String reference);

    /**
     * Returns the events of {@link dev.gavel.ledger.LedgerReader#IDENTITY_STREAM} after a seq, including those of
     * earlier tasks in the same batch. No other process adds events to it until this batch is durable. If there are
     * none, a batch reads the database only once.
     */
    List<LedgerEvent> identityEventsAfter(long seq);

    /**
     * Returns how much of the ledger an identity uses, including the events of earlier tasks in the same batch. A batch
     * reads it once for each identity.
     *
     * @param starts the number of latest starts that the task needs
     */
    OwnerUsage ownerUsage(String owner, int starts);

    /**
     * Returns all open subjects, the oldest first. Each call reads from the database, so tasks must not call it for
     * every envelope.
     */
    List<SubjectSummary> openSubjects();

    /**
     * Returns the subjects of an owner in this stream that started last, the latest first, including those of earlier
     * tasks in the same batch. Each call reads from the database.
     *
     * @param openOnly whether to return open subjects only
     */
    List<SubjectSummary> latestSubjects(String owner, boolean openOnly, int limit);

    /**
     * Creates the next event of the stream, at the time of this batch. It is written only if the task returns it,
     * together with all other events that the task created.
     */
    LedgerEvent createEvent(String subject, String type, String actor, @Nullable String reference, LedgerBody body);
}
