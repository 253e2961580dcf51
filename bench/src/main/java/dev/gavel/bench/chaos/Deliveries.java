package dev.gavel.bench.chaos;

import dev.gavel.bench.chaos.Journal.In;
import dev.gavel.bench.chaos.Journal.Out;
import dev.gavel.bench.chaos.Journal.Visit;
import dev.gavel.bench.reliability.Heard;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what was promised about delivery against what everybody sent and heard. Used by one thread, when all is quiet.
 *
 * <ul>
 *   <li>On one connection what is about proposals comes as the ledger has it, without a gap, from {@code since} on, or from
 *       the welcome on where none was asked for, and nothing comes twice; but who sends something again is told once more,
 *       whenever it may be, that it is kept.
 *   <li>Nothing comes about proposals that the ledger does not have.
 *   <li>Of what one connection of a sender sent, once, nothing overtakes another on any connection of a receiver, but in a
 *       replay: what happened before a receiver's welcome it hears ahead of everything else.
 *   <li>Anything else comes to a connection once at most, and not at all where its sender was told so or nobody sent it.
 *       Who moves to another gateway may hear there once more what was still on its way to it.
 * </ul>
 */
final class Deliveries {
    private static final int REPLACED = 4001;
    private static final String GATEWAY = "system:gateway";
    private static final String NOTICE = "system:event-";
    private static final List<String> REMARKS =
            List.of("mcp.proposal.", "mcpx.reject.", "mcpx.withdraw.", "mcpx.status.");

    private final Canon canon;
    private final List<Witness> witnesses;
    private final Evidence evidence;
    private final Map<String, Origin> origins = new HashMap<>();
    private final Map<String, Integer> attempts = new HashMap<>();
    private final Set<String> refused = new HashSet<>();
    private final Set<String> plain = new HashSet<>();
    private final List<Violation> violations = new ArrayList<>();

    /** Where something that was sent once stands in what its sender's connection sent. */
    private record Origin(String sender, Visit visit, int position) {}

    Deliveries(Canon canon, List<Witness> witnesses, Evidence evidence) {
        this.canon = canon;
        this.witnesses = witnesses;
        this.evidence = evidence;
        for (Witness each : witnesses) {
            List<Out> sent = each.journal().sent();
            for (int i = 0; i < sent.size(); i++) {
                Out out = sent.get(i);
                if (attempts.merge(out.id(), 1, Integer::sum) == 1) {
                    origins.put(out.id(), new Origin(each.name(), out.visit(), i));
                } else {
                    origins.remove(out.id());
                }
                if (out.plain()) {
                    plain.add(out.id());
                }
            }
            each.refusals().keySet().stream().filter(plain::contains).forEach(refused::add);
        }
    }

    List<Violation> violations() {
        for (Witness each : witnesses) {
            Journal journal = each.journal();
            if (each.byLibrary()) {
                libraryHeardAll(journal);
            } else {
                socketsHeardAll(journal);
            }
            sendersOrder(journal);
            known(journal);
            once(journal);
        }
        return violations;
    }

    private void socketsHeardAll(Journal journal) {
        Map<Visit, List<In>> byVisit = byVisit(journal);
        for (Visit visit : journal.visits()) {
            ledgersOrder(journal, visit, byVisit.getOrDefault(visit, List.of()));
        }
        reachedTheEnd(journal);
        replaced(journal);
    }

    private static Map<Visit, List<In>> byVisit(Journal journal) {
        Map<Visit, List<In>> byVisit = new HashMap<>();
        journal.heard()
                .forEach(in -> byVisit.computeIfAbsent(in.visit(), visit -> new ArrayList<>())
                        .add(in));
        return byVisit;
    }

    private void violated(String what, String... ids) {
        violations.add(new Violation(what, evidence.about(ids)));
    }

    private void ledgersOrder(Journal journal, Visit visit, List<In> heard) {
        int next = canon.after(visit.from());
        Set<String> seen = new HashSet<>();
        for (In in : heard) {
            String id = in.heard().id();
            int place = canon.place(id);
            boolean isReply = in.heard().kind().equals("system.error");
            if (place < 0 || isReply) {
                continue;
            }
            boolean again = in.heard().field("from").equals(journal.name()) && attempts.getOrDefault(id, 0) > 1;
            if (!seen.add(id) && !again) {
                violated(id + " came twice to " + journal.name() + ", " + visit, id);
                return;
            }
            if (place == next || (journal.isDirected() && place > next)) {
                next = place + 1;
            } else if (!again) {
                String expected =
                        next < canon.told().size() ? canon.told().get(next).id() : "nothing";
                violated(
                        journal.name() + ", " + visit + ", heard " + id + " where the ledger has " + expected,
                        id,
                        expected);
                return;
            }
        }
    }

    private void sendersOrder(Journal journal) {
        Map<Visit, List<In>> byVisit = byVisit(journal);
        for (Visit visit : journal.visits()) {
            inOrder(
                    journal.name() + ", " + visit,
                    byVisit.getOrDefault(visit, List.of()).stream()
                            .filter(in -> !isReplayed(in, visit))
                            .toList());
        }
    }

    private boolean isReplayed(In in, Visit visit) {
        int place = canon.place(in.heard().id());
        return place >= 0 && canon.told().get(place).seq() <= visit.welcomed;
    }

    private void inOrder(String where, List<In> heard) {
        Map<Visit, In> last = new HashMap<>();
        for (In in : heard) {
            String id = in.heard().id();
            Origin origin = origins.get(id);
            if (origin == null || in.heard().kind().startsWith("system.")) {
                continue;
            }
            In before = last.put(origin.visit(), in);
            Origin earlier = before == null ? null : origins.get(before.heard().id());
            if (before != null && earlier != null && earlier.position() > origin.position()) {
                violated(
                        where + ", heard " + id + " after " + before.heard().id() + ", which " + origin.sender()
                                + " sent later on its " + origin.visit(),
                        id,
                        before.heard().id());
                return;
            }
        }
    }

    private void reachedTheEnd(Journal journal) {
        if (!journal.isDirected()
                && !canon.told().isEmpty()
                && !journal.hasHeard(canon.told().getLast().id())) {
            String last = canon.told().getLast().id();
            violated(journal.name() + " did not hear the last of the ledger, " + last, last);
        }
    }

    /** A connection gives way to a newer one only. */
    private void replaced(Journal journal) {
        List<Visit> visits = journal.visits();
        for (int i = 0; i < visits.size(); i++) {
            Visit visit = visits.get(i);
            boolean newer = i + 1 < visits.size() && visits.get(i + 1).opened < visit.until;
            if (visit.code == REPLACED && !newer) {
                violated(journal.name() + ", " + visit + ", was replaced at" + Journal.seconds(visit.until)
                        + ", and there was no newer connection");
            }
        }
    }

    /** The library hands over each once, and in order, but for its own that it sent again. */
    private void libraryHeardAll(Journal journal) {
        int first = Integer.MAX_VALUE;
        int last = -1;
        Set<String> seen = new HashSet<>();
        for (In in : journal.heard()) {
            String id = in.heard().id();
            int place = canon.place(id);
            if (place < 0) {
                continue;
            }
            if (!seen.add(id)) {
                violated("the library gave " + journal.name() + " " + id + " twice", id);
                return;
            }
            first = Math.min(first, place);
            if (in.heard().field("from").equals(journal.name())) {
                continue;
            }
            if (place < last) {
                String before = canon.told().get(last).id();
                violated("the library gave " + journal.name() + " " + id + " after " + before, id, before);
                return;
            }
            last = place;
        }
        for (int place = first; place < canon.told().size(); place++) {
            String id = canon.told().get(place).id();
            if (!seen.contains(id)) {
                violated("the library did not give " + journal.name() + " " + id, id);
                return;
            }
        }
    }

    /** Nothing is told of proposals that the ledger does not have, and nothing said that nobody said. */
    private void known(Journal journal) {
        for (In in : journal.heard()) {
            Heard heard = in.heard();
            if (isAboutProposals(heard) && canon.place(heard.id()) < 0) {
                violated(
                        heard.id() + " (" + heard.kind() + ") came to " + journal.name() + ", " + in.visit()
                                + ", and the ledger never had it",
                        heard.id());
            } else if (heard.kind().startsWith("chat.") && !plain.contains(heard.id())) {
                violated(heard.id() + " came to " + journal.name() + ", and nobody said it", heard.id());
            }
        }
    }

    private static boolean isAboutProposals(Heard heard) {
        String kind = heard.kind();
        if (heard.id().startsWith(NOTICE)) {
            return true;
        }
        if (REMARKS.stream().anyMatch(kind::startsWith)) {
            return true;
        }
        // What a gateway asks those who serve, and their answers, is about no proposal.
        boolean gatewaysOwn =
                heard.field("from").equals(GATEWAY) || heard.text().contains("\"to\":[\"" + GATEWAY + "\"]");
        return !gatewaysOwn
                && !heard.about().isEmpty()
                && (kind.startsWith("mcp.request.") || kind.startsWith("mcp.response."));
    }

    private void once(Journal journal) {
        Map<Visit, Set<String>> heardOn = new HashMap<>();
        for (In in : journal.heard()) {
            String id = in.heard().id();
            if (!plain.contains(id)) {
                continue;
            }
            if (!heardOn.computeIfAbsent(in.visit(), visit -> new HashSet<>()).add(id)) {
                violated(id + " came twice to " + journal.name() + ", " + in.visit(), id);
            }
            if (refused.contains(id)) {
                violated(id + " was refused, and came to " + journal.name(), id);
            }
        }
    }
}
