package dev.gavel.lifecycle.people;

/** Everybody who brings a role: any of them will do. */
public record Group(String role) implements Party {
    public Group {
        if (role.isBlank()) {
            throw new IllegalArgumentException("a group needs a role");
        }
    }

    @Override
    public String toString() {
        return role;
    }
}
