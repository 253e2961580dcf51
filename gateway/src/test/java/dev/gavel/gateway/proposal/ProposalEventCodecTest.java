package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.gateway.proposal.ProposalEvent.Answered;
import dev.gavel.gateway.proposal.ProposalEvent.ApprovalHeld;
import dev.gavel.gateway.proposal.ProposalEvent.CallerDisconnected;
import dev.gavel.gateway.proposal.ProposalEvent.CallerWaits;
import dev.gavel.gateway.proposal.ProposalEvent.ClosedByRejections;
import dev.gavel.gateway.proposal.ProposalEvent.Expired;
import dev.gavel.gateway.proposal.ProposalEvent.Forwarded;
import dev.gavel.gateway.proposal.ProposalEvent.Fulfilled;
import dev.gavel.gateway.proposal.ProposalEvent.HeldApprovalDropped;
import dev.gavel.gateway.proposal.ProposalEvent.NotForwarded;
import dev.gavel.gateway.proposal.ProposalEvent.OutcomeUnknown;
import dev.gavel.gateway.proposal.ProposalEvent.Proposed;
import dev.gavel.gateway.proposal.ProposalEvent.Reachable;
import dev.gavel.gateway.proposal.ProposalEvent.Rejected;
import dev.gavel.gateway.proposal.ProposalEvent.StatusReported;
import dev.gavel.gateway.proposal.ProposalEvent.Unreachable;
import dev.gavel.gateway.proposal.ProposalEvent.Withdrawn;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.JsonByteWriter;
import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.ValueParseResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Encoding and decoding of stored events. */
class ProposalEventCodecTest {
    private static final StoredEnvelope SENT = StoredEnvelope.of(new ProposalFixture()
            .admitted("x", "agent", "mcp.proposal.tools/call", ProposalFixture.WRITE, "['alice','can:a.b']", ""));

    @Provide
    Arbitrary<ProposalEvent> events() {
        Arbitrary<String> text = Arbitraries.of("", "a", "it's \"so\"\n", "grün ☂ 𝄞", "\u0000\\", "{}", "null");
        Arbitrary<@Nullable String> optional = text.injectNull(0.3);
        Arbitrary<Instant> instant = Arbitraries.longs()
                .between(-62_000_000_000L, 250_000_000_000L)
                .map(seconds -> Instant.ofEpochSecond(seconds, Math.floorMod(seconds, 1_000_000_000L)));
        Arbitrary<List<String>> texts = text.list().ofMaxSize(3);
        Arbitrary<StoredEnvelope> storedEnvelope = Combinators.combine(
                        text, texts, instant.filter(at -> at.isAfter(Instant.EPOCH)))
                .as(ProposalEventCodecTest::sent);
        Arbitrary<Boolean> flag = Arbitraries.of(true, false);
        Arbitrary<SystemMessage.Rejection> rejection =
                Combinators.combine(text, text, optional).as(SystemMessage.Rejection::new);
        return Arbitraries.oneOf(List.of(
                Combinators.combine(storedEnvelope, instant).as(Proposed::new),
                Combinators.combine(storedEnvelope, flag, instant).as(Fulfilled::new),
                Combinators.combine(storedEnvelope, flag).as(Answered::new),
                Combinators.combine(text, text, text, optional, storedEnvelope.injectNull(0.5))
                        .as(Rejected::new),
                Combinators.combine(text, text, optional, storedEnvelope.injectNull(0.5))
                        .as(Withdrawn::new),
                Combinators.combine(text, text, text, optional, storedEnvelope.injectNull(0.5))
                        .as(StatusReported::new),
                Arbitraries.just(new Expired()),
                rejection.list().ofMaxSize(3).map(ClosedByRejections::new),
                Arbitraries.of(OutcomeUnknown.Reason.values()).map(OutcomeUnknown::new),
                texts.map(Unreachable::new),
                texts.map(Reachable::new),
                text.map(Forwarded::new),
                Combinators.combine(text, text).as(NotForwarded::new),
                text.map(CallerWaits::new),
                Combinators.combine(text, instant.injectNull(0.5)).as(CallerDisconnected::new),
                Combinators.combine(storedEnvelope, flag, instant)
                        .as((envelope, edited, deadline) ->
                                new ApprovalHeld(new Fulfilled(envelope, edited, deadline), edited ? "hash" : null)),
                text.map(HeldApprovalDropped::new)));
    }

    /** An envelope with irregular spacing, an unknown field, and a payload that must stay unchanged. */
    private static StoredEnvelope sent(String text, List<String> to, Instant at) {
        String quoted = new String(JsonByteWriter.write(json -> json.writeString(text)), StandardCharsets.UTF_8);
        byte[] envelope = ("{ \"protocol\":\"mcpx/v0.1\",\n\"id\":\"x\", \"mine\":" + quoted
                        + ",\"kind\":\"mcp/response:tools/call\",\"correlation_id\":\"r\","
                        + "\"payload\": {\"result\" :{ \"isError\":true, \"t\":" + quoted + "\t, \"n\":1.50e+2}} }")
                .getBytes(StandardCharsets.UTF_8);
        return StoredEnvelope.of(new AdmittedEnvelope(
                (Envelope) new EnvelopeReader(EnvelopeLimits.DEFAULT).read(envelope), "agent", to, at));
    }

    @Property
    void thereAndBackIsTheSame(@ForAll("events") ProposalEvent event) {
        byte[] body = ProposalEventCodec.encode(event);
        ProposalEvent read = ProposalEventCodec.decode(event.type(), body).orThrow();
        assertThat(read).isEqualTo(event);
        assertThat(ProposalEventCodec.encode(read)).isEqualTo(body);
        assertThat(read.actor()).isEqualTo(event.actor());
        assertThat(read.envelopeId()).isEqualTo(event.envelopeId());
    }

    @Property
    void bytesThatWereHarmedAreSaidToBeOrStillReadAsAnEvent(
            @ForAll("events") ProposalEvent event, @ForAll int where, @ForAll byte what) {
        byte[] body = ProposalEventCodec.encode(event);
        body[Math.floorMod(where, body.length)] = what;
        assertThat(ProposalEventCodec.decode(event.type(), body)).isNotNull();
        byte[] cut = Arrays.copyOf(body, Math.floorMod(where, body.length));
        assertThat(ProposalEventCodec.decode(event.type(), cut)).isInstanceOf(ValueParseResult.Invalid.class);
    }

    @Property
    void fieldsOfALaterVersionArePassedOver(@ForAll("events") ProposalEvent event) {
        String body = new String(ProposalEventCodec.encode(event), StandardCharsets.UTF_8);
        String later = "{\"later\":[1,{\"a\":null}],\"newer\":{\"by\":3},\"newest\":7" + (body.equals("{}") ? "" : ",")
                + body.substring(1);
        assertThat(ProposalEventCodec.decode(event.type(), later.getBytes(StandardCharsets.UTF_8))
                        .orThrow())
                .isEqualTo(event);
    }

    @Property(tries = 200)
    void aPayloadIsKeptByteForByte(@ForAll("events") ProposalEvent event) {
        StoredEnvelope storedEnvelope = event.storedEnvelope();
        if (storedEnvelope != null) {
            StoredEnvelope read = ProposalEventCodec.decode(event.type(), ProposalEventCodec.encode(event))
                    .orThrow()
                    .storedEnvelope();
            assertThat(read).isNotNull();
            assertThat(read.envelope().payload())
                    .isEqualTo(storedEnvelope.envelope().payload());
            assertThat(read.envelope().payload().toString()).startsWith("{\"result\" :{ \"isError\":true, \"t\":");
            assertThat(read.to()).isEqualTo(storedEnvelope.to());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            moved                | {}                                                      | newer version
            proposed             | {'expiresAt':'2026-01-05T10:00:00Z'}                    | 'envelope' is missing
            proposed             | {'envelope':{},'expiresAt':'2026-01-05T10:00:00Z'}      | protocol
            rejected             | {'by':'a','reference':'b'}                              | 'reason' is missing
            rejected             | {'by':'a','reference':'b','reason':true}                | 'reason' has the wrong type
            outcome_unknown      | {'why':'because'}                                       | BECAUSE
            unreachable          | {'couldFulfil':'alice'}                                 | wrong type
            unreachable          | {'couldFulfil':[['alice']]}                             | wrong type
            unreachable          | {'couldFulfil':[7]}                                     | wrong type
            unreachable          | {'couldFulfil':[null]}                                  | wrong type
            unreachable          | {'couldFulfil':null}                                    | missing
            expired              | []                                                      | not a JSON object
            expired              | {} {}                                                   | extra data
            """)
    void whatIsMissingOrWrongIsSaid(String type, String body, String problem) {
        assertThat(ProposalEventCodec.decode(type, ProposalFixture.bytes(body)))
                .isInstanceOfSatisfying(
                        ValueParseResult.Invalid.class,
                        invalid -> assertThat(invalid.problem())
                                .contains("'" + type + "'")
                                .contains(problem));
    }

    @Test
    void anApprovalWithMarkersIsStoredAsItRunsAndAsItWasSent() {
        RawPayload sent = RawPayload.of(ProposalFixture.bytes(
                "{'method':'tools/call','params':{'arguments':{'path':'edited-secret','other':{'dev.gavel/redacted':"
                        + "'secret'}}}}"));
        Fulfilled fulfilled = new Fulfilled(
                SENT,
                true,
                ProposalFixture.START,
                SecretArgumentPatterns.of(List.of("path")),
                null,
                List.of(),
                sent,
                List.of("other"));
        byte[] body = ProposalEventCodec.encode(fulfilled);

        ProposalEvent read = ProposalEventCodec.decode("fulfilled", body).orThrow();
        assertThat(read).isEqualTo(fulfilled);
        assertThat(Objects.requireNonNull(read.sentEnvelope()).envelope().payload())
                .isEqualTo(sent);
        assertThat(ProposalEventCodec.redact("fulfilled", body))
                .hasValueSatisfying(redacted -> assertThat(new String(redacted, StandardCharsets.UTF_8))
                        .contains("\"dev.gavel/redacted\"")
                        .doesNotContain("edited-secret"));
        assertThat(ProposalEventCodec.redact(
                        "approval_held", ProposalEventCodec.encode(new ApprovalHeld(fulfilled, null))))
                .hasValueSatisfying(redacted ->
                        assertThat(new String(redacted, StandardCharsets.UTF_8)).doesNotContain("edited-secret"));
    }

    @Test
    void everyEventHasAWordOfItsOwn() {
        List<ProposalEvent> all = List.of(
                new Proposed(SENT, ProposalFixture.START),
                new Fulfilled(SENT, true, ProposalFixture.START),
                new Answered(SENT, true),
                new Rejected("a", "b", "c", null, null),
                new Withdrawn("a", "b", null, null),
                new StatusReported("a", "b", "c", null, null),
                new Expired(),
                new ClosedByRejections(List.of()),
                new OutcomeUnknown(OutcomeUnknown.Reason.ADDRESSEE_LEFT),
                new Unreachable(List.of()),
                new Reachable(List.of()),
                new Forwarded(),
                new NotForwarded("x"));
        Set<String> words = new HashSet<>();
        all.forEach(event -> words.add(event.type()));
        assertThat(words).hasSize(all.size());
    }
}
