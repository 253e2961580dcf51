package dev.gavel.web.registry;

import static dev.gavel.web.registry.TestRegistry.CHAT;
import static dev.gavel.web.registry.TestRegistry.configured;
import static dev.gavel.web.registry.TestRegistry.identity;
import static dev.gavel.web.registry.TestRegistry.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.bus.RemoteLedgerWriteNotifier;
import dev.gavel.gateway.member.RevocableAccessGrant;
import dev.gavel.gateway.topic.TopicConfig;
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
    private House here;
    private House there;

    /** The registry, ledger writer and authenticator of one process. */
    private final class House implements AutoCloseable {
        final LedgerWriter writer = new LedgerWriter(ledger, CLOCK, WriterOptions.DEFAULT);
        final TokenAuthenticator tokenAuthenticator = new TokenAuthenticator(CLOCK);
        final RemoteLedgerWriteNotifier remoteLedgerWriteNotifier = new RemoteLedgerWriteNotifier();
        final DefaultEventLoop loop = new DefaultEventLoop();
        final Gateway gateway = new Gateway(
                Map.of("ops", new TopicConfig(List.of(), Optional.empty())),
                List.of(loop),
                new Gateway.GatewayLimits(EnvelopeLimits.DEFAULT, 100, 100),
                Runnable::run,
                CLOCK);
        final IdentityRegistry identityRegistry = new IdentityRegistry(
                configured(identity("alice", "admin"), identity("bob", "admin"), identity("helper")),
                Optional.of(new RegistryLedger(ledger, writer)),
                tokenAuthenticator,
                gateway::topic,
                CLOCK);

        House() {
            identityRegistry.follow(remoteLedgerWriteNotifier);
        }

        CompletableFuture<RegistryCommandResult> order(String actor, RegistryCommand command) {
            return identityRegistry.submit(actor, warrant(actor), command).toCompletableFuture();
        }

        RevocableAccessGrant warrant(String token) {
            return tokenAuthenticator.authenticateHash(TokenHash.of(token))
                            instanceof Authenticated(var _, RevocableAccessGrant revocableAccessGrant)
                    ? revocableAccessGrant
                    : new RevocableAccessGrant();
        }

        boolean knows(String token) {
            AuthenticationResult found = tokenAuthenticator.authenticateHash(TokenHash.of(token));
            return found instanceof Authenticated;
        }

        /** Notifies the registry how far the ledger reaches. */
        void look() {
            remoteLedgerWriteNotifier.notifyHeads(ledger.lastSeqs());
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
        here = new House();
        there = new House();
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        ledger.close();
    }

    @Test
    void whatIsChangedAtOneIsInEffectAtTheOther() {
        assertThat(here.order("alice", token("helper", "k-1")).join()).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(here.order("alice", new SetMember("ops", "helper", CHAT)).join())
                .isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(there.knows("k-1")).isFalse();
        there.look();
        await().until(() -> there.knows("k-1"));
        await().until(() ->
                there.gateway.topic("ops").orElseThrow().member("helper").isPresent());

        RevocableAccessGrant open = here.warrant("k-1");
        assertThat(there.order("bob", new RevokeTokens("helper", Optional.of("k-1")))
                        .join())
                .isInstanceOf(RegistryCommandResult.Done.class);
        here.remoteLedgerWriteNotifier.notifyWritten(new dev.gavel.ledger.AppendedRange(RegistrySnapshot.STREAM, 3, 3));
        await().until(() -> !open.isValid());
        assertThat(here.knows("k-1")).isFalse();
    }

    @Test
    void anOrderIsDecidedByWhatOthersWroteThoughNobodyToldOfIt() {
        here.order("alice", token("helper", "k-1")).join();
        RegistryCommandResult registryCommandResult = there.order("bob", new RevokeTokens("helper", Optional.of("k-1")))
                .join();
        assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Done.class);
        assertThat(here.order("alice", new RevokeTokens("helper", Optional.of("k-1")))
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
            answers.add(here.order("alice", token("helper", "h-" + i)));
            answers.add(there.order("bob", token("helper", "t-" + i)));
        }
        assertThat(answers)
                .allSatisfy(registryCommandResult ->
                        assertThat(registryCommandResult.join()).isInstanceOf(RegistryCommandResult.Done.class));
        here.look();
        there.look();
        await().untilAsserted(() -> {
            assertThat(here.identityRegistry.snapshot().tokens("helper")).hasSize(61);
            assertThat(here.identityRegistry.snapshot().tokens("helper"))
                    .isEqualTo(there.identityRegistry.snapshot().tokens("helper"));
        });
    }

    @Test
    void theLastAdminCannotBeTakenAwayByTwoAtOnce() {
        CompletableFuture<RegistryCommandResult> one = here.order("alice", new RevokeTokens("bob", Optional.empty()));
        CompletableFuture<RegistryCommandResult> other =
                there.order("bob", new RevokeTokens("alice", Optional.empty()));
        assertThat(List.of(one.join(), other.join()))
                .satisfiesExactlyInAnyOrder(
                        registryCommandResult ->
                                assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Done.class),
                        registryCommandResult ->
                                assertThat(registryCommandResult).isInstanceOf(RegistryCommandResult.Refused.class));
        here.look();
        there.look();
        await().until(() -> here.knows("alice") != here.knows("bob")
                && there.knows("alice") == here.knows("alice")
                && there.knows("bob") == here.knows("bob"));
    }
}
