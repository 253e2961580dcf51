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
class ConnectingTest {
    @TempDir
    private Path data;

    private Stage stage;

    @BeforeEach
    void open() throws Exception {
        stage = new Stage(data);
    }

    @AfterEach
    void close() throws Exception {
        stage.close();
    }

    @Test
    void theTokenSaysWhoOneIs() {
        assertThat(stage.join("helper").id()).isEqualTo("helper");
    }

    @Test
    void whyOneIsNotLetInIsAType() throws Exception {
        Gavel wrong = stage.gavel("helper").token(Token.of("wrong-secret-0123456789"));
        assertThatThrownBy(wrong::connect)
                .isInstanceOf(GavelException.Unauthenticated.class)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(stage.gavel("mallory")::connect).isInstanceOf(GavelException.NotAMember.class);
        assertThatThrownBy(stage.gavel("helper").topic("nowhere")::connect)
                .isInstanceOf(GavelException.NoSuchTopic.class);
        stage.stop();
        assertThatThrownBy(stage.gavel("helper")::connect).isInstanceOf(GavelException.Unreachable.class);
        stage.start();
    }

    @Test
    void whatIsMissingOrMisspelledIsSaidAtOnce() {
        assertThatThrownBy(() -> Gavel.at("ftp://x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gavel.at("http://x").topic("A B")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Gavel.at("http://x").connect()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(stage.gavel("helper").token(Token.env("NO_SUCH_VARIABLE"))::connect)
                .hasMessageContaining("NO_SUCH_VARIABLE");
        assertThatThrownBy(stage.gavel("helper").token(Token.of("two\nlines"))::connect)
                .hasMessageNotContaining("two");
    }

    @Test
    void aTokenIsReadFromAFileAndNeverShown() throws Exception {
        Path file = Files.writeString(data.resolve("token"), "helper" + TestServer.SECRET + "\n");
        Token token = Token.file(file.toString());
        try (Participant helper = stage.gavel("helper").token(token).connect()) {
            assertThat(helper.id()).isEqualTo("helper");
        }
        assertThat(token.toString() + Token.of("gvl_secret")).doesNotContain(TestServer.SECRET, "gvl_secret");
    }

    @Test
    void whoIsReplacedStaysAway() throws Exception {
        BlockingQueue<LinkEvent> events = new LinkedBlockingQueue<>();
        Participant helper = stage.join("helper", events::add);
        Pending pending = helper.propose(Call.tool("x")).send();
        pending.accepted().join();
        TestSocket other = stage.socket("helper", "");
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Replaced.class);
        assertThatThrownBy(pending::await).isInstanceOf(GavelException.Replaced.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Up.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Down.class);
        assertThat(events.poll(10, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Over.class);
        assertThatThrownBy(() -> helper.chat("hello?").join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(GavelException.Replaced.class);
        // Coming back would close the other one with 4001. Expiry is a while later, and it hears of that.
        other.envelope("system.welcome");
        Participant alice = stage.join("alice");
        alice.propose(Call.tool("y")).ttl(Duration.ofSeconds(1)).send().await();
        other.envelope("system.proposal.expired");
    }

    @Test
    void whoseTokenIsNoLongerKnownIsOutWhenTheServerComesBack() throws Exception {
        Participant helper = stage.join("helper");
        Pending pending = helper.propose(Call.tool("x")).send();
        pending.accepted().join();
        stage.restartWith(Stage.config(data, "-other"));
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Unauthenticated.class);
        assertThatThrownBy(pending::await).isInstanceOf(GavelException.Unauthenticated.class);
    }

    @Test
    void aSecondCloseDoesNothing() {
        Participant helper = stage.join("helper");
        helper.close();
        helper.close();
        assertThat(helper.awaitOver()).isInstanceOf(GavelException.Closed.class);
    }
}
