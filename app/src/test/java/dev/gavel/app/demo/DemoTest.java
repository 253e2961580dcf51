package dev.gavel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.app.server.GavelServer;
import dev.gavel.client.Decision;
import dev.gavel.client.Gavel;
import dev.gavel.client.Participant;
import dev.gavel.client.Token;
import dev.gavel.client.http.ListenAddress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the demo with a reviewer: the agent does what was approved, and nothing else. */
final class DemoTest {
    private static final ListenAddress ANYWHERE = new ListenAddress("127.0.0.1", 0);

    private final List<String> messages = new CopyOnWriteArrayList<>();

    private static String token(DemoWorkingDirectory demoWorkingDirectory, String identity) throws Exception {
        return Files.readString(demoWorkingDirectory.tokenFile(identity)).strip();
    }

    @Test
    void theAgentLooksByItselfAndAsksForWhatItWouldChange(@TempDir Path directory) throws Exception {
        DemoWorkingDirectory demoWorkingDirectory =
                DemoWorkingDirectory.prepare(Optional.of(directory.resolve("demo")));
        try (GavelServer server = GavelServer.start(demoWorkingDirectory.config(ANYWHERE), 2);
                Participant you = Gavel.at("http://" + server.listen())
                        .token(Token.of(token(demoWorkingDirectory, DemoWorkingDirectory.OWNER)))
                        .topic(DemoWorkingDirectory.TOPIC)
                        .connect();
                DemoAgent agent = new DemoAgent(
                        URI.create("http://" + server.listen() + "/mcp/" + DemoWorkingDirectory.TOPIC),
                        token(demoWorkingDirectory, DemoWorkingDirectory.AGENT),
                        messages::add,
                        Duration.ZERO,
                        Optional::empty,
                        "gavel topic watch desk --token file:x")) {
            you.review(proposal -> proposal.call().arguments().at("path").text().equals(SampleFiles.OLD_DRAFT)
                    ? Decision.approve()
                    : Decision.reject("policy").note("leave it as it is"));

            agent.run();
        }
        assertThat(messages)
                .anyMatch(line -> line.contains("todo.txt: Clean up: old drafts can be deleted."))
                .anyMatch(line -> line.contains("... waiting for Owner"))
                .anyMatch(line -> line.contains("moved it to '.trash/drafts_plan-2019.txt'.\" Thank you."))
                .anyMatch(line -> line.contains("leave it as it is")
                        && line.endsWith("You rejected the call, so I continue without it."));
        assertThat(messages.getLast()).startsWith("I am done.").endsWith(": gavel topic watch desk --token file:x");
        Path files = demoWorkingDirectory.sandbox();
        assertThat(files.resolve(SampleFiles.OLD_DRAFT)).doesNotExist();
        assertThat(files.resolve(".trash/drafts_plan-2019.txt")).exists();
        assertThat(files.resolve(SampleFiles.PAYROLL)).exists();
        assertThat(files.resolve("notes/log.txt")).doesNotExist();
    }

    @Test
    void whatIsThereFromLastTimeIsKeptAndAPassingPlaceGoes(@TempDir Path directory) throws Exception {
        DemoWorkingDirectory first = DemoWorkingDirectory.prepare(Optional.of(directory.resolve("demo")));
        Path notes = Files.writeString(first.sandbox().resolve(SampleFiles.TODO), "mine");
        String token = token(first, DemoWorkingDirectory.OWNER);
        first.close();

        DemoWorkingDirectory second = DemoWorkingDirectory.prepare(Optional.of(directory.resolve("demo")));
        assertThat(notes).hasContent("mine");
        assertThat(token(second, DemoWorkingDirectory.OWNER)).isEqualTo(token);

        try (DemoWorkingDirectory passing = DemoWorkingDirectory.prepare(Optional.empty())) {
            assertThat(passing.sandbox()).isDirectory();
            second = passing;
        }
        assertThat(second.directory()).doesNotExist();
    }

    @Test
    void aDirectoryThatIsNotTheDemosIsLeftAlone(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(directory.resolve("gavel.yaml"), "mine");
        assertThatThrownBy(() -> DemoWorkingDirectory.prepare(Optional.of(directory)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("gavel.yaml");
        Files.delete(config);
        Files.createDirectory(directory.resolve("ledger"));
        assertThatThrownBy(() -> DemoWorkingDirectory.prepare(Optional.of(directory)))
                .hasMessageContaining("ledger");
        assertThat(directory.toFile().list()).containsExactly("ledger");
    }
}
