package dev.gavel.mcp.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class HeaderValueCodecTest {
    @Test
    void plainTextIsUnchanged() {
        assertThat(HeaderValueCodec.encode("us-west1")).isEqualTo("us-west1");
        assertThat(HeaderValueCodec.decode("us-west1")).contains("us-west1");
    }

    @Test
    void encodesOtherTextAsBase64() {
        assertThat(HeaderValueCodec.encode("Hello, 世界")).isEqualTo("=?base64?SGVsbG8sIOS4lueVjA==?=");
        assertThat(HeaderValueCodec.encode(" padded ")).isEqualTo("=?base64?IHBhZGRlZCA=?=");
        assertThat(HeaderValueCodec.encode("=?base64?literal?=")).isEqualTo("=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=");
    }

    @Test
    void rejectsInvalidValues() {
        assertThat(HeaderValueCodec.decode("=?base64?***?=")).isEmpty();
        assertThat(HeaderValueCodec.decode("=?base64?/w==?=")).isEmpty();
        assertThat(HeaderValueCodec.decode("=?base64?SGVsbG8?=")).isEmpty();
        assertThat(HeaderValueCodec.decode("caf\u00e9")).isEmpty();
    }

    @Property(tries = 200)
    void roundTripsAnyText(@ForAll String text) {
        String whole = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        assertThat(HeaderValueCodec.decode(HeaderValueCodec.encode(whole))).contains(whole);
    }
}
