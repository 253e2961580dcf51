package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.text.SepResultFormatter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that texts about SEPs call people by their names, and that results keep their ids. */
class SepDisplayNameTest {
    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;
    private int number;

    /** The owner has the default id of a new installation, sponsors alice's SEP, and was asked a question. */
    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory);
        sepServiceFixture.setPerson(
                new PeopleDirectory.KnownPerson("you", "Owner", Set.of("maintainer", "admin"), List.of()));
        number = sepServiceFixture.submit("alice", "Quiet logs", "**Author(s)**: Alice (@alice-writes)");
        sepServiceFixture.executeSuccessfully("you", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.executeSuccessfully("you", SepOperation.COMMENT, "number", number, "text", "A good start.");
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private String text(String reader, SepOperation sepOperation, Object... arguments) {
        return String.join(
                "\n",
                SepResultFormatter.format(
                        sepOperation, sepServiceFixture.executeSuccessfully(reader, sepOperation, arguments)));
    }

    @Test
    void noTextCallsTheOwnerYou() {
        assertThat(text("alice", SepOperation.SHOW, "number", number))
                .contains("sponsor:      Owner", " Owner: A good start.")
                .doesNotContainPattern("\\byou\\b(?! can)");
        assertThat(text("alice", SepOperation.NEXT, "number", number))
                .contains("Owner")
                .doesNotContainPattern("\\byou\\b(?! can)");
        assertThat(text("alice", SepOperation.LIST)).contains("Owner").doesNotContainPattern("\\byou\\b");
        assertThat(text("alice", SepOperation.HISTORY, "number", number))
                .contains("Owner became sponsor.", "Owner commented: A good start.")
                .doesNotContainPattern("\\byou\\b");
        assertThat(text("alice", SepOperation.STATS)).contains("Owner").doesNotContainPattern("\\byou\\b");
        assertThat(text("alice", SepOperation.MAINTAINERS)).containsPattern("you +Owner +");
    }

    @Test
    void refusalsAndAnswersToChangesNameTheOwner() {
        assertThat(sepServiceFixture
                        .executeRefused("bob", SepOperation.SPONSOR, "number", number)
                        .message())
                .isEqualTo("The role 'sponsor' is not vacant: the sponsor (Owner) must step down first.");
        assertThat(text("alice", SepOperation.ASK, "number", number, "whom", "you", "question", "Ready?"))
                .contains("Alice asked Owner: Ready?");
        assertThat(sepServiceFixture.execute(
                        "alice", SepOperation.ASK, "number", number, "whom", "you", "question", "And now?"))
                .isInstanceOfSatisfying(
                        SepResult.InvalidRequest.class,
                        refusal -> assertThat(refusal.message()).startsWith("you have already asked Owner on"));
    }

    @Test
    void resultsContainIdsAndTheNamesOfThePeopleInThem() {
        Json show = sepServiceFixture.executeSuccessfully("alice", SepOperation.SHOW, "number", number);
        assertThat(show.at("sponsor").text()).isEqualTo("you");
        assertThat(show.at("comments").elements().getFirst().at("by").text()).isEqualTo("you");
        assertThat(show.at("names").members()).containsOnlyKeys("alice", "you");
        assertThat(show.at("names").at("you").text()).isEqualTo("Owner");
    }

    @Test
    void aPersonIsFoundByTheNameThatTextsUse() {
        assertThat(text("alice", SepOperation.ASK, "number", number, "whom", "Owner", "question", "Ready?"))
                .contains("Alice asked Owner: Ready?");
        assertThat(text("alice", SepOperation.LIST, "sponsor", "owner")).contains("Quiet logs");
    }

    @Test
    void theDocumentNamesTheCurrentSponsor() {
        int other =
                sepServiceFixture.submit("alice", "Loud logs", "**Sponsor**: None (seeking sponsor)", "**PR**: TBD");
        assertThat(text("alice", SepOperation.EXPORT, "number", other))
                .contains("- **Sponsor**: None (seeking sponsor)\n- **PR**: TBD\n");
        sepServiceFixture.executeSuccessfully("you", SepOperation.SPONSOR, "number", other);
        assertThat(text("alice", SepOperation.EXPORT, "number", other))
                .contains("- **Status**: Draft\n- **Sponsor**: Owner (@you)\n- **PR**: TBD\n");
        sepServiceFixture.executeSuccessfully("you", SepOperation.STEP_DOWN, "number", other);
        assertThat(text("alice", SepOperation.EXPORT, "number", other))
                .contains("- **Sponsor**: None (seeking sponsor)\n");
    }

    @Test
    void aSponsorWhoseNameLooksLikeTwoPeopleIsWrittenAsAHandle() {
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson(
                "you", "Owner, and Friends", Set.of("maintainer", "admin"), List.of("@owner-writes")));
        int other = sepServiceFixture.submit("alice", "Loud logs", "**Sponsor**: @bob,", "  @erin");
        sepServiceFixture.executeSuccessfully("you", SepOperation.SPONSOR, "number", other);
        assertThat(text("alice", SepOperation.EXPORT, "number", other))
                .contains("- **Sponsor**: @owner-writes")
                .doesNotContain("@bob");
    }

    @Test
    void evidenceIsDescribedInTheHistory() {
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                Json.object().with("discussion", Json.ofText("https://example.org/d")));
        assertThat(text("alice", SepOperation.HISTORY, "number", number))
                .contains("Alice attached a link to the discussion with the community: https://example.org/d");
    }

    @Test
    void theFeedNamesTheOwner() {
        assertThat(sepServiceFixture
                        .service()
                        .feed("reader", Optional.empty())
                        .toCompletableFuture()
                        .join())
                .contains("<name>Owner</name>", "Owner became sponsor.")
                .doesNotContain("<name>you</name>");
    }
}
