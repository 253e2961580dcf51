package dev.gavel.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.ledger.sqlite.SqliteLedger;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the structured fields in a real server's log, which programs read. */
class LogFieldsTest {
    private static final String CONFIG = TestServer.CONFIG.replace("    ledger: off\n", "") + "data: data\n";

    @TempDir
    private Path directory;

    private static void request(TestProcess process, String method, String path, String body)
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.port() + path))
                            .header("Authorization", "Bearer alice" + TestServer.SECRET)
                            .method(method, HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        }
    }

    @Test
    void whoChangedWhatAboutWhomHasFieldsOfItsOwn() throws Exception {
        try (TestProcess process = new TestProcess(directory, CONFIG, Map.of("GAVEL_LOG", "json"))) {
            request(process, "POST", "/tokens", "{\"name\":\"dave\"}");
            request(process, "PUT", "/topics/ops/members/dave", "{\"capabilities\":[\"chat.*\"]}");

            List<JsonNode> log = process.standardError()
                    .lines()
                    .map(line -> new JsonMapper().readTree(line))
                    .toList();

            assertThat(log).hasSize(2).allSatisfy(line -> {
                assertThat(line.path("by").asString()).isEqualTo("alice");
                assertThat(line.path("identity").asString()).isEqualTo("dave");
            });
            assertThat(log.getFirst().path("change").asString()).isEqualTo("token.created");
            assertThat(log.getFirst().path("token").asString()).startsWith("k-");
            assertThat(log.getLast().path("change").asString()).isEqualTo("member.set");
            assertThat(log.getLast().path("topic").asString()).isEqualTo("ops");
        }
    }

    @Test
    void forPeopleNothingIsSaidTwice() throws Exception {
        try (TestProcess process = new TestProcess(directory, CONFIG)) {
            request(process, "PUT", "/topics/ops/members/bob", "{\"capabilities\":[\"chat.*\"]}");

            assertThat(process.standardError())
                    .endsWith(
                            "IdentityRegistry: 'alice' set the capabilities of 'bob' in 'ops': one capability. change=member.set\n")
                    .hasLineCount(1);
        }
    }

    @Test
    void thatALedgerWasBroughtUpToDateIsSaidOnce() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:" + data.resolve("ledger.db"));
                Statement statement = ledger.createStatement();
                InputStream first = SqliteLedger.class.getResourceAsStream("001-events.sql")) {
            statement.executeUpdate(new String(Objects.requireNonNull(first).readAllBytes(), UTF_8));
            statement.executeUpdate("PRAGMA application_id = " + 0x4741564c);
            statement.executeUpdate("PRAGMA user_version = 1");
        }
        try (TestProcess process = new TestProcess(directory, CONFIG)) {
            assertThat(process.standardError())
                    .endsWith("Migrations: The ledger's schema was upgraded from version 1 to 3.\n")
                    .hasLineCount(1);
        }
        try (TestProcess process = new TestProcess(directory, CONFIG)) {
            assertThat(process.standardError()).isEmpty();
        }
    }
}
