package dev.gavel.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecipientsTest {
    private static final Set<String> MEMBERS = Set.of("alice", "bob", "files");

    private static Recipients of(String... to) {
        return Recipients.of(
                List.of(to),
                MEMBERS::contains,
                kind -> kind.equals(Kind.of("mcp.request.tools/call:x")) ? List.of("alice", "bob") : List.of());
    }

    @Test
    void nobodyNamedIsEverybody() {
        assertThat(of().broadcast()).isTrue();
        assertThat(of().nobody()).isFalse();
    }

    @Test
    void membersAreTakenByName() {
        Recipients recipients = of("bob", "files", "bob");
        assertThat(recipients.names()).containsExactly("bob", "files");
        assertThat(recipients.resolved()).isFalse();
        assertThat(recipients.unknown()).isEmpty();
    }

    @Test
    void canIsReplacedByWhoeverIsAbleEachOnce() {
        Recipients recipients = of("files", "can:mcp.request.tools/call:x", "alice");
        assertThat(recipients.names()).containsExactly("files", "alice", "bob");
        assertThat(recipients.resolved()).isTrue();
    }

    @Test
    void whatLeadsToNobodyIsSaid() {
        Recipients recipients = of("ghost", "can:x.y", "can:not a kind");
        assertThat(recipients.nobody()).isTrue();
        assertThat(recipients.unknown()).hasSize(3);
        assertThat(recipients.unknown().get(0)).contains("'ghost'");
        assertThat(recipients.unknown().get(1)).contains("x.y");
        assertThat(recipients.unknown().get(2)).contains("can:");
    }
}
