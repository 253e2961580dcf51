package dev.gavel.gateway.proposal;

import static dev.gavel.gateway.proposal.ProposalFixture.declined;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gavel.mcpx.EnvelopeErrorCode;
import dev.gavel.mcpx.EnvelopeSyntax;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Envelopes whose id the ledger already knows. */
class ProposalResendTest {
    private final ProposalFixture fixture = new ProposalFixture();
    private final StoredEnvelope rejectEnvelope =
            StoredEnvelope.of(fixture.admitted("x", "bob", "mcpx.reject.proposal", "{'reason':'busy'}", "", "'p'"));

    private Optional<ProposalSnapshot> find(String id) {
        return Optional.ofNullable(fixture.proposalSnapshots.get(id));
    }

    @Test
    void theSameAgainIsEchoedAndNotDoneAgain() {
        AdmittedEnvelope admittedEnvelope =
                fixture.admitted("x", "bob", "mcpx.reject.proposal", "{'reason':'busy'}", "", "'p'");
        fixture.propose("p", ProposalFixture.WRITE);
        fixture.apply(fixture.decider.decideUpdate(admittedEnvelope, this::find));
        fixture.advanceTime(Duration.ofHours(1));
        ProposalDeciderResult proposalDeciderResult =
                fixture.decider.decideDuplicate(rejectEnvelope, admittedEnvelope, this::find);
        assertThat(proposalDeciderResult).isInstanceOfSatisfying(ProposalDeciderResult.Duplicate.class, duplicate -> {
            assertThat(duplicate.storedEnvelope()).isEqualTo(rejectEnvelope);
            assertThat(duplicate.errors()).isEmpty();
            assertThat(duplicate.rejectionEffects())
                    .extracting(RejectionEffect::proposalId, RejectionEffect::closed)
                    .containsExactly(tuple("p", false));
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            alice | mcpx.reject.proposal | {'reason':'busy'}   | ~~        | 'p'
            bob   | mcpx.status.proposal | {'status':'queued'} | ~~        | 'p'
            bob   | mcpx.reject.proposal | {'reason': 'busy'}  | ~~        | 'p'
            bob   | mcpx.reject.proposal | {'reason':'busy'}   | ['alice'] | 'p'
            bob   | mcpx.reject.proposal | {'reason':'busy'}   | ~~        | ['p','q']
            """)
    void theSameIdWithOtherContentIsADuplicate(String from, String kind, String payload, String to, String about) {
        ProposalRefusal proposalRefusal = declined(fixture.decider.decideDuplicate(
                rejectEnvelope, fixture.admitted("x", from, kind, payload, to, about), this::find));
        assertThat(proposalRefusal.refusal().code()).isEqualTo(EnvelopeErrorCode.DUPLICATE_ID);
        assertThat(proposalRefusal.toFailure().proposal()).isNull();
        assertThat(proposalRefusal.refusal().message()).contains("'x'", "with a new id");
    }

    @Test
    void whoACanEntryStandsForMayHaveChangedMeanwhile() {
        AdmittedEnvelope first =
                fixture.admitted("y", "agent", "mcp.proposal.tools/list", "{'method':'tools/list'}", "['can:a.b']", "");
        StoredEnvelope storedEnvelope =
                StoredEnvelope.of(new AdmittedEnvelope(first.envelope(), "agent", List.of("alice"), fixture.now));
        AdmittedEnvelope again = new AdmittedEnvelope(first.envelope(), "agent", List.of("bob"), fixture.now);
        assertThat(storedEnvelope.isResentAs(again)).isTrue();
        assertThat(new String(storedEnvelope.encode(EnvelopeSyntax.CURRENT), StandardCharsets.UTF_8))
                .contains("\"to\":[\"alice\"]")
                .contains("\"from\":\"agent\"")
                .contains("\"ts\":\"2026-01-05T10:00:00.000Z\"");
    }
}
