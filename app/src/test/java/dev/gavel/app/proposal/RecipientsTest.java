package dev.gavel.app.proposal;

import static dev.gavel.app.proposal.Draft.answer;
import static dev.gavel.app.proposal.Draft.fulfilment;
import static dev.gavel.app.proposal.Draft.proposal;
import static dev.gavel.app.proposal.Draft.rejection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Recipients of lifecycle envelopes: {@code can:} is resolved once, on arrival; unknown names are told. */
class RecipientsTest {
    private static final String CAN_WRITE = "can:mcp.request.tools/call:write_file";

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

    @Test
    void aProposalToWhoeverCanIsToThoseWhoAreHereThen() throws Exception {
        Seat bob = room.join("bob", "&mode=directed");
        Seat carol = room.join("carol", "&mode=directed");
        Seat helper = room.join("helper");
        assertThat(helper.put(proposal("p-1").to(CAN_WRITE)).path("to").toString())
                .isEqualTo("[\"bob\"]");
        assertThat(bob.hearId("p-1").path("to").toString()).isEqualTo("[\"bob\"]");
        assertThat(Seat.ids(carol.before(helper))).doesNotContain("p-1");
        assertThat(room.proposal("helper", "p-1").path("to").toString()).isEqualTo("[\"bob\"]");
        room.join("alice").put(rejection("r-1", "busy", "p-1"));
        bob.put(rejection("r-2", "busy", "p-1"));
        assertThat(room.state("p-1")).isEqualTo("rejected");
    }

    @Test
    void aResendIsTheSameThoughOthersCanNow() throws Exception {
        room.join("bob");
        Seat helper = room.join("helper");
        helper.put(proposal("p-1").to(CAN_WRITE));
        room.join("alice");
        assertThat(helper.put(proposal("p-1").to(CAN_WRITE)).path("to").toString())
                .isEqualTo("[\"bob\"]");
    }

    @Test
    void aProposalToWhoeverCanWhileNobodyCanIsNone() throws Exception {
        Seat carol = room.join("carol");
        Seat helper = room.join("helper");
        assertThat(helper.refused(proposal("p-1").to(CAN_WRITE)).path("error").asString())
                .isEqualTo("unknown_recipient");
        assertThat(Seat.ids(carol.before(helper))).doesNotContain("p-1");
        assertThat(room.get("helper", "/topics/ops/proposals/p-1").status()).isEqualTo(404);
        room.join("bob");
        helper.put(proposal("p-1").to(CAN_WRITE));
    }

    @Test
    void aFulfilmentToWhoeverCanAnswerIsAnsweredByAnyOfThem() throws Exception {
        Seat files = room.join("files", "&mode=directed");
        Seat search = room.join("search", "&mode=directed");
        Seat bob = room.join("bob");
        room.join("helper").put(proposal("p-1"));
        JsonNode echo = bob.put(fulfilment("f-1", "p-1").to("can:mcp.response.tools/call:write_file"));
        assertThat(echo.path("to").toString()).isEqualTo("[\"files\",\"search\"]");
        files.hearId("f-1");
        search.hearId("f-1");
        search.put(answer("a-1", "f-1").to("bob"));
        assertThat(room.outcome("p-1")).isEqualTo("succeeded");
    }

    @Test
    void aProposalToSomeUnknownIsMadeAndTheyAreTold() throws Exception {
        Seat bob = room.join("bob");
        Room.Answer answer = room.post("helper", proposal("p-1").to("ghost", "bob"));
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body().path("errors").path(0).path("code").asString()).isEqualTo("unknown_recipient");
        assertThat(answer.body().path("errors").path(0).path("detail").asString())
                .contains("ghost");
        bob.hearId("p-1");
        assertThat(room.state("p-1")).isEqualTo("open");
    }

    @Test
    void aProposalToNoMemberAtAllIsNone() throws Exception {
        Room.Answer answer = room.post("helper", proposal("p-1").to("ghost"));
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.code()).isEqualTo("unknown_recipient");
        assertThat(room.get("helper", "/topics/ops/proposals/p-1").status()).isEqualTo(404);
    }

    @Test
    void aProposalToAMemberWhoIsAwayStands() throws Exception {
        room.join("helper").put(proposal("p-1").to("bob"));
        assertThat(room.state("p-1")).isEqualTo("open");
        assertThat(room.join("bob").waiting()).containsExactly("p-1");
    }
}
