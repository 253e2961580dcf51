package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities of a member; the gateway admits a member's envelope only if at least one capability matches the
 * envelope. Immutable.
 */
public final class CapabilitySet {
    /** The empty set, which admits no envelope. */
    public static final CapabilitySet NONE = new CapabilitySet(List.of());

    /** The maximum number of capabilities of a member. */
    public static final int MAX_SIZE = 1000;

    private final List<Capability> all;
    private final Capability[] kindOnly;
    private final Capability[] payloadDependent;
    private final PayloadFieldSelection selection = new PayloadFieldSelection();

    private CapabilitySet(List<Capability> all) {
        this.all = List.copyOf(all);
        this.kindOnly = all.stream().filter(each -> each.matcher() == null).toArray(Capability[]::new);
        this.payloadDependent =
                all.stream().filter(each -> each.matcher() != null).toArray(Capability[]::new);
        for (Capability each : payloadDependent) {
            PayloadMatcher check = each.matcher();
            if (check != null) {
                selection.add(check);
            }
        }
    }

    /** Returns the set of these capabilities; throws if there are more than {@link #MAX_SIZE}. */
    public static CapabilitySet of(List<Capability> capabilities) {
        if (capabilities.size() > MAX_SIZE) {
            throw new IllegalArgumentException(
                    "A member can have at most " + MAX_SIZE + " capabilities: use wildcards");
        }
        return capabilities.isEmpty() ? NONE : new CapabilitySet(capabilities);
    }

    /** Compiles kind patterns in the current or the legacy syntax. */
    public static ValueParseResult<CapabilitySet> compile(List<String> patterns) {
        if (patterns.size() > MAX_SIZE) {
            return new ValueParseResult.Invalid<>("more than " + MAX_SIZE + " capabilities: use wildcards");
        }
        var compiled = new ArrayList<Capability>(patterns.size());
        for (String pattern : patterns) {
            switch (Capability.compile(pattern)) {
                case ValueParseResult.Valid<Capability>(Capability capability) -> compiled.add(capability);
                case ValueParseResult.Invalid<Capability>(String problem) -> {
                    return new ValueParseResult.Invalid<>(problem);
                }
            }
        }
        return new ValueParseResult.Valid<>(of(compiled));
    }

    /** Parses a JSON array of patterns: strings, and objects with {@code kind} and {@code payload}. */
    public static ValueParseResult<CapabilitySet> fromJson(byte[] json) {
        return CapabilityJsonCodec.read(json);
    }

    /**
     * Parses the JSON array that an admin enters. Other than {@link #fromJson}, it refuses negated payload patterns that
     * would allow what they seem to forbid.
     */
    public static ValueParseResult<CapabilitySet> fromAdmin(byte[] json) {
        return switch (fromJson(json)) {
            case ValueParseResult.Valid<CapabilitySet>(CapabilitySet capabilities) ->
                capabilities.all.stream()
                        .flatMap(capability -> Stream.ofNullable(capability.payload()))
                        .flatMap(payload -> PayloadPatternChecker.findError(payload).stream())
                        .findFirst()
                        .<ValueParseResult<CapabilitySet>>map(ValueParseResult.Invalid::new)
                        .orElseGet(() -> new ValueParseResult.Valid<>(capabilities));
            case ValueParseResult.Invalid<CapabilitySet> invalid -> invalid;
        };
    }

    /** Returns the JSON array that {@link #fromJson} parses, with the kinds in that syntax. */
    public byte[] toJson(EnvelopeSyntax syntaxVersion) {
        return CapabilityJsonCodec.write(this, syntaxVersion);
    }

    /** Returns the capabilities in the order in which they were given. */
    public List<Capability> asList() {
        return all;
    }

    /**
     * Whether the member may send the envelope. Parses the payload at most once, and only if the kind patterns alone do
     * not decide.
     */
    public boolean admits(Envelope envelope) {
        return admits(envelope.kindWithContext(), envelope.payload());
    }

    /** Whether the member may send an envelope of this kind with this payload; the kind must include its CONTEXT. */
    public boolean admits(Kind kind, RawPayload payload) {
        if (admitsAnyPayload(kind)) {
            return true;
        }
        @Nullable MatchablePayloadValue matchablePayloadValue = null;
        for (Capability each : payloadDependent) {
            PayloadMatcher check = each.matcher();
            if (check != null && each.matchesKind(kind)) {
                if (matchablePayloadValue == null) {
                    matchablePayloadValue = MatchablePayloadValue.read(payload, selection);
                }
                if (check.matches(matchablePayloadValue)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the member may send an envelope of this kind with any payload; the kind must include its CONTEXT. */
    public boolean admitsAnyPayload(Kind kind) {
        for (Capability each : kindOnly) {
            if (each.matchesKind(kind)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the member may send an envelope of this kind with at least some payload; see
     * {@link Capability#admitsKind}.
     */
    public boolean admitsKind(Kind kind) {
        for (Capability each : all) {
            if (each.admitsKind(kind)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CapabilitySet that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return all.toString();
    }
}
