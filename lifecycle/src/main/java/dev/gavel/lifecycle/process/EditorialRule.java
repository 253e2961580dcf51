package dev.gavel.lifecycle.process;

import java.util.List;
import java.util.Set;

/**
 * Defines which edits of a specification proposal do not change its meaning, so that votes stay valid.
 *
 * @param sections the slugs of the sections that may change
 * @param fields the names of the fields that may change, in lower case
 * @param declaringRoles the roles that may declare any other edit editorial
 */
public record EditorialRule(Set<String> sections, Set<String> fields, List<String> declaringRoles) {
    public EditorialRule {
        sections = Set.copyOf(sections);
        fields = Set.copyOf(fields);
        declaringRoles = List.copyOf(declaringRoles);
    }
}
