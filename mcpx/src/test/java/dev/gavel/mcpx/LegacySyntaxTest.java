package dev.gavel.mcpx;

import static dev.gavel.mcpx.EnvelopeFixtures.readAccepted;
import static dev.gavel.mcpx.EnvelopeFixtures.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests reading and writing envelopes in the legacy syntax from before ADR-008. */
class LegacySyntaxTest {
    static Stream<String> adrMessages() {
        return Stream.of("""
                {
                  "protocol": "mcpx/v0.1",
                  "id": "prop-123",
                  "from": "untrusted-agent",
                  "to": ["filesystem-agent"],
                  "kind": "mcp.proposal.tools/call",
                  "payload": {
                    "method": "tools/call",
                    "params": { "name": "write_file" }
                  }
                }
                """, """
                {
                  "protocol": "mcpx/v0.1",
                  "id": "withdraw-456",
                  "from": "untrusted-agent",
                  "correlationId": "prop-123",
                  "kind": "mcpx.withdraw.proposal",
                  "payload": {
                    "reason": "No longer needed"
                  }
                }
                """, """
                {
                  "protocol": "mcpx/v0.1",
                  "id": "reject-789",
                  "from": "filesystem-agent",
                  "to": ["untrusted-agent"],
                  "correlationId": "prop-123",
                  "kind": "mcpx.reject.proposal",
                  "payload": {
                    "reason": "busy"
                  }
                }
                """, """
                {
                  "protocol": "mcpx/v0.1",
                  "id": "status-1",
                  "kind": "mcpx.status.proposal",
                  "correlationId": "prop-123",
                  "payload": {
                    "status": "considering"
                  }
                }
                """);
    }

    @ParameterizedTest
    @MethodSource("adrMessages")
    void theAdrsOwnMessagesAreTaken(String message) {
        Envelope envelope = readAccepted(message);
        assertThat(envelope.syntax()).isEqualTo(EnvelopeSyntax.CURRENT);
        assertThat(envelope.findKindPayloadMismatch()).isNull();
        assertThat(envelope.needsLedgerCheck()).isTrue();
    }

    private static final String REQUEST = """
            {"protocol":"mcpx/v0.1","id":"env-call-1","from":"trusted-agent","to":["target-agent"],
             "kind":"mcp/request:tools/call:dangerous_operation",
             "payload":{"jsonrpc":"2.0","id":42,"method":"tools/call",
               "params":{"name":"dangerous_operation","arguments":{"target":"production"}}}}""";
    private static final String RESPONSE = """
            {"protocol":"mcpx/v0.1","id":"env-resp-1","from":"target-agent","to":["trusted-agent"],
             "kind":"mcp/response:tools/call:dangerous_operation","correlation_id":"env-call-1",
             "payload":{"jsonrpc":"2.0","id":42,"result":{"content":[{"type":"text","text":"Operation completed"}]}}}""";
    private static final String PROPOSAL = """
            {"protocol":"mcpx/v0.1","id":"env-req-1","from":"untrusted-agent","to":["target-agent"],
             "kind":"mcp/proposal:tools/call:dangerous_operation",
             "payload":{"method":"tools/call","params":{"name":"dangerous_operation","arguments":{"target":"production"}}}}""";
    private static final String FULFILMENT = """
            {"protocol":"mcpx/v0.1","id":"env-fulfill-1","from":"human-user","to":["target-agent"],
             "kind":"mcp/request:tools/call:dangerous_operation","correlation_id":"env-req-1",
             "payload":{"jsonrpc":"2.0","id":44,"method":"tools/call",
               "params":{"name":"dangerous_operation","arguments":{"target":"production"}}}}""";
    private static final String CHAT = """
            {"protocol":"mcpx/v0.1","id":"env-chat-1","from":"user-alice","kind":"chat",
             "payload":{"text":"Hello everyone!","format":"plain"}}""";

    static Stream<String> oldMessages() {
        return Stream.of(REQUEST, RESPONSE, PROPOSAL, FULFILMENT, CHAT);
    }

    @ParameterizedTest
    @MethodSource("oldMessages")
    void messagesInTheOldSpellingMeanTheSame(String message) {
        Envelope envelope = readAccepted(message);
        assertThat(envelope.syntax()).isEqualTo(EnvelopeSyntax.LEGACY);
        assertThat(envelope.findKindPayloadMismatch()).isNull();
        Instant now = Instant.parse("2026-01-05T10:00:00Z");
        String current = text(envelope.encode(EnvelopeSyntax.CURRENT, "x", now));
        assertThat(current)
                .doesNotContain("correlation_id")
                .doesNotContain("mcp/re")
                .doesNotContain("mcp/pro");
        Envelope again = readAccepted(current);
        assertThat(again.syntax()).isEqualTo(EnvelopeSyntax.CURRENT);
        assertThat(again.kind()).isEqualTo(envelope.kind());
        assertThat(again.correlationIds()).isEqualTo(envelope.correlationIds());
        assertThat(again.payload()).isEqualTo(envelope.payload());
        String back = text(again.encode(EnvelopeSyntax.LEGACY, "x", now));
        assertThat(back).isEqualTo(text(envelope.encode(EnvelopeSyntax.LEGACY, "x", now)));
    }

    @Test
    void theOldFieldAloneMakesAnEnvelopeOld() {
        assertThat(readAccepted(EnvelopeFixtures.envelope(
                                "mcpx.withdraw.proposal", "{}", ",'correlation_id':['p','q']"))
                        .syntax())
                .isEqualTo(EnvelopeSyntax.LEGACY);
    }

    @Test
    void oldCapabilitiesAdmitBothSpellings() {
        CapabilitySet old = EnvelopeFixtures.capabilities("['mcp/proposal:*','mcp/response:*','chat','presence']");
        assertThat(old.admits(readAccepted(PROPOSAL))).isTrue();
        assertThat(old.admits(readAccepted(adrMessages().findFirst().orElseThrow())))
                .isTrue();
        assertThat(old.admits(readAccepted(RESPONSE))).isTrue();
        assertThat(old.admits(readAccepted(CHAT))).isTrue();
        assertThat(old.admits(readAccepted(REQUEST))).isFalse();
        assertThat(EnvelopeFixtures.capabilities("['mcp.request.tools/*']").admits(readAccepted(REQUEST)))
                .isTrue();
    }
}
