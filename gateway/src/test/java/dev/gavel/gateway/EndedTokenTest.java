package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.member.IdentityAccessSource;
import dev.gavel.gateway.member.Member;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.gateway.store.ProposalStoreFixture;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.SubscriptionScope;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.ledger.LedgerEvent;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeLimits;
import io.netty.util.concurrent.DefaultEventExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that an envelope counts only if the token with which it was sent is still valid when it is decided, even if the
 * sender has another token.
 */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // created before each test
class EndedTokenTest {
    private static final RevocableAccessGrant ENDED = new RevocableAccessGrant("ended");
    private static final RevocableAccessGrant VALID = new RevocableAccessGrant("valid");
    private static final Member AGENT =
            new Member("agent", CapabilitySet.compile(List.of("mcp.proposal.*")).orThrow());

    @TempDir
    private Path directory;

    private final DefaultEventExecutor loop = new DefaultEventExecutor();
    private ProposalStoreFixture store;
    private Gateway gateway;
    private Topic topic;

    /** All identities have access, and the token with the hash "ended" is revoked. */
    private static final class OneEndedToken implements IdentityAccessSource.AccessSnapshot {
        @Override
        public long seq() {
            return Long.MAX_VALUE;
        }

        @Override
        public IdentityAccessSource.AccessSnapshot withEvents(List<LedgerEvent> identityEvents) {
            return this;
        }

        @Override
        public Optional<String> accessEndReason(String topicName, String identity, Instant now) {
            return Optional.empty();
        }

        @Override
        public Optional<String> tokenEndReason(String identity, String tokenHash, Instant now) {
            return tokenHash.equals("ended") ? Optional.of("the token was revoked") : Optional.empty();
        }
    }

    @BeforeEach
    void open() {
        store = new ProposalStoreFixture(directory);
        gateway = new Gateway(
                Map.of("ops", new TopicConfig(List.of(AGENT), Optional.of(store.proposalStore))),
                List.of(loop),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 1000, 1000),
                FairExecutor.unlimited(Runnable::run),
                InstantSource.system());
        topic = gateway.topic("ops").orElseThrow();
        gateway.loadOpenProposals();
        topic.setAccessSource(OneEndedToken::new);
    }

    @AfterEach
    void close() {
        store.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private static byte[] proposal(String id) {
        return ("{\"protocol\":\"mcpx/v0.1\",\"id\":\"" + id + "\",\"kind\":\"mcp.proposal.tools/call:write\","
                        + "\"payload\":{\"method\":\"tools/call\",\"params\":{\"name\":\"write\"}}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void assertRefused(CompletionStage<SubmitResult> result) {
        assertThat(result.toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        SubmitResult.Refused.class,
                        refused -> assertThat(refused.failures().getFirst().error())
                                .isEqualTo(EnvelopeErrorCode.ACCESS_ENDED));
    }

    private static void assertAccepted(CompletionStage<SubmitResult> result) {
        assertThat(result.toCompletableFuture().join()).isInstanceOf(SubmitResult.Accepted.class);
    }

    @Test
    void aSubmittedEnvelopeIsRefused() {
        assertRefused(gateway.submit(topic, AGENT, ENDED, proposal("p-1")));
        assertAccepted(gateway.submit(topic, AGENT, VALID, proposal("p-2")));
    }

    @Test
    void anEnvelopeThatAnMcpRequestCausedIsRefusedAndOneOfTheProcessItselfCounts() {
        assertRefused(gateway.submitInternal(topic, AGENT, ENDED, proposal("p-1")));
        assertAccepted(gateway.submitInternal(topic, AGENT, VALID, proposal("p-2")));
        assertAccepted(gateway.submitInternal(topic, AGENT, proposal("p-3")));
    }

    @Test
    void anEnvelopeFromAConnectionIsRefused() {
        List<String> received = new CopyOnWriteArrayList<>();
        InProcessConnection connection = gateway.connectInProcess(
                topic,
                topic.membership("agent").orElseThrow(),
                ENDED,
                new TopicConnection.SubscribeOptions(SubscriptionScope.ALL, OptionalLong.empty()),
                new InProcessConnection.Listener() {
                    @Override
                    public void onEnvelope(byte[] envelope) {
                        received.add(new String(envelope, StandardCharsets.UTF_8));
                    }

                    @Override
                    public void onClose(ConnectionCloseReason closeReason) {}
                });
        connection.send(proposal("p-1"));
        await().until(() -> received.stream().anyMatch(each -> each.contains("access_ended")));
        assertThat(received).noneMatch(each -> each.contains("\"kind\":\"mcp.proposal"));
    }
}
