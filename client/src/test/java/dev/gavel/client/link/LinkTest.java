package dev.gavel.client.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.http.Access;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.link.TellingServer.Guest;
import dev.gavel.mcpx.Envelope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a link goes when its gateway stops, and what it makes of what it finds there. */
@Timeout(60)
class LinkTest {
    private static final int RESTARTING = 1012;

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private final Hearing hearing = new Hearing() {
        @Override
        public void up(String you) {
            events.add("up");
        }

        @Override
        public void down(String why) {
            events.add("down");
        }

        @Override
        public void heard(Envelope envelope) {
            events.add(envelope.id());
        }

        @Override
        public void resync() {
            events.add("resync");
        }

        @Override
        public void over(Ending why) {
            events.add("over");
        }
    };

    private void open(Link link) {
        Thread.ofVirtual().start(() -> {
            try {
                link.open(hearing);
            } catch (NotConnected | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private List<String> until(String event) throws InterruptedException {
        List<String> heard = new ArrayList<>();
        do {
            String next = events.poll(20, TimeUnit.SECONDS);
            assertThat(next).as("after " + heard).isNotNull();
            heard.add(next);
        } while (!heard.getLast().equals(event));
        return heard;
    }

    @Test
    void whoHasTurnedAlreadyIsNotTurnedBackToTheOneThatStops() throws Exception {
        try (TellingServer one = new TellingServer();
                TellingServer other = new TellingServer();
                RemoteGateway gateway =
                        new RemoteGateway(Access.of(List.of(one.url(), other.url()), Optional.of("a-token")));
                Link link = new Link(gateway, "ops", false)) {
            open(link);
            Guest first = one.guest();
            first.welcome(0);
            until("up");
            // As something that was asked at the same time does, where it gets no answer.
            gateway.turn(gateway.access());
            first.close(RESTARTING);
            other.guest().welcome(0);
            until("up");
            assertThat(one.hasGuests()).isFalse();
        }
    }

    @Test
    void aGatewayThatIsBehindTheOneBeforeIsNotTakenForOneWithAnotherLedger() throws Exception {
        try (TellingServer server = new TellingServer();
                RemoteGateway gateway = new RemoteGateway(server.access());
                Link link = new Link(gateway, "ops", false)) {
            open(link);
            Guest first = server.guest();
            first.welcome(5);
            first.tell("mcp.proposal.tools/call:x", "p-1", "{\"method\":\"tools/call\",\"params\":{\"name\":\"x\"}}");
            until("p-1");
            first.close(RESTARTING);

            Guest again = server.guest();
            server.seq(5);
            again.welcome(5);
            assertThat(until("up")).doesNotContain("resync");
            assertThat(server.isAsked(2)).isTrue();
            server.seq(6);
            again.tell("chat.message", "c-1", "{\"text\":\"a\"}");
            assertThat(until("c-1")).doesNotContain("resync");
        }
    }
}
