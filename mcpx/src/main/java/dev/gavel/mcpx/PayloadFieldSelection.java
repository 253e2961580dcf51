package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tree of payload fields that capability patterns match on, so that one pass over the payload reads them all. Built
 * once, then left alone.
 */
final class PayloadFieldSelection {
    private final Map<String, PayloadFieldSelection> fields = new HashMap<>();

    /** The shape under a name, or null where nobody asks. */
    @Nullable
    PayloadFieldSelection field(String name) {
        return fields.get(name);
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }

    /** Also asks what this check asks. */
    void add(PayloadMatcher check) {
        switch (check) {
            case PayloadMatcher.Fields(List<PayloadMatcher.Field> of) -> {
                for (PayloadMatcher.Field field : of) {
                    fields.computeIfAbsent(field.name(), _ -> new PayloadFieldSelection())
                            .add(field.matcher());
                }
            }
            case PayloadMatcher.AnyOf(List<PayloadMatcher> checks) -> checks.forEach(this::add);
            case PayloadMatcher.Text _ -> {}
        }
    }
}
