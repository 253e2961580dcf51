package dev.gavel.mcp.facade.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Target;
import org.junit.jupiter.api.Test;

final class InterestTest {
    private static final Target NOTES = new Target("files", "resources/subscribe", "file:///notes");
    private static final Target OTHER = new Target("files", "resources/subscribe", "file:///other");

    private static final Caller ALICE = Callers.of("alice", "['*']");
    private static final Caller BOB = Callers.of("bob", "['*']");

    private final Interest interest = new Interest();

    @Test
    void nobodyUnsubscribesBeforeTheLastClientHasGoneAndThenEverybodyDoesWhoSubscribed() {
        interest.add(NOTES, ALICE);
        interest.add(NOTES, BOB);
        interest.add(NOTES, BOB);
        interest.add(OTHER, ALICE);
        assertThat(interest.remove(NOTES)).isEmpty();
        assertThat(interest.remove(NOTES)).isEmpty();
        assertThat(interest.remove(NOTES)).containsExactly(ALICE, BOB);
        assertThat(interest.remove(NOTES)).isEmpty();
        assertThat(interest.remove(OTHER)).containsExactly(ALICE);
    }
}
