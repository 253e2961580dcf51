package dev.gavel.web.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.member.RevocableAccessGrant;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionLimiterTest {
    private static final long HEAP = 1L << 30;

    /** A channel from a given address. */
    private static EmbeddedChannel from(String address) {
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return new InetSocketAddress(address, 1234);
            }
        };
    }

    private static List<EmbeddedChannel> open(ConnectionLimiter limiter, String address, int count) {
        List<EmbeddedChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddedChannel channel = from(address);
            assertThat(limiter.register(channel, channel.eventLoop())).isTrue();
            channel.closeFuture().addListener(ended -> limiter.unregister(channel));
            channels.add(channel);
        }
        return channels;
    }

    @Test
    void anAddressKeepsItsNewestConnections() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(new ConnectionLimits(1000, 3, 1000, List.of()), new ProxyAddresses(List.of(), false));
        List<EmbeddedChannel> other = open(limiter, "203.0.113.9", 2);
        List<EmbeddedChannel> channels = open(limiter, "203.0.113.5", 5);
        assertThat(channels.subList(0, 2)).noneMatch(EmbeddedChannel::isActive);
        assertThat(channels.subList(2, 5)).allMatch(EmbeddedChannel::isActive);
        assertThat(other).allMatch(EmbeddedChannel::isActive);
        assertThat(limiter.closedCounts()).isEqualTo(Map.of("address", 2L));
    }

    @Test
    void aClientThatSentSomethingStaysDuringAFloodOfSilentConnections() {
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP);
        EmbeddedChannel admin = open(limiter, "127.0.0.1", 1).getFirst();
        limiter.markStarted(admin);
        open(limiter, "127.0.0.1", 1000);
        assertThat(admin.isActive()).isTrue();
    }

    @Test
    void aNewConnectionStaysDuringAFloodOfUnfinishedRequests() {
        AtomicLong nanos = new AtomicLong();
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP, nanos::get);
        List<EmbeddedChannel> flood = open(limiter, "127.0.0.1", 384);
        flood.forEach(limiter::markStarted);
        EmbeddedChannel admin = open(limiter, "127.0.0.1", 1).getFirst();
        for (int i = 0; i < 300; i++) {
            limiter.markStarted(open(limiter, "127.0.0.1", 1).getFirst());
        }
        assertThat(admin.isActive()).isTrue();
        // After the grace period, a connection without data is closed first.
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        open(limiter, "127.0.0.1", 1);
        assertThat(admin.isActive()).isFalse();
    }

    @Test
    void aNewConnectionIsNotTheOneThatIsClosed() {
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP);
        limiter.configure(new ConnectionLimits(1, 100, 100, List.of()), new ProxyAddresses(List.of(), false));
        EmbeddedChannel guessing = open(limiter, "127.0.0.1", 1).getFirst();
        limiter.markStarted(guessing);
        EmbeddedChannel next = open(limiter, "127.0.0.1", 1).getFirst();
        assertThat(guessing.isActive()).isFalse();
        assertThat(next.isActive()).isTrue();
    }

    @Test
    void anAddressLosesItsSilentConnectionsFirst() {
        AtomicLong nanos = new AtomicLong();
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP, nanos::get);
        limiter.configure(new ConnectionLimits(1000, 3, 1000, List.of()), new ProxyAddresses(List.of(), false));
        List<EmbeddedChannel> channels = open(limiter, "203.0.113.5", 3);
        limiter.markStarted(channels.getFirst());
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
        channels.addAll(open(limiter, "203.0.113.5", 2));
        assertThat(channels).extracting(EmbeddedChannel::isActive).containsExactly(true, false, false, true, true);
    }

    @Test
    void anIpv6NetworkIsOneAddress() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(new ConnectionLimits(1000, 1, 1000, List.of()), new ProxyAddresses(List.of(), false));
        EmbeddedChannel first = open(limiter, "2001:db8::1", 1).getFirst();
        open(limiter, "2001:db8::2", 1);
        assertThat(first.isActive()).isFalse();
    }

    @Test
    void proxiesAndLoopbackAddressesHaveOnlyTheTotalLimit() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(
                new ConnectionLimits(1000, 1, 1000, List.of()), new ProxyAddresses(List.of("10.0.0.0/8"), false));
        assertThat(open(limiter, "10.1.2.3", 50)).allMatch(EmbeddedChannel::isActive);
        assertThat(open(limiter, "127.0.0.1", 50)).allMatch(EmbeddedChannel::isActive);
        assertThat(limiter.unauthenticatedCount()).isEqualTo(100);
    }

    @Test
    void unauthenticatedConnectionsTakeAtMostHalfOfTheFiles() {
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP);
        List<EmbeddedChannel> channels = open(limiter, "127.0.0.1", 1000);
        // 256 files are reserved for the ledger and the rest of the process.
        assertThat(channels.stream().filter(EmbeddedChannel::isActive)).hasSize((1024 - 256) / 2);
    }

    private static List<EmbeddedChannel> openAs(
            ConnectionLimiter limiter, String identity, RevocableAccessGrant grant, int count) {
        List<EmbeddedChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            EmbeddedChannel channel = open(limiter, "127.0.0.1", 1).getFirst();
            ConnectionLimiter.markAuthenticated(channel, identity, grant);
            channels.add(channel);
        }
        return channels;
    }

    private static long active(List<EmbeddedChannel> channels) {
        return channels.stream().filter(EmbeddedChannel::isActive).count();
    }

    @Test
    void anIdentityTakesAtMostAQuarterOfTheFilesWithAllItsTokens() {
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP);
        RevocableAccessGrant alice = new RevocableAccessGrant();
        List<EmbeddedChannel> admin = openAs(limiter, "alice", alice, 1);
        List<EmbeddedChannel> first = openAs(limiter, "agent", new RevocableAccessGrant(), 1000);
        List<EmbeddedChannel> second = openAs(limiter, "agent", new RevocableAccessGrant(), 100);
        assertThat(active(first) + active(second)).isEqualTo((1024 - 256) / 4);
        assertThat(second).allMatch(EmbeddedChannel::isActive);
        assertThat(admin).allMatch(EmbeddedChannel::isActive);
        assertThat(limiter.closedCounts()).containsOnlyKeys("identity");
    }

    @Test
    void anIdentityWithTooManyConnectionsLosesTheOneThatWasIdleLongest() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(new ConnectionLimits(1000, 100, 3, List.of()), new ProxyAddresses(List.of(), false));
        RevocableAccessGrant grant = new RevocableAccessGrant();
        List<EmbeddedChannel> channels = openAs(limiter, "agent", grant, 3);
        ConnectionLimiter.markActive(channels.get(0));
        ConnectionLimiter.markAuthenticated(channels.get(1), "agent", grant);
        openAs(limiter, "agent", grant, 1);
        assertThat(channels).extracting(EmbeddedChannel::isActive).containsExactly(true, true, false);
        openAs(limiter, "agent", grant, 3);
        assertThat(channels).noneMatch(EmbeddedChannel::isActive);
    }

    @Test
    void ifNoFilesAreLeftTheIdentityWithMostConnectionsLosesOne() {
        ConnectionLimiter limiter = new ConnectionLimiter(1024, HEAP);
        List<List<EmbeddedChannel>> agents = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            agents.add(openAs(limiter, "agent-" + i, new RevocableAccessGrant(), 190 + i / 3));
        }
        List<EmbeddedChannel> small = openAs(limiter, "bob", new RevocableAccessGrant(), 7);
        List<EmbeddedChannel> admin = openAs(limiter, "alice", new RevocableAccessGrant(), 1);
        assertThat(admin).allMatch(EmbeddedChannel::isActive);
        assertThat(small).allMatch(EmbeddedChannel::isActive);
        assertThat(agents.getLast()).extracting(EmbeddedChannel::isActive).startsWith(false, true);
        assertThat(limiter.closedCounts()).isEqualTo(Map.of("files", 1L));
    }

    @Test
    void afterARevocationConnectionsAreUnauthenticatedAndTheFirstOnesToBeClosed() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(new ConnectionLimits(5, 100, 100, List.of()), new ProxyAddresses(List.of(), false));
        RevocableAccessGrant grant = new RevocableAccessGrant();
        List<EmbeddedChannel> agent = openAs(limiter, "agent", grant, 20);
        List<EmbeddedChannel> connecting = open(limiter, "127.0.0.1", 2);
        grant.revoke();
        assertThat(active(agent)).isEqualTo(3);
        assertThat(connecting).allMatch(EmbeddedChannel::isActive);
        assertThat(limiter.unauthenticatedCount()).isEqualTo(5);
        ConnectionLimiter.markAuthenticated(connecting.getFirst(), "agent", grant);
        assertThat(limiter.unauthenticatedCount()).isEqualTo(5);
    }

    @Test
    void aConnectionBelongsToTheIdentityOfItsLastRequest() {
        ConnectionLimiter limiter = new ConnectionLimiter(100_000, HEAP);
        limiter.configure(new ConnectionLimits(1000, 100, 1, List.of()), new ProxyAddresses(List.of(), false));
        RevocableAccessGrant agent = new RevocableAccessGrant();
        RevocableAccessGrant alice = new RevocableAccessGrant();
        EmbeddedChannel ofProxy = openAs(limiter, "agent", agent, 1).getFirst();
        ConnectionLimiter.markAuthenticated(ofProxy, "alice", alice);
        openAs(limiter, "agent", agent, 1);
        agent.revoke();
        assertThat(ofProxy.isActive()).isTrue();
        openAs(limiter, "alice", alice, 1);
        assertThat(ofProxy.isActive()).isFalse();
    }
}
