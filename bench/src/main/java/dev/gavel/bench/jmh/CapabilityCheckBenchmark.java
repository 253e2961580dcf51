package dev.gavel.bench.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gavel.bench.load.BenchTopicConfig;
import dev.gavel.mcpx.Capability;
import dev.gavel.mcpx.CapabilitySet;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.ValueParseResult;
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
 * JMH benchmark of checking an envelope against ten capabilities; the baseline compares two equal texts. Confined to
 * the benchmark's thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CapabilityCheckBenchmark {
    private static final String TEXT =
            "the quick brown fox jumps over the lazy dog ".repeat(10).substring(0, 400);

    private final CapabilitySet byKind = CapabilitySet.of(patterns(BenchTopicConfig.CAPABILITIES));
    private final Envelope chatMessage = read("""
            {"protocol":"mcpx/v0.1","id":"bench-1","kind":"chat.message","payload":{"text":"%s"}}""".formatted(TEXT));

    private final CapabilitySet byPayload = CapabilitySet.of(payloadCapabilities());
    private final Envelope toolCall = read("""
            {"protocol":"mcpx/v0.1","id":"bench-2","kind":"mcp.request.tools/call:write_file","payload":{"jsonrpc":"2.0",\
            "id":1,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"/tmp/a.txt","text":"%s"}}}}""".formatted(TEXT.substring(0, 200)));

    private final byte[] one = TEXT.getBytes(UTF_8);
    private final byte[] other = TEXT.getBytes(UTF_8);

    /** Checks by kind only. */
    @Benchmark
    public boolean kind() {
        return byKind.admits(chatMessage);
    }

    /** Checks by kind and by payload, which must be read. */
    @Benchmark
    public boolean payload() {
        return byPayload.admits(toolCall);
    }

    /** The baseline. */
    @Benchmark
    public boolean comparison() {
        return Arrays.equals(one, other);
    }

    private static List<Capability> payloadCapabilities() {
        List<Capability> capabilities = new ArrayList<>(
                patterns(BenchTopicConfig.CAPABILITIES.subList(0, BenchTopicConfig.CAPABILITIES.size() - 1)));
        capabilities.addAll(valid(CapabilitySet.fromJson("""
                        [{"kind":"mcp.request.tools/call:write_*","payload":{"params":{"arguments":{"path":"/tmp/*"}}}}]""".getBytes(UTF_8))).asList());
        return capabilities;
    }

    private static List<Capability> patterns(List<String> patterns) {
        return valid(CapabilitySet.compile(patterns)).asList();
    }

    private static CapabilitySet valid(ValueParseResult<CapabilitySet> parseResult) {
        return switch (parseResult) {
            case ValueParseResult.Valid<CapabilitySet>(CapabilitySet capabilitySet) -> capabilitySet;
            case ValueParseResult.Invalid<CapabilitySet>(String problem) -> throw new IllegalStateException(problem);
        };
    }

    private static Envelope read(String json) {
        return switch (new EnvelopeReader(EnvelopeLimits.DEFAULT).read(json.getBytes(UTF_8))) {
            case Envelope envelope -> envelope;
            case EnvelopeRefusal refusal -> throw new IllegalStateException(refusal.toString());
        };
    }
}
