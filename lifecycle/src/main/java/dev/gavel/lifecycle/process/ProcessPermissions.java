package dev.gavel.lifecycle.process;

import java.util.List;

/** The roles that may do what is no move: comment, ask somebody, change the proposal. */
public record ProcessPermissions(List<String> comment, List<String> ask, List<String> edit) {
    public ProcessPermissions {
        comment = List.copyOf(comment);
        ask = List.copyOf(ask);
        edit = List.copyOf(edit);
    }
}
