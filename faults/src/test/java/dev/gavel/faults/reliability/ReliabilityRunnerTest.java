package dev.gavel.faults.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.load.RunFailedException;
import dev.gavel.bench.server.RunWorkspace;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReliabilityRunnerTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    /** A trial whose behaviour a test defines. */
    private record Sample(String name, Run run) implements ReliabilityTrial {
        /** The behaviour of the trial. */
        interface Run {
            void run(TrialReport trialReport) throws Exception;
        }

        @Override
        public Duration timeLimit() {
            return Duration.ofMinutes(1);
        }

        @Override
        public void run(RunWorkspace runWorkspace, TrialReport trialReport) throws Exception {
            run.run(trialReport);
        }
    }

    @Test
    void withoutNamesAllTrialsAreRunAndWithNamesThese() {
        assertThat(ReliabilityRunner.selectTrials())
                .extracting(ReliabilityTrial::name)
                .containsExactly("kill", "idle", "open", "stopped", "absent", "disk", "lock");
        assertThat(ReliabilityRunner.selectTrials("lock", "kill"))
                .extracting(ReliabilityTrial::name)
                .containsExactly("lock", "kill");
    }

    @Test
    void aNameThatNoTrialHasIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> ReliabilityRunner.selectTrials("kil"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown trial 'kil'; the trials are kill, idle, open, stopped, absent, disk, lock");
    }

    @Test
    void whatHoldsAndWhatDoesNotIsARowEach() throws Exception {
        ReliabilityTrial sample = new Sample("sample", trialReport -> {
            trialReport.checkCount("eggs", 2, 2);
            trialReport.checkCount("hens", 1_000, 999);
            trialReport.addBytes("straw", 2048);
        });
        assertThat(ReliabilityRunner.run(List.of(sample), out)).isFalse();
        assertThat(bytes.toString(UTF_8))
                .contains("| sample | eggs | 2 | yes |")
                .contains("| sample | hens | 999 of 1,000 | **no** |")
                .contains("| sample | straw | 2.0 KiB |  |");
    }

    @Test
    void aTrialThatCannotBeRunDoesNotHoldAndTheNextIsRunAllTheSame() throws Exception {
        ReliabilityTrial broken = new Sample("broken", trialReport -> {
            throw new RunFailedException("no server");
        });
        ReliabilityTrial sound = new Sample("sound", trialReport -> trialReport.check("it", true, "well"));
        assertThat(ReliabilityRunner.run(List.of(broken, sound), out)).isFalse();
        assertThat(bytes.toString(UTF_8))
                .contains("| broken | trial completed | no server | **no** |")
                .contains("| sound | it | well | yes |");
        assertThat(ReliabilityRunner.run(List.of(sound), out)).isTrue();
    }
}
