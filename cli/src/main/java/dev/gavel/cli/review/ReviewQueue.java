package dev.gavel.cli.review;

import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.proposal.ProposalApproval;
import dev.gavel.cli.proposal.ProposalText;
import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ToolResultText;
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
 * The open proposals that a reviewer can decide, next to expire first, and the decisions made in this session. Only the
 * one looked at is kept whole. Not thread-safe.
 */
final class ReviewQueue {
    private static final int PAGE_SIZE = 50;

    /** Nobody decides more in a sitting; the rest comes up when these are done. */
    private static final int MAX_LOADED = 1_000;

    private static final int MAX_CALL_LENGTH = 50;
    private static final int NOT_FOUND = 404;

    private final RemoteGateway gateway;
    private final String topic;

    /** When each expires. */
    private final Map<String, Instant> waiting = new HashMap<>();

    private final Set<String> skipped = new LinkedHashSet<>();
    private final Set<String> forOthers = new LinkedHashSet<>();

    /** What was decided here, by the proposal's id, in words; also read when the program is stopped. */
    private final Map<String, String> decisions = Collections.synchronizedMap(new LinkedHashMap<>());

    /** The proposals whose calls were made here, by the requests that made them. */
    private final Map<String, String> requests = new HashMap<>();

    /** Those that nobody has answered yet. */
    private final Set<String> unanswered = new LinkedHashSet<>();

    private Optional<Json> current = Optional.empty();

    ReviewQueue(RemoteGateway gateway, String topic) {
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
    int waitingCount() {
        return waiting.size();
    }

    int skippedCount() {
        return skipped.size();
    }

    /** How many are open that are for others to decide. */
    int forOthersCount() {
        return forOthers.size();
    }

    /** What was decided here, in words. May be asked by any thread. */
    List<String> decisions() {
        synchronized (decisions) {
            return List.copyOf(decisions.values());
        }
    }

    /** Reads everything anew; where that fails, what was known is still known. */
    void reload() throws RemoteGatewayException, InterruptedException {
        Optional<String> cursor = Optional.empty();
        Set<String> open = new HashSet<>();
        do {
            ProposalQuery query = new ProposalQuery(Optional.of("open"), Optional.empty(), cursor, PAGE_SIZE);
            Json page = RateLimitRetry.retry(() -> gateway.proposals(topic, query));
            for (Json each : page.at("proposals").elements()) {
                track(each);
                open.add(each.at("id").text());
            }
            cursor = page.at("cursor").asText();
        } while (cursor.isPresent() && open.size() < MAX_LOADED);
        waiting.keySet().retainAll(open);
        forOthers.retainAll(open);
        skipped.retainAll(waiting.keySet());
        if (current.isPresent()) {
            refreshOne(id());
        }
    }

    /** Looks at what may have changed because somebody came or went: the one looked at, and calls that are not answered. */
    List<String> refresh() throws RemoteGatewayException, InterruptedException {
        List<String> about = new ArrayList<>(unanswered);
        current.ifPresent(proposal -> about.add(id()));
        return refresh(about);
    }

    /** Looks at some again; gives words on calls made here that have ended since. */
    List<String> refresh(Collection<String> about) throws RemoteGatewayException, InterruptedException {
        if (about.size() > PAGE_SIZE) {
            reload();
        }
        List<String> ended = new ArrayList<>();
        for (String each : about) {
            String id = requests.getOrDefault(each, each);
            if (decisions.containsKey(id)) {
                outcomeIfEnded(id).ifPresent(ended::add);
            } else if (about.size() <= PAGE_SIZE) {
                refreshOne(id);
            }
        }
        return ended;
    }

    private void refreshOne(String id) throws RemoteGatewayException, InterruptedException {
        Optional<Json> proposal = proposal(id);
        proposal.ifPresent(this::track);
        if (current.isPresent() && id().equals(id)) {
            current = proposal.or(() -> current);
        }
    }

    private Optional<Json> proposal(String id) throws RemoteGatewayException, InterruptedException {
        try {
            return Optional.of(RateLimitRetry.retry(() -> gateway.proposal(topic, id)));
        } catch (Refused e) {
            if (e.problem().status() == NOT_FOUND) {
                // Not about a proposal at all.
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Words on a call made here that has ended, once. */
    private Optional<String> outcomeIfEnded(String id) throws RemoteGatewayException, InterruptedException {
        if (!unanswered.contains(id)) {
            return Optional.empty();
        }
        Optional<Json> proposal = proposal(id).filter(ProposalText::isEnded);
        if (proposal.isEmpty()) {
            return Optional.empty();
        }
        unanswered.remove(id);
        return Optional.of(track(id, decisions.get(id) + "; " + outcome(proposal.get())));
    }

    private String track(String id, String words) {
        decisions.put(id, words);
        return words;
    }

    private static String outcome(Json ended) {
        return switch (ended.at("outcome").text()) {
            case "succeeded" -> "it succeeded";
            case "failed" -> "it failed: " + SafeText.line(ToolResultText.of(ProposalText.answer(ended)));
            default -> ProposalText.status(ended);
        };
    }

    private void track(Json proposal) {
        String id = proposal.at("id").text();
        boolean open = proposal.at("state").text().equals("open");
        if (open && isDecidable(proposal)) {
            waiting.put(id, ProposalText.parseTime(proposal.at("expiresAt")).orElse(Instant.MAX));
            forOthers.remove(id);
        } else {
            waiting.remove(id);
            skipped.remove(id);
            if (open) {
                forOthers.add(id);
            } else {
                forOthers.remove(id);
            }
        }
    }

    /** Whether the reviewer could approve or reject it. */
    static boolean isDecidable(Json proposal) {
        return proposal.at("state").text().equals("open")
                && (ProposalText.mayMoveTo(proposal, "fulfilled") || ProposalText.mayMoveTo(proposal, "rejected"));
    }

    /** Takes up the next; none where all are decided or skipped. */
    void selectNext() throws RemoteGatewayException, InterruptedException {
        current = Optional.empty();
        while (current.isEmpty()) {
            Optional<String> id = waiting.entrySet().stream()
                    .filter(each -> !skipped.contains(each.getKey()))
                    .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey);
            if (id.isEmpty()) {
                return;
            }
            current = proposal(id.get()).filter(ReviewQueue::isDecidable);
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
    void clearSkipped() {
        skipped.clear();
    }

    private String id() {
        return current.orElseThrow().at("id").text();
    }

    /** Approves the one looked at; gives words on it. */
    String approve(Json params, String runner) throws RemoteGatewayException, InterruptedException {
        ProposalApproval approval = new ProposalApproval(topic, current.orElseThrow());
        String request = approval.send(gateway, params, runner);
        requests.put(request, id());
        unanswered.add(id());
        String edited = params.equals(approval.params()) ? "" : ", edited";
        return recordDecision("approved " + SafeText.line(id()) + edited + ", run by " + SafeText.line(runner) + ": "
                + SafeText.brief(approval.describeCall(params), MAX_CALL_LENGTH));
    }

    /** Rejects the one looked at; gives words on it. */
    String reject(String reason, String note) throws RemoteGatewayException, InterruptedException {
        Map<String, String> payload = new LinkedHashMap<>(Map.of("reason", reason));
        if (!note.isBlank()) {
            payload.put("note", note.strip());
        }
        sendRemark("reject", payload);
        return recordDecision("rejected " + SafeText.line(id()) + ": " + SafeText.line(reason));
    }

    /** Tells whose it is that it is being considered. */
    void sendConsidering() throws RemoteGatewayException, InterruptedException {
        sendRemark("status", Map.of("status", "considering"));
    }

    private void sendRemark(String operation, Map<String, String> payload)
            throws RemoteGatewayException, InterruptedException {
        gateway.post(
                topic,
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next('m', Instant.now()), operation, List.of(id()), payload));
    }

    private String recordDecision(String words) {
        waiting.remove(id());
        skipped.remove(id());
        return track(id(), words);
    }
}
