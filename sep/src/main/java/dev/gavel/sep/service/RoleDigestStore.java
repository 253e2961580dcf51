package dev.gavel.sep.service;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.RetainedStreamRange;
import dev.gavel.ledger.StreamReadResult;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriteResult;
import dev.gavel.ledger.writer.WriterTaskContext;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.RoleGroup;
import dev.gavel.lifecycle.process.DigestRule;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.notification.SepNotification;
import dev.gavel.sep.notification.SepNotificationReader;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.sep.store.SepSummaryProjector;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores digests, the periodic lists of the SEPs that wait for a role, and reads them as notifications. The ledger
 * contains each digest, so a role gets at most one in a period, also with several server processes. Thread-safe.
 */
record RoleDigestStore(LedgerReader ledger, LedgerWriter writer, ProcessDefinition processDefinition) {
    private static final Logger log = LoggerFactory.getLogger(RoleDigestStore.class);
    private static final int MAX_LISTED = 50;
    private static final int MAX_TITLE = 100;

    /** The SEPs that wait for a role, the longest waiting first. */
    record Digest(String role, List<OpenSepCache.Entry> waiting) {}

    /** Returns the digests that are due: their period is over, and there are SEPs to list. */
    List<Digest> findDue(Collection<OpenSepCache.Entry> openSeps, Instant now) {
        List<Digest> due = new ArrayList<>();
        processDefinition
                .digestRule()
                .ifPresent(rule -> rule.roles().forEach(role -> {
                    List<OpenSepCache.Entry> waiting = openSeps.stream()
                            .filter(entry -> entry.mustAct().stream()
                                    .anyMatch(assignment -> assignment.party().equals(new RoleGroup(role))))
                            .sorted(Comparator.comparing(OpenSepCache.Entry::since)
                                    .thenComparingInt(entry -> entry.sep().number()))
                            .toList();
                    if (!waiting.isEmpty() && isPeriodOver(rule, ledger.summary(SepStreamNames.DIGESTS, role), now)) {
                        due.add(new Digest(role, waiting));
                    }
                }));
        return due;
    }

    private static boolean isPeriodOver(DigestRule rule, Optional<SubjectSummary> last, Instant now) {
        return last.map(summary -> Json.parse(summary.body().toString())
                        .map(body -> Instant.parse(body.at("at").text()))
                        .orElse(Instant.MIN))
                .filter(at -> at.plus(rule.every()).isAfter(now))
                .isEmpty();
    }

    /** Records a digest, unless another process has recorded one in this period. A failure is left to the next sweep. */
    CompletableFuture<Boolean> record(Digest digest) {
        CompletableFuture<Boolean> isRecorded = new CompletableFuture<>();
        writer.submit(SepStreamNames.DIGESTS, writerTaskContext -> record(writerTaskContext, digest), writeResult -> {
            boolean recorded = writeResult instanceof WriteResult.Written<Boolean>(Boolean yes, var _) && yes;
            if (!(writeResult instanceof WriteResult.Written<Boolean>)) {
                log.warn("The digest for {} could not be recorded: {}", digest.role(), writeResult);
            }
            isRecorded.completeAsync(() -> recorded);
        });
        return isRecorded;
    }

    private TaskDecision<Boolean> record(WriterTaskContext writerTaskContext, Digest digest) {
        Optional<SubjectSummary> last = writerTaskContext.summary(digest.role());
        if (!isPeriodOver(processDefinition.digestRule().orElseThrow(), last, writerTaskContext.now())) {
            return TaskDecision.withoutEvents(false);
        }
        LedgerBody body = LedgerBody.of(Json.object()
                .with("at", Json.ofText(writerTaskContext.now().toString()))
                .with("title", Json.ofText(title(digest)))
                .with("text", Json.ofText(text(digest)))
                .raw());
        LedgerEvent event = writerTaskContext.createEvent(digest.role(), "digest", Actor.SYSTEM, null, body);
        return TaskDecision.ofEvent(
                true,
                event,
                SepSummaryProjector.latestEventSummary(
                        last.map(SubjectSummary::startedAt).orElse(event.at()), event));
    }

    private String title(Digest digest) {
        int count = digest.waiting().size();
        return processDefinition.terms().count(count)
                + (count == 1 ? " waits for " : " wait for ")
                + processDefinition.title(digest.role());
    }

    private String text(Digest digest) {
        List<String> lines = new ArrayList<>();
        for (OpenSepCache.Entry entry : digest.waiting()
                .subList(0, Math.min(MAX_LISTED, digest.waiting().size()))) {
            String title = entry.sep().title();
            lines.add(processDefinition.terms().numberLabel(entry.sep().number()) + ": "
                    + (title.length() > MAX_TITLE ? title.substring(0, MAX_TITLE) + "…" : title) + " ("
                    + entry.sep().state() + ", since " + SepJsonWriter.isoDate(entry.since()) + ")");
        }
        if (digest.waiting().size() > MAX_LISTED) {
            lines.add("and " + (digest.waiting().size() - MAX_LISTED) + " more");
        }
        return String.join(";\n", lines) + ".";
    }

    /**
     * Returns the source of the digests as notifications.
     *
     * @param link the address of the list of SEPs, if it is known
     * @param holders looks up the people who have a role
     */
    SepNotificationReader reader(Optional<URI> link, Function<RoleGroup, List<Person>> holders) {
        return new SepNotificationReader() {
            @Override
            public List<Entry> readAfter(long seq, int most) {
                return switch (ledger.eventsAfter(SepStreamNames.DIGESTS, seq, most)) {
                    case StreamReadResult.Events(List<LedgerEvent> events) ->
                        events.stream()
                                .map(event -> new Entry(event.seq(), toNotification(event)))
                                .toList();
                    case StreamReadResult.Resync(RetainedStreamRange kept) -> readAfter(kept.first() - 1, most);
                };
            }

            @Override
            public String cursorSuffix() {
                return "-digest";
            }

            @Override
            public long lastSeq() {
                return ledger.retainedRange(SepStreamNames.DIGESTS).last();
            }

            private Optional<SepNotification> toNotification(LedgerEvent event) {
                return Json.parse(event.body().toString())
                        .map(body -> SepNotification.digest(
                                        new RoleGroup(event.subject()),
                                        body.at("title").text(),
                                        body.at("text").text(),
                                        link,
                                        event.at())
                                .withHolders(holders));
            }
        };
    }
}
