package dev.gavel.gateway.proposal;

import dev.gavel.gateway.tool.EditedArgumentsCheck;
import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.gateway.tool.ToolDefinitionDirectory;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * A topic's members, manual clock and in-memory ledger for tests of the proposal rules. {@code agent} and {@code rival}
 * propose; {@code alice} may do anything; {@code bob} may write files; {@code dan} may write below /tmp, and not
 * reject; {@code carol} may only reject and report; {@code files} answers. In JSON, single quotes stand for double
 * ones.
 */
final class ProposalFixture {
    static final Instant START = Instant.parse("2026-01-05T10:00:00Z");
    static final ProposalSettings RULES = new ProposalSettings(
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofMinutes(10),
            ProposalSettings.RejectionPolicy.VETO,
            false);
    static final String WRITE = "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':'/etc/x'}}}";
    static final String WRITE_TMP =
            "{'method':'tools/call','params':{'name':'write_file','arguments':{'path':'/tmp/x'}}}";
    static final CapabilitiesByMember MEMBERS = members();

    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.DEFAULT);

    ProposalDecider decider;
    Instant now = START;
    final Set<String> here = new LinkedHashSet<>(List.of("agent", "rival", "alice", "bob", "carol", "dan", "files"));
    final Map<String, Instant> left = new HashMap<>();
    final Map<String, ProposalSnapshot> proposalSnapshots = new LinkedHashMap<>();
    final List<UncommittedProposalEvent> ledger = new ArrayList<>();
    private int ids;

    ProposalFixture() {
        this(RULES);
    }

    ProposalFixture(ProposalSettings rules) {
        decider = new ProposalDecider(rules, MEMBERS);
    }

    private static CapabilitiesByMember members() {
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        members.put("agent", capabilities("['mcp.proposal.*','mcpx.*']"));
        members.put("rival", capabilities("['mcp.proposal.*','mcpx.withdraw.proposal']"));
        members.put("alice", capabilities("['mcp.request.*','mcpx.*']"));
        members.put(
                "bob",
                capabilities("['mcp.request.tools/call:write_file','mcpx.reject.proposal','mcpx.status.proposal']"));
        members.put("carol", capabilities("['mcpx.reject.proposal','mcpx.status.proposal']"));
        members.put(
                "dan",
                capabilities(
                        "[{'kind':'mcp.request.tools/call','payload':{'params':{'arguments':{'path':'/tmp/*'}}}}]"));
        members.put("files", capabilities("['mcp.response.*']"));
        return new CapabilitiesByMember(members);
    }

    static CapabilitySet capabilities(String json) {
        return CapabilitySet.fromJson(bytes(json)).orThrow();
    }

    static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    PresenceSnapshot presence() {
        return new PresenceSnapshot(here, left);
    }

    void leave(String... who) {
        for (String each : who) {
            if (here.remove(each)) {
                left.put(each, now);
            }
        }
    }

    void join(String... who) {
        here.addAll(Arrays.asList(who));
        Arrays.asList(who).forEach(left::remove);
    }

    void advanceTime(Duration time) {
        now = now.plus(time);
    }

    /** Creates an admitted envelope; {@code to} and {@code about} are JSON, empty for none. */
    AdmittedEnvelope admitted(String id, String from, String kind, String payload, String to, String about) {
        String text = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'" + kind + "','payload':" + payload
                + (to.isEmpty() ? "" : ",'to':" + to) + (about.isEmpty() ? "" : ",'correlationId':" + about) + "}";
        return switch (READER.read(bytes(text))) {
            case Envelope envelope -> new AdmittedEnvelope(envelope, from, envelope.to(), now);
            case EnvelopeRefusal refusal -> throw new AssertionError(refusal.message() + " " + text);
        };
    }

    String nextId() {
        return "e-" + ++ids;
    }

    /** The tools that participants offer. */
    TopicTools tools = TopicTools.NONE;

    /** The tools of {@code files}: whether its list is loaded, and which tools it has. */
    static TopicTools tools(boolean loaded, ToolDefinition... definitions) {
        return new TopicTools(
                new ToolDefinitionDirectory() {
                    @Override
                    public Optional<ToolDefinition> find(String topic, String participant, String tool) {
                        return findAll(topic).stream()
                                .filter(each -> each.participant().equals(participant)
                                        && each.name().equals(tool))
                                .findFirst();
                    }

                    @Override
                    public List<ToolDefinition> findAll(String topic) {
                        return List.of(definitions);
                    }

                    @Override
                    public boolean isLoaded(String topic, String participant) {
                        return loaded;
                    }

                    @Override
                    public CompletionStage<Void> load(String topic) {
                        return CompletableFuture.completedStage(null);
                    }
                },
                "ops");
    }

    /** Proposes to write a file outside /tmp, which alice and bob could fulfil. */
    ProposalSnapshot openProposal(String... to) {
        String id = nextId();
        propose(id, WRITE, to);
        return proposal(id);
    }

    ProposalDeciderResult propose(String id, String payload, String... to) {
        return apply(decider.decideProposal(
                admitted(id, "agent", "mcp.proposal.tools/call", payload, to.length == 0 ? "" : array(to), ""), tools));
    }

    ProposalDeciderResult fulfil(String by, String proposal, String... to) {
        return request(by, proposal, "mcp.request.tools/call", WRITE, to);
    }

    ProposalDeciderResult request(String by, String proposal, String kind, String payload, String... to) {
        AdmittedEnvelope request =
                admitted(nextId(), by, kind, payload, to.length == 0 ? "" : array(to), "'" + proposal + "'");
        ProposalDeciderResult result = decideFulfilment(request, proposal, Optional.empty());
        return apply(
                result instanceof ProposalDeciderResult.ArgumentCheckRequired(EditedArgumentsCheck check)
                        ? decideFulfilment(request, proposal, Optional.of(check.check()))
                        : result);
    }

    private ProposalDeciderResult decideFulfilment(
            AdmittedEnvelope request,
            String proposal,
            Optional<EditedArgumentsCheck.ArgumentCheckResult> argumentCheckResult) {
        return decider.decideFulfilment(
                request, Optional.ofNullable(proposalSnapshots.get(proposal)), presence(), tools, argumentCheckResult);
    }

    ProposalDeciderResult answer(String by, String proposal, String payload) {
        ProposalSnapshot about = proposal(proposal);
        Fulfilment call = about.fulfilment();
        if (call == null) {
            throw new AssertionError("not fulfilled");
        }
        String request = call.fulfilled().storedEnvelope().id();
        return apply(decider.decideResponse(
                admitted(nextId(), by, "mcp.response.tools/call", payload, "['alice']", "'" + request + "'"), about));
    }

    ProposalDeciderResult reject(String by, String reason, String... ids) {
        return remark(by, "reject", "{'reason':'" + reason + "'}", ids);
    }

    ProposalDeciderResult withdraw(String by, String... ids) {
        return remark(by, "withdraw", "{}", ids);
    }

    ProposalDeciderResult remark(String by, String what, String payload, String... ids) {
        return apply(decider.decideUpdate(
                admitted(nextId(), by, "mcpx." + what + ".proposal", payload, "", array(ids)),
                id -> Optional.ofNullable(proposalSnapshots.get(id))));
    }

    ProposalDeciderResult expireDue(String id) {
        return apply(decider.decideTimeout(proposal(id), now));
    }

    ProposalDeciderResult applyAbsence(String id) {
        return apply(decider.decideAbsence(proposal(id), presence(), now));
    }

    Optional<Instant> absenceDueAt(String id) {
        return ProposalDecider.absenceDueAt(proposal(id), presence());
    }

    EligibleReviewers eligibleReviewers(String id) {
        return decider.eligibleReviewers(proposal(id));
    }

    ProposalGuidanceBuilder guide(String id, String reader) {
        return new ProposalGuidanceBuilder(
                proposal(id),
                eligibleReviewers(id),
                MEMBERS,
                presence(),
                participant -> false,
                participant -> Optional.empty(),
                reader,
                now);
    }

    ProposalSnapshot proposal(String id) {
        ProposalSnapshot proposalSnapshot = proposalSnapshots.get(id);
        if (proposalSnapshot == null) {
            throw new AssertionError("no proposal " + id);
        }
        return proposalSnapshot;
    }

    /** Appends the events of a decision, as a ledger would. */
    ProposalDeciderResult apply(ProposalDeciderResult proposalDeciderResult) {
        if (proposalDeciderResult instanceof ProposalDeciderResult.Accepted accepted) {
            for (UncommittedProposalEvent uncommittedProposalEvent : accepted.uncommittedProposalEvents()) {
                ledger.add(uncommittedProposalEvent);
                proposalSnapshots.compute(
                        uncommittedProposalEvent.subject(),
                        (id, before) -> before == null
                                ? ProposalSnapshot.of(
                                        List.of(new ProposalTimelineEntry(now, uncommittedProposalEvent.event())))
                                : before.withEvents(new ProposalTimelineEntry(now, uncommittedProposalEvent.event())));
            }
        }
        return proposalDeciderResult;
    }

    static String array(String... texts) {
        return Arrays.stream(texts).map(each -> "'" + each + "'").collect(Collectors.joining(",", "[", "]"));
    }

    static ProposalDeciderResult.Accepted accepted(ProposalDeciderResult proposalDeciderResult) {
        if (proposalDeciderResult instanceof ProposalDeciderResult.Accepted accepted) {
            return accepted;
        }
        throw new AssertionError("not taken: " + proposalDeciderResult);
    }

    static ProposalRefusal declined(ProposalDeciderResult proposalDeciderResult) {
        if (proposalDeciderResult instanceof ProposalDeciderResult.Refused(List<ProposalRefusal> proposalRefusals)
                && proposalRefusals.size() == 1) {
            return proposalRefusals.getFirst();
        }
        throw new AssertionError("not declined: " + proposalDeciderResult);
    }

    static RoutedEnvelope route(ProposalDeciderResult proposalDeciderResult) {
        return accepted(proposalDeciderResult).routedEnvelope().orElseThrow();
    }

    static List<String> types(ProposalDeciderResult proposalDeciderResult) {
        return accepted(proposalDeciderResult).uncommittedProposalEvents().stream()
                .map(UncommittedProposalEvent::type)
                .toList();
    }
}
