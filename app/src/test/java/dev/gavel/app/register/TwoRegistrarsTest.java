package dev.gavel.app.register;

import static dev.gavel.app.register.Desk.CHAT;
import static dev.gavel.app.register.Desk.configured;
import static dev.gavel.app.register.Desk.identity;
import static dev.gavel.app.register.Desk.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.identity.Authentication;
import dev.gavel.app.identity.Authentication.Authenticated;
import dev.gavel.app.identity.Identities;
import dev.gavel.app.identity.TokenHash;
import dev.gavel.app.register.Command.RevokeTokens;
import dev.gavel.app.register.Command.SetMember;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.TopicPlan;
import dev.gavel.gateway.Warrant;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.ledger.sqlite.Opening;
import dev.gavel.ledger.sqlite.SqliteLedger;
import dev.gavel.ledger.sqlite.SqliteOptions;
import dev.gavel.ledger.writer.LedgerWriter;
import dev.gavel.ledger.writer.WriterOptions;
import dev.gavel.mcpx.Limits;
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

/** Two registrars that share a ledger, as those of two processes do. */
@SuppressWarnings("NullAway.Init") // made before each test
class TwoRegistrarsTest {
    private static final InstantSource CLOCK = InstantSource.system();

    @TempDir
    private Path data;

    private SqliteLedger ledger;
    private House here;
    private House there;

    /** What one process has. */
    private final class House implements AutoCloseable {
        final LedgerWriter writer = new LedgerWriter(ledger, CLOCK, WriterOptions.DEFAULT);
        final Identities identities = new Identities(CLOCK);
        final Lookout lookout = new Lookout();
        final DefaultEventLoop loop = new DefaultEventLoop();
        final Gateway gateway = new Gateway(
                Map.of("ops", new TopicPlan(List.of(), Optional.empty())),
                List.of(loop),
                new Gateway.Bounds(Limits.DEFAULT, 100, 100),
                Runnable::run,
                CLOCK);
        final Registrar registrar = new Registrar(
                configured(identity("alice", "admin"), identity("bob", "admin"), identity("helper")),
                Optional.of(new Rolls(ledger, writer)),
                identities,
                gateway::topic,
                CLOCK);

        House() {
            registrar.follow(lookout);
        }

        CompletableFuture<Answer> order(String actor, Command command) {
            return registrar.order(actor, warrant(actor), command).toCompletableFuture();
        }

        Warrant warrant(String token) {
            return identities.recognise(TokenHash.of(token)) instanceof Authenticated(var _, Warrant warrant)
                    ? warrant
                    : new Warrant();
        }

        boolean knows(String token) {
            Authentication found = identities.recognise(TokenHash.of(token));
            return found instanceof Authenticated;
        }

        /** Somebody looked how far the ledger reaches. */
        void look() {
            lookout.seen(ledger.heads());
        }

        @Override
        public void close() {
            registrar.close();
            writer.close();
            var _ = loop.shutdownGracefully();
        }
    }

    @BeforeEach
    void open() {
        ledger = ((Opening.Opened) SqliteLedger.open(data.resolve("ledger.db"), SqliteOptions.DEFAULT)).ledger();
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
        assertThat(here.order("alice", token("helper", "k-1")).join()).isInstanceOf(Answer.Done.class);
        assertThat(here.order("alice", new SetMember("ops", "helper", CHAT)).join())
                .isInstanceOf(Answer.Done.class);
        assertThat(there.knows("k-1")).isFalse();
        there.look();
        await().until(() -> there.knows("k-1"));
        await().until(() ->
                there.gateway.topic("ops").orElseThrow().member("helper").isPresent());

        Warrant open = here.warrant("k-1");
        assertThat(there.order("bob", new RevokeTokens("helper", Optional.of("k-1")))
                        .join())
                .isInstanceOf(Answer.Done.class);
        here.lookout.told(new dev.gavel.ledger.Growth(Register.STREAM, 3, 3));
        await().until(() -> !open.holds());
        assertThat(here.knows("k-1")).isFalse();
    }

    @Test
    void anOrderIsDecidedByWhatOthersWroteThoughNobodyToldOfIt() {
        here.order("alice", token("helper", "k-1")).join();
        Answer answer = there.order("bob", new RevokeTokens("helper", Optional.of("k-1")))
                .join();
        assertThat(answer).isInstanceOf(Answer.Done.class);
        assertThat(here.order("alice", new RevokeTokens("helper", Optional.of("k-1")))
                        .join())
                .isInstanceOfSatisfying(
                        Answer.Refused.class,
                        refused -> assertThat(refused.ruling().why()).isEqualTo(Ruling.Why.ALREADY_REVOKED));
    }

    @Test
    void adminsAtTwoProcessesChangeThingsAtTheSameTime() {
        List<CompletableFuture<Answer>> answers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            answers.add(here.order("alice", token("helper", "h-" + i)));
            answers.add(there.order("bob", token("helper", "t-" + i)));
        }
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Answer.Done.class));
        here.look();
        there.look();
        await().untilAsserted(() -> {
            assertThat(here.registrar.register().tokens("helper")).hasSize(61);
            assertThat(here.registrar.register().tokens("helper"))
                    .isEqualTo(there.registrar.register().tokens("helper"));
        });
    }

    @Test
    void theLastAdminCannotBeTakenAwayByTwoAtOnce() {
        CompletableFuture<Answer> one = here.order("alice", new RevokeTokens("bob", Optional.empty()));
        CompletableFuture<Answer> other = there.order("bob", new RevokeTokens("alice", Optional.empty()));
        assertThat(List.of(one.join(), other.join()))
                .satisfiesExactlyInAnyOrder(
                        answer -> assertThat(answer).isInstanceOf(Answer.Done.class),
                        answer -> assertThat(answer).isInstanceOf(Answer.Refused.class));
        here.look();
        there.look();
        await().until(() -> here.knows("alice") != here.knows("bob")
                && there.knows("alice") == here.knows("alice")
                && there.knows("bob") == here.knows("bob"));
    }
}
