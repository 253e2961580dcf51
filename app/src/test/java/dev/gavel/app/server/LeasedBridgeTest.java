package dev.gavel.app.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.ledger.lease.LeaseService;
import dev.gavel.mcp.bridge.Bridge;
import dev.gavel.mcp.bridge.BridgeStatus;
import dev.gavel.mcp.bridge.RestartPolicy;
import dev.gavel.mcp.bridge.TopicConnector;
import dev.gavel.mcp.client.McpClientSession;
import dev.gavel.mcpx.EnvelopeLimits;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a bridge that several processes can run, and one does. */
class LeasedBridgeTest {
    private final TestLeaseService testLeaseService = new TestLeaseService();
    private final BlockingQueue<BooleanSupplier> leaseChecks = new LinkedBlockingQueue<>();
    private final LeasedBridge bridge = new LeasedBridge("files", "ops", this::make);

    /** A lease service whose leases the test grants and revokes. */
    private static final class TestLeaseService implements LeaseService {
        volatile String holder = "abcd";
        volatile boolean holds = true;
        LeaseService.@Nullable LeaseListener candidate;

        @Override
        public LeaseRequest request(String name, LeaseListener listener) {
            assertThat(name).isEqualTo("bridge:files");
            candidate = listener;
            return new LeaseRequest() {
                @Override
                public String otherHolder() {
                    return holder;
                }

                @Override
                public void close() {
                    listener.onRelease();
                }
            };
        }

        LeaseListener candidate() {
            LeaseListener known = candidate;
            if (known == null) {
                throw new IllegalStateException("nobody stands");
            }
            return known;
        }

        void give() {
            holds = true;
            holder = "";
            candidate().onAcquire(new LeaseTerm() {
                @Override
                public boolean isHeld() {
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

    private Bridge make(BooleanSupplier holdsLease) {
        leaseChecks.add(holdsLease);
        TopicConnector nowhere = new TopicConnector() {
            @Override
            public Optional<String> unavailableReason() {
                return Optional.of("there is no such place");
            }

            @Override
            public TopicSession join(SessionListener sessionListener) throws IOException {
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
                new McpClientSession.ClientInfo("gavel", "1"),
                EnvelopeLimits.DEFAULT,
                RestartPolicy.DEFAULT);
    }

    @AfterEach
    void close() {
        bridge.close();
    }

    @Test
    void whileAnotherProcessRunsItItStandsBy() {
        bridge.requestLease(testLeaseService);
        assertThat(bridge.status().phase()).isEqualTo(BridgeStatus.Phase.STANDBY);
        assertThat(bridge.status().reason()).isEqualTo("process abcd runs it");
        assertThat(leaseChecks).isEmpty();
    }

    @Test
    void whoeverLosesItRunsNothingMoreAndMayBeginAnew() throws Exception {
        bridge.requestLease(testLeaseService);
        testLeaseService.give();
        BooleanSupplier first = leaseChecks.take();
        assertThat(first.getAsBoolean()).isTrue();
        await().until(() -> bridge.status().phase() == BridgeStatus.Phase.DOWN);

        testLeaseService.candidate().onRelease();
        assertThat(first.getAsBoolean()).isFalse();
        assertThat(bridge.status().phase()).isEqualTo(BridgeStatus.Phase.STANDBY);

        testLeaseService.give();
        BooleanSupplier second = leaseChecks.take();
        assertThat(second.getAsBoolean()).isTrue();
        assertThat(first.getAsBoolean()).isFalse();
    }

    @Test
    void aLeaseThatHasRunOutWhileTheProcessStoodStillCountsForNothing() throws Exception {
        bridge.requestLease(testLeaseService);
        testLeaseService.give();
        BooleanSupplier holdsLease = leaseChecks.take();
        testLeaseService.holds = false;
        assertThat(holdsLease.getAsBoolean()).isFalse();
    }
}
