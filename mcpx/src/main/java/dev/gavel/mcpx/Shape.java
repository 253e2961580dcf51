package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of a payload some patterns ask about, all of them together, so that one look serves them all. Built once,
 * then left alone.
 */
final class Shape {
    private final Map<String, Shape> fields = new HashMap<>();

    /** The shape under a name, or null where nobody asks. */
    @Nullable
    Shape field(String name) {
        return fields.get(name);
    }

    boolean leaf() {
        return fields.isEmpty();
    }

    /** Also asks what this check asks. */
    void add(PayloadCheck check) {
        switch (check) {
            case PayloadCheck.Fields(List<PayloadCheck.Field> of) -> {
                for (PayloadCheck.Field field : of) {
                    fields.computeIfAbsent(field.name(), _ -> new Shape()).add(field.check());
                }
            }
            case PayloadCheck.AnyOf(List<PayloadCheck> checks) -> checks.forEach(this::add);
            case PayloadCheck.Text _ -> {}
        }
    }
}
