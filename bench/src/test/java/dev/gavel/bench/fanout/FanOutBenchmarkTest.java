package dev.gavel.bench.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.bench.load.LoadParticipantCredentials;
import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.load.SendRate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FanOutBenchmarkTest {
    @Test
    void aRunOfTheRelayAgainstItselfPrintsARowForEveryCase() throws IOException, InterruptedException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FanOutBenchmark.run(
                FanOutOptions.parse("--noise", "--rounds", "2", "--seconds", "0.05", "--receivers", "2,5"),
                new PrintStream(bytes, true, UTF_8));
        String text = bytes.toString(UTF_8);
        assertThat(text)
                .contains("| case | relay deliveries/s | second relay deliveries/s | ratio |")
                .contains("cores")
                .contains("JDK " + Runtime.version());
        for (String row : List.of(
                "2 receivers, saturating",
                "2 receivers, 400 messages/s",
                "5 receivers, saturating",
                "5 receivers, 400 messages/s")) {
            assertThat(text.lines().filter(line -> line.startsWith("| " + row + " |")))
                    .as(row)
                    .hasSize(2)
                    .allMatch(line -> line.matches("(\\|[^|]+){7}\\|"));
        }
    }

    @Test
    void aServerThatDoesNotStartIsAFailureThatQuotesIt() {
        FanOutOptions options = FanOutOptions.parse("--quick", "--server-command", "echo");
        assertThatThrownBy(() -> FanOutBenchmark.run(options, System.out))
                .isInstanceOf(RunFailedException.class)
                .hasMessageStartingWith("gavel did not start")
                .hasMessageContaining("serve --config ")
                .hasMessageContaining("--listen 127.0.0.1:0 --data ");
    }

    @Test
    void withoutOptionsItRunsTheFourCasesInUnderFourMinutes() {
        FanOutOptions options = FanOutOptions.parse();
        assertThat(options.serverCommand()).containsExactly("./gavel");
        assertThat(options.receivers()).containsExactly(50, 200);
        assertThat(options.sendRates()).containsExactly(new SendRate.Saturating(), new SendRate.Constant(400));
        assertThat(options.senders()).isEqualTo(1);
        assertThat(options.expectedDuration()).isLessThan(Duration.ofMinutes(4));
    }

    @Test
    void optionsAreRead() {
        FanOutOptions options = FanOutOptions.parse(
                "--only", "paced", "--rate", "100", "--senders", "10", "--server-command", "java -cp x Main");
        assertThat(options.sendRates()).containsExactly(new SendRate.Constant(100));
        assertThat(options.senders()).isEqualTo(10);
        assertThat(options.serverCommand()).containsExactly("java", "-cp", "x", "Main");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--fast",
                "--rounds",
                "--rounds 0",
                "--rounds many",
                "--seconds x",
                "--seconds 900",
                "--receivers 5,x",
                "--receivers 0",
                "--only both",
                "--rate 0"
            })
    void optionsThatMakeNoSenseAreRefused(String line) {
        assertThatThrownBy(() -> FanOutOptions.parse(line.split(" ")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("(unknown option )?--?[a-z]+.*");
    }

    @Test
    void theConfigurationNamesEveryParticipantWithItsTokenAndTenCapabilities() {
        BenchTopicConfig topic = new BenchTopicConfig(1, 3, new Random(1));
        String configuration = topic.configuration();
        assertThat(topic.participants(2))
                .extracting(LoadParticipantCredentials::name)
                .containsExactly("s0", "r0", "r1");
        assertThat(topic.participants(3))
                .allSatisfy(loadParticipantCredentials -> assertThat(configuration)
                        .contains("\n  " + loadParticipantCredentials.name() + ": {token: \""
                                + loadParticipantCredentials.token() + "\"}\n")
                        .containsPattern("\n      " + loadParticipantCredentials.name()
                                + ": \\[(\"[^\"]+\", ){9}\"chat\\.\\*\"]\n"));
        assertThat(configuration).startsWith("limits: ").contains("\ntopics:\n  bench:\n    ledger: off\n");
    }
}
