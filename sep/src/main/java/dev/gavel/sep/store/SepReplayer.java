package dev.gavel.sep.store;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.DocumentVersion;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.DocumentPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rebuilds a SEP by replaying its ledger events. Thread-safe. */
public record SepReplayer(SepEventCodec codec) {
    private static final DocumentMetadata NO_METADATA = new DocumentMetadata(
            OptionalInt.empty(),
            "",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Set.of(),
            DeclaredSepRelations.NONE,
            "");

    /** Replays all events of one SEP; empty if there are none. */
    public Optional<Sep> replay(List<dev.gavel.ledger.LedgerEvent> ledgerEvents) {
        return ledgerEvents.isEmpty() ? Optional.empty() : Optional.of(append(null, ledgerEvents));
    }

    /**
     * Applies further events to a SEP; without a SEP, replays the events from the beginning.
     *
     * @throws UnreadableSepException if the events cannot be decoded or contradict each other
     */
    public Sep append(@Nullable Sep sep, List<dev.gavel.ledger.LedgerEvent> newEvents) {
        try {
            return applyEvents(sep, newEvents);
        } catch (UnreadableSepException e) {
            throw e;
        } catch (RuntimeException e) {
            // Any failure must be attributed to this one SEP, so that others stay usable.
            throw new UnreadableSepException(
                    "proposal " + newEvents.getFirst().subject() + " cannot be reconstructed: " + e.getMessage(), e);
        }
    }

    private Sep applyEvents(@Nullable Sep sep, List<dev.gavel.ledger.LedgerEvent> newEvents) {
        List<LifecycleEvent> events = new ArrayList<>(newEvents.size());
        DocumentMetadata documentMetadata = sep == null ? NO_METADATA : sep.metadata();
        LifecycleHistory before = sep == null ? LifecycleHistory.empty() : sep.history();
        List<DocumentVersion> versions = new ArrayList<>(sep == null ? List.of() : sep.versions());
        Optional<DocumentPath> path = sep == null ? Optional.empty() : sep.documentPath();
        for (dev.gavel.ledger.LedgerEvent each : newEvents) {
            Json body = SepEventCodec.parseBody(each);
            if (body.at("document").isPresent()) {
                versions.add(new DocumentVersion(
                        before.events().size() + events.size(),
                        body.at("document").text()));
                documentMetadata = DocumentMetadataCodec.read(body.at("outline"));
                Optional<DocumentPath> imported = importedFrom(body);
                path = imported.isPresent() ? imported : path;
            }
            events.add(codec.decode(each, body));
        }
        int number = sep == null ? parseNumber(newEvents.getFirst().subject()) : sep.number();
        return new Sep(number, before.append(events), documentMetadata, versions, path);
    }

    private static Optional<DocumentPath> importedFrom(Json body) {
        Optional<DocumentPath> path = body.at("path").asText().flatMap(DocumentPath::parse);
        Optional<String> side = body.at("side").asText();
        return side.isPresent() ? path.flatMap(document -> document.withSideFile(side.get())) : path;
    }

    /** Returns the SEP number of a ledger subject. */
    static int parseNumber(String subject) {
        return Integer.parseInt(subject);
    }
}
