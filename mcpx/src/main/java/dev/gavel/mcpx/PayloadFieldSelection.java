package dev.gavel.mcpx;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists, as a tree, the payload fields that capability patterns test, so that one pass over a payload reads all of
 * them. Does not change after its capabilities are compiled.
 */
final class PayloadFieldSelection {
    private final Map<String, PayloadFieldSelection> fields = new HashMap<>();

    /** The selection below a field, or null if no pattern matches on that field. */
    @Nullable
    PayloadFieldSelection field(String name) {
        return fields.get(name);
    }

    boolean isEmpty() {
        return fields.isEmpty();
    }

    /** Adds the fields that this matcher matches on. */
    void add(PayloadMatcher matcher) {
        switch (matcher) {
            case PayloadMatcher.Fields(List<PayloadMatcher.Field> matcherFields) -> {
                for (PayloadMatcher.Field field : matcherFields) {
                    fields.computeIfAbsent(field.name(), _ -> new PayloadFieldSelection())
                            .add(field.matcher());
                }
            }
            case PayloadMatcher.AnyOf(List<PayloadMatcher> checks) -> checks.forEach(this::add);
            case PayloadMatcher.Text _ -> {}
        }
    }
}
