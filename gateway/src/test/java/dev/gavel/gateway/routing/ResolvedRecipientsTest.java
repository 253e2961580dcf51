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
        assertThat(of().matchesNobody()).isFalse();
    }

    @Test
    void membersAreTakenByName() {
        ResolvedRecipients recipients = of("bob", "files", "bob");
        assertThat(recipients.memberIds()).containsExactly("bob", "files");
        assertThat(recipients.rewritesTo()).isFalse();
        assertThat(recipients.unmatchedEntryMessages()).isEmpty();
    }

    @Test
    void canIsReplacedByWhoeverIsAbleEachOnce() {
        ResolvedRecipients recipients = of("files", "can:mcp.request.tools/call:x", "alice");
        assertThat(recipients.memberIds()).containsExactly("files", "alice", "bob");
        assertThat(recipients.rewritesTo()).isTrue();
    }

    @Test
    void whatLeadsToNobodyIsSaid() {
        ResolvedRecipients recipients = of("ghost", "can:x.y", "can:not a kind");
        assertThat(recipients.matchesNobody()).isTrue();
        assertThat(recipients.unmatchedEntryMessages()).hasSize(3);
        assertThat(recipients.unmatchedEntryMessages().get(0)).contains("'ghost'");
        assertThat(recipients.unmatchedEntryMessages().get(1)).contains("x.y");
        assertThat(recipients.unmatchedEntryMessages().get(2)).contains("can:");
    }
}
