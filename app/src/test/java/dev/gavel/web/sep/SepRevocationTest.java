package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.gavel.app.TestServer;
import dev.gavel.gateway.bus.nats.NatsServer;
import dev.gavel.ledger.postgres.TestPostgresServer;
import dev.gavel.mcpx.json.Json;
import dev.gavel.web.sep.SepTestServer.ApiResponse;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a person whose last token was revoked no longer counts in SEPs, at all gateways that share a ledger. */
@SuppressWarnings("NullAway.Init") // set before each test
class SepRevocationTest {
    private static final String DAVE = "dave" + TestServer.SECRET;

    @TempDir
    private Path directory;

    private NatsServer nats;
    private TestServer one;
    private TestServer other;

    @BeforeEach
    void start() throws Exception {
        nats = new NatsServer();
        String config = """
                listen: 127.0.0.1:0
                data: %s
                ledger: "%s"
                bus: %s
                limits: {ask: {open: 3, hour: 60}}
                identities:
                  alice: {token: alice-0123456789abcdef}
                  dave: {token: dave-0123456789abcdef, roles: [core-maintainer, admin]}
                topics:
                  ops: {participants: {alice: ["chat.*"]}}
                """.formatted(
                        directory.resolve("data"), TestPostgresServer.shared().freshSchema(), nats.uri());
        one = new TestServer(config, 1);
        other = new TestServer(config, 1);
    }

    @AfterEach
    void stop() {
        one.close();
        other.close();
        nats.close();
    }

    private static ApiResponse request(TestServer server, String token, String method, String path, String body)
            throws Exception {
        return SepTestServer.send(HttpRequest.newBuilder(URI.create("http://" + server.listen() + path))
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private static String tally(TestServer server) throws Exception {
        return request(server, DAVE, "GET", "/seps/1", "")
                .body()
                .at("tally")
                .at("says")
                .text();
    }

    private String createVoter() throws Exception {
        ApiResponse created =
                request(one, DAVE, "POST", "/tokens", "{\"name\":\"erin\",\"roles\":[\"core-maintainer\"]}");
        assertThat(created.status()).as(created.body().raw()).isEqualTo(201);
        return created.body().at("token").text();
    }

    private void importSepInReview() throws Exception {
        ApiResponse imported = request(
                one,
                DAVE,
                "POST",
                "/seps/import",
                SepTestServer.document(SepTestServer.DOCUMENT.replace("Draft", "In-Review")));
        assertThat(imported.status()).as(imported.body().raw()).isEqualTo(200);
    }

    @Test
    void aRevokedVoterIsNeitherCountedNorNamed() throws Exception {
        importSepInReview();
        String erin = createVoter();
        assertThat(request(one, erin, "POST", "/seps/1/vote", "{\"ballot\":\"yes\"}")
                        .status())
                .isEqualTo(200);
        assertThat(tally(one)).contains("1 yes");

        assertThat(request(one, DAVE, "DELETE", "/tokens/erin", "").status()).isEqualTo(200);

        assertThat(tally(one)).contains("0 yes");
        assertThat(request(one, DAVE, "GET", "/seps/maintainers", "").body().raw())
                .contains("dave")
                .doesNotContain("erin");
    }

    @Test
    void aRevokedVoterCannotVoteAtAGatewayThatHasNotNoticed() throws Exception {
        importSepInReview();
        String erin = createVoter();
        // Waits until the other gateway knows the token.
        await().until(() -> request(other, erin, "GET", "/seps/1", "").status() == 200);

        assertThat(request(one, DAVE, "DELETE", "/tokens/erin", "").status()).isEqualTo(200);
        ApiResponse vote = request(other, erin, "POST", "/seps/1/vote", "{\"ballot\":\"yes\"}");

        assertThat(vote.status()).as(vote.body().raw()).isIn(401, 403);
        assertThat(tally(one)).contains("0 yes");
    }

    @Test
    void anIdentityWithoutARoleSubmitsALimitedNumberOfSeps() throws Exception {
        String alice = "alice" + TestServer.SECRET;
        for (int i = 0; i < 3; i++) {
            assertThat(request(one, alice, "POST", "/seps", numbered(900 * (i + 1)))
                            .body()
                            .at("number")
                            .asLong(0))
                    .isEqualTo(i + 1);
        }
        ApiResponse refused = request(other, alice, "POST", "/seps", numbered(1));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.code()).isEqualTo("ask_limit");
        assertThat(request(other, DAVE, "POST", "/seps", numbered(7)).status()).isEqualTo(201);
    }

    private static String numbered(int number) {
        return Json.object()
                .with("document", Json.ofText(SepTestServer.DOCUMENT.replaceFirst("# ", "# SEP-" + number + ": ")))
                .raw();
    }
}
