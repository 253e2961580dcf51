package dev.gavel.bench.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeardTest {
    @Test
    void whatConcernsTheEnvelopeItselfIsFoundBeforeItsPayload() {
        Heard heard = new Heard(
                "{\"from\":\"ann\",\"protocol\":\"mcpx/v0.1\",\"id\":\"p-1\",\"kind\":\"a.b\","
                        + "\"correlationId\":\"q\",\"payload\":{\"id\":\"x\",\"error\":\"unavailable\",\"retryAfterMs\":1000}}");
        assertThat(heard.id()).isEqualTo("p-1");
        assertThat(heard.kind()).isEqualTo("a.b");
        assertThat(heard.about()).isEqualTo("q");
        assertThat(heard.error()).isEqualTo("unavailable");
        assertThat(heard.number("retryAfterMs")).isEqualTo(1000);
    }

    @Test
    void aWelcomesSeqIsItsLast() {
        Heard welcome = new Heard("{\"kind\":\"system.welcome\",\"payload\":{\"proposals\":[{\"seq\":3}],\"seq\":17}}");
        assertThat(welcome.number("seq")).isEqualTo(17);
    }

    @Test
    void whatIsNotThereIsEmpty() {
        assertThat(new Heard("{}").id()).isEmpty();
        assertThat(new Heard("{}").number("seq")).isEqualTo(-1);
    }

    @Test
    void anExportedLineIsReadWithoutItsBody() {
        Logged logged = Logged.of("{\"topic\":\"ops\",\"seq\":3,\"at\":\"2026-01-05T10:00:03Z\",\"proposal\":\"p2\","
                + "\"type\":\"expired\",\"by\":\"system:gateway\",\"body\":{\"envelope\":\"no\",\"seq\":9}}");
        assertThat(logged).isEqualTo(new Logged("ops", 3, "p2", "expired", ""));
    }
}
