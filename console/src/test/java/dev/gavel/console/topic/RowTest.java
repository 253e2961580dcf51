package dev.gavel.console.topic;

import static dev.gavel.console.topic.Letters.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.docket.Happening;
import dev.gavel.gateway.proposal.ProposalEvent;
import dev.gavel.gateway.proposal.Step;
import dev.gavel.mcpx.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowTest {
    private static final Kind CALL = Kind.of("mcp.proposal.tools/call:delete_file");

    private static Row step(ProposalEvent event) {
        return Row.of("ops", new Happening(7, "p 1", Optional.of(CALL), new Step(NOON, event)), "bob");
    }

    private static String text(Row row) {
        return row.before() + row.about().map(Row.Link::words).orElse("") + row.after();
    }

    @Test
    void aStepNamesItsProposalAndLeadsToIt() {
        Row row = step(new ProposalEvent.Fulfilled(Letters.request("alice", "x"), false, NOON));
        assertThat(text(row)).isEqualTo("alice approved delete_file, to be run by files");
        assertThat(row.about()).contains(new Row.Link("delete_file", "/console/proposals/ops/p%201"));
        assertThat(row.id()).isEqualTo("e-7");
        assertThat(row.who()).isEqualTo("alice");
        assertThat(row.sort()).isEqualTo(Row.Sort.PROPOSALS);
    }

    @Test
    void whetherThereIsSomebodyToDecideIsPresence() {
        assertThat(step(new ProposalEvent.Unreachable(List.of("alice"))).sort()).isEqualTo(Row.Sort.PRESENCE);
        assertThat(step(new ProposalEvent.Reachable(List.of("alice"))).sort()).isEqualTo(Row.Sort.PRESENCE);
    }

    @Test
    void whatNobodyDidIsNobodys() {
        Row row = step(new ProposalEvent.Expired());
        assertThat(text(row)).isEqualTo("delete_file expired: nobody decided it in time");
        assertThat(row.who()).isEmpty();
    }

    @Test
    void whereTheCallIsNotKnownItsIdStandsForIt() {
        Row row = Row.of(
                "ops", new Happening(7, "p 1", Optional.empty(), new Step(NOON, new ProposalEvent.Expired())), "bob");
        assertThat(text(row)).startsWith("p 1 expired");
    }

    @Test
    void whatIsSaidIsBoundedAndHidesNothing() {
        assertThat(Row.chat("h-1", NOON, "alice", "  <b>hi</b>\u202e\nthere ", "bob")
                        .quote())
                .contains("<b>hi</b>\\u202e\nthere");
        String face = "\uD83D\uDE00";
        String quote = Row.chat("h-1", NOON, "alice", "x" + face.repeat(5000), "bob")
                .quote()
                .orElseThrow();
        assertThat(quote).hasSizeLessThan(4100).endsWith(face + "…");
    }

    @Test
    void rowsAreWrittenAsTextWhateverIsInThem() {
        String html = TopicPages.rows(
                List.of(
                        Row.chat("h-1", NOON, "<i>eve</i>", "<script>alert(1)</script>", "bob"),
                        Row.presence("h-2", NOON, "bob", true, "bob"),
                        Row.back("h-3", NOON, "bob", "h-2")),
                NOON);
        assertThat(html).contains("&lt;script&gt;", "&lt;i&gt;eve", "You came", "data-undoes=\"h-2\"");
        assertThat(html).doesNotContain("<script", "<i>");
    }

    @Test
    void filtersPassWhatIsAskedForAndKeepTheOther() {
        Row chat = Row.chat("h-1", NOON, "alice", "hi", "bob");
        Filter filter = Filter.read("chat", "alice");
        assertThat(filter.passes(chat)).isTrue();
        assertThat(Filter.read("presence", "").passes(chat)).isFalse();
        assertThat(Filter.read("nonsense", "").passes(chat)).isTrue();
        assertThat(Filter.read("", "bob").passes(chat)).isFalse();
        assertThat(filter.query("")).isEqualTo("?who=alice");
        assertThat(filter.query("calls")).isEqualTo("?show=calls&who=alice");
        assertThat(Filter.read("", "").query("")).isEmpty();
    }
}
