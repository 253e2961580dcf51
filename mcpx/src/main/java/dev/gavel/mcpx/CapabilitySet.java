package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The capabilities of a member; the gateway admits an envelope only if one of them matches it. Immutable. */
public final class CapabilitySet {
    /** Nothing may be sent. */
    public static final CapabilitySet NONE = new CapabilitySet(List.of());

    /** How many a member has at most. */
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

    /** These capabilities together; at most {@link #MAX_SIZE}. */
    public static CapabilitySet of(List<Capability> capabilities) {
        if (capabilities.size() > MAX_SIZE) {
            throw new IllegalArgumentException("A member has at most " + MAX_SIZE + " capabilities: use wildcards");
        }
        return capabilities.isEmpty() ? NONE : new CapabilitySet(capabilities);
    }

    /** Compiles patterns of kinds, in either spelling. */
    public static TextParseResult<CapabilitySet> compile(List<String> patterns) {
        if (patterns.size() > MAX_SIZE) {
            return new TextParseResult.Invalid<>("more than " + MAX_SIZE + " capabilities: use wildcards");
        }
        var compiled = new ArrayList<Capability>(patterns.size());
        for (String pattern : patterns) {
            switch (Capability.compile(pattern)) {
                case TextParseResult.Valid<Capability>(Capability capability) -> compiled.add(capability);
                case TextParseResult.Invalid<Capability>(String problem) -> {
                    return new TextParseResult.Invalid<>(problem);
                }
            }
        }
        return new TextParseResult.Valid<>(of(compiled));
    }

    /** Reads a JSON array of patterns: strings, and objects of {@code kind} and {@code payload}. */
    public static TextParseResult<CapabilitySet> fromJson(byte[] json) {
        return CapabilityJsonCodec.read(json);
    }

    /** The JSON array that {@link #fromJson} reads, with the kinds in that spelling. */
    public byte[] toJson(SyntaxVersion syntaxVersion) {
        return CapabilityJsonCodec.write(this, syntaxVersion);
    }

    /** The capabilities, in the order they were given. */
    public List<Capability> asList() {
        return all;
    }

    /** Whether the envelope may be sent. The payload is looked at once at most, and only if kinds alone do not tell. */
    public boolean admits(Envelope envelope) {
        return admits(envelope.effectiveKind(), envelope.payload());
    }

    /** Whether an envelope of this kind with this payload may be sent; the kind must say all it is about. */
    public boolean admits(Kind kind, Payload payload) {
        if (admitsAnyPayload(kind)) {
            return true;
        }
        @Nullable SelectedPayloadValue selectedPayloadValue = null;
        for (Capability each : payloadDependent) {
            PayloadMatcher check = each.matcher();
            if (check != null && each.matchesKind(kind)) {
                if (selectedPayloadValue == null) {
                    selectedPayloadValue = SelectedPayloadValue.read(payload, selection);
                }
                if (check.matches(selectedPayloadValue)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether an envelope of this kind may be sent whatever its payload is; the kind must say all it is about. */
    public boolean admitsAnyPayload(Kind kind) {
        for (Capability each : kindOnly) {
            if (each.matchesKind(kind)) {
                return true;
            }
        }
        return false;
    }

    /** Whether an envelope of this kind may be sent with one payload or another; see {@link Capability#admitsKind}. */
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
