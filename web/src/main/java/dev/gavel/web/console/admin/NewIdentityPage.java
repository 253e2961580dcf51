package dev.gavel.web.console.admin;

import dev.gavel.web.console.page.PageLayoutData;
import java.util.List;

/**
 * The page on which an admin creates an identity with its first token.
 *
 * @param knownRoles all roles that can be assigned
 * @param topics all topics
 */
public record NewIdentityPage(PageLayoutData frame, TokenForm form, List<String> knownRoles, List<String> topics) {
    public NewIdentityPage {
        knownRoles = List.copyOf(knownRoles);
        topics = List.copyOf(topics);
    }
}
