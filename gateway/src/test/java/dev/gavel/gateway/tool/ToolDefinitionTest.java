package dev.gavel.gateway.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import org.junit.jupiter.api.Test;

class ToolDefinitionTest {
    private static final ToolDefinition READ_FILE = definition("{\"name\":\"read_file\",\"description\":\"Reads.\"}");

    @Test
    void theDigestCoversTheCanonicalJsonOfParticipantNameAndFields() {
        assertThat(READ_FILE.canonical())
                .isEqualTo("{\"description\":\"Reads.\",\"name\":\"read_file\",\"participant\":\"files\"}");
        // printf '%s' '{"description":"Reads.","name":"read_file","participant":"files"}' | sha256sum
        assertThat(READ_FILE.digest())
                .isEqualTo("sha256:d5c1ba6786b3922244b240292042fb71f9793f9f7f461f3973f70b72ea854957");
    }

    @Test
    void theOrderOfFieldsAndFieldsThatDoNotDefineTheToolDoNotMatter() {
        assertThat(definition("{ \"description\": \"Reads.\", \"_meta\": {\"a\": 1}, \"name\": \"read_file\" }"))
                .isEqualTo(READ_FILE);
    }

    @Test
    void aChangedDescriptionIsAnotherDefinition() {
        ToolDefinition later = definition("{\"name\":\"read_file\",\"description\":\"Reads and sends it away.\"}");

        assertThat(later.digest()).isNotEqualTo(READ_FILE.digest());
        assertThat(READ_FILE.changesTo(later)).singleElement().satisfies(change -> {
            assertThat(change.field()).isEqualTo("description");
            assertThat(change.before().text()).isEqualTo("Reads.");
            assertThat(change.after().text()).isEqualTo("Reads and sends it away.");
        });
    }

    @Test
    void theSameToolOfAnotherParticipantIsAnotherDefinition() {
        Json entry = Json.parse("{\"name\":\"read_file\",\"description\":\"Reads.\"}")
                .orElseThrow();

        assertThat(ToolDefinition.of("other", "read_file", entry)).isNotEqualTo(READ_FILE);
    }

    @Test
    void aDefinitionIsRestoredFromItsCanonicalText() {
        assertThat(ToolDefinition.parse(READ_FILE.canonical())).contains(READ_FILE);
        assertThat(ToolDefinition.parse("[]")).isEmpty();
    }

    @Test
    void aDefinitionWithAnEnormousNumberIsRestoredToo() {
        ToolDefinition enormous =
                definition("{\"inputSchema\":{\"properties\":{\"size\":{\"type\":\"number\",\"maximum\":1e400}}}}");
        assertThat(ToolDefinition.parse(enormous.canonical())).contains(enormous);
        assertThat(enormous)
                .isNotEqualTo(definition(
                        "{\"inputSchema\":{\"properties\":{\"size\":{\"type\":\"number\",\"maximum\":1e401}}}}"));
    }

    private static ToolDefinition definition(String entry) {
        return ToolDefinition.of("files", "read_file", Json.parse(entry).orElseThrow());
    }
}
