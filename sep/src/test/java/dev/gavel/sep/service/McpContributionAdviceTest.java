package dev.gavel.sep.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the process mcp-2026 asks for the working group and for a disclosure of AI tools, and does not insist. */
class McpContributionAdviceTest {
    @TempDir
    private Path directory;

    private SepServiceFixture sepServiceFixture;

    @BeforeEach
    void open() {
        sepServiceFixture = new SepServiceFixture(directory, McpAutomationFixture.PROCESS);
    }

    @AfterEach
    void close() {
        sepServiceFixture.close();
    }

    private Json submitted(String document) {
        return sepServiceFixture.executeSuccessfully("alice", SepOperation.SUBMIT, "document", document);
    }

    private static List<String> advice(Json result) {
        return result.at("advice").texts().stream()
                .filter(text -> text.contains("working group") || text.contains("AI tools"))
                .toList();
    }

    @Test
    void theAuthorOfADocumentWithoutWorkingGroupAndDisclosureIsAdvisedToAddThem() {
        assertThat(advice(submitted(SepServiceFixture.document("Streams"))))
                .satisfiesExactly(
                        text -> assertThat(text)
                                .startsWith("Recommended: the working group or interest group of the SEP, or 'none'"),
                        text -> assertThat(text)
                                .startsWith("Recommended: a statement of how AI tools were used, or 'not used'"));
    }

    @Test
    void aDocumentCanContainBoth() {
        String document = SepServiceFixture.document("Streams")
                + "\n## Working Group\n\nTransports\n\n## AI Disclosure\n\nNot used.\n";
        assertThat(advice(submitted(document))).isEmpty();
    }

    @Test
    void theSponsorIsAdvisedWhenTheReviewBegins() {
        int number = sepServiceFixture.submit("alice", "Streams");
        sepServiceFixture.executeSuccessfully("bob", SepOperation.SPONSOR, "number", number);
        sepServiceFixture.executeSuccessfully(
                "bob",
                SepOperation.ATTACH,
                "number",
                number,
                "evidence",
                Json.object().with("working-group", Json.ofText("none")));
        assertThat(advice(sepServiceFixture.executeSuccessfully(
                        "bob", SepOperation.MOVE, "number", number, "to", "in-review")))
                .singleElement()
                .asString()
                .contains("AI tools");
    }

    @Test
    void onlyAnAuthorCanSayHowAiToolsWereUsed() {
        int number = sepServiceFixture.submit("alice", "Streams");
        Json disclosure = Json.object().with("ai-disclosure", Json.ofText("An agent drafted the examples."));
        assertThat(sepServiceFixture
                        .executeRefused("bob", SepOperation.ATTACH, "number", number, "evidence", disclosure)
                        .code())
                .isEqualTo("not-allowed");
        sepServiceFixture.executeSuccessfully("alice", SepOperation.ATTACH, "number", number, "evidence", disclosure);
    }
}
