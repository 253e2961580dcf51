package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServerEventLoopsTest {
    @Test
    void itHasAsManyLoopsAsWereAskedForAndEndsThem() throws Exception {
        ServerEventLoops serverEventLoops = ServerEventLoops.start(2);
        serverEventLoops.awaitSelfTest();
        List<EventLoop> loops = serverEventLoops.loops();
        assertThat(loops).hasSize(serverEventLoops.size()).hasSize(2);
        serverEventLoops.close();
        assertThat(loops).allMatch(EventLoop::isTerminated);
        // Both the code that failed to start and the code that created the loops close them.
        serverEventLoops.close();
    }

    @Test
    void itCanBeClosedWhileItStarts() {
        ServerEventLoops serverEventLoops = ServerEventLoops.start(1);
        serverEventLoops.close();
        assertThat(serverEventLoops.loops()).allMatch(EventLoop::isTerminated);
    }
}
