package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.DocumentMetadata;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What the linter checks a document against: the process, the proposal's state in the ledger, and other documents.
 *
 * @param ledgerState the proposal's state in the ledger, if the ledger has the proposal
 * @param others looks up the metadata of other documents by number, if a lookup is possible
 */
public record LintContext(
        ProcessDefinition processDefinition,
        Optional<LedgerState> ledgerState,
        Optional<IntFunction<Optional<DocumentMetadata>>> others) {
    /**
     * A proposal's number, state and role holders in the ledger.
     *
     * @param held whether a person holds a role in the proposal
     */
    public record LedgerState(int number, String state, Predicate<String> held) {}

    /** Returns a context with a process only. */
    public static LintContext of(ProcessDefinition processDefinition) {
        return new LintContext(processDefinition, Optional.empty(), Optional.empty());
    }

    /** Returns a copy with the proposal's state in the ledger. */
    public LintContext ledgerState(LedgerState knownState) {
        return new LintContext(processDefinition, Optional.of(knownState), others);
    }

    /** Returns a copy with a lookup of other documents. */
    public LintContext others(IntFunction<Optional<DocumentMetadata>> lookup) {
        return new LintContext(processDefinition, ledgerState, Optional.of(lookup));
    }

    OptionalInt number() {
        return ledgerState
                .map(knownState -> OptionalInt.of(knownState.number()))
                .orElse(OptionalInt.empty());
    }
}
