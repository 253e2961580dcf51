package dev.gavel.sep.store;

import dev.gavel.ledger.LedgerBody;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.SubjectSummary;
import dev.gavel.ledger.SummaryProjector;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Document;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Computes the summaries that the ledger stores for SEPs, their documents and other SEP service data from their ledger
 * events. Pure.
 *
 * @param processDefinition the process that the SEPs follow
 */
public record SepSummaryProjector(ProcessDefinition processDefinition) implements SummaryProjector {
    private static final Set<String> STREAMS = Set.of(
            SepStreamNames.SEPS,
            SepStreamNames.DOCUMENTS,
            SepStreamNames.PROCESS,
            SepStreamNames.DIGESTS,
            SepStreamNames.WEBHOOK_CURSORS);

    /** Whether a stream belongs to the SEP service. */
    public static boolean ownsStream(String stream) {
        return STREAMS.contains(stream);
    }

    @Override
    public SubjectSummary project(List<LedgerEvent> history) {
        LedgerEvent last = history.getLast();
        return switch (last.stream()) {
            case SepStreamNames.SEPS ->
                SepSummary.of(
                                new SepReplayer(new SepEventCodec(UnaryOperator.identity())).append(null, history),
                                processDefinition)
                        .toLedgerSummary(last.seq());
            case SepStreamNames.DOCUMENTS ->
                documentSummary(
                        last,
                        Document.read(
                                        SepEventCodec.parseBody(last).at("text").text(),
                                        processDefinition.documentFormat())
                                .metadata()
                                .summary());
            default -> latestEventSummary(history.getFirst().at(), last);
        };
    }

    /**
     * Returns the ledger summary of a document, which holds the text for the similarity index.
     *
     * @param summary title, abstract and motivation
     */
    public static SubjectSummary documentSummary(LedgerEvent documentEvent, String summary) {
        return new SubjectSummary(
                SepStreamNames.DOCUMENTS,
                documentEvent.subject(),
                documentEvent.type(),
                false,
                documentEvent.actor(),
                null,
                documentEvent.at(),
                null,
                documentEvent.seq(),
                LedgerBody.of(
                        Json.object().with("summary", Json.ofText(summary)).raw()));
    }

    /** Returns the ledger summary of a subject of which only the last event counts. */
    public static SubjectSummary latestEventSummary(Instant started, LedgerEvent last) {
        return new SubjectSummary(
                last.stream(),
                last.subject(),
                last.type(),
                false,
                last.actor(),
                null,
                started,
                null,
                last.seq(),
                last.body());
    }
}
