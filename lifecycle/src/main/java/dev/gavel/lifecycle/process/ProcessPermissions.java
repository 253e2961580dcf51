package dev.gavel.lifecycle.process;

import java.util.List;

/** The roles that may comment on a specification proposal, ask questions about it and edit it. */
public record ProcessPermissions(List<String> comment, List<String> ask, List<String> edit) {
    public ProcessPermissions {
        comment = List.copyOf(comment);
        ask = List.copyOf(ask);
        edit = List.copyOf(edit);
    }
}
