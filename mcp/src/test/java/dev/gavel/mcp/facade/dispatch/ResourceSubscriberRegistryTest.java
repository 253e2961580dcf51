package dev.gavel.mcp.facade.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.facade.call.CallTarget;
import dev.gavel.mcp.facade.call.FacadeCaller;
import org.junit.jupiter.api.Test;

final class ResourceSubscriberRegistryTest {
    private static final CallTarget NOTES = new CallTarget("files", "resources/subscribe", "file:///notes");
    private static final CallTarget OTHER = new CallTarget("files", "resources/subscribe", "file:///other");

    private static final FacadeCaller ALICE = TestCallers.of("alice", "['*']");
    private static final FacadeCaller BOB = TestCallers.of("bob", "['*']");

    private final ResourceSubscriberRegistry resourceSubscriberRegistry = new ResourceSubscriberRegistry();

    @Test
    void nobodyUnsubscribesBeforeTheLastClientHasGoneAndThenEverybodyDoesWhoSubscribed() {
        resourceSubscriberRegistry.add(NOTES, ALICE);
        resourceSubscriberRegistry.add(NOTES, BOB);
        resourceSubscriberRegistry.add(NOTES, BOB);
        resourceSubscriberRegistry.add(OTHER, ALICE);
        assertThat(resourceSubscriberRegistry.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberRegistry.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberRegistry.remove(NOTES)).containsExactly(ALICE, BOB);
        assertThat(resourceSubscriberRegistry.remove(NOTES)).isEmpty();
        assertThat(resourceSubscriberRegistry.remove(OTHER)).containsExactly(ALICE);
    }
}
