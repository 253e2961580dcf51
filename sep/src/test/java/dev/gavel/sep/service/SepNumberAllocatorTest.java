package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which number a document gets, and that it gets only one. */
class SepNumberAllocatorTest {
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

    private static String numbered(String title, int number) {
        return SepServiceFixture.document(title).replace("SEP-XXXX", "SEP-" + number);
    }

    private Json submit(String who, String document) {
        return sepServiceFixture.executeSuccessfully(who, SepOperation.SUBMIT, "document", document);
    }

    private static long number(Json reply) {
        return reply.at("number").asLong(0);
    }

    private List<Json> atOnce(String who, Set<String> roles, SepOperation sepOperation, List<String> documents) {
        List<CompletionStage<SepResult>> all = documents.stream()
                .map(text -> sepServiceFixture
                        .service()
                        .execute(
                                new SepCaller(who, roles), sepOperation, SepServiceFixture.arguments("document", text)))
                .toList();
        return all.stream()
                .map(each -> {
                    SepResult sepResult = each.toCompletableFuture().join();
                    assertThat(sepResult).isInstanceOf(SepResult.Success.class);
                    return ((SepResult.Success) sepResult).body();
                })
                .toList();
    }

    @Test
    void onlyARoleLetsACallerSkipNumbers() {
        Json skipped = submit("alice", numbered("A", 900));
        assertThat(number(skipped)).isEqualTo(1);
        assertThat(skipped.at("advice").raw()).contains("SEP-900").contains("only people with a role can skip numbers");
        Json far = submit("bob", numbered("B", 900_000));
        assertThat(number(far)).isEqualTo(2);
        assertThat(far.at("advice").raw()).contains("only admins and voters can skip more than 1000 numbers");
        assertThat(number(submit("bob", numbered("C", 1_003)))).isEqualTo(1_003);
        assertThat(number(submit("alice", numbered("D", 1_004)))).isEqualTo(1_004);
        assertThat(number(submit("alice", numbered("D", 41)))).isEqualTo(41);
        assertThat(number(submit("dave", numbered("E", 5_000)))).isEqualTo(5_000);
        assertThat(number(submit("alice", SepServiceFixture.document("F")))).isEqualTo(5_001);
    }

    @Test
    void whenTheHighestNumberIsTakenALowerOneIsUsed() {
        submit("dave", numbered("First", 1));
        submit("dave", numbered("Last", SepNumberAllocator.MAX_NUMBER));
        assertThat(number(submit("alice", SepServiceFixture.document("A")))).isEqualTo(2);
        assertThat(number(sepServiceFixture.executeSuccessfully(
                        "dave", SepOperation.IMPORT, "document", SepServiceFixture.document("B"))))
                .isEqualTo(3);
        assertThat(number(submit("alice", numbered("C", 12)))).isEqualTo(12);
    }

    @Test
    void anIdentityWithoutARoleSubmitsALimitedNumberOfSeps() {
        sepServiceFixture.limitSubmissions(2, 3);
        // The limit counts what an identity submits, even if the document names another author.
        int first = sepServiceFixture.submit("erin", "A", "**Author(s)**: Carol (@Carol)");
        sepServiceFixture.submit("erin", "B");
        SepResult.Refused open = sepServiceFixture.executeRefused(
                "erin", SepOperation.SUBMIT, "document", SepServiceFixture.document("C"));
        assertThat(open.code()).isEqualTo("ask-limit");
        assertThat(open.message()).contains("2 SEPs that you submitted are open");

        sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.WITHDRAW, "number", first, "reason", "Not needed any more.");
        int third = sepServiceFixture.submit("erin", "C");
        sepServiceFixture.executeSuccessfully(
                "erin", SepOperation.WITHDRAW, "number", third, "reason", "Not needed any more.");
        SepResult.Refused hour = sepServiceFixture.executeRefused(
                "erin", SepOperation.SUBMIT, "document", SepServiceFixture.document("D"));
        assertThat(hour.code()).isEqualTo("ask-limit");
        assertThat(hour.message()).contains("3 SEPs within the last hour");

        for (int i = 0; i < 4; i++) {
            sepServiceFixture.submit("bob", "Bob's " + i);
        }
        sepServiceFixture.submit("alice", "Alice's");
        sepServiceFixture.advanceClock(Duration.ofHours(1));
        sepServiceFixture.submit("erin", "D");
    }

    @Test
    void submissionsAtTheSameTimeDoNotExceedTheLimit() {
        sepServiceFixture.limitSubmissions(5, 100);
        List<CompletionStage<SepResult>> all = IntStream.range(0, 30)
                .mapToObj(i -> sepServiceFixture
                        .service()
                        .execute(
                                new SepCaller("erin", Set.of()),
                                SepOperation.SUBMIT,
                                SepServiceFixture.arguments("document", SepServiceFixture.document("T" + i))))
                .toList();
        assertThat(all.stream().map(each -> each.toCompletableFuture().join()))
                .filteredOn(SepResult.Success.class::isInstance)
                .hasSize(5);
    }

    @Test
    void aFileCalledLikeADayOrAWordHasNoNumber() {
        int next = 1;
        for (String file : List.of(
                "2026-11-16-notes.md", "16.11.2026.md", "20261116-notes.md", "123456-build.md", "3d-rendering.md")) {
            Json imported = sepServiceFixture.executeSuccessfully(
                    "dave", SepOperation.IMPORT, "document", SepServiceFixture.document(file), "file", file);
            assertThat(number(imported)).as(file).isEqualTo(next++);
        }
        assertThat(number(sepServiceFixture.executeSuccessfully(
                        "dave",
                        SepOperation.IMPORT,
                        "document",
                        SepServiceFixture.document("P"),
                        "file",
                        "seps/2133-paging.md")))
                .isEqualTo(2_133);
    }

    @Test
    void aDocumentIsNotOverwrittenByAnotherThatHasNoTitleEither() {
        sepServiceFixture.executeSuccessfully(
                "dave", SepOperation.IMPORT, "document", "## Abstract\n\nOne.\n", "file", "7-one.md");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "dave", SepOperation.IMPORT, "document", "## Abstract\n\nTwo.\n", "file", "7-two.md")
                        .code())
                .isEqualTo("number-taken");
        assertThat(sepServiceFixture
                        .executeRefused(
                                "dave",
                                SepOperation.IMPORT,
                                "document",
                                SepServiceFixture.document("Two"),
                                "file",
                                "7-two.md")
                        .code())
                .isEqualTo("number-taken");
    }

    @Test
    void manyThatAreImportedAtOnceEachGetTheirOwnNumber() {
        List<Json> all = atOnce(
                "dave",
                Set.of("admin"),
                SepOperation.IMPORT,
                IntStream.range(0, 30)
                        .mapToObj(i -> SepServiceFixture.document("T" + i))
                        .toList());
        assertThat(all.stream().map(SepNumberAllocatorTest::number))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.rangeClosed(1, 30).mapToObj(Long::valueOf).toList());
    }

    @Test
    void whoeverSubmitsTheVerySameDocumentAgainIsToldSo() {
        String document = SepServiceFixture.document("A");
        long first = number(submit("alice", document));
        Json again = submit("alice", document);
        assertThat(number(again)).isNotEqualTo(first);
        assertThat(again.at("advice").texts())
                .contains("SEP-" + first + " has the same document. Withdraw one of the two.");
    }
}
