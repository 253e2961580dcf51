package dev.gavel.sep.desk;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.sep.Sep;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** What is so of proposals for whoever has their documents, and does not know who has which role. Stateless. */
public final class KnownFacts {
    private KnownFacts() {}

    /**
     * What is so of a proposal.
     *
     * @param others looks up another proposal
     */
    public static Circumstances of(Sep sep, Process process, IntFunction<Optional<Sep>> others) {
        Map<String, Circumstances.Fact> facts = Facts.of(
                        sep, List.of(), process, new Roster(List.of(), process), others)
                .facts();
        // Nobody known is something else than nobody there: a vote's quorum is not nought.
        return new Circumstances(Map.of(), facts);
    }
}
