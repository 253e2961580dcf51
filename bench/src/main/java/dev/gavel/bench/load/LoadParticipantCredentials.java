package dev.gavel.bench.load;

/** Somebody who connects: an identity's name and its token. */
public record LoadParticipantCredentials(String name, String token) {
    @Override
    public String toString() {
        return name;
    }
}
