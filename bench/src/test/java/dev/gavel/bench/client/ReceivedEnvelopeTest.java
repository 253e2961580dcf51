package dev.gavel.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.bench.server.LedgerExportLine;
import org.junit.jupiter.api.Test;

class ReceivedEnvelopeTest {
    @Test
    void whatConcernsTheEnvelopeItselfIsFoundBeforeItsPayload() {
        ReceivedEnvelope receivedEnvelope = new ReceivedEnvelope(
                "{\"from\":\"ann\",\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"a.b\","
                        + "\"correlationId\":\"q\",\"payload\":{\"id\":\"x\",\"error\":\"unavailable\",\"retryAfterMs\":1000}}");
        assertThat(receivedEnvelope.id()).isEqualTo("p-1");
        assertThat(receivedEnvelope.kind()).isEqualTo("a.b");
        assertThat(receivedEnvelope.correlationId()).isEqualTo("q");
        assertThat(receivedEnvelope.errorCode()).isEqualTo("unavailable");
        assertThat(receivedEnvelope.numberField("retryAfterMs")).isEqualTo(1000);
    }

    @Test
    void aWelcomesSeqIsItsLast() {
        ReceivedEnvelope welcome = new ReceivedEnvelope(
                "{\"kind\":\"system.welcome\",\"payload\":{\"proposals\":[{\"seq\":3}],\"seq\":17}}");
        assertThat(welcome.numberField("seq")).isEqualTo(17);
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(new ReceivedEnvelope("{}").id()).isEmpty();
        assertThat(new ReceivedEnvelope("{}").numberField("seq")).isEqualTo(-1);
    }

    @Test
    void anExportedLineIsReadWithoutItsBody() {
        LedgerExportLine ledgerExportLine = LedgerExportLine.parse(
                "{\"topic\":\"ops\",\"seq\":3,\"at\":\"2026-01-05T10:00:03Z\",\"proposal\":\"p2\","
                        + "\"type\":\"expired\",\"by\":\"system:gateway\",\"body\":{\"envelope\":\"no\",\"seq\":9}}");
        assertThat(ledgerExportLine).isEqualTo(new LedgerExportLine("ops", 3, "p2", "expired", ""));
    }
}
