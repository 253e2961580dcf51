package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class HeaderTextTest {
    @Test
    void aPlainTextIsWrittenAsItIs() {
        assertThat(HeaderText.encode("us-west1")).isEqualTo("us-west1");
        assertThat(HeaderText.decode("us-west1")).contains("us-west1");
    }

    @Test
    void whatAHeaderCannotCarryIsWrittenBetweenMarks() {
        assertThat(HeaderText.encode("Hello, 世界")).isEqualTo("=?base64?SGVsbG8sIOS4lueVjA==?=");
        assertThat(HeaderText.encode(" padded ")).isEqualTo("=?base64?IHBhZGRlZCA=?=");
        assertThat(HeaderText.encode("=?base64?literal?=")).isEqualTo("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
    }

    @Test
    void whatMakesNoSenseSaysNothing() {
        assertThat(HeaderText.decode("=?base64?***?=")).isEmpty();
        assertThat(HeaderText.decode("=?base64?/w==?=")).isEmpty();
        assertThat(HeaderText.decode("=?base64?SGVsbG8?=")).isEmpty();
        assertThat(HeaderText.decode("caf\u00e9")).isEmpty();
    }

    @Property(tries = 200)
    void everyTextComesBack(@ForAll String text) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(HeaderText.decode(HeaderText.encode(whole))).contains(whole);
    }
}
