package dev.gavel.lifecycle.actor;

/** All people who have a role, addressed together. */
public record RoleGroup(String role) implements PersonOrGroup {
    public RoleGroup {
        if (role.isBlank()) {
            throw new IllegalArgumentException("a group needs a role");
        }
    }

    @Override
    public String toString() {
        return role;
    }
}
