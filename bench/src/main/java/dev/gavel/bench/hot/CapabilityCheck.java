package dev.gavel.bench.hot;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.BenchTopic;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Parsed;
import dev.gavel.mcpx.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Whether a member with ten capabilities may send an envelope, of which the last one tried admits it; and, to compare with,
 * whether two texts of a message's length are equal. Confined to the benchmark's thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CapabilityCheck {
    private static final String TEXT =
            "the quick brown fox jumps over the lazy dog ".repeat(10).substring(0, 400);

    private final Capabilities byKind = Capabilities.of(patterns(BenchTopic.CAPABILITIES));
    private final Envelope message = read("""
            {"protocol":"mcpx/v0.1","id":"bench-1","kind":"chat.message","payload":{"text":"%s"}}""".formatted(TEXT));

    private final Capabilities byPayload = Capabilities.of(withPayload());
    private final Envelope call = read("""
            {"protocol":"mcpx/v0.1","id":"bench-2","kind":"mcp.request.tools/call:write_file","payload":{"jsonrpc":"2.0",\
            "id":1,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"/tmp/a.txt","text":"%s"}}}}""".formatted(TEXT.substring(0, 200)));

    private final byte[] one = TEXT.getBytes(UTF_8);
    private final byte[] other = TEXT.getBytes(UTF_8);

    /** By its kind alone. */
    @Benchmark
    public boolean kind() {
        return byKind.admits(message);
    }

    /** By its kind and what is in its payload, which has to be looked at. */
    @Benchmark
    public boolean payload() {
        return byPayload.admits(call);
    }

    /** The reference. */
    @Benchmark
    public boolean comparison() {
        return Arrays.equals(one, other);
    }

    private static List<Capability> withPayload() {
        List<Capability> capabilities =
                new ArrayList<>(patterns(BenchTopic.CAPABILITIES.subList(0, BenchTopic.CAPABILITIES.size() - 1)));
        capabilities.addAll(valid(Capabilities.fromJson("""
                        [{"kind":"mcp.request.tools/call:write_*","payload":{"params":{"arguments":{"path":"/tmp/*"}}}}]""".getBytes(UTF_8))).asList());
        return capabilities;
    }

    private static List<Capability> patterns(List<String> patterns) {
        return valid(Capabilities.compile(patterns)).asList();
    }

    private static Capabilities valid(Parsed<Capabilities> parsed) {
        return switch (parsed) {
            case Parsed.Valid<Capabilities>(Capabilities capabilities) -> capabilities;
            case Parsed.Invalid<Capabilities>(String problem) -> throw new IllegalStateException(problem);
        };
    }

    private static Envelope read(String json) {
        return switch (new EnvelopeReader(Limits.DEFAULT).read(json.getBytes(UTF_8))) {
            case Envelope envelope -> envelope;
            case Refusal refusal -> throw new IllegalStateException(refusal.toString());
        };
    }
}
