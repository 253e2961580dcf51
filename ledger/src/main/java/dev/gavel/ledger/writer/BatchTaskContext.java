package dev.gavel.ledger.writer;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.OwnerUsage;
import dev.gavel.ledger.SubjectSummary;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets one writer task read its stream, including the events of earlier tasks in the same batch, and collects the
 * events that the task creates. Confined to the writer's thread.
 */
final class BatchTaskContext implements WriterTaskContext {
    private final BatchBuilder batch;
    private final String stream;
    private final Instant now;
    private final long lastSeqBefore;
    private final List<LedgerEvent> createdEvents = new ArrayList<>();
    private final Set<String> unusedReferences = new HashSet<>();

    BatchTaskContext(BatchBuilder batchBuilder, String stream, Instant now, long lastSeq) {
        this.batch = batchBuilder;
        this.stream = stream;
        this.now = now;
        this.lastSeqBefore = lastSeq;
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
    public List<LedgerEvent> history(String subject) {
        return batch.subject(stream, subject).history();
    }

    @Override
    public Optional<SubjectSummary> summary(String subject) {
        return Optional.ofNullable(batch.subject(stream, subject).summary());
    }

    @Override
    public Optional<LedgerEvent> findByReference(String reference) {
        Optional<LedgerEvent> found = batch.findByReference(stream, reference);
        if (found.isEmpty()) {
            unusedReferences.add(reference);
        }
        return found;
    }

    @Override
    public List<LedgerEvent> identityEventsAfter(long seq) {
        return batch.identityEventsAfter(seq);
    }

    @Override
    public OwnerUsage ownerUsage(String owner, int starts) {
        return batch.ownerUsage(owner, starts);
    }

    @Override
    public List<SubjectSummary> openSubjects() {
        return batch.openSubjects(stream);
    }

    @Override
    public List<SubjectSummary> latestSubjects(String owner, boolean openOnly, int limit) {
        return batch.latestSubjects(stream, owner, openOnly, limit);
    }

    @Override
    public LedgerEvent createEvent(
            String subject, String type, String actor, @Nullable String reference, LedgerBody body) {
        LedgerEvent event = new LedgerEvent(stream, lastSeq() + 1, now, subject, type, actor, reference, body);
        createdEvents.add(event);
        return event;
    }

    /** Returns the events created so far. */
    List<LedgerEvent> createdEvents() {
        return createdEvents;
    }

    @Override
    public long lastSeq() {
        return lastSeqBefore + createdEvents.size();
    }

    /** Whether no event has this reference. A reference that was already looked up is not queried again. */
    boolean isUnused(String reference) {
        return unusedReferences.contains(reference)
                || findByReference(reference).isEmpty();
    }
}
