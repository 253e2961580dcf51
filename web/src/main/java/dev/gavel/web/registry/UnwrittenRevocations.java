package dev.gavel.web.registry;

import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterTaskContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The revocations that are in effect in this process but not yet in the ledger, because the ledger was unavailable. They
 * are also in a file, so that they stay in effect after a restart. The file is written on a thread of its own, because
 * the disk may hang. Not thread-safe.
 */
public final class UnwrittenRevocations implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(UnwrittenRevocations.class);

    private static final int MAX_REVOCATIONS = 10_000;

    private final Optional<UnwrittenRevocationFile> file;
    private final ExecutorService fileExecutor;
    private final List<Revocation> revocations = new ArrayList<>();

    /** Whether the file contains all revocations of the list, once all changes of the file have been made. */
    private CompletableFuture<Boolean> stored;

    private UnwrittenRevocations(Optional<UnwrittenRevocationFile> file, ExecutorService fileExecutor) {
        this.file = file;
        this.fileExecutor = fileExecutor;
        this.stored = CompletableFuture.completedFuture(file.isPresent());
    }

    /** Creates an empty list that a restart loses. */
    public static UnwrittenRevocations inMemory() {
        return new UnwrittenRevocations(Optional.empty(), newFileExecutor());
    }

    /** Reads the revocations that an earlier process stored in a data directory. */
    public static UnwrittenRevocations inDirectory(Path data) throws IOException {
        return inDirectory(data, newFileExecutor());
    }

    private static ExecutorService newFileExecutor() {
        return Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("gavel-revocations").factory());
    }

    /** Like {@link #inDirectory(Path)}, with the executor that changes the file. */
    static UnwrittenRevocations inDirectory(Path data, ExecutorService fileExecutor) throws IOException {
        UnwrittenRevocationFile file = new UnwrittenRevocationFile(data);
        UnwrittenRevocations unwritten = new UnwrittenRevocations(Optional.of(file), fileExecutor);
        unwritten.revocations.addAll(file.read());
        return unwritten;
    }

    /** A revocation of tokens or of a membership. */
    record Revocation(String name, List<RegistryChange> changes, ChangeAttribution changeAttribution) {}

    boolean hasRoom() {
        return revocations.size() < MAX_REVOCATIONS;
    }

    boolean isEmpty() {
        return revocations.isEmpty();
    }

    /** Returns the revocations, the oldest first. */
    List<Revocation> all() {
        return List.copyOf(revocations);
    }

    /** Returns whether all of them stay in effect after a restart, once all changes of the file have been made. */
    CompletableFuture<Boolean> stored() {
        return stored;
    }

    /** Adds a revocation to the list, and later to the file if possible. */
    void add(Revocation revocation) {
        revocations.add(revocation);
        file.ifPresent(it -> changeFile(before -> append(it, revocation) && before));
    }

    private void changeFile(UnaryOperator<Boolean> change) {
        stored = stored.thenApplyAsync(change, fileExecutor).exceptionally(e -> false);
    }

    private static boolean append(UnwrittenRevocationFile file, Revocation revocation) {
        try {
            file.append(revocation);
            return true;
        } catch (IOException e) {
            log.error("A revocation cannot be stored in the data directory, so a restart ends it: {}", e.getMessage());
            return false;
        }
    }

    private static boolean delete(UnwrittenRevocationFile file) {
        try {
            file.delete();
            return true;
        } catch (IOException e) {
            log.warn("The file of revocations that are in the ledger now cannot be deleted: {}", e.getMessage());
            return false;
        }
    }

    boolean contains(String name) {
        return revocations.stream().anyMatch(each -> each.name().equals(name));
    }

    /** Removes those that the durable snapshot contains. */
    void removeContained(RegistrySnapshot durable) {
        removeAll(revocations.stream()
                .filter(each -> each.changes().stream().allMatch(change -> isContained(durable, each.name(), change)))
                .toList());
    }

    /** Removes revocations that are durable. */
    void removeAll(List<Revocation> written) {
        if (revocations.removeAll(written) && revocations.isEmpty()) {
            file.ifPresent(it -> changeFile(before -> delete(it) || before));
        }
    }

    /** Returns a snapshot with these revocations in effect. */
    RegistrySnapshot addTo(RegistrySnapshot durable) {
        RegistrySnapshot next = durable;
        for (Revocation each : revocations) {
            next = next.apply(each.name(), each.changes(), each.changeAttribution());
        }
        return next;
    }

    /** Decides which events to write: all that the durable snapshot does not contain. The result is what they cover. */
    static TaskDecision<List<Revocation>> toDecision(
            List<Revocation> revocations, RegistrySnapshot durable, WriterTaskContext writerTaskContext) {
        List<LedgerEvent> events = new ArrayList<>();
        Map<String, SubjectSummary> summaries = new LinkedHashMap<>();
        for (Revocation each : revocations) {
            for (RegistryChange change : each.changes()) {
                if (isContained(durable, each.name(), change)) {
                    continue;
                }
                LedgerEvent event = writerTaskContext.createEvent(
                        each.name(),
                        RegistryChangeCodec.type(change),
                        each.changeAttribution().by(),
                        null,
                        RegistryChangeCodec.body(change));
                events.add(event);
                Instant startedAt = writerTaskContext
                        .summary(each.name())
                        .map(SubjectSummary::startedAt)
                        .orElse(event.at());
                summaries.put(each.name(), IdentitySummaryProjector.summary(startedAt, event));
            }
        }
        return new TaskDecision<>(revocations, events, List.copyOf(summaries.values()));
    }

    private static boolean isContained(RegistrySnapshot durable, String name, RegistryChange change) {
        return switch (change) {
            case RegistryChange.TokenRevoked(String id, var _) ->
                durable.tokens(name).stream()
                        .filter(token -> token.id().equals(id))
                        .allMatch(token -> token.revoked().isPresent());
            case RegistryChange.MemberRemoved(String topic) ->
                durable.capabilities(topic, name).isEmpty();
            default -> false;
        };
    }

    /** Completes the changes of the file that have begun, and makes no more. */
    @Override
    public void close() {
        fileExecutor.shutdown();
    }
}
