package dev.gavel.sep.kept;

import dev.gavel.ledger.Body;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Projector;
import dev.gavel.ledger.Summary;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.Document;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Says how what the desk keeps stands after all its events: proposals, documents, and what else there is. Pure.
 *
 * @param process the process the proposals go by
 */
public record SepProjector(Process process) implements Projector {
    private static final Set<String> OURS = Set.of(Streams.SEPS, Streams.DOCUMENTS, Streams.PROCESS, Streams.NOTICES);

    /** Whether a stream is one of the desk's. */
    public static boolean knows(String stream) {
        return OURS.contains(stream);
    }

    @Override
    public Summary summarise(List<Event> history) {
        Event last = history.getLast();
        return switch (last.stream()) {
            case Streams.SEPS ->
                Line.of(new SepReader(new EventCodec(UnaryOperator.identity())).plus(null, history), process)
                        .summary(last.seq());
            case Streams.DOCUMENTS ->
                document(
                        last,
                        Document.read(EventCodec.bodyOf(last).at("text").text())
                                .outline()
                                .summary());
            default -> note(history.getFirst().at(), last);
        };
    }

    /**
     * How a document stands: with what it is found by.
     *
     * @param summary title, abstract and motivation
     */
    public static Summary document(Event filed, String summary) {
        return new Summary(
                Streams.DOCUMENTS,
                filed.subject(),
                filed.type(),
                false,
                filed.actor(),
                null,
                filed.at(),
                null,
                filed.seq(),
                Body.of(Json.object().with("summary", Json.ofText(summary)).raw()));
    }

    /** How something stands of which only the last event counts. */
    public static Summary note(Instant started, Event last) {
        return new Summary(
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
