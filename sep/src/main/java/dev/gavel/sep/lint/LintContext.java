package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.document.Outline;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * What a document is held against beside itself.
 *
 * @param kept what the ledger says of it, where it is known there
 * @param others the documents of other proposals by their numbers, where they can be looked up
 */
public record LintContext(Process process, Optional<Kept> kept, Optional<IntFunction<Optional<Outline>>> others) {
    /**
     * What the ledger says of a proposal.
     *
     * @param held whether somebody holds a role in it
     */
    public record Kept(int number, String state, Predicate<String> held) {}

    /** A process alone. */
    public static LintContext of(Process process) {
        return new LintContext(process, Optional.empty(), Optional.empty());
    }

    /** The same with what the ledger says. */
    public LintContext kept(Kept known) {
        return new LintContext(process, Optional.of(known), others);
    }

    /** The same with other proposals. */
    public LintContext others(IntFunction<Optional<Outline>> lookup) {
        return new LintContext(process, kept, Optional.of(lookup));
    }

    OptionalInt number() {
        return kept.map(known -> OptionalInt.of(known.number())).orElse(OptionalInt.empty());
    }
}
