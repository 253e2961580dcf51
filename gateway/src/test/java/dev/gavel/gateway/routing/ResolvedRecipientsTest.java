package dev.gavel.gateway.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResolvedRecipientsTest {
    private static final Set<String> MEMBERS = Set.of("alice", "bob", "files");

    private static ResolvedRecipients of(String... to) {
        return ResolvedRecipients.resolve(
                List.of(to),
                MEMBERS::contains,
                kind -> kind.equals(Kind.of("mcp.request.tools/call:x")) ? List.of("alice", "bob") : List.of());
    }

    @Test
    void nobodyNamedIsEverybody() {
        assertThat(of().broadcast()).isTrue();
        assertThat(of().isEmpty()).isFalse();
    }

    @Test
    void membersAreTakenByName() {
        ResolvedRecipients recipients = of("bob", "files", "bob");
        assertThat(recipients.names()).containsExactly("bob", "files");
        assertThat(recipients.resolved()).isFalse();
        assertThat(recipients.unknownMessages()).isEmpty();
    }

    @Test
    void canIsReplacedByWhoeverIsAbleEachOnce() {
        ResolvedRecipients recipients = of("files", "can:mcp.request.tools/call:x", "alice");
        assertThat(recipients.names()).containsExactly("files", "alice", "bob");
        assertThat(recipients.resolved()).isTrue();
    }

    @Test
    void whatLeadsToNobodyIsSaid() {
        ResolvedRecipients recipients = of("ghost", "can:x.y", "can:not a kind");
        assertThat(recipients.isEmpty()).isTrue();
        assertThat(recipients.unknownMessages()).hasSize(3);
        assertThat(recipients.unknownMessages().get(0)).contains("'ghost'");
        assertThat(recipients.unknownMessages().get(1)).contains("x.y");
        assertThat(recipients.unknownMessages().get(2)).contains("can:");
    }
}
