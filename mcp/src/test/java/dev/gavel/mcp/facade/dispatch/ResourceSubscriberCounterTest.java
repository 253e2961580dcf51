package dev.gavel.mcp.facade.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import org.junit.jupiter.api.Test;

final class ResourceSubscriberCounterTest {
    private static final CallTarget NOTES = new CallTarget("files", "resources/subscribe", "file:///notes");
    private static final CallTarget OTHER = new CallTarget("files", "resources/subscribe", "file:///other");

    private static final FacadeCaller ALICE = TestCallers.of("alice", "['*']");
    private static final FacadeCaller BOB = TestCallers.of("bob", "['*']");

    private final ResourceSubscriberCounter resourceSubscriberCounter = new ResourceSubscriberCounter();

    @Test
    void lastRemovalReturnsAllSubscribers() {
        resourceSubscriberCounter.add(NOTES, ALICE);
        resourceSubscriberCounter.add(NOTES, BOB);
        resourceSubscriberCounter.add(NOTES, BOB);
        resourceSubscriberCounter.add(OTHER, ALICE);
        assertThat(resourceSubscriberCounter.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberCounter.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberCounter.remove(NOTES)).containsExactly(ALICE, BOB);
        assertThat(resourceSubscriberCounter.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberCounter.remove(OTHER)).containsExactly(ALICE);
    }
}
