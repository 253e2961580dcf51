package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.sep.document.DocumentMetadata;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What a document is checked against: the process, the SEP's state in the ledger, and other documents.
 *
 * @param ledgerState what the ledger says of it, where it is known there
 * @param others the documents of other proposals by their numbers, where they can be looked up
 */
public record LintContext(
        ProcessDefinition processDefinition,
        Optional<LedgerState> ledgerState,
        Optional<IntFunction<Optional<DocumentMetadata>>> others) {
    /**
     * What the ledger says of a proposal.
     *
     * @param held whether somebody holds a role in it
     */
    public record LedgerState(int number, String state, Predicate<String> held) {}

    /** A process alone. */
    public static LintContext of(ProcessDefinition processDefinition) {
        return new LintContext(processDefinition, Optional.empty(), Optional.empty());
    }

    /** The same with what the ledger says. */
    public LintContext ledgerState(LedgerState known) {
        return new LintContext(processDefinition, Optional.of(known), others);
    }

    /** The same with other proposals. */
    public LintContext others(IntFunction<Optional<DocumentMetadata>> lookup) {
        return new LintContext(processDefinition, ledgerState, Optional.of(lookup));
    }

    OptionalInt number() {
        return ledgerState.map(known -> OptionalInt.of(known.number())).orElse(OptionalInt.empty());
    }
}
