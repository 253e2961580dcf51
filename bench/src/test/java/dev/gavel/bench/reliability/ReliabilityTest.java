package dev.gavel.bench.reliability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Workbench;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReliabilityTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, UTF_8);

    /** A trial that does what a test wants. */
    private record Sample(String name, Run run) implements Trial {
        /** What it does. */
        interface Run {
            void run(Findings findings) throws Exception;
        }

        @Override
        public Duration limit() {
            return Duration.ofMinutes(1);
        }

        @Override
        public void run(Workbench workbench, Findings findings) throws Exception {
            run.run(findings);
        }
    }

    @Test
    void withoutNamesAllTrialsAreRunAndWithNamesThese() {
        assertThat(Reliability.chosen())
                .extracting(Trial::name)
                .containsExactly("kill", "idle", "open", "stopped", "absent", "disk", "lock");
        assertThat(Reliability.chosen("lock", "kill")).extracting(Trial::name).containsExactly("lock", "kill");
    }

    @Test
    void aNameThatNoTrialHasIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> Reliability.chosen("kil"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no trial 'kil'; there are kill, idle, open, stopped, absent, disk, lock");
    }

    @Test
    void whatHoldsAndWhatDoesNotIsARowEach() throws Exception {
        Trial sample = new Sample("sample", findings -> {
            findings.count("eggs", 2, 2);
            findings.count("hens", 1_000, 999);
            findings.bytes("straw", 2048);
        });
        assertThat(Reliability.run(List.of(sample), out)).isFalse();
        assertThat(bytes.toString(UTF_8))
                .contains("| sample | eggs | 2 | yes |")
                .contains("| sample | hens | 999 of 1,000 | **no** |")
                .contains("| sample | straw | 2.0 KiB |  |");
    }

    @Test
    void aTrialThatCannotBeRunDoesNotHoldAndTheNextIsRunAllTheSame() throws Exception {
        Trial broken = new Sample("broken", findings -> {
            throw new LoadFailure("no server");
        });
        Trial sound = new Sample("sound", findings -> findings.holds("it", true, "well"));
        assertThat(Reliability.run(List.of(broken, sound), out)).isFalse();
        assertThat(bytes.toString(UTF_8))
                .contains("| broken | could be run to its end | no server | **no** |")
                .contains("| sound | it | well | yes |");
        assertThat(Reliability.run(List.of(sound), out)).isTrue();
    }
}
