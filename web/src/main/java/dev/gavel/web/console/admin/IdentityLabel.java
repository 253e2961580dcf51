package dev.gavel.web.console.admin;

/**
 * An identity as a link on the admin pages.
 *
 * @param name the display name; the id if no display name is configured
 */
public record IdentityLabel(String id, String name) {
    public String path() {
        return AdminPaths.identity(id);
    }

    /** Whether the display name differs from the id. */
    public boolean hasDisplayName() {
        return !name.equals(id);
    }
}
