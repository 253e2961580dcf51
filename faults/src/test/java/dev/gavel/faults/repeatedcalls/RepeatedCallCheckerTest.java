package dev.gavel.faults.repeatedcalls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.faults.cluster.GuaranteeViolation;
import dev.gavel.faults.repeatedcalls.ProposalHistory.Event;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests that the checker finds each kind of violation in a made-up run. */
class RepeatedCallCheckerTest {
    private static final CallKey KEY = new CallKey("agent", "/a", false);
    private final Instant start = Instant.now();
    private final Map<String, List<Event>> events = new TreeMap<>();
    private final List<ToolRun> runs = new ArrayList<>();
    private final List<CallAttempt> attempts = new ArrayList<>();
    private long seq;

    /** Adds events to a proposal, one second after the other. */
    private void ledger(String proposal, String... types) {
        for (String type : types) {
            seq++;
            events.computeIfAbsent(proposal, _ -> new ArrayList<>())
                    .add(new Event(seq, start.plusSeconds(seq), type, "agent", ""));
        }
    }

    private void run(String proposal) {
        runs.add(new ToolRun(
                new ToolRun.Name(KEY.path(), runs.size() + 1), proposal, "r-" + runs.size(), start.plusSeconds(seq)));
    }

    /** Adds an attempt that got this text. */
    private CallAttempt answer(String text, String meta) {
        CallAttempt attempt = new CallAttempt(KEY, attempts.size() + 1, "at gateway-0");
        attempts.add(attempt);
        attempt.complete(CallResponse.parse(
                Json.parse("{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]" + meta + "}}")
                        .orElseThrow()));
        return attempt;
    }

    private void answer(String text) {
        answer(text, "");
    }

    private static String meta(String proposal, String state) {
        return ",\"_meta\":{\"dev.gavel/proposal\":\"" + proposal + "\",\"dev.gavel/state\":\"" + state + "\"}";
    }

    private List<String> violations() {
        List<ProposalHistory> proposals = events.entrySet().stream()
                .map(entry -> ProposalHistory.of(entry.getKey(), KEY.path(), entry.getValue()))
                .toList();
        return new RepeatedCallChecker(proposals, runs, attempts)
                .check().stream().map(GuaranteeViolation::description).toList();
    }

    @Test
    void aNewCallAfterADeliveredResultIsNoViolation() {
        ledger("p1", "proposed", "fulfilled");
        run("p1");
        ledger("p1", "answered", "forwarded");
        answer("run 1 of /a");
        ledger("p2", "proposed", "fulfilled");
        run("p2");
        ledger("p2", "answered", "forwarded");
        answer("run 2 of /a");
        ledger("p3", "proposed", "withdrawn");
        ledger("p4", "proposed", "rejected", "forwarded");
        answer("Not run", meta("p4", "rejected"));
        assertThat(violations()).isEmpty();
    }

    @Test
    void aSecondProposalBesideAnOpenOneIsAViolation() {
        ledger("p1", "proposed");
        ledger("p2", "proposed");
        assertThat(violations()).containsExactly("p2 was proposed although the equal call p1 was open");
    }

    @Test
    void aSecondProposalBesideARunningOneIsAViolation() {
        ledger("p1", "proposed", "fulfilled");
        ledger("p2", "proposed");
        assertThat(violations()).containsExactly("p2 was proposed although the equal call p1 was running");
    }

    @Test
    void aSecondProposalAfterAnUndeliveredResultIsAViolation() {
        ledger("p1", "proposed", "rejected", "forwarded", "not_forwarded");
        ledger("p0", "status", "status", "status", "status");
        events.remove("p0");
        ledger("p2", "proposed");
        assertThat(violations())
                .containsExactly("p2 was proposed although the equal call p1 had a result that no client had received");
    }

    @Test
    void runsThatWereNotApprovedOnceEachAreViolations() {
        ledger("p1", "proposed", "withdrawn");
        run("p1");
        ledger("p2", "proposed", "fulfilled");
        run("p2");
        run("p2");
        run("p9");
        assertThat(violations())
                .containsExactly(
                        "run 1 of /a: the proposal was not approved",
                        "run 3 of /a: the proposal p2 ran twice",
                        "run 4 of /a: there is no proposal of this call");
    }

    @Test
    void aResultThatNoClientReceivedIsAViolationUnlessAConnectionWasLost() {
        ledger("p1", "proposed", "fulfilled");
        run("p1");
        ledger("p1", "answered", "forwarded");
        assertThat(violations())
                .containsExactly("the result of p1 was recorded as forwarded, but no client received it");
        attempts.add(new CallAttempt(KEY, 1, "still open"));
        assertThat(violations()).isEmpty();
    }

    @Test
    void anOldResultForANewCallIsAViolation() throws InterruptedException {
        ledger("p1", "proposed", "fulfilled");
        run("p1");
        ledger("p1", "answered", "forwarded");
        answer("run 1 of /a");
        Thread.sleep(5);
        answer("run 1 of /a");
        assertThat(violations()).singleElement().asString().contains("attempt 2", "got the result that attempt 1");
    }

    @Test
    void anAnswerThatTheLedgerContradictsIsAViolation() {
        ledger("p1", "proposed", "fulfilled");
        answer("Not run", meta("p1", "rejected"));
        assertThat(violations()).singleElement().asString().contains("got an answer that the ledger contradicts");
    }
}
