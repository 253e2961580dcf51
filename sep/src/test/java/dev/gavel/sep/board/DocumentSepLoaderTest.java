package dev.gavel.sep.board;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DocumentFixtures;
import dev.gavel.sep.process.BuiltInProcesses;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DocumentSepLoaderTest {
    private static final Instant CHANGED = Instant.parse("2026-02-02T10:00:00Z");

    private final DocumentSepLoader files = new DocumentSepLoader(BuiltInProcesses.defaultProcess());

    private static String document(String title, String status, String sponsor) {
        return """
                # %s

                - **Status**: %s
                - **Type**: Process
                - **Created**: 2025-08-12
                - **Author(s)**: Ann (@ann), @zoe
                - **Sponsor**: %s

                ## Abstract

                Text.
                """.formatted(title, status, sponsor);
    }

    private void add(String name, String text) {
        files.add(name, DocumentFixtures.read(text), CHANGED);
    }

    private Sep only() {
        assertThat(files.seps()).hasSize(1);
        return files.seps().getFirst();
    }

    @Test
    void aDocumentStandsWhereItSaysSinceTheDayItWasCreated() {
        add("x/1286-workflow.md", document("SEP-1286: Workflow", "In-Review", "@bea"));
        assertThat(only().number()).isEqualTo(1286);
        assertThat(only().title()).isEqualTo("Workflow");
        assertThat(only().state()).isEqualTo("in-review");
        assertThat(only().snapshot().since()).isEqualTo(Instant.parse("2025-08-12T00:00:00Z"));
        assertThat(only().snapshot().holders().people("sponsor"))
                .extracting(Object::toString)
                .containsExactly("bea");
        assertThat(only().snapshot().proposers()).extracting(Object::toString).containsExactly("ann", "zoe");
        assertThat(files.text(only())).startsWith("# SEP-1286: Workflow");
        assertThat(files.warnings()).isEmpty();
    }

    @Test
    void aWordMeansAnotherStateWhileNobodySponsorsIt() {
        add("1-a.md", document("SEP-1: A", "Draft", "None"));
        add("2-b.md", document("SEP-2: B", "Draft", "@bea"));
        add("3-c.md", document("SEP-3: C", "Approved", "@bea"));
        assertThat(files.seps()).extracting(Sep::state).containsExactly("proposal", "draft", "accepted");
    }

    @Test
    void theNumberIsInTheTitleElseInTheFilesName() {
        add("dir/0042-a.md", document("A", "Draft", "None"));
        assertThat(only().number()).isEqualTo(42);
        add("0000-b.md", document("SEP-XXXX: B", "Draft", "None"));
        assertThat(files.seps()).hasSize(1);
        assertThat(files.warnings()).singleElement().asString().startsWith("0000-b.md: skipped: it has no number.");
    }

    @Test
    void twoOfANumberAreNotMixedUp() {
        add("7-a.md", document("SEP-7: A", "Draft", "None"));
        add("7-b.md", document("SEP-7: B", "Draft", "None"));
        assertThat(only().title()).isEqualTo("A");
        assertThat(files.warnings())
                .containsExactly("7-b.md: skipped: 7-a.md is already SEP-7. Give one of them another number.");
    }

    @Test
    void whatCannotBeReadIsSaidAndTheStartIsTaken() {
        add("5-a.md", "# SEP-5: A\n\n- **Status**: Blooming\n");
        assertThat(only().state()).isEqualTo("proposal");
        assertThat(only().snapshot().since()).isEqualTo(CHANGED);
        assertThat(files.warnings())
                .anySatisfy(warning -> assertThat(warning)
                        .startsWith(
                                "5-a.md: the process sep-1286 has no state 'Blooming', so it is shown as proposal."))
                .contains("5-a.md: has no author.", "5-a.md: has no creation date, so the file's date is used.");
    }

    @Test
    void nothingThatSomebodyWroteStopsIt() {
        for (String text : new String[] {"", "\u0000", "#", "---\n: :\n", "# SEP-99999999999: x", "\uD800"}) {
            add("9-x.md", text);
        }
        assertThat(files.seps()).hasSizeBetween(1, 2);
    }
}
