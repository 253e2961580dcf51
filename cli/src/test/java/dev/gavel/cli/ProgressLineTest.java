package dev.gavel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

    private ProgressLine progress(boolean terminal) {
        return new ProgressLine(new PrintWriter(err), "events exported", () -> terminal, clock::get);
    }

    private void advanceClock(long millis) {
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void shortWorkShowsNoProgress() {
        ProgressLine progressLine = progress(true);
        advanceClock(999);
        progressLine.step();
        progressLine.clear();
        assertThat(err.toString()).isEmpty();
        assertThat(progressLine.steps()).isEqualTo(1);
    }

    @Test
    void longWorkShowsProgressAndClearsItAtTheEnd() {
        ProgressLine progressLine = progress(true);
        advanceClock(1000);
        progressLine.step();
        progressLine.step();
        advanceClock(200);
        progressLine.step();
        progressLine.clear();
        assertThat(err.toString()).isEqualTo("\r1 events exported\r3 events exported\r" + " ".repeat(17) + "\r");
    }

    @Test
    void withoutATerminalNoProgressIsShown() {
        ProgressLine progressLine = progress(false);
        advanceClock(5000);
        progressLine.step();
        progressLine.clear();
        assertThat(err.toString()).isEmpty();
    }
}
