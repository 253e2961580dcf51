package dev.gavel.gateway.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.proposal.SecretArgumentPatterns;
import dev.gavel.gateway.tool.TopicTools;
import dev.gavel.ledger.LedgerReader;
import dev.gavel.ledger.LedgerStore;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A proposal store on a real SQLite ledger with a manual clock and four members, for tests. It records the messages to
 * send. In JSON, single quotes stand for double ones.
 */
public final class ProposalStoreFixture implements AutoCloseable {
    static final String WRITE = "{'method':'tools/call','params':{'name':'write','arguments':{'path':'x'}}}";
    private static final EnvelopeReader READER = new EnvelopeReader(EnvelopeLimits.DEFAULT);
    private static final ProposalSettings RULES = new ProposalSettings(
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofMinutes(10),
            ProposalSettings.RejectionPolicy.VETO,
            false);

    Instant now = Instant.parse("2026-01-05T10:00:00Z");
    public PresenceSnapshot presenceSnapshot = PresenceSnapshot.of(List.of("agent", "alice", "bob", "files"));
    final List<String> sent = new ArrayList<>();
    final Map<String, InMemoryPendingProposal> inMemoryPendingProposals = new LinkedHashMap<>();
    final SqliteLedger ledger;
    public final ProposalStore proposalStore;
    private final LedgerWriter writer;
    private int ids;

    /** Whether proposals are sent for clients that join equal proposals. */
    boolean joinsEqualProposal;

    public ProposalStoreFixture(Path directory) {
        this(directory, UnaryOperator.identity());
    }

    /** Creates a fixture whose writer uses a wrapper of the ledger. */
    ProposalStoreFixture(Path directory, UnaryOperator<LedgerStore> wrapper) {
        ledger = switch (SqliteLedger.open(directory.resolve("ledger.db"), SqliteOptions.DEFAULT)) {
            case SqliteOpenResult.Opened(SqliteLedger opened) -> opened;
            case SqliteOpenResult.Refused(String reason) -> throw new AssertionError(reason);
        };
        writer = new LedgerWriter(wrapper.apply(ledger), () -> now, WriterOptions.DEFAULT);
        proposalStore = new ProposalStore("ops", new ProposalDecider(RULES, members()), writer, ledger);
    }

    /** Uses these members for decisions from now on. */
    void setMembers(String... lines) {
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        for (String line : lines) {
            members.put(line.split(": ", 2)[0], capabilities(line.split(": ", 2)[1]));
        }
        proposalStore.updateMembers(new CapabilitiesByMember(members));
    }

    private static CapabilitiesByMember members() {
        Map<String, CapabilitySet> members = new LinkedHashMap<>();
        members.put("agent", capabilities("['mcp.proposal.*','mcpx.withdraw.proposal']"));
        members.put("alice", capabilities("['mcp.request.*','mcpx.*']"));
        members.put("bob", capabilities("['mcp.request.tools/call:write','mcpx.*']"));
        members.put("files", capabilities("['mcp.response.*']"));
        return new CapabilitiesByMember(members);
    }

    private static CapabilitySet capabilities(String json) {
        return CapabilitySet.fromJson(bytes(json)).orThrow();
    }

    private static byte[] bytes(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    static String json(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).replace('"', '\'');
    }

    public String propose(String... to) {
        String id = "p-" + ++ids;
        submit(id, "agent", "mcp.proposal.tools/call:write", WRITE, List.of(to), List.of());
        return id;
    }

    ProposalStoreResult fulfil(String by, String proposal) {
        return submit("f-" + ++ids, by, "mcp.request.tools/call:write", WRITE, List.of("files"), List.of(proposal));
    }

    ProposalStoreResult answer(String request) {
        return answer(request, "{'result':{}}");
    }

    ProposalStoreResult answer(String request, String payload) {
        return submit("a-" + ++ids, "files", "mcp.response.tools/call:write", payload, List.of(), List.of(request));
    }

    public ProposalStoreResult remark(String by, String what, String payload, List<String> about) {
        return submit("r-" + ++ids, by, "mcpx." + what + ".proposal", payload, List.of(), about);
    }

    ProposalStoreResult submit(
            String id, String from, String kind, String payload, List<String> to, List<String> about) {
        String text = "{'protocol':'mcpx/v0.1','id':'" + id + "','kind':'" + kind + "','to':" + array(to)
                + (about.isEmpty()
                        ? ""
                        : ",'correlationId':" + (about.size() == 1 ? "'" + about.getFirst() + "'" : array(about)))
                + ",'payload':" + payload + "}";
        if (!(READER.read(bytes(text)) instanceof Envelope envelope)) {
            throw new AssertionError(text);
        }
        return await(then -> proposalStore.decide(
                new AdmittedEnvelope(envelope, from, to, now).withJoinsEqualProposal(joinsEqualProposal),
                presenceSnapshot,
                then));
    }

    private static String array(Collection<String> texts) {
        return "["
                + String.join(",", texts.stream().map(text -> "'" + text + "'").toList()) + "]";
    }

    public void advanceTime(Duration time) {
        now = now.plus(time);
    }

    public ProposalStoreResult expireDue() {
        return await(then -> proposalStore.expireDue(inMemoryPendingProposals.values(), then));
    }

    ProposalStoreResult callerDisconnected(String proposal) {
        return await(then ->
                proposalStore.recordCallerDisconnected(proposal, "one", Optional.of(Duration.ofMinutes(2)), then));
    }

    ProposalStoreResult callerWaits(String proposal) {
        return await(then -> proposalStore.recordCallerWaits(proposal, "two", presenceSnapshot, TopicTools.NONE, then));
    }

    ProposalStoreResult applyAbsence() {
        return await(then -> proposalStore.applyAbsence(inMemoryPendingProposals.values(), presenceSnapshot, then));
    }

    /** The latest tracked state of a proposal. */
    InMemoryPendingProposal tracked(String id) {
        return Objects.requireNonNull(inMemoryPendingProposals.get(id));
    }

    ProposalStoreResult updateReviewers() {
        return await(then -> proposalStore.updateReviewers(List.copyOf(inMemoryPendingProposals.values()), then));
    }

    private ProposalStoreResult await(Consumer<Consumer<ProposalStoreResult>> request) {
        CompletableFuture<ProposalStoreResult> coming = new CompletableFuture<>();
        request.accept(coming::complete);
        ProposalStoreResult proposalStoreResult = coming.join();
        if (proposalStoreResult instanceof ProposalStoreResult.Committed committed) {
            committed.messages().forEach(message -> sent.add(text(message)));
            committed.trackedProposals().forEach(this::track);
        }
        return proposalStoreResult;
    }

    private void track(InMemoryPendingProposal inMemoryPendingProposal) {
        if (inMemoryPendingProposal.isFinal()) {
            inMemoryPendingProposals.remove(inMemoryPendingProposal.id());
        } else {
            inMemoryPendingProposals.put(inMemoryPendingProposal.id(), inMemoryPendingProposal);
        }
    }

    /** Returns a tail reader on another ledger reader. */
    UnpublishedEventReader tail(LedgerReader reader) {
        return new UnpublishedEventReader(
                reader,
                "ops",
                () -> new ProposalDecider(RULES, members()),
                new ProposalMessageAccess(id -> Optional.empty(), id -> Optional.empty(), SecretArgumentPatterns.NONE));
    }

    static String text(OutgoingProposalMessage message) {
        return message.seq() + " " + json(message.encode(EnvelopeSyntax.CURRENT));
    }

    /** Returns all messages of a replay from a seq. */
    List<String> replay(long since) {
        List<String> replayed = new ArrayList<>();
        long position = since;
        while (proposalStore.reader().replayAfter(position)
                instanceof MessageReplayResult.Messages(List<OutgoingProposalMessage> messages, long upTo)) {
            messages.forEach(message -> replayed.add(text(message)));
            if (upTo == position) {
                return replayed;
            }
            position = upTo;
        }
        throw new AssertionError("asked to resync");
    }

    ProposalStoreResult.Declined declined(ProposalStoreResult proposalStoreResult) {
        assertThat(proposalStoreResult).isInstanceOf(ProposalStoreResult.Declined.class);
        return (ProposalStoreResult.Declined) proposalStoreResult;
    }

    @Override
    public void close() {
        writer.close();
        ledger.close();
    }
}
