package dev.gavel.web.console.topic;

import static dev.gavel.web.console.topic.TopicSampleEnvelopes.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.ProposalTimelineEntry;
import dev.gavel.gateway.store.RecentProposalEvent;
import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ActivityRowTest {
    private static final ParticipantNameFormatter BOB = new ParticipantNameFormatter("bob", MemberNames.IDS);

    private static final Kind CALL = Kind.of("mcp.proposal.tools/call:delete_file");

    private static ActivityRow step(ProposalEvent event) {
        return ActivityRow.of(
                "ops",
                new RecentProposalEvent(
                        7, "p 1", Optional.of(CALL), new ProposalTimelineEntry(NOON, event), MemberNames.IDS),
                Optional.empty(),
                "bob");
    }

    private static String text(ActivityRow row) {
        return row.before() + row.subject().map(ActivityRow.Link::text).orElse("") + row.after();
    }

    @Test
    void aStepNamesItsProposalAndLeadsToIt() {
        ActivityRow row = step(new ProposalEvent.Fulfilled(TopicSampleEnvelopes.request("alice", "x"), false, NOON));
        assertThat(text(row)).isEqualTo("alice approved delete_file, to be run by files");
        assertThat(row.subject()).contains(new ActivityRow.Link("delete_file", "/console/proposals/ops/p%201"));
        assertThat(row.id()).isEqualTo("e-7");
        assertThat(row.participant()).isEqualTo("alice");
        assertThat(row.category()).isEqualTo(ActivityRow.Category.PROPOSALS);
    }

    @Test
    void whetherThereIsSomebodyToDecideIsPresence() {
        assertThat(step(new ProposalEvent.Unreachable(List.of("alice"))).category())
                .isEqualTo(ActivityRow.Category.PRESENCE);
        assertThat(step(new ProposalEvent.Reachable(List.of("alice"))).category())
                .isEqualTo(ActivityRow.Category.PRESENCE);
    }

    @Test
    void onlyARejectionThatClosesTheProposalIsCalledOne() {
        RecentProposalEvent rejection = new RecentProposalEvent(
                7,
                "p 1",
                Optional.of(CALL),
                new ProposalTimelineEntry(NOON, new ProposalEvent.Rejected("alice", "r-1", "policy", null, null)),
                MemberNames.IDS);
        assertThat(text(ActivityRow.of("ops", rejection, Optional.empty(), "bob")))
                .isEqualTo("alice voted to reject delete_file: policy");
        assertThat(text(ActivityRow.of(
                        "ops", rejection, Optional.of(new ProposalEvent.ClosedByRejections(List.of())), "alice")))
                .isEqualTo("You rejected delete_file: policy");
    }

    @Test
    void whatNobodyDidIsNobodys() {
        ActivityRow row = step(new ProposalEvent.Expired());
        assertThat(text(row)).isEqualTo("delete_file expired: no reviewer decided in time");
        assertThat(row.participant()).isEmpty();
    }

    @Test
    void whereTheCallIsNotKnownItsIdStandsForIt() {
        ActivityRow row = ActivityRow.of(
                "ops",
                new RecentProposalEvent(
                        7,
                        "p 1",
                        Optional.empty(),
                        new ProposalTimelineEntry(NOON, new ProposalEvent.Expired()),
                        MemberNames.IDS),
                Optional.empty(),
                "bob");
        assertThat(text(row)).startsWith("p 1 expired");
    }

    @Test
    void whatIsSaidIsBoundedAndHidesNothing() {
        assertThat(ActivityRow.chat("h-1", NOON, "alice", "  <b>hi</b>\u202e\nthere ", BOB)
                        .quote())
                .contains("<b>hi</b>\\u202e\nthere");
        String face = "\uD83D\uDE00";
        String quote = ActivityRow.chat("h-1", NOON, "alice", "x" + face.repeat(5000), BOB)
                .quote()
                .orElseThrow();
        assertThat(quote).hasSizeLessThan(4100).endsWith(face + "…");
    }

    @Test
    void rowsAreWrittenAsTextWhateverIsInThem() {
        String html = TopicPageRenderer.rows(
                List.of(
                        ActivityRow.chat("h-1", NOON, "<i>eve</i>", "<script>alert(1)</script>", BOB),
                        ActivityRow.presence("h-2", NOON, "bob", true, BOB),
                        ActivityRow.reconnected("h-3", NOON, "bob", "h-2")),
                NOON);
        assertThat(html).contains("&lt;script&gt;", "&lt;i&gt;eve", "You joined", "data-undoes=\"h-2\"");
        assertThat(html).doesNotContain("<script", "<i>");
    }

    @Test
    void filtersPassWhatIsAskedForAndKeepTheOther() {
        ActivityRow chat = ActivityRow.chat("h-1", NOON, "alice", "hi", BOB);
        ActivityFilter filter = ActivityFilter.parse("chat", "alice");
        assertThat(filter.matches(chat)).isTrue();
        assertThat(ActivityFilter.parse("presence", "").matches(chat)).isFalse();
        assertThat(ActivityFilter.parse("nonsense", "").matches(chat)).isTrue();
        assertThat(ActivityFilter.parse("", "bob").matches(chat)).isFalse();
        assertThat(filter.query("")).isEqualTo("?who=alice");
        assertThat(filter.query("calls")).isEqualTo("?show=calls&who=alice");
        assertThat(ActivityFilter.parse("", "").query("")).isEmpty();
    }
}
