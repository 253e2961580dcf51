package dev.gavel.mcpx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that a member may send: what none of these capabilities admits is refused. Immutable. */
public final class Capabilities {
    /** Nothing may be sent. */
    public static final Capabilities NONE = new Capabilities(List.of());

    /** How many a member has at most. */
    public static final int MOST = 1000;

    private final List<Capability> all;
    private final Capability[] kindOnly;
    private final Capability[] looking;
    private final Shape shape = new Shape();

    private Capabilities(List<Capability> all) {
        this.all = List.copyOf(all);
        this.kindOnly = all.stream().filter(each -> each.check() == null).toArray(Capability[]::new);
        this.looking = all.stream().filter(each -> each.check() != null).toArray(Capability[]::new);
        for (Capability each : looking) {
            PayloadCheck check = each.check();
            if (check != null) {
                shape.add(check);
            }
        }
    }

    /** These capabilities together; at most {@link #MOST}. */
    public static Capabilities of(List<Capability> capabilities) {
        if (capabilities.size() > MOST) {
            throw new IllegalArgumentException("A member has at most " + MOST + " capabilities: use wildcards");
        }
        return capabilities.isEmpty() ? NONE : new Capabilities(capabilities);
    }

    /** Compiles patterns of kinds, in either spelling. */
    public static Parsed<Capabilities> compile(List<String> patterns) {
        if (patterns.size() > MOST) {
            return new Parsed.Invalid<>("more than " + MOST + " capabilities: use wildcards");
        }
        var compiled = new ArrayList<Capability>(patterns.size());
        for (String pattern : patterns) {
            switch (Capability.compile(pattern)) {
                case Parsed.Valid<Capability>(Capability capability) -> compiled.add(capability);
                case Parsed.Invalid<Capability>(String problem) -> {
                    return new Parsed.Invalid<>(problem);
                }
            }
        }
        return new Parsed.Valid<>(of(compiled));
    }

    /** Reads a JSON array of patterns: strings, and objects of {@code kind} and {@code payload}. */
    public static Parsed<Capabilities> fromJson(byte[] json) {
        return CapabilitiesJson.read(json);
    }

    /** The JSON array that {@link #fromJson} reads, with the kinds in that spelling. */
    public byte[] toJson(Spelling spelling) {
        return CapabilitiesJson.write(this, spelling);
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
        @Nullable Seen seen = null;
        for (Capability each : looking) {
            PayloadCheck check = each.check();
            if (check != null && each.matchesKind(kind)) {
                if (seen == null) {
                    seen = Seen.look(payload, shape);
                }
                if (check.matches(seen)) {
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
        return other instanceof Capabilities that && all.equals(that.all);
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
