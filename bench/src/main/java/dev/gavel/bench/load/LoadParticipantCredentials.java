package dev.gavel.bench.load;

/** The name and token with which one identity connects to the server in a load test. */
public record LoadParticipantCredentials(String name, String token) {
    @Override
    public String toString() {
        return name;
    }
}
