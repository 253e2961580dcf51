package dev.gavel.sep.process;

import dev.gavel.lifecycle.process.ProcessDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks whether a new process still has every state and role that existing SEPs use. All else a file says may change
 * under them: they are judged by what it says now. But where a proposal stands, and what somebody is to it, must not
 * lose its meaning. Stateless.
 */
public final class ProcessChangeCheck {
    /** How many proposals are named of each state; a list nobody reads helps nobody. */
    private static final int NAMED = 20;

    private ProcessChangeCheck() {}

    /**
     * Why a process cannot take the place of the one before; empty where it can.
     *
     * @param before what is kept of the process proposals live by
     * @param sepsIn the numbers of the proposals in a state
     */
    public static Optional<String> objection(
            ProcessRecord before, ProcessDefinition now, Function<String, ? extends List<Integer>> sepsIn) {
        List<String> objections = new ArrayList<>();
        boolean any = false;
        for (String state : before.states()) {
            List<Integer> seps = sepsIn.apply(state);
            any |= !seps.isEmpty();
            if (!seps.isEmpty() && !now.states().containsKey(state)) {
                objections.add(missingState(state, seps));
            }
        }
        if (any) {
            for (String role : before.heldRoles()) {
                if (now.findProposalRole(role).isEmpty()) {
                    objections.add("'" + role + "' is no role held in a proposal there, and people hold it now");
                }
            }
        }
        return objection(
                "The process '" + now.name() + "' cannot take the place of '" + before.name() + "': ", objections);
    }

    /**
     * Why a process cannot go on with the proposals there are, where nothing is kept of the one they lived by; empty where
     * it can.
     *
     * @param seps the numbers of the proposals in each state
     */
    public static Optional<String> objection(Map<String, ? extends List<Integer>> seps, ProcessDefinition now) {
        List<String> objections = new ArrayList<>();
        seps.forEach((state, numbers) -> {
            if (!now.states().containsKey(state)) {
                objections.add(missingState(state, numbers));
            }
        });
        return objection("The process '" + now.name() + "' has no place for all proposals there are: ", objections);
    }

    private static String missingState(String state, List<Integer> seps) {
        return "it has no state '" + state + "', where " + listNumbers(seps);
    }

    private static Optional<String> objection(String what, List<String> objections) {
        return objections.isEmpty()
                ? Optional.empty()
                : Optional.of(what + String.join("; ", objections)
                        + ". Keep what is gone in the new file, or go back to the old one and first move the proposals"
                        + " on.");
    }

    /** "SEP 12 is", "SEPs 12, 15 and 40 are", "SEPs 1, 2 … 20 and 12 more are". */
    private static String listNumbers(List<Integer> seps) {
        List<String> numbers =
                seps.stream().sorted().limit(NAMED).map(String::valueOf).toList();
        if (seps.size() == 1) {
            return "SEP " + numbers.getFirst() + " is";
        }
        return seps.size() > NAMED
                ? "SEPs " + String.join(", ", numbers) + " and " + (seps.size() - NAMED) + " more are"
                : "SEPs " + String.join(", ", numbers.subList(0, numbers.size() - 1)) + " and " + numbers.getLast()
                        + " are";
    }
}
