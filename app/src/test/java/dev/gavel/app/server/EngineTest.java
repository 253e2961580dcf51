package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineTest {
    @Test
    void itHasAsManyLoopsAsWereAskedForAndEndsThem() throws Exception {
        Engine engine = Engine.start(2);
        engine.await();
        List<EventLoop> loops = engine.loops();
        assertThat(loops).hasSize(engine.size()).hasSize(2);
        engine.close();
        assertThat(loops).allMatch(EventLoop::isTerminated);
        // Whoever failed to start on it closes it, and so does whoever began it.
        engine.close();
    }

    @Test
    void itCanBeClosedWhileItStarts() {
        Engine engine = Engine.start(1);
        engine.close();
        assertThat(engine.loops()).allMatch(EventLoop::isTerminated);
    }
}
