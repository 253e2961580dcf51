package dev.gavel.console.sep.act;

import dev.gavel.console.Frame;
import java.util.List;

/**
 * The page where a new SEP begins. Immutable.
 *
 * @param types the types it may have; none where the process knows none
 * @param type the usual one
 */
public record Begin(Frame frame, List<String> types, String type) {
    public Begin {
        types = List.copyOf(types);
    }
}
