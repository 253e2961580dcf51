package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.CHAT;
import static dev.gavel.web.registry.TestRegistry.configured;
import static dev.gavel.web.registry.TestRegistry.identity;
import static dev.gavel.web.registry.TestRegistry.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.RemoteLedgerWriteDispatcher;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.TopicConfig;
import dev.gavel.ledger.executor.FairExecutor;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOpenResult;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.web.identity.AuthenticationResult;
import dev.gavel.web.identity.AuthenticationResult.Authenticated;
import dev.gavel.web.identity.TokenAuthenticator;
import dev.gavel.web.identity.TokenHash;
import dev.gavel.web.registry.RegistryCommand.RevokeTokens;
import dev.gavel.web.registry.RegistryCommand.SetMember;
import io.netty.channel.DefaultEventLoop;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two registries that share one ledger, as those of two server processes do. */
@SuppressWarnings("NullAway.Init") // created before each test
class SharedRegistryTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    private Path data;

    private SqliteLedger ledger;
    private ServerProcess first;
    private ServerProcess second;

    /** The registry, ledger writer and authenticator of one process. */
    private final class ServerProcess implements AutoCloseable {
        final LedgerWriter writer = new LedgerWriter(ledger, CLOCK, WriterOptions.DEFAULT);
        final TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(CLOCK);
        final RemoteLedgerWriteDispatcher remoteLedgerWriteDispatcher = new RemoteLedgerWriteDispatcher();
        final DefaultEventLoop loop = new DefaultEventLoop();
        final Gateway gateway = new Gateway(
                Map.of("ops", new TopicConfig(List.of(), Optional.empty())),
                List.of(loop),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 100, 100),
                FairExecutor.unlimited(Runnable::run),
                CLOCK);
        final IdentityRegistry identityRegistry = new IdentityRegistry(
                configured(identity("alice", "admin"), identity("bob", "admin"), identity("helper")),
                Optional.of(new RegistryLedger(ledger, writer)),
                UnwrittenRevocations.inMemory(),
                tokenAuthenticator,
                gateway::topic,
                CLOCK);

        ServerProcess() {
            identityRegistry.follow(remoteLedgerWriteDispatcher);
        }

        CompletableFuture<RegistryCommandResult> submit(String actor, RegistryCommand command) {
            return identityRegistry.submit(actor, grantOf(actor), command).toCompletableFuture();
        }

        RevocableAccessGrant grantOf(String token) {
            return tokenAuthenticator.authenticateHash(TokenHash.of(token))
                            instanceof Authenticated(var _, RevocableAccessGrant revocableAccessGrant)
                    ? revocableAccessGrant
                    : new RevocableAccessGrant();
        }

        boolean accepts(String token) {
            AuthenticationResult found = tokenAuthenticator.authenticateHash(TokenHash.of(token));
            return found instanceof Authenticated;
        }

        /** Notifies the registry how far the ledger reaches. */
        void notifyHeads() {
            remoteLedgerWriteDispatcher.notifyHeads(ledger.lastSeqs());
        }

        @Override
        public void close() {
            identityRegistry.close();
            writer.close();
            var _ = loop.shutdownGracefully();
        }
    }

    @BeforeEach
    void open() {
        ledger = ((SqliteOpenResult.Opened) SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT))
                .ledger();
        first = new ServerProcess();
        second = new ServerProcess();
    }

    @AfterEach
    void close() {
        first.close();
        second.close();
        ledger.close();
    }

    @Test
    void changesAtOneProcessTakeEffectAtTheOther() {
        assertThat(first.submit("alice", token("helper", "k-1")).join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(first.submit("alice", new SetMember("ops", "helper", CHAT)).join())
                .isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(second.accepts("k-1")).isFalse();
        second.notifyHeads();
        await().until(() -> second.accepts("k-1"));
        await().until(() ->
                second.gateway.topic("ops").orElseThrow().member("helper").isPresent());

        RevocableAccessGrant open = first.grantOf("k-1");
        assertThat(second.submit("bob", new RevokeTokens("helper", Optional.of("k-1")))
                        .join())
                .isInstanceOf(RegistryCommandResult.Done.class);
        first.remoteLedgerWriteDispatcher.notifyWritten(
                new dev.gavel.ledger.AppendedRange(RegistrySnapshot.STREAM, 3, 3));
        await().until(() -> !open.isValid());
        assertThat(first.accepts("k-1")).isFalse();
    }

    @Test
    void aCommandIsDecidedByUnseenChangesOfOtherProcesses() {
        first.submit("alice", token("helper", "k-1")).join();
        RegistryCommandResult registryCommandResult = second.submit(
                        "bob", new RevokeTokens("helper", Optional.of("k-1")))
                .join();
        assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(first.submit("alice", new RevokeTokens("helper", Optional.of("k-1")))
                        .join())
                .isInstanceOfSatisfying(
                        RegistryCommandResult.Refused.class,
                        refused -> assertThat(refused.decision().reason())
                                .isEqualTo(RegistryDecisionResult.Reason.ALREADY_REVOKED));
    }

    @Test
    void adminsAtTwoProcessesChangeThingsAtTheSameTime() {
        List<CompletableFuture<RegistryCommandResult>> answers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            answers.add(first.submit("alice", token("helper", "h-" + i)));
            answers.add(second.submit("bob", token("helper", "t-" + i)));
        }
        assertThat(answers)
                .allSatisfy(registryCommandResult ->
                        assertThat(registryCommandResult.join()).isInstanceOf(RegistryCommandResult.Done.class));
        first.notifyHeads();
        second.notifyHeads();
        await().untilAsserted(() -> {
            assertThat(first.identityRegistry.snapshot().tokens("helper")).hasSize(61);
            assertThat(first.identityRegistry.snapshot().tokens("helper"))
                    .isEqualTo(second.identityRegistry.snapshot().tokens("helper"));
        });
    }

    @Test
    void twoConcurrentCommandsCannotRemoveTheLastAdmin() {
        CompletableFuture<RegistryCommandResult> one = first.submit("alice", new RevokeTokens("bob", Optional.empty()));
        CompletableFuture<RegistryCommandResult> other =
                second.submit("bob", new RevokeTokens("alice", Optional.empty()));
        assertThat(List.of(one.join(), other.join()))
                .satisfiesExactlyInAnyOrder(
                        registryCommandResult ->
                                assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Done.class),
                        registryCommandResult ->
                                assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Refused.class));
        first.notifyHeads();
        second.notifyHeads();
        await().until(() -> first.accepts("alice") != first.accepts("bob")
                && second.accepts("alice") == first.accepts("alice")
                && second.accepts("bob") == first.accepts("bob"));
    }
}
