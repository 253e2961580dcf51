package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how names and handles in documents resolve to identities. */
class PeopleResolverTest {
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

    private Json imported(int number, String title, String... preamble) {
        return sepServiceFixture.executeSuccessfully(
                "dave",
                SepOperation.IMPORT,
                "document",
                SepServiceFixture.document(title, preamble).replace("XXXX", Integer.toString(number)));
    }

    private List<String> authors(int number) {
        return sepServiceFixture
                .executeSuccessfully("bob", SepOperation.SHOW, "number", number)
                .at("authors")
                .texts();
    }

    private List<Long> listed(String by, String person) {
        return sepServiceFixture
                .executeSuccessfully("bob", SepOperation.LIST, by, person)
                .at("seps")
                .elements()
                .stream()
                .map(each -> each.at("number").asLong(0))
                .toList();
    }

    @Test
    void aNameWithoutAHandleIsNobodyHereNowOrLater() {
        imported(3, "A", "**Authors**: Yan <yan@example.org>, Erin <erin@example.org>");
        assertThat(authors(3)).containsExactly("Yan", "Erin");
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("yan", "Yan", Set.of(), List.of()));
        sepServiceFixture.reopen();
        for (String who : List.of("yan", "erin")) {
            assertThat(sepServiceFixture
                            .executeRefused(who, SepOperation.WITHDRAW, "number", 3, "reason", "mine")
                            .code())
                    .isEqualTo("not-allowed");
            assertThat(listed("author", who)).isEmpty();
        }
        assertThat(listed("author", "\"Yan\"")).containsExactly(3L);
        assertThat(authors(3)).containsExactly("Yan", "Erin");
    }

    @Test
    void aHandleThatTwoPeopleClaimMeansNeitherOfThem() {
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("yan", "Yan", Set.of(), List.of("@shared")));
        sepServiceFixture.setPerson(new PeopleDirectory.KnownPerson("zed", "Zed", Set.of(), List.of("@Shared")));
        imported(3, "A", "**Authors**: @shared");
        assertThat(listed("author", "yan")).isEmpty();
        assertThat(listed("author", "zed")).isEmpty();
        assertThat(authors(3)).containsExactly("@shared");
    }

    @Test
    void identitiesWhoseIdsDifferOnlyInCaseKeepTheirOwnRoles() {
        ProcessDefinition process = BuiltInProcesses.defaultProcess();
        PeopleResolver people = new PeopleResolver(
                List.of(
                        new PeopleDirectory.KnownPerson("sam", "Sam", Set.of("maintainer"), List.of()),
                        new PeopleDirectory.KnownPerson("Sam", "Sam", Set.of(), List.of())),
                process);
        assertThat(people.hasRole(new Person("sam"), "maintainer")).isTrue();
        assertThat(people.hasRole(new Person("Sam"), "maintainer")).isFalse();
        assertThat(people.roleHolders()).hasSize(1);
        assertThat(people.find("SAM")).isEmpty();
        assertThat(people.resolve("@sam")).isEqualTo(new Person("@sam"));
    }

    @Test
    void peopleAreFoundByTheirIdTheirHandleOrTheirName() {
        imported(1, "A", "**Authors**: @alice-writes", "**Sponsor**: @bob");
        imported(2, "B", "**Authors**: @alice, Frank Miller", "**Sponsor**: @zoe");
        assertThat(listed("author", "alice")).containsExactly(1L);
        assertThat(listed("author", "ALICE-writes")).containsExactly(1L);
        assertThat(listed("author", "@alice")).containsExactly(2L);
        assertThat(listed("author", "frank miller")).containsExactly(2L);
        assertThat(listed("sponsor", "bob")).containsExactly(1L);
        assertThat(listed("sponsor", "zoe")).containsExactly(2L);
    }

    @Test
    void nobodyBecomesASponsorByImportWhoCouldNotBecomeOneOtherwise() {
        Json erins = imported(1, "A", "**Sponsor**: @erin");
        assertThat(erins.at("sponsor").raw()).isEqualTo("null");
        assertThat(erins.at("status").text()).isEqualTo("proposal");
        assertThat(erins.at("advice").texts())
                .containsExactly(
                        "The document names Erin as sponsor, but Erin is not a maintainer on this server. The SEP has"
                                + " no sponsor yet.");
        assertThat(imported(2, "B", "**Sponsor**: @carol").at("sponsor").text()).isEqualTo("carol");
        Json zoes = imported(3, "C", "**Sponsor**: @zoe");
        assertThat(zoes.at("sponsor").text()).isEqualTo("@zoe");
        assertThat(zoes.at("advice").elements()).isEmpty();
        assertThat(imported(4, "D", "**Sponsor**: Erin <erin@example.org>")
                        .at("sponsor")
                        .text())
                .isEqualTo("Erin");
        assertThat(sepServiceFixture
                        .executeRefused("erin", SepOperation.STEP_DOWN, "number", 4)
                        .code())
                .isEqualTo("not-allowed");
    }

    @Test
    void whoLeftIsNoAuthorAgainBecauseTheDocumentStillNamesThem() {
        String[] names = {"**Authors**: @alice-writes, @erin"};
        int number = sepServiceFixture.submit("alice", "A", names);
        sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.TRANSFER, "number", number, "to", "bob", "leave", true);
        assertThat(authors(number)).containsExactly("alice", "bob");
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.EDIT,
                "number",
                number,
                "document",
                SepServiceFixture.document("A, mended", names));
        assertThat(authors(number)).containsExactly("alice", "bob");
        sepServiceFixture.executeSuccessfully(
                "alice",
                SepOperation.EDIT,
                "number",
                number,
                "document",
                SepServiceFixture.document("A, mended", "**Authors**: @alice-writes, @erin, @carol"));
        assertThat(authors(number)).containsExactly("alice", "bob", "carol");
    }

    @Test
    void nobodyIsAskedAgainByTheSamePersonBeforeTheyAnswered() {
        int number = sepServiceFixture.submit("alice", "A");
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.ASK, "number", number, "whom", "bob", "question", "what do you think?");
        assertThat(((SepResult.InvalidRequest)
                                sepServiceFixture.execute("alice", SepOperation.ASK, "number", number, "whom", "Bob"))
                        .message())
                .isEqualTo("you have already asked Bob on 2026-01-05; wait for the answer");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.ASK, "number", number, "whom", "carol");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.COMMENT, "number", number, "text", "good");
        sepServiceFixture.executeSuccessfully(
                "alice", SepOperation.ASK, "number", number, "whom", "bob", "question", "and now?");
    }

    @Test
    void aSuccessorThatWasOnlyAttachedTookNoPlace() {
        int old = sepServiceFixture.submit("alice", "Old");
        int other = sepServiceFixture.submit("erin", "Other");
        sepServiceFixture.executeSuccessfully(
                "carol",
                SepOperation.ATTACH,
                "number",
                old,
                "evidence",
                Json.object().with(SepFactEvaluator.SUCCESSOR, Json.ofText(Integer.toString(other))));
        assertThat(sepServiceFixture
                        .executeSuccessfully("bob", SepOperation.SHOW, "number", old)
                        .at("links")
                        .at("supersededBy")
                        .elements())
                .isEmpty();
    }
}
