package dev.gavel.sep.process;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks that a new process keeps the states and roles that existing SEPs use, and otherwise explains why it cannot
 * replace the previous one. Everything else in a process may change: existing SEPs follow the rules of the new process.
 * But the state of a SEP and the roles that people hold in it must keep their meaning. Stateless.
 */
public final class ProcessChangeCheck {
    /** The maximum number of SEPs listed for each state, so that the message stays readable. */
    private static final int MAX_LISTED = 20;

    private ProcessChangeCheck() {}

    /**
     * Returns why a process cannot replace the previous one; empty if it can.
     *
     * @param before the record of the process that existing SEPs follow
     * @param sepsIn looks up the numbers of the SEPs in a state
     */
    public static Optional<String> objection(
            AdoptedProcessRecord before, ProcessDefinition now, Function<String, ? extends List<Integer>> sepsIn) {
        List<String> objections = new ArrayList<>();
        boolean any = false;
        for (String state : before.states()) {
            List<Integer> seps = sepsIn.apply(state);
            any |= !seps.isEmpty();
            if (!seps.isEmpty() && !now.states().containsKey(state)) {
                objections.add(missingState(state, seps, now.terms()));
            }
        }
        if (any) {
            for (String role : before.heldRoles()) {
                if (now.findProposalRole(role).isEmpty()) {
                    objections.add("it has no role '" + role
                            + "' that people hold in a proposal, but people hold this role now");
                }
            }
        }
        return objection(
                "The process '" + now.name() + "' cannot replace '" + before.name() + "': ", objections, now.terms());
    }

    /**
     * Returns why a process does not fit the existing SEPs if there is no record of the previous process; empty if it
     * fits.
     *
     * @param seps the numbers of the SEPs in each state
     */
    public static Optional<String> objection(Map<String, ? extends List<Integer>> seps, ProcessDefinition now) {
        List<String> objections = new ArrayList<>();
        seps.forEach((state, numbers) -> {
            if (!now.states().containsKey(state)) {
                objections.add(missingState(state, numbers, now.terms()));
            }
        });
        return objection(
                "The process '" + now.name() + "' does not fit the existing "
                        + now.terms().plural() + ": ",
                objections,
                now.terms());
    }

    private static String missingState(String state, List<Integer> seps, ProposalTerms terms) {
        return "it has no state '" + state + "', but " + listNumbers(seps, terms) + " in this state";
    }

    private static Optional<String> objection(String what, List<String> objections, ProposalTerms terms) {
        return objections.isEmpty()
                ? Optional.empty()
                : Optional.of(what + String.join("; ", objections)
                        + ". Keep these states and roles in the new file, or use the old file until you have moved the "
                        + terms.plural() + " to other states.");
    }

    /** Returns "SEP 12 is", "SEPs 12, 15 and 40 are" or "SEPs 1, 2 … 20 and 12 more are". */
    private static String listNumbers(List<Integer> seps, ProposalTerms terms) {
        List<String> numbers =
                seps.stream().sorted().limit(MAX_LISTED).map(String::valueOf).toList();
        if (seps.size() == 1) {
            return terms.name() + " " + numbers.getFirst() + " is";
        }
        return seps.size() > MAX_LISTED
                ? terms.plural() + " " + String.join(", ", numbers) + " and " + (seps.size() - MAX_LISTED) + " more are"
                : terms.plural() + " " + String.join(", ", numbers.subList(0, numbers.size() - 1)) + " and "
                        + numbers.getLast() + " are";
    }
}
