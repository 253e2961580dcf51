package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.PreambleKey;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.StateDefinition;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentMetadata;
import java.util.Optional;

/**
 * Determines the state and type of a proposal for its lint: the state from the ledger or else the document, the type from
 * the document. Immutable.
 */
final class LintStateResolver {
    private final DocumentMetadata documentMetadata;
    private final LintContext context;

    LintStateResolver(Document document, LintContext context) {
        this.documentMetadata = document.metadata();
        this.context = context;
    }

    /** Returns the state that the document's status means; empty if it has no status or an unknown one. */
    Optional<String> declaredState() {
        return documentMetadata.status().flatMap(word -> process().resolveState(word, this::held));
    }

    /** Returns the state in the ledger, or else the declared state, or else the start state. */
    String state() {
        return context.ledgerState()
                .map(LintContext.LedgerState::state)
                .or(this::declaredState)
                .orElse(process().startMove().to());
    }

    /** Whether a person or role must still act on the proposal. */
    boolean isOpen() {
        StateDefinition state = process().states().get(state());
        return state != null && state.isOpen();
    }

    /**
     * Returns the document's type in the syntax of the process, or the default type of the process if the document
     * states none or an unknown one.
     */
    String type() {
        return Optional.ofNullable(process().attributes().get("type"))
                .flatMap(attribute -> documentMetadata
                        .type()
                        .flatMap(attribute::canonicalValue)
                        .or(attribute::defaultValue))
                .or(documentMetadata::type)
                .orElse("");
    }

    /** Without a ledger, a role is held if the document names its holder in a field of the same name. */
    private boolean held(String role) {
        if (context.ledgerState().isPresent()) {
            return context.ledgerState().get().held().test(role);
        }
        return role.equalsIgnoreCase(PreambleKey.SPONSOR.wireName())
                ? documentMetadata.sponsor().isPresent()
                : role.equals(process().proposerRole().name())
                        && !documentMetadata.authors().isEmpty();
    }

    private ProcessDefinition process() {
        return context.processDefinition();
    }
}
