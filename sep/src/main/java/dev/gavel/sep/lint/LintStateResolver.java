package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProcessState;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import dev.gavel.sep.document.PreambleKey;
import java.util.Optional;

/** Determines the state and type of a checked SEP from the ledger, or else from its document. Immutable. */
final class LintStateResolver {
    private final DocumentMetadata documentMetadata;
    private final LintContext context;

    LintStateResolver(Document document, LintContext context) {
        this.documentMetadata = document.metadata();
        this.context = context;
    }

    /** The state the document's status means; empty where it has none or means nothing. */
    Optional<String> declaredState() {
        return documentMetadata.status().flatMap(word -> process().resolveState(word, this::held));
    }

    /** The state it is in. */
    String state() {
        return context.ledgerState()
                .map(LintContext.LedgerState::state)
                .or(this::declaredState)
                .orElse(process().startMove().to());
    }

    /** Whether somebody must yet act on it. */
    boolean isOpen() {
        ProcessState state = process().states().get(state());
        return state != null && state.isOpen();
    }

    /** Its type, as the process spells it; where it says none or another, the one the process takes it for. */
    String type() {
        return Optional.ofNullable(process().attributes().get("type"))
                .flatMap(attribute -> documentMetadata
                        .type()
                        .flatMap(attribute::canonicalValue)
                        .or(attribute::defaultValue))
                .or(documentMetadata::type)
                .orElse("");
    }

    /** Documents name the holders of roles in fields of the same names. */
    private boolean held(String role) {
        if (context.ledgerState().isPresent()) {
            return context.ledgerState().get().held().test(role);
        }
        return role.equalsIgnoreCase(PreambleKey.SPONSOR.canonicalLabel())
                ? documentMetadata.sponsor().isPresent()
                : role.equals(process().proposerRole().name())
                        && !documentMetadata.authors().isEmpty();
    }

    private ProcessDefinition process() {
        return context.processDefinition();
    }
}
