package dev.gavel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final StringWriter err = new StringWriter();
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

    private Progress progress(boolean terminal) {
        return new Progress(new PrintWriter(err), "events exported", () -> terminal, clock::get);
    }

    private void pass(long millis) {
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    @Test
    void workThatIsSoonDoneSaysNothing() {
        Progress progress = progress(true);
        pass(999);
        progress.step();
        progress.end();
        assertThat(err.toString()).isEmpty();
        assertThat(progress.steps()).isEqualTo(1);
    }

    @Test
    void longWorkSaysHowFarItIsNowAndThenAndTakesItBackAtTheEnd() {
        Progress progress = progress(true);
        pass(1000);
        progress.step();
        progress.step();
        pass(200);
        progress.step();
        progress.end();
        assertThat(err.toString()).isEqualTo("\r1 events exported\r3 events exported\r" + " ".repeat(17) + "\r");
    }

    @Test
    void whereNobodyIsLookingNothingIsSaid() {
        Progress progress = progress(false);
        pass(5000);
        progress.step();
        progress.end();
        assertThat(err.toString()).isEmpty();
    }
}
