package dev.gavel.console.topic;

import dev.gavel.mcpx.text.SafeText;
import java.util.List;

/**
 * People and programs as a reader calls them: themselves "you". Fit to be shown. Immutable.
 *
 * @param reader who looks
 */
record Names(String reader) {
    /** Whether somebody is the reader. */
    boolean reads(String id) {
        return id.equals(reader);
    }

    /** Within a sentence. */
    String name(String id) {
        return reads(id) ? "you" : SafeText.line(id);
    }

    /** At the beginning of one. */
    String subject(String id) {
        return reads(id) ? "You" : SafeText.line(id);
    }

    /** "alice", "alice or you", "alice, bob or you". */
    String choice(List<String> ids) {
        return joined(ids, " or ");
    }

    /** "alice", "alice and you", "alice, bob and you". */
    String all(List<String> ids) {
        return joined(ids, " and ");
    }

    private String joined(List<String> ids, String last) {
        List<String> names = ids.stream().map(this::name).toList();
        return switch (names.size()) {
            case 0 -> "nobody";
            case 1 -> names.getFirst();
            default -> String.join(", ", names.subList(0, names.size() - 1)) + last + names.getLast();
        };
    }
}
