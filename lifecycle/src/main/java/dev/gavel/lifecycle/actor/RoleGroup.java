package dev.gavel.lifecycle.actor;

/** Everybody who brings a role: any of them will do. */
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
