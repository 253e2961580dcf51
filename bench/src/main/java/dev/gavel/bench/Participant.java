package dev.gavel.bench;

/** Somebody who connects: an identity's name and its token. */
public record Participant(String name, String token) {
    @Override
    public String toString() {
        return name;
    }
}
