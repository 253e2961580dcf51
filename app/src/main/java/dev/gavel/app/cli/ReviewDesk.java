package dev.gavel.app.cli;

import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.mcpx.draft.Drafts;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.AnswerText;
import dev.gavel.mcpx.text.SafeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open proposals of a topic that a reviewer could decide, the one that expires first on top, and what became of those
 * decided here. Only the one looked at is kept whole. Not thread-safe.
 */
final class ReviewDesk {
    private static final int PAGE = 50;

    /** Nobody decides more in a sitting; the rest comes up when these are done. */
    private static final int MOST = 1_000;

    private static final int LONGEST_CALL = 50;
    private static final int NOT_FOUND = 404;

    private final RemoteGateway gateway;
    private final String topic;

    /** When each expires. */
    private final Map<String, Instant> waiting = new HashMap<>();

    private final Set<String> skipped = new LinkedHashSet<>();
    private final Set<String> foreign = new LinkedHashSet<>();

    /** What was decided here, by the proposal's id, in words; also read when the program is stopped. */
    private final Map<String, String> decided = Collections.synchronizedMap(new LinkedHashMap<>());

    /** The proposals whose calls were made here, by the requests that made them. */
    private final Map<String, String> requests = new HashMap<>();

    /** Those that nobody has answered yet. */
    private final Set<String> pending = new LinkedHashSet<>();

    private Optional<Json> current = Optional.empty();

    ReviewDesk(RemoteGateway gateway, String topic) {
        this.gateway = gateway;
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    /** The proposal looked at, as it stands. */
    Optional<Json> current() {
        return current;
    }

    /** How many wait, the one looked at included. */
    int waiting() {
        return waiting.size();
    }

    int skipped() {
        return skipped.size();
    }

    /** How many are open that are for others to decide. */
    int foreign() {
        return foreign.size();
    }

    /** What was decided here, in words. May be asked by any thread. */
    List<String> decided() {
        synchronized (decided) {
            return List.copyOf(decided.values());
        }
    }

    /** Reads everything anew; where that fails, what was known is still known. */
    void reload() throws RemoteException, InterruptedException {
        Optional<String> cursor = Optional.empty();
        Set<String> open = new HashSet<>();
        do {
            ProposalQuery query = new ProposalQuery(Optional.of("open"), Optional.empty(), cursor, PAGE);
            Json page = Patience.answer(() -> gateway.proposals(topic, query));
            for (Json each : page.at("proposals").elements()) {
                note(each);
                open.add(each.at("id").text());
            }
            cursor = page.at("cursor").ifText();
        } while (cursor.isPresent() && open.size() < MOST);
        waiting.keySet().retainAll(open);
        foreign.retainAll(open);
        skipped.retainAll(waiting.keySet());
        if (current.isPresent()) {
            look(id());
        }
    }

    /** Looks at what may have changed because somebody came or went: the one looked at, and calls that are not answered. */
    List<String> refresh() throws RemoteException, InterruptedException {
        List<String> about = new ArrayList<>(pending);
        current.ifPresent(proposal -> about.add(id()));
        return refresh(about);
    }

    /** Looks at some again; gives words on calls made here that have ended since. */
    List<String> refresh(Collection<String> about) throws RemoteException, InterruptedException {
        if (about.size() > PAGE) {
            reload();
        }
        List<String> ended = new ArrayList<>();
        for (String each : about) {
            String id = requests.getOrDefault(each, each);
            if (decided.containsKey(id)) {
                ended(id).ifPresent(ended::add);
            } else if (about.size() <= PAGE) {
                look(id);
            }
        }
        return ended;
    }

    private void look(String id) throws RemoteException, InterruptedException {
        Optional<Json> proposal = proposal(id);
        proposal.ifPresent(this::note);
        if (current.isPresent() && id().equals(id)) {
            current = proposal.or(() -> current);
        }
    }

    private Optional<Json> proposal(String id) throws RemoteException, InterruptedException {
        try {
            return Optional.of(Patience.answer(() -> gateway.proposal(topic, id)));
        } catch (Refused e) {
            if (e.problem().status() == NOT_FOUND) {
                // Not about a proposal at all.
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Words on a call made here that has ended, once. */
    private Optional<String> ended(String id) throws RemoteException, InterruptedException {
        if (!pending.contains(id)) {
            return Optional.empty();
        }
        Optional<Json> proposal = proposal(id).filter(ProposalText::ended);
        if (proposal.isEmpty()) {
            return Optional.empty();
        }
        pending.remove(id);
        return Optional.of(note(id, decided.get(id) + "; " + outcome(proposal.get())));
    }

    private String note(String id, String words) {
        decided.put(id, words);
        return words;
    }

    private static String outcome(Json ended) {
        return switch (ended.at("outcome").text()) {
            case "succeeded" -> "it succeeded";
            case "failed" -> "it failed: " + SafeText.line(AnswerText.of(ProposalText.answer(ended)));
            default -> ProposalText.status(ended);
        };
    }

    private void note(Json proposal) {
        String id = proposal.at("id").text();
        boolean open = proposal.at("state").text().equals("open");
        if (open && decidable(proposal)) {
            waiting.put(id, ProposalText.time(proposal.at("expiresAt")).orElse(Instant.MAX));
            foreign.remove(id);
        } else {
            waiting.remove(id);
            skipped.remove(id);
            if (open) {
                foreign.add(id);
            } else {
                foreign.remove(id);
            }
        }
    }

    /** Whether the reviewer could approve or reject it. */
    static boolean decidable(Json proposal) {
        return proposal.at("state").text().equals("open")
                && (ProposalText.may(proposal, "fulfilled") || ProposalText.may(proposal, "rejected"));
    }

    /** Takes up the next; none where all are decided or skipped. */
    void next() throws RemoteException, InterruptedException {
        current = Optional.empty();
        while (current.isEmpty()) {
            Optional<String> id = waiting.entrySet().stream()
                    .filter(each -> !skipped.contains(each.getKey()))
                    .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey);
            if (id.isEmpty()) {
                return;
            }
            current = proposal(id.get()).filter(ReviewDesk::decidable);
            if (current.isEmpty()) {
                waiting.remove(id.get());
            }
        }
    }

    /** Puts the one looked at aside. */
    void skip() {
        skipped.add(id());
    }

    /** Takes up again what was put aside. */
    void unskip() {
        skipped.clear();
    }

    private String id() {
        return current.orElseThrow().at("id").text();
    }

    /** Approves the one looked at; gives words on it. */
    String approve(Json params, String runner) throws RemoteException, InterruptedException {
        Approval approval = new Approval(topic, current.orElseThrow());
        String request = approval.send(gateway, params, runner);
        requests.put(request, id());
        pending.add(id());
        String edited = params.equals(approval.params()) ? "" : ", edited";
        return done("approved " + SafeText.line(id()) + edited + ", run by " + SafeText.line(runner) + ": "
                + SafeText.brief(approval.what(params), LONGEST_CALL));
    }

    /** Rejects the one looked at; gives words on it. */
    String reject(String reason, String note) throws RemoteException, InterruptedException {
        Map<String, String> payload = new LinkedHashMap<>(Map.of("reason", reason));
        if (!note.isBlank()) {
            payload.put("note", note.strip());
        }
        remark("reject", payload);
        return done("rejected " + SafeText.line(id()) + ": " + SafeText.line(reason));
    }

    /** Tells whose it is that it is being considered. */
    void consider() throws RemoteException, InterruptedException {
        remark("status", Map.of("status", "considering"));
    }

    private void remark(String operation, Map<String, String> payload) throws RemoteException, InterruptedException {
        gateway.post(topic, Drafts.remark(EnvelopeIds.next('m', Instant.now()), operation, List.of(id()), payload));
    }

    private String done(String words) {
        waiting.remove(id());
        skipped.remove(id());
        return note(id(), words);
    }
}
