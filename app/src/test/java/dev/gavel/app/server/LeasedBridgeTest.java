package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.lease.Leases;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.Restarts;
import dev.gavel.mcp.bridge.Status;
import dev.gavel.mcp.bridge.Venue;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.Limits;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A bridge that several processes could run, and one does. */
class LeasedBridgeTest {
    private final Turns turns = new Turns();
    private final BlockingQueue<BooleanSupplier> made = new LinkedBlockingQueue<>();
    private final LeasedBridge bridge = new LeasedBridge("files", "ops", this::make);

    /** Leases that a test gives and takes. */
    private static final class Turns implements Leases {
        volatile String holder = "abcd";
        volatile boolean holds = true;
        Leases.@Nullable Holder candidate;

        @Override
        public Candidacy stand(String name, Holder who) {
            assertThat(name).isEqualTo("bridge:files");
            candidate = who;
            return new Candidacy() {
                @Override
                public String holder() {
                    return holder;
                }

                @Override
                public void close() {
                    who.end();
                }
            };
        }

        Holder candidate() {
            Holder known = candidate;
            if (known == null) {
                throw new IllegalStateException("nobody stands");
            }
            return known;
        }

        void give() {
            holds = true;
            holder = "";
            candidate().begin(new Term() {
                @Override
                public boolean holds() {
                    return holds;
                }

                @Override
                public long epoch() {
                    return 1;
                }
            });
        }

        @Override
        public void close() {}
    }

    private Bridge make(BooleanSupplier ours) {
        made.add(ours);
        Venue nowhere = new Venue() {
            @Override
            public Optional<String> closed() {
                return Optional.of("there is no such place");
            }

            @Override
            public Place join(Occupant occupant) throws IOException {
                throw new IOException("there is no such place");
            }
        };
        return new Bridge(
                "files",
                "ops",
                () -> {
                    throw new IllegalStateException("it is not started without a place to be");
                },
                nowhere,
                new Session.ClientInfo("gavel", "1"),
                Limits.DEFAULT,
                Restarts.USUAL);
    }

    @AfterEach
    void close() {
        bridge.close();
    }

    @Test
    void whileAnotherProcessRunsItItStandsBy() {
        bridge.stand(turns);
        assertThat(bridge.status().phase()).isEqualTo(Status.Phase.STANDBY);
        assertThat(bridge.status().why()).isEqualTo("process abcd runs it");
        assertThat(made).isEmpty();
    }

    @Test
    void whoeverLosesItRunsNothingMoreAndMayBeginAnew() throws Exception {
        bridge.stand(turns);
        turns.give();
        BooleanSupplier first = made.take();
        assertThat(first.getAsBoolean()).isTrue();
        await().until(() -> bridge.status().phase() == Status.Phase.DOWN);

        turns.candidate().end();
        assertThat(first.getAsBoolean()).isFalse();
        assertThat(bridge.status().phase()).isEqualTo(Status.Phase.STANDBY);

        turns.give();
        BooleanSupplier second = made.take();
        assertThat(second.getAsBoolean()).isTrue();
        assertThat(first.getAsBoolean()).isFalse();
    }

    @Test
    void aLeaseThatHasRunOutWhileTheProcessStoodStillCountsForNothing() throws Exception {
        bridge.stand(turns);
        turns.give();
        BooleanSupplier ours = made.take();
        turns.holds = false;
        assertThat(ours.getAsBoolean()).isFalse();
    }
}
