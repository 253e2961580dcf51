package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests which operations 'explain' offers a reader, and that an edit replaces no document version that its author has
 * not seen.
 */
class AllowedSepOperationsFinderTest {
    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private List<String> offered(String who, int number) {
        return sepServiceFixture
                .executeSuccessfully(who, SepOperation.EXPLAIN, "number", number)
                .at("youMayAlso")
                .texts();
    }

    private Json move(String who, int number, String to) {
        return sepServiceFixture
                .executeSuccessfully(who, SepOperation.EXPLAIN, "number", number)
                .at("moves")
                .elements()
                .stream()
                .filter(move -> move.at("to").text().equals(to))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachReaderIsOfferedWhatTheyMay() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        assertThat(offered("alice", number)).containsExactly("comment", "edit", "attach", "ask", "transfer");
        assertThat(offered("bob", number)).containsExactly("comment", "sponsor", "attach", "ask");
        assertThat(offered("erin", number)).containsExactly("comment", "attach", "ask");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        assertThat(offered("bob", number)).containsExactly("comment", "edit", "attach", "ask", "step-down");
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.WITHDRAW, "number", number, "reason", "no longer needed");
        assertThat(offered("alice", number)).containsExactly("comment");
    }

    @Test
    void aVoteIsOfferedWhileItIsOpenAndAHoldOrItsRelease() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.attachConfirmed("bob", number, "goals", "https://example.org/goals", "carol");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.MOVE, "number", number, "to", "provisional");
        assertThat(offered("carol", number)).doesNotContain("vote", "hold");
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.MOVE, "number", number, "to", "in-review", "reason", "reads well");
        assertThat(offered("carol", number)).contains("vote", "hold").doesNotContain("release");
        assertThat(offered("bob", number)).doesNotContain("vote", "hold");
        sepServiceFixture.executeSuccessfully(
                "carol", SepOperation.HOLD, "number", number, "reason", "wait for the meeting");
        assertThat(offered("carol", number)).contains("vote", "release").doesNotContain("hold");
    }

    @Test
    void evidenceIsOfferedToThoseWhoMayGiveIt() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        Json alice = sepServiceFixture
                .executeSuccessfully("alice", SepOperation.EXPLAIN, "number", number)
                .at("youMayAttach");
        assertThat(alice.elements())
                .extracting(kind -> kind.at("kind").text())
                .contains("prototype", "discussion")
                .doesNotContain("goals", "reason", "tally");
        assertThat(alice.elements())
                .filteredOn(kind -> kind.at("kind").text().equals("prototype"))
                .singleElement()
                .satisfies(kind -> assertThat(kind.at("is").text()).isEqualTo("link"));
    }

    @Test
    void movesSayByWhichVerbTheyAreMadeAndWhetherTheyAreTheEnd() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        assertThat(move("bob", number, "draft").at("verb").text()).isEqualTo("sponsor");
        assertThat(move("bob", number, "draft").at("onward").isTrue()).isTrue();
        assertThat(move("alice", number, "withdrawn").at("verb").text()).isEqualTo("withdraw");
        assertThat(move("carol", number, "superseded").at("verb").text()).isEqualTo("supersede");
        assertThat(move("carol", number, "rejected").at("verb").text()).isEqualTo("move");
        assertThat(move("carol", number, "rejected").at("end").isTrue()).isTrue();
        assertThat(move("carol", number, "rejected").at("onward").isTrue()).isFalse();
    }

    @Test
    void anEditReplacesNoDocumentThatItsWriterHasNotSeen() {
        int number = sepServiceFixture.submit("alice", "Quiet logs");
        Json first = sepServiceFixture.executeSuccessfully("alice", SepOperation.EXPORT, "number", number);
        String text = first.at("document").text();
        String base = first.at("hash").text();
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.executeSuccessfully(
                "bob", SepOperation.EDIT, "number", number, "document", text + "\nbob's\n", "base", base);

        SepResult.Refused no = sepServiceFixture.executeRefused(
                "alice", SepOperation.EDIT, "number", number, "document", text + "\nalice's\n", "base", base);
        assertThat(no.code()).isEqualTo("changed-since");
        assertThat(no.message()).startsWith("Bob has changed the document in the meantime.");
        Json now = sepServiceFixture.executeSuccessfully("alice", SepOperation.EXPORT, "number", number);
        assertThat(now.at("document").text()).endsWith("bob's\n");
        String later = now.at("hash").text();
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.EDIT, "number", number, "document", text + "\nalice's\n", "base", later);
        assertThat(sepServiceFixture
                        .executeSuccessfully("alice", SepOperation.EXPORT, "number", number)
                        .at("document")
                        .text())
                .endsWith("alice's\n");
    }
}
