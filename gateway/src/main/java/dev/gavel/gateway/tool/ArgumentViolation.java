package dev.gavel.gateway.tool;

import java.util.List;

/**
 * A place where arguments do not match a tool's schema.
 *
 * @param path the names and indexes that lead from the arguments to the place; empty for the arguments as a whole
 * @param message a sentence without a full stop that says what is wrong, and names the place
 */
public record ArgumentViolation(List<Object> path, String message) {
    public ArgumentViolation {
        path = List.copyOf(path);
    }
}
