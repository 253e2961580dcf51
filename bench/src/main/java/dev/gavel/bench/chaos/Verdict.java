package dev.gavel.bench.chaos;

import dev.gavel.bench.chaos.Canon.Event;
import dev.gavel.bench.chaos.Journal.In;
import dev.gavel.bench.chaos.Runs.Run;
import dev.gavel.bench.reliability.Heard;
import dev.gavel.client.End;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what was promised about proposals against the ledger and against what everybody sent and heard; what was promised
 * about delivery is {@link Deliveries}' part. Used by one thread, when all is quiet.
 */
final class Verdict {
    static final Set<String> ENDS = Set.of("fulfilled", "closed_by_rejections", "withdrawn", "expired");

    /** What others than the first come to hear in a race, and nothing else. */
    static final Set<String> LOST_RACES = Set.of("proposal_closed", "already_fulfilled");

    /** What the library's word on a proposal begins with that was refused; why comes behind it. */
    static final String REFUSED = "Refused: ";

    private final Canon canon;
    private final List<Witness> witnesses;
    private final Map<String, String> said;
    private final List<Run> runs;
    private final Evidence evidence;
    private final List<Violation> violations = new ArrayList<>();

    private Verdict(Canon canon, List<Witness> witnesses, Map<String, String> said, List<Run> runs) {
        this.canon = canon;
        this.witnesses = witnesses;
        this.said = said;
        this.runs = runs;
        this.evidence =
                new Evidence(canon, witnesses.stream().map(Witness::journal).toList());
    }

    /**
     * All that does not hold.
     *
     * @param said what became of a proposal as the library told its proposer, by the name of {@link End}'s part; behind
     *     {@link #REFUSED} why
     * @param runs what was really run
     */
    static List<Violation> of(Canon canon, List<Witness> witnesses, Map<String, String> said, List<Run> runs) {
        Verdict verdict = new Verdict(canon, witnesses, said, runs);
        verdict.seqs();
        verdict.envelopes();
        verdict.ends();
        verdict.requests();
        verdict.runs();
        verdict.closings();
        verdict.library();
        verdict.violations.addAll(new Deliveries(canon, witnesses, verdict.evidence).violations());
        return verdict.violations;
    }

    private void violated(String what, String... ids) {
        violations.add(new Violation(what, evidence.about(ids)));
    }

    private void seqs() {
        for (int i = 0; i < canon.events().size(); i++) {
            if (canon.events().get(i).seq() != i + 1) {
                violated("the ledger's seqs have a gap before "
                        + canon.events().get(i).seq());
                return;
            }
        }
    }

    private void envelopes() {
        Map<String, Integer> counts = new HashMap<>();
        for (Event event : canon.events()) {
            if (!event.envelope().isEmpty() && counts.merge(event.envelope(), 1, Integer::sum) == 2) {
                violated("envelope " + event.envelope() + " is in the ledger twice", event.envelope());
            }
        }
        for (Witness each : witnesses) {
            for (String id : each.echoes()) {
                if (!counts.containsKey(id)) {
                    violated(id + " was echoed to " + each.name() + " and is not in the ledger", id);
                }
            }
            each.refusals().forEach((id, code) -> {
                if (counts.containsKey(id)) {
                    violated(id + " was refused with " + code + " and is in the ledger", id);
                } else if (canBeDecided(each, id) && !LOST_RACES.contains(code)) {
                    violated(id + " of " + each.name() + " was refused with " + code, id);
                }
            });
        }
    }

    private static boolean canBeDecided(Witness sender, String id) {
        return sender.journal().sent().stream().anyMatch(out -> out.id().equals(id) && !out.plain());
    }

    private void ends() {
        canon.proposals().forEach((proposal, events) -> {
            if (!events.getFirst().type().equals("proposed")) {
                violated("the first of proposal " + proposal + " is not that it was proposed", proposal);
            }
            long ends = events.stream().filter(e -> ENDS.contains(e.type())).count();
            if (ends != 1) {
                violated("proposal " + proposal + " has " + ends + " ends", proposal);
            }
            long answers = count(events, "answered");
            long unknown = count(events, "outcome_unknown");
            boolean fulfilled = count(events, "fulfilled") > 0;
            if (fulfilled && answers + unknown == 0) {
                violated("proposal " + proposal + " was fulfilled and has no outcome", proposal);
            }
            if (answers > 1 || unknown > 1 || (!fulfilled && answers + unknown > 0)) {
                violated(
                        "proposal " + proposal + " has " + answers + " answers, and " + unknown + " times none",
                        proposal);
            }
        });
    }

    private static long count(List<Event> events, String type) {
        return events.stream().filter(event -> event.type().equals(type)).count();
    }

    /** At most one fulfilment of a proposal was ever seen by anybody. */
    private void requests() {
        Map<String, Set<String>> requests = new LinkedHashMap<>();
        for (Witness each : witnesses) {
            for (In in : each.journal().heard()) {
                Heard heard = in.heard();
                if (heard.kind().startsWith("mcp.request.") && !heard.about().isEmpty()) {
                    requests.computeIfAbsent(heard.about(), id -> new HashSet<>())
                            .add(heard.id());
                }
            }
        }
        requests.forEach((proposal, ids) -> {
            if (ids.size() > 1) {
                violated("proposal " + proposal + " was fulfilled by " + ids, proposal);
            }
        });
    }

    /** What was fulfilled was run once, and nothing else was. */
    private void runs() {
        Map<String, List<Run>> byProposal = new LinkedHashMap<>();
        for (Run run : runs) {
            byProposal.computeIfAbsent(run.proposal(), id -> new ArrayList<>()).add(run);
            boolean kept = canon.proposals().getOrDefault(run.proposal(), List.of()).stream()
                    .anyMatch(event ->
                            event.type().equals("fulfilled") && event.envelope().equals(run.request()));
            if (!kept) {
                violated(run + " was run, and the ledger has no such fulfilment", run.proposal(), run.request());
            }
            if (!run.path().equals("/tmp/" + run.proposal())) {
                violated(run + " is not what was proposed", run.proposal(), run.request());
            }
        }
        byProposal.forEach((proposal, all) -> {
            if (all.size() > 1) {
                violated("proposal " + proposal + " was run " + all.size() + " times: " + all, proposal);
            }
        });
        canon.proposals().forEach((proposal, events) -> {
            if (count(events, "fulfilled") > 0 && !byProposal.containsKey(proposal)) {
                violated("proposal " + proposal + " was fulfilled, and nobody ran it", proposal);
            }
        });
    }

    private void closings() {
        Map<String, Journal> byName = new HashMap<>();
        witnesses.forEach(each -> byName.put(each.name(), each.journal()));
        canon.proposals().forEach((proposal, events) -> {
            Journal proposer = byName.get(events.getFirst().by());
            if (proposer == null) {
                violated("proposal " + proposal + " is nobody's", proposal);
                return;
            }
            for (Event event : events) {
                String told = event.notice().isEmpty() ? event.envelope() : event.notice();
                if ((ENDS.contains(event.type()) || event.type().equals("answered")) && !proposer.hasHeard(told)) {
                    violated(
                            "proposal " + proposal + ": " + event.type() + " did not reach " + proposer.name(),
                            proposal);
                }
            }
        });
    }

    private void library() {
        for (Witness each : witnesses) {
            each.complaints().forEach(complaint -> violated(each.name() + ", by the library, " + complaint));
        }
        said.forEach((id, end) -> {
            String kept = kept(canon.proposals().getOrDefault(id, List.of()));
            if (end.startsWith(REFUSED)) {
                String code = end.substring(REFUSED.length());
                if (!code.equals("unavailable")) {
                    violated("the library's " + id + " was refused with " + code, id);
                }
                if (!kept.equals(REFUSED)) {
                    violated("the library says of " + id + " that it was refused, the ledger " + kept, id);
                }
                return;
            }
            // An answer that comes late is found later.
            if (!end.equals(kept) && !(end.equals("Unknown") && kept.equals("Succeeded"))) {
                violated("the library says of " + id + " that it is " + end + ", the ledger " + kept, id);
            }
        });
    }

    private static String kept(List<Event> events) {
        if (events.isEmpty()) {
            return REFUSED;
        }
        for (Event event : events) {
            switch (event.type()) {
                case "closed_by_rejections" -> {
                    return "Rejected";
                }
                case "withdrawn" -> {
                    return "Withdrawn";
                }
                case "expired" -> {
                    return "Expired";
                }
                case "fulfilled" -> {
                    return count(events, "answered") > 0 ? "Succeeded" : "Unknown";
                }
                default -> {}
            }
        }
        return "open";
    }
}
