package dev.gavel.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.client.Call;
import dev.gavel.client.Gavel;
import dev.gavel.client.GavelException;
import dev.gavel.client.LinkEvent;
import dev.gavel.client.Participant;
import dev.gavel.client.Pending;
import dev.gavel.client.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ClientConnectTest {
    @TempDir
    private Path data;

    private ClientTestServer clientTestServer;

    @BeforeEach
    void open() throws Exception {
        clientTestServer = new ClientTestServer(data);
    }

    @AfterEach
    void close() throws Exception {
        clientTestServer.close();
    }

    @Test
    void theTokenSaysWhoOneIs() {
        assertThat(clientTestServer.join("helper").id()).isEqualTo("helper");
    }

    @Test
    void whyOneIsNotLetInIsAType() throws Exception {
        Gavel wrong = clientTestServer.gavel("helper").token(Token.of("wrong-secret-0123456789"));
        assertThatThrownBy(wrong::connect)
                .isInstanceOf(GavelException.Unauthenticated.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(clientTestServer.gavel("mallory")::connect).isInstanceOf(GavelException.NotAMember.class);
        assertThatThrownBy(clientTestServer.gavel("helper").topic("nowhere")::connect)
                .isInstanceOf(GavelException.NoSuchTopic.class);
        clientTestServer.stop();
        assertThatThrownBy(clientTestServer.gavel("helper")::connect).isInstanceOf(GavelException.Unreachable.class);
        clientTestServer.start();
    }

    @Test
    void whatIsMissingOrMisspelledIsSaidAtOnce() {
        assertThatThrownBy(() -> Gavel.at("ftp://x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gavel.at("http://x").topic("A B")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gavel.at("http://x").connect()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(clientTestServer.gavel("helper").token(Token.env("NO_SUCH_VARIABLE"))::connect)
                .hasMessageContaining("NO_SUCH_VARIABLE");
        assertThatThrownBy(clientTestServer.gavel("helper").token(Token.of("two\nlines"))::connect)
                .hasMessageNotContaining("two");
    }

    @Test
    void aTokenIsReadFromAFileAndNeverShown() throws Exception {
        Path file = Files.writeString(data.resolve("token"), "helper" + TestServer.SECRET + "\n");
        Token token = Token.file(file.toString());
        try (Participant helper = clientTestServer.gavel("helper").token(token).connect()) {
            assertThat(helper.id()).isEqualTo("helper");
        }
        assertThat(token.toString() + Token.of("gvl_secret")).doesNotContain(TestServer.SECRET, "gvl_secret");
    }

    @Test
    void whoIsReplacedStaysAway() throws Exception {
        BlockingQueue<LinkEvent> events = new LinkedBlockingQueue<>();
        Participant helper = clientTestServer.join("helper", events::add);
        Pending pending = helper.propose(Call.tool("x")).send();
        pending.accepted().join();
        TestSocket other = clientTestServer.socket("helper", "");
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Replaced.class);
        assertThatThrownBy(pending::await).isInstanceOf(GavelException.Replaced.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Up.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Down.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Over.class);
        assertThatThrownBy(() -> helper.chat("hello?").join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(GavelException.Replaced.class);
        // If the replaced participant reconnected, it would close this connection with 4001. The expiry comes a while
        // later, and this connection still receives it.
        other.envelope("system.welcome");
        Participant alice = clientTestServer.join("alice");
        alice.propose(Call.tool("y")).ttl(Duration.ofSeconds(1)).send().await();
        other.envelope("system.proposal.expired");
    }

    @Test
    void whoseTokenIsNoLongerKnownIsOutWhenTheServerComesBack() throws Exception {
        Participant helper = clientTestServer.join("helper");
        Pending pending = helper.propose(Call.tool("x")).send();
        pending.accepted().join();
        clientTestServer.restartWith(ClientTestServer.config(data, "-other"));
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Unauthenticated.class);
        assertThatThrownBy(pending::await).isInstanceOf(GavelException.Unauthenticated.class);
    }

    @Test
    void aSecondCloseDoesNothing() {
        Participant helper = clientTestServer.join("helper");
        helper.close();
        helper.close();
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Closed.class);
    }
}
