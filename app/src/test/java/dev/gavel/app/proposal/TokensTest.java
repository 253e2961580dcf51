package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.chat;
import static dev.gavel.app.proposal.Draft.proposal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gavel.app.TestServer;
import dev.gavel.app.TestSocket;
import dev.gavel.app.identity.TokenHash;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tokens made and revoked while the server runs, and what becomes of what is open on their strength. */
@Timeout(60)
class TokensTest {
    private static final String NEWCOMER =
            "{\"name\":\"newcomer\",\"topic\":\"ops\",\"capabilities\":[\"mcp.proposal.*\",\"chat.*\"]}";

    @TempDir
    private Path data;

    private Room room;

    @BeforeEach
    void open() throws IOException {
        room = new Room(data.resolve("room"));
    }

    @AfterEach
    void close() throws IOException {
        room.close();
    }

    private Room.Answer revoke(String path) throws Exception {
        return room.ask("DELETE", "alice", "/tokens/" + path, "");
    }

    private JsonNode listed(String id) throws Exception {
        return room.get("alice", "/tokens").body().path("tokens").values().stream()
                .filter(each -> each.path("id").asString().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aNewTokenIsGoodAtOnce() throws Exception {
        Seat bob = room.join("bob");
        JsonNode made = room.makeToken("newcomer", NEWCOMER);
        assertThat(made.path("name").asString()).isEqualTo("newcomer");
        assertThat(made.path("token").asString()).startsWith("gvl_").hasSizeGreaterThan(40);
        assertThat(made.has("expiresAt")).isFalse();
        assertThat(Seat.texts(made.path("topics"))).containsExactly("ops");
        Seat newcomer = room.join("newcomer");
        newcomer.put(proposal("p-1"));
        assertThat(bob.hearId("p-1").path("from").asString()).isEqualTo("newcomer");
    }

    @Test
    void noListShowsASecretOrAHash() throws Exception {
        String secret = room.makeToken("newcomer", NEWCOMER).path("token").asString();
        String list = room.get("alice", "/tokens").body().toString();
        assertThat(list)
                .contains("newcomer")
                .doesNotContain(secret, TokenHash.of(secret).hex(), TestServer.SECRET);
    }

    @Test
    void noLogLineHoldsASecret() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger("dev.gavel");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        root.addAppender(lines);
        try {
            String secret = room.makeToken("newcomer", NEWCOMER).path("token").asString();
            revoke("newcomer");
            room.restart();
            assertThat(lines.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .anyMatch(line -> line.matches("alice made token k-\\w+ for 'newcomer'"))
                    .anyMatch(line -> line.matches("alice revoked token k-\\w+ of 'newcomer'"))
                    .anyMatch(line -> line.equals("made at run time and not in the configuration: newcomer"))
                    .noneMatch(line -> line.contains(secret)
                            || line.contains(TokenHash.of(secret).hex()));
        } finally {
            root.detachAppender(lines);
        }
    }

    @Test
    void theListSaysWhoMadeAndRevokedWhat() throws Exception {
        String id = room.makeToken(
                        "newcomer", "{\"name\":\"newcomer\",\"roles\":[\"maintainer\"],\"expiresIn\":\"30d\"}")
                .path("id")
                .asString();
        JsonNode active = listed(id);
        assertThat(active.path("state").asString()).isEqualTo("active");
        assertThat(active.path("source").asString()).isEqualTo("run-time");
        assertThat(active.path("createdBy").asString()).isEqualTo("alice");
        assertThat(active.path("expiresAt").asString()).endsWith("Z");
        assertThat(Seat.texts(active.path("roles"))).containsExactly("maintainer");
        revoke("newcomer/" + id);
        assertThat(listed(id).path("state").asString()).isEqualTo("revoked");
        assertThat(listed(id).path("revokedBy").asString()).isEqualTo("alice");
        assertThat(listed("configured").path("source").asString()).isEqualTo("configuration");
    }

    @Test
    void aRevokedTokenClosesItsSocketAndIsRefusedFromThenOn() throws Exception {
        Seat bob = room.join("bob");
        String id = room.makeToken("newcomer", NEWCOMER).path("id").asString();
        Seat newcomer = room.join("newcomer");
        Room.Answer answer = revoke("newcomer");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(Seat.texts(answer.body().path("revoked"))).containsExactly(id);
        assertThat(newcomer.closeCode()).isEqualTo(4003);
        assertThat(bob.hear("system.presence").path("payload").path("event").asString())
                .isEqualTo("join");
        assertThat(bob.hear("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
        assertThat(room.knock("newcomer", "topic=ops")).isEqualTo(401);
        Room.Answer posted = room.post("newcomer", chat("c-1"));
        assertThat(posted.status()).isEqualTo(401);
        assertThat(posted.code()).isEqualTo("unauthenticated");
    }

    @Test
    void whatIsSentAfterTheRevocationIsNotTaken() throws Exception {
        Seat bob = room.join("bob");
        room.makeToken("newcomer", NEWCOMER);
        for (int i = 0; i < 20; i++) {
            room.makeToken("newcomer", NEWCOMER);
            Seat newcomer = room.join("newcomer");
            revoke("newcomer");
            try {
                newcomer.send(chat("late-" + i));
            } catch (IOException e) {
                // Cut off already.
            }
        }
        room.join("carol");
        Seat alice = room.join("alice");
        assertThat(Seat.ids(bob.before(alice))).noneMatch(id -> id.startsWith("late-"));
    }

    @Test
    void anEnvelopeWhoseTokenIsRevokedBeforeAllOfItHasComeIsNotTaken() throws Exception {
        Seat bob = room.join("bob");
        String token = room.makeToken("newcomer", NEWCOMER).path("token").asString();
        byte[] body = chat("late").toString().getBytes(UTF_8);
        try (Socket socket = room.socket()) {
            socket.getOutputStream()
                    .write(("POST /topics/ops/messages HTTP/1.1\r\nHost: gavel\r\nAuthorization: Bearer " + token
                                    + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                            .getBytes(UTF_8));
            socket.getOutputStream().write(body, 0, 10);
            // Another request has been answered meanwhile, so this one has been let in as well, as far as can be told.
            assertThat(room.post("newcomer", chat("early")).status()).isEqualTo(202);
            revoke("newcomer");
            socket.getOutputStream().write(body, 10, body.length - 10);
            socket.getOutputStream().flush();
            BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            assertThat(lines.lines()
                            .filter(line -> line.startsWith("HTTP/1.1 4"))
                            .findFirst())
                    .contains("HTTP/1.1 401 Unauthorized");
        }
        Seat alice = room.join("alice");
        assertThat(Seat.ids(bob.before(alice))).contains("early").doesNotContain("late");
    }

    @Test
    void aRevokedTokensEventStreamEnds() throws Exception {
        room.makeToken("newcomer", NEWCOMER);
        Feed feed = room.listen("newcomer", "", "");
        feed.next();
        revoke("newcomer");
        assertThatThrownBy(() -> {
                    while (true) {
                        feed.next();
                    }
                })
                .isInstanceOf(IOException.class);
    }

    @Test
    void aRevokedTokensPollEnds() throws Exception {
        Seat bob = room.join("bob");
        room.makeToken("newcomer", NEWCOMER);
        try (ExecutorService elsewhere = Executors.newSingleThreadExecutor()) {
            Future<Room.Answer> poll = elsewhere.submit(() -> room.get("newcomer", "/topics/ops/messages?wait=50"));
            bob.hear("system.presence");
            revoke("newcomer");
            assertThat(poll.get().status()).isEqualTo(401);
            assertThat(poll.get().code()).isEqualTo("unauthenticated");
        }
        assertThat(bob.hear("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
    }

    @Test
    void whoPolledAMomentAgoIsNotHereOnceTheTokenIsRevoked() throws Exception {
        Seat bob = room.join("bob");
        room.makeToken("newcomer", NEWCOMER);
        room.poll("newcomer", 0, 0);
        bob.hear("system.presence");
        revoke("newcomer");
        assertThat(bob.hear("system.presence").path("payload").path("event").asString())
                .isEqualTo("leave");
    }

    @Test
    void onlyTheRevokedOneOfTwoTokensCounts() throws Exception {
        Seat bob = room.join("bob");
        String first = room.makeToken("one", NEWCOMER).path("id").asString();
        room.makeToken("two", "{\"name\":\"newcomer\",\"topic\":\"ops\"}");
        Seat socket = room.join("one");
        Feed feed = room.listen("two", "", "");
        feed.next();
        assertThat(revoke("newcomer/" + first).status()).isEqualTo(200);
        assertThat(socket.closeCode()).isEqualTo(4003);
        bob.send(chat("c-1"));
        assertThat(feed.hear("c-1").envelope().path("from").asString()).isEqualTo("bob");
        assertThat(room.post("two", chat("c-2")).status()).isEqualTo(202);
        assertThat(room.post("one", chat("c-3")).status()).isEqualTo(401);
    }

    @Test
    void whenATokensTimeIsOverItsConnectionEnds() throws Exception {
        String id = room.makeToken("newcomer", NEWCOMER.replace("}", ",\"expiresIn\":\"2s\"}"))
                .path("id")
                .asString();
        Seat newcomer = room.join("newcomer");
        assertThat(newcomer.closeCode()).isEqualTo(4003);
        assertThat(room.knock("newcomer", "topic=ops")).isEqualTo(401);
        assertThat(listed(id).path("state").asString()).isEqualTo("expired");
    }

    @Test
    void whoConnectsWhileTheTokenIsRevokedDoesNotSlipThrough() throws Exception {
        try (ExecutorService elsewhere = Executors.newSingleThreadExecutor()) {
            for (int i = 0; i < 60; i++) {
                room.makeToken("newcomer", NEWCOMER);
                Future<Room.Answer> revoked = elsewhere.submit(() -> revoke("newcomer"));
                try (TestSocket socket = room.open("newcomer", "topic=ops")) {
                    if (socket.status() == 101) {
                        assertThat(socket.closeCode()).isEqualTo(4003);
                    } else {
                        assertThat(socket.status()).isEqualTo(401);
                    }
                }
                assertThat(revoked.get().status()).isEqualTo(200);
            }
        }
        assertThat(Seat.texts(room.get("alice", "/topics/ops").body().path("participants"), "id"))
                .isEmpty();
    }

    @Test
    void aRevokedConfiguredTokenStaysRefusedAndAnotherTokenCanBeMade() throws Exception {
        assertThat(revoke("bob").status()).isEqualTo(200);
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(401);
        room.restart();
        assertThat(room.knock("bob", "topic=ops")).isEqualTo(401);
        assertThat(revoke("bob").code()).isEqualTo("already_revoked");
        room.makeToken("bob again", "{\"name\":\"bob\"}");
        room.restart();
        assertThat(room.knock("bob again", "topic=ops")).isEqualTo(101);
    }

    @Test
    void aRestartForgetsNothing() throws Exception {
        String gone = room.makeToken("gone", NEWCOMER).path("id").asString();
        room.makeToken("newcomer", NEWCOMER.replace("}", ",\"roles\":[\"admin\"]}"));
        revoke("newcomer/" + gone);
        String before = room.get("alice", "/tokens").body().toString();
        room.restart();
        assertThat(room.get("alice", "/tokens").body().toString()).isEqualTo(before);
        assertThat(room.knock("gone", "topic=ops")).isEqualTo(401);
        room.join("newcomer").put(proposal("p-1"));
        assertThat(room.get("newcomer", "/tokens").status()).isEqualTo(200);
    }

    @Test
    void aKilledServerForgetsNothing() throws Exception {
        try (Room mortal = Room.mortal(data)) {
            mortal.makeToken("newcomer", NEWCOMER);
            assertThat(mortal.ask("DELETE", "alice", "/tokens/bob", "").status())
                    .isEqualTo(200);
            mortal.kill();
            mortal.start();
            assertThat(mortal.knock("newcomer", "topic=ops")).isEqualTo(101);
            assertThat(mortal.knock("bob", "topic=ops")).isEqualTo(401);
        }
    }

    @Test
    void rolesTakeEffectAtOnce() throws Exception {
        assertThat(room.get("bob", "/tokens").code()).isEqualTo("not_admin");
        room.makeToken("bob too", "{\"name\":\"bob\",\"roles\":[\"admin\"]}");
        assertThat(room.get("bob", "/tokens").status()).isEqualTo(200);
        assertThat(room.ask("POST", "bob", "/tokens", "{\"name\":\"alice\",\"roles\":[]}")
                        .status())
                .isEqualTo(201);
        assertThat(room.get("alice", "/tokens").code()).isEqualTo("not_admin");
    }

    @Test
    void rolesAreSetWithoutAToken() throws Exception {
        Room.Answer answer = room.ask("PUT", "alice", "/tokens/bob/roles", "{\"roles\":[\"maintainer\",\"admin\"]}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(Seat.texts(answer.body().path("roles"))).containsExactly("admin", "maintainer");
        assertThat(room.get("bob", "/tokens").status()).isEqualTo(200);
        room.restart();
        assertThat(room.ask("PUT", "bob", "/tokens/bob/roles", "{\"roles\":[]}").status())
                .isEqualTo(200);
        assertThat(room.get("bob", "/tokens").code()).isEqualTo("not_admin");
    }

    @Test
    void whoGetsANameThatWasUsedBeforeFindsNothingOfIt() throws Exception {
        room.makeToken("newcomer", NEWCOMER.replace("}", ",\"roles\":[\"admin\"]}"));
        revoke("newcomer");
        JsonNode made = room.makeToken("newcomer", "{\"name\":\"newcomer\"}");
        assertThat(made.path("roles").isEmpty()).isTrue();
        assertThat(made.path("topics").isEmpty()).isTrue();
        assertThat(room.get("newcomer", "/tokens").code()).isEqualTo("not_admin");
        assertThat(room.knock("newcomer", "topic=ops")).isEqualTo(403);
        room.restart();
        assertThat(room.get("newcomer", "/tokens").code()).isEqualTo("not_admin");
        assertThat(room.knock("newcomer", "topic=ops")).isEqualTo(403);
    }

    @Test
    void theLastAdminIsNotLockedOut() throws Exception {
        assertThat(revoke("alice").code()).isEqualTo("last_admin");
        assertThat(revoke("alice/configured").code()).isEqualTo("last_admin");
        Room.Answer roles = room.ask("POST", "alice", "/tokens", "{\"name\":\"alice\",\"roles\":[]}");
        assertThat(roles.code()).isEqualTo("last_admin");
        assertThat(roles.status()).isEqualTo(409);
        room.makeToken("other", "{\"name\":\"other\",\"roles\":[\"admin\"]}");
        assertThat(revoke("alice").status()).isEqualTo(200);
        assertThat(room.get("alice", "/tokens").status()).isEqualTo(401);
        assertThat(room.ask("DELETE", "other", "/tokens/other", "").code()).isEqualTo("last_admin");
    }
}
