package dev.gavel.sep.document;

import java.util.List;

/** The numbers of the proposals that a document supersedes, replaces, requires or is superseded by. Immutable. */
public record DeclaredSepRelations(
        List<Integer> supersedes, List<Integer> replaces, List<Integer> requires, List<Integer> supersededBy) {
    public static final DeclaredSepRelations NONE =
            new DeclaredSepRelations(List.of(), List.of(), List.of(), List.of());

    public DeclaredSepRelations {
        supersedes = List.copyOf(supersedes);
        replaces = List.copyOf(replaces);
        requires = List.copyOf(requires);
        supersededBy = List.copyOf(supersededBy);
    }
}
