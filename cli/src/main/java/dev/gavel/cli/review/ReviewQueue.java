package dev.gavel.cli.review;

import dev.gavel.cli.RateLimitRetry;
import dev.gavel.cli.proposal.ProposalApprovalSender;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.client.http.ProposalQuery;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemotePostResult;
import dev.gavel.client.http.RemotePostResult.RejectionReport;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.ProposalEnvelopeFactory;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
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
 * The queue of a review session: the open proposals that the reviewer can decide, soonest to expire first, and the
 * decisions made so far. Only the current proposal is held in full. Not thread-safe.
 */
final class ReviewQueue {
    private static final int PAGE_SIZE = 50;

    /** More than a reviewer decides in one session; the rest is loaded after these are decided. */
    private static final int MAX_LOADED = 1_000;

    private static final int MAX_CALL_LENGTH = 50;
    private static final int NOT_FOUND = 404;

    private final RemoteGateway gateway;
    private final String topic;

    /** When each proposal is closed, unless it is decided before, by id. */
    private final Map<String, Instant> expiryById = new HashMap<>();

    private final Set<String> skippedIds = new LinkedHashSet<>();
    private final Set<String> undecidableIds = new LinkedHashSet<>();

    /** Descriptions of the decisions made in this session, by proposal id. The shutdown hook reads it too. */
    private final Map<String, String> decisions = Collections.synchronizedMap(new LinkedHashMap<>());

    /** The proposals approved in this session, by the id of the request that approved them. */
    private final Map<String, String> proposalIdByRequest = new HashMap<>();

    /** The approved proposals whose calls have no response yet. */
    private final Set<String> pendingCallIds = new LinkedHashSet<>();

    private Optional<Json> current = Optional.empty();

    ReviewQueue(RemoteGateway gateway, String topic) {
        this.gateway = gateway;
        this.topic = topic;
    }

    String topic() {
        return topic;
    }

    RemoteGateway gateway() {
        return gateway;
    }

    /** The current proposal, as last read from the server. */
    Optional<Json> current() {
        return current;
    }

    /** How many proposals wait for a decision, including the current one. */
    int waitingCount() {
        return expiryById.size();
    }

    int skippedCount() {
        return skippedIds.size();
    }

    /** How many open proposals only others can decide. */
    int forOthersCount() {
        return undecidableIds.size();
    }

    /** Descriptions of the decisions made in this session. Any thread may call it. */
    List<String> decisions() {
        synchronized (decisions) {
            return List.copyOf(decisions.values());
        }
    }

    /** Loads all open proposals again. If that fails, the known proposals stay. */
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
        expiryById.keySet().retainAll(open);
        undecidableIds.retainAll(open);
        skippedIds.retainAll(expiryById.keySet());
        if (current.isPresent()) {
            refreshOne(id());
        }
    }

    /**
     * Reads again what a participant's connecting or disconnecting may change: the current proposal, and calls without
     * a response.
     */
    List<String> refresh() throws RemoteGatewayException, InterruptedException {
        List<String> ids = new ArrayList<>(pendingCallIds);
        current.ifPresent(proposal -> ids.add(id()));
        return refresh(ids);
    }

    /** Reads these proposals again; returns descriptions of the calls approved here that have ended since. */
    List<String> refresh(Collection<String> ids) throws RemoteGatewayException, InterruptedException {
        if (ids.size() > PAGE_SIZE) {
            reload();
        }
        List<String> ended = new ArrayList<>();
        for (String each : ids) {
            String id = proposalIdByRequest.getOrDefault(each, each);
            if (decisions.containsKey(id)) {
                outcomeIfEnded(id).ifPresent(ended::add);
            } else if (ids.size() <= PAGE_SIZE) {
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
                // The id does not belong to a proposal.
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Returns a description of a call approved here that has ended, once. */
    private Optional<String> outcomeIfEnded(String id) throws RemoteGatewayException, InterruptedException {
        if (!pendingCallIds.contains(id)) {
            return Optional.empty();
        }
        Optional<Json> proposal = proposal(id).filter(ProposalTextFormatter::isEnded);
        if (proposal.isEmpty()) {
            return Optional.empty();
        }
        pendingCallIds.remove(id);
        return Optional.of(track(id, decisions.get(id) + "; " + outcome(proposal.get())));
    }

    private String track(String id, String description) {
        decisions.put(id, description);
        return description;
    }

    private static String outcome(Json ended) {
        return switch (ended.at("outcome").text()) {
            case "succeeded" -> "it succeeded";
            case "failed" ->
                "it failed: " + SafeText.line(ToolResultTextRenderer.render(ProposalTextFormatter.answer(ended)));
            default -> ProposalTextFormatter.status(ended);
        };
    }

    private void track(Json proposal) {
        String id = proposal.at("id").text();
        boolean open = proposal.at("state").text().equals("open");
        if (open && isDecidable(proposal)) {
            expiryById.put(id, ProposalTextFormatter.closesAt(proposal).orElse(Instant.MAX));
            undecidableIds.remove(id);
        } else {
            expiryById.remove(id);
            skippedIds.remove(id);
            if (open) {
                undecidableIds.add(id);
            } else {
                undecidableIds.remove(id);
            }
        }
    }

    /** Whether the reviewer may approve or reject the proposal. */
    static boolean isDecidable(Json proposal) {
        return proposal.at("state").text().equals("open")
                && !proposal.at("heldApproval").isPresent()
                && (ProposalTextFormatter.mayMoveTo(proposal, "fulfilled")
                        || ProposalTextFormatter.mayMoveTo(proposal, "rejected"));
    }

    /** Selects the proposal that is closed next; none if all are decided or skipped. */
    void selectNext() throws RemoteGatewayException, InterruptedException {
        current = Optional.empty();
        while (current.isEmpty()) {
            Optional<String> id = expiryById.entrySet().stream()
                    .filter(each -> !skippedIds.contains(each.getKey()))
                    .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey);
            if (id.isEmpty()) {
                return;
            }
            current = proposal(id.get()).filter(ReviewQueue::isDecidable);
            if (current.isEmpty()) {
                expiryById.remove(id.get());
            }
        }
    }

    /** Marks the current proposal as skipped. */
    void skip() {
        skippedIds.add(id());
    }

    /** Makes skipped proposals selectable again. */
    void clearSkipped() {
        skippedIds.clear();
    }

    private String id() {
        return current.orElseThrow().at("id").text();
    }

    /** Approves the current proposal and returns a description of the decision. */
    String approve(Json params, String runner, ApprovalOptions options)
            throws RemoteGatewayException, InterruptedException {
        ProposalApprovalSender approvalSender = new ProposalApprovalSender(topic, current.orElseThrow());
        String request = approvalSender.send(gateway, params, runner, options);
        proposalIdByRequest.put(request, id());
        pendingCallIds.add(id());
        String edited = params.equals(approvalSender.params())
                ? ""
                : options.unchecked()
                                || proposal(id())
                                        .filter(ProposalApprovalSender::isEditUnchecked)
                                        .isPresent()
                        ? ", edited without a check"
                        : ", edited";
        boolean held = proposal(id())
                .filter(approved -> approved.at("heldApproval").isPresent())
                .isPresent();
        return recordDecision("approved " + SafeText.line(id()) + edited + ", runs on " + SafeText.line(runner)
                + (held ? " when the disconnected caller calls again" : "") + ": "
                + SafeText.brief(approvalSender.describeCall(params), MAX_CALL_LENGTH));
    }

    /**
     * Rejects the current proposal and returns a description of what that did. A proposal that stays open is skipped,
     * because the reviewer has answered it.
     */
    String reject(String reason, String note) throws RemoteGatewayException, InterruptedException {
        Map<String, String> payload = new LinkedHashMap<>(Map.of("reason", reason));
        if (!note.isBlank()) {
            payload.put("note", note.strip());
        }
        RejectionReport report = sendUpdate("reject", payload).rejection(id());
        if (!report.closed()) {
            skippedIds.add(id());
            return SafeText.line(id() + " (" + reason + "): " + report.detail());
        }
        return recordDecision("rejected " + SafeText.line(id()) + ": " + SafeText.line(reason));
    }

    /** Notifies the proposer that the reviewer is considering the current proposal. */
    void sendConsidering() throws RemoteGatewayException, InterruptedException {
        sendUpdate("status", Map.of("status", "considering"));
    }

    private RemotePostResult sendUpdate(String operation, Map<String, String> payload)
            throws RemoteGatewayException, InterruptedException {
        return gateway.post(
                topic,
                ProposalEnvelopeFactory.proposalUpdate(
                        EnvelopeIdGenerator.next('m', Instant.now()), operation, List.of(id()), payload));
    }

    private String recordDecision(String description) {
        expiryById.remove(id());
        skippedIds.remove(id());
        return track(id(), description);
    }
}
