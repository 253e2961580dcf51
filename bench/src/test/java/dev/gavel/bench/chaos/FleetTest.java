package dev.gavel.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.chaos.Plan.Act;
import dev.gavel.bench.chaos.Plan.Deed;
import dev.gavel.bench.reliability.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How gateways are started and ended; the JDK's web server stands in for them. */
@Timeout(120)
class FleetTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private Path starts;

    @BeforeEach
    void prepare() throws IOException {
        starts = Files.createFile(directory.resolve("starts"));
        Path health = Files.createDirectories(directory.resolve("served").resolve("health"));
        Files.createFile(health.resolve("live"));
        Files.createFile(health.resolve("ready"));
    }

    /** A program that writes down that it was started, does this, and then listens where a gateway is to. */
    private List<String> program(String before) throws IOException {
        Path script = directory.resolve("program");
        Files.writeString(
                script, """
                echo $$ >>%s
                %s
                exec %s/bin/jwebserver -b 127.0.0.1 -p "${5#*:}" -d %s
                """.formatted(starts, before, System.getProperty("java.home"), directory.resolve("served")));
        return List.of("sh", script.toString());
    }

    private Fleet fleet(String before) throws IOException, InterruptedException {
        return Fleet.start(directory, program(before), 1, "");
    }

    private List<Long> started() throws IOException {
        return Files.readAllLines(starts).stream().map(Long::valueOf).toList();
    }

    private boolean isAnyAlive() throws IOException {
        return started().stream().flatMap(pid -> ProcessHandle.of(pid).stream()).anyMatch(ProcessHandle::isAlive);
    }

    @Test
    void aGatewayThatGivesUpAtItsStartIsStartedAgain() throws Exception {
        try (Fleet fleet = fleet("[ $(wc -l <%s) -ge 3 ] || exit 2".formatted(starts))) {
            Node node = fleet.nodes().getFirst();
            assertThat(node.isUp()).isTrue();
            assertThat(started()).hasSize(3);
            assertThat(node.complaints()).isEmpty();
        }
        assertThat(isAnyAlive()).isFalse();
    }

    @Test
    void soIsOneThatDiesOfAnythingElseButThatIsTold() throws Exception {
        try (Fleet fleet = fleet("[ $(wc -l <%s) -ge 2 ] || exit 134".formatted(starts))) {
            assertThat(fleet.nodes().getFirst().complaints()).containsExactly("gateway-0 ended with 134 at its start");
        }
    }

    @Test
    void whatAGatewayEndsWithAndSaysOfItsOwnMistakesIsTold() throws Exception {
        try (Fleet fleet = fleet("echo all is well; echo 'Exception in thread \"drain\" java.lang.Error'")) {
            assertThat(fleet.nodes().getFirst().complaints())
                    .containsExactly("gateway-0 said: Exception in thread \"drain\" java.lang.Error");
            Plan plan = new Plan(1, List.of(new Act(Deed.DRAIN, 0, 0, 1, 0)));
            Stagehand stagehand = new Stagehand(fleet, List::of, System.nanoTime());
            stagehand.perform(plan);
            assertThat(stagehand.done()).containsExactly(Map.entry(Deed.DRAIN, 1));
            assertThat(stagehand.complaints())
                    .singleElement()
                    .asString()
                    .startsWith("gateway-0 ended with 143 when asked to (");
        }
    }

    @Test
    void onceClosedNothingIsStarted() throws Exception {
        Fleet fleet = fleet("");
        fleet.close();
        assertThatThrownBy(() -> fleet.nodes().getFirst().start()).isInstanceOf(LoadFailure.class);
        assertThat(started()).hasSize(1);
        assertThat(isAnyAlive()).isFalse();
    }

    @Test
    void wherePerformingIsInterruptedNothingIsUnderWayAfterwards() throws Exception {
        try (Fleet fleet = fleet("")) {
            Node node = fleet.nodes().getFirst();
            Plan plan = new Plan(1, List.of(new Act(Deed.KILL, 0, 0, Integer.MAX_VALUE, 0)));
            Stagehand stagehand = new Stagehand(fleet, List::of, System.nanoTime());
            CompletableFuture<String> came = new CompletableFuture<>();
            Thread performing = Thread.ofVirtual().start(() -> {
                try {
                    stagehand.perform(plan);
                    came.complete("done");
                } catch (InterruptedException _) {
                    came.complete("interrupted");
                }
            });
            Patience.need("it is killed", SOON, () -> !node.isUp());
            performing.interrupt();
            assertThat(Patience.need("end", SOON, came)).isEqualTo("interrupted");
            assertThat(stagehand.diary()).last().asString().contains("left off");
            assertThat(stagehand.done()).isEmpty();
        }
        assertThat(started()).hasSize(1);
    }
}
