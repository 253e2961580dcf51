package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.capabilities;
import static dev.gavel.web.registry.TestRegistry.identity;
import static dev.gavel.web.registry.TestRegistry.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.proposal.AdmittedEnvelope;
import dev.gavel.gateway.proposal.CapabilitiesByMember;
import dev.gavel.gateway.proposal.PresenceSnapshot;
import dev.gavel.gateway.proposal.ProposalDecider;
import dev.gavel.gateway.proposal.ProposalSettings;
import dev.gavel.gateway.store.ProposalStore;
import dev.gavel.gateway.store.ProposalStoreResult;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.TaskDecision;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.web.identity.Identity;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that no decision is made with access that a durable revocation has ended, whichever process wrote it. */
@Timeout(30)
@SuppressWarnings("NullAway.Init") // created before each test
class RevocationOrderTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final Map<String, CapabilitySet> MEMBERS = Map.of(
            "helper", capabilities("mcp.proposal.*"),
            "alice", capabilities("mcp.request.*", "mcpx.*"),
            "bob", capabilities("mcp.request.*", "mcpx.*"));

    @TempDir
    private Path data;

    private SqliteLedger ledger;
    private ServerProcess first;
    private ServerProcess second;

    /** The registry, the ledger writer and a topic's proposals in one process. */
    private final class ServerProcess implements AutoCloseable {
        final LedgerWriter writer = new LedgerWriter(ledger, CLOCK, WriterOptions.DEFAULT);
        final IdentityRegistry identityRegistry = new IdentityRegistry(
                RegistrySnapshot.of(
                        Map.of(
                                "alice", identity("alice", Identity.ADMIN),
                                "bob", identity("bob"),
                                "helper", identity("helper")),
                        Map.of("ops", MEMBERS)),
                Optional.of(new RegistryLedger(ledger, writer)),
                UnwrittenRevocations.inMemory(),
                new TokenAuthenticator(CLOCK),
                topic -> Optional.empty(),
                CLOCK);
        final ProposalStore proposalStore = new ProposalStore(
                "ops",
                new ProposalDecider(
                        new ProposalSettings(
                                Duration.ofMinutes(15),
                                Duration.ofHours(1),
                                Duration.ofMinutes(10),
                                ProposalSettings.RejectionPolicy.VETO,
                                false),
                        new CapabilitiesByMember(MEMBERS)),
                writer,
                ledger);

        ServerProcess() {
            proposalStore.setAccessSource(identityRegistry);
        }

        CompletableFuture<RegistryCommandResult> revoke(String name) {
            return submit(new RevokeTokens(name, Optional.empty()));
        }

        CompletableFuture<RegistryCommandResult> submit(RegistryCommand command) {
            return identityRegistry
                    .submit("alice", new RevocableAccessGrant(), command)
                    .toCompletableFuture();
        }

        CompletableFuture<ProposalStoreResult> propose(String id) {
            return decide("helper", id, "mcp.proposal", "", Optional.empty());
        }

        CompletableFuture<ProposalStoreResult> approve(String from, String id) {
            return decide(from, id, "mcp.request", ",\"correlationId\":\"p-1\"", Optional.empty());
        }

        CompletableFuture<ProposalStoreResult> approveWithToken(String from, String id, String token) {
            return decide(
                    from,
                    id,
                    "mcp.request",
                    ",\"correlationId\":\"p-1\"",
                    Optional.of(TokenHash.of(token).hex()));
        }

        private CompletableFuture<ProposalStoreResult> decide(
                String from, String id, String kind, String more, Optional<String> tokenHash) {
            String text = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"" + kind
                    + ".tools/call:write\",\"to\":[\"files\"]" + more
                    + ",\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"write\"}}}";
            Envelope envelope =
                    (Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read(text.getBytes(StandardCharsets.UTF_8));
            CompletableFuture<ProposalStoreResult> result = new CompletableFuture<>();
            proposalStore.decide(
                    new AdmittedEnvelope(envelope, from, List.of("files"), CLOCK.instant()).withTokenHash(tokenHash),
                    PresenceSnapshot.of(List.of("files")),
                    result::complete);
            return result;
        }

        @Override
        public void close() {
            identityRegistry.close();
            writer.close();
        }
    }

    @BeforeEach
    void open() {
        ledger = ((SqliteOpenResult.Opened) SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .ledger();
        first = new ServerProcess();
        second = new ServerProcess();
        assertThat(first.propose("p-1").join()).isInstanceOf(ProposalStoreResult.Committed.class);
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        ledger.close();
    }

    private static void assertRefused(CompletableFuture<ProposalStoreResult> result, EnvelopeErrorCode code) {
        assertThat(result.join())
                .isInstanceOfSatisfying(
                        ProposalStoreResult.Declined.class,
                        declined -> assertThat(
                                        declined.errors().getFirst().refusal().code())
                                .isEqualTo(code));
    }

    @Test
    void anApprovalAtAnotherProcessDoesNotWinAgainstADurableRevocation() {
        assertThat(first.revoke("helper").join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(second.approve("alice", "f-1"), EnvelopeErrorCode.PROPOSAL_CLOSED);
    }

    @Test
    void aRevokedReviewersApprovalAtAnotherProcessIsRefused() {
        assertThat(first.revoke("bob").join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(second.approve("bob", "f-1"), EnvelopeErrorCode.ACCESS_ENDED);
        assertThat(second.approve("alice", "f-2").join()).isInstanceOf(ProposalStoreResult.Committed.class);
    }

    @Test
    void anApprovalSentWithARevokedTokenIsRefusedAlthoughTheReviewerHasAnotherOne() {
        assertThat(first.submit(token("bob", "k-2")).join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(first.submit(new RevokeTokens("bob", Optional.of("k-2"))).join())
                .isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(first.approveWithToken("bob", "f-1", "k-2"), EnvelopeErrorCode.ACCESS_ENDED);
        assertRefused(second.approveWithToken("bob", "f-2", "k-2"), EnvelopeErrorCode.ACCESS_ENDED);
        assertThat(second.approveWithToken("bob", "f-3", "bob").join())
                .isInstanceOf(ProposalStoreResult.Committed.class);
    }

    @Test
    void anApprovalInTheSameBatchAsTheRevocationOfItsTokenIsRefused() throws Exception {
        assertThat(first.submit(token("bob", "k-2")).join()).isInstanceOf(RegistryCommandResult.Done.class);
        CountDownLatch submitted = blockWriter();
        CompletableFuture<RegistryCommandResult> revoked = first.submit(new RevokeTokens("bob", Optional.of("k-2")));
        CompletableFuture<ProposalStoreResult> approved = first.approveWithToken("bob", "f-1", "k-2");
        submitted.countDown();
        assertThat(revoked.join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(approved, EnvelopeErrorCode.ACCESS_ENDED);
    }

    @Test
    void aRevokedIdentityProposesNothingAtAnotherProcess() {
        assertThat(first.revoke("helper").join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(second.propose("p-2"), EnvelopeErrorCode.ACCESS_ENDED);
    }

    @Test
    void anApprovalInTheSameBatchAsTheRevocationIsRefused() throws Exception {
        CountDownLatch submitted = blockWriter();
        CompletableFuture<RegistryCommandResult> revoked = first.revoke("helper");
        CompletableFuture<ProposalStoreResult> approved = first.approve("alice", "f-1");
        submitted.countDown();
        assertThat(revoked.join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertRefused(approved, EnvelopeErrorCode.PROPOSAL_CLOSED);
    }

    /** Blocks the first process's writer until the result is counted down. */
    private CountDownLatch blockWriter() throws InterruptedException {
        CountDownLatch submitted = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        first.writer.submit(
                "ops",
                context -> {
                    blocked.countDown();
                    awaitUninterruptibly(submitted);
                    return TaskDecision.withoutEvents("blocked");
                },
                result -> {});
        blocked.await();
        return submitted;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
