package dev.gavel.gateway.bus.shared;

import dev.gavel.gateway.bus.Line;
import dev.gavel.gateway.bus.Lookout;
import dev.gavel.gateway.bus.Parcel;
import dev.gavel.gateway.bus.Sent;
import dev.gavel.gateway.bus.Stay;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.Parsed;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Processes that serve the topic {@code ops.eu} together, within a test, by a clock of its own. */
final class TestProcesses {
    static final String TOPIC = "ops.eu";

    final Exchange exchange = new Exchange();
    private final List<TestProcess> all = new ArrayList<>();
    private long now = 1_000_000;
    private int names;

    final class TestProcess {
        final Exchange.TestWire wire = exchange.wire();
        final TestParty party = new TestParty();
        final List<String> grown = new ArrayList<>();
        final SharedBus bus;
        final Line line;
        boolean alive = true;

        /** Where what is heard is handed on; at once, unless a test has it stand still. */
        Executor loop = Runnable::run;

        TestProcess(String name) {
            Lookout lookout = new Lookout();
            lookout.follow(TOPIC, new Lookout.Follower() {
                @Override
                public void told(long first, long last) {
                    party.heard().add("wrote " + first + "-" + last);
                }

                @Override
                public void seen(long last) {
                    throw new AssertionError("nobody looks here");
                }
            });
            bus = new SharedBus(name, wire, lookout, () -> now);
            line = bus.line(TOPIC);
            line.open(task -> loop.execute(task), party);
            line.follow(true);
            bus.connect();
        }

        Sent say(String text) {
            return line.send(parcel(text, false));
        }

        void kill() {
            alive = false;
            wire.kill();
        }
    }

    static Parcel parcel(String text, boolean forGateways) {
        return new Parcel(
                7,
                "alice",
                Instant.ofEpochSecond(1_700_000_000L, 5_000_000),
                Optional.empty(),
                false,
                forGateways,
                text.getBytes(StandardCharsets.UTF_8));
    }

    static Stay stay(String member, long claim) {
        return new Stay(member, capabilities("chat.*", "mcp.request.*"), claim);
    }

    static Capabilities capabilities(String... patterns) {
        return Capabilities.of(List.of(patterns).stream()
                .map(pattern -> switch (Capability.compile(pattern)) {
                    case Parsed.Valid<Capability>(Capability capability) -> capability;
                    case Parsed.Invalid<Capability>(String problem) -> throw new AssertionError(problem);
                })
                .toList());
    }

    TestProcess start() {
        TestProcess process = new TestProcess("p" + names++);
        all.add(process);
        exchange.settle();
        return process;
    }

    List<TestProcess> all() {
        return all;
    }

    /** Lets time pass in steps of 250 ms, and everything be heard that it brings. */
    void pass(long millis) {
        for (long end = now + millis; now < end; ) {
            now += 250;
            all.stream().filter(each -> each.alive).forEach(each -> each.bus.tick());
            exchange.settle();
        }
    }

    /** Lets time pass without anybody noticing. */
    void sleep(long millis) {
        now += millis;
    }
}
