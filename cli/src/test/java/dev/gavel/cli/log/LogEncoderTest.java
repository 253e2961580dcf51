package dev.gavel.cli.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the text and JSON log encoders. */
class LogEncoderTest {
    private static LoggingEvent event(String message, @Nullable Throwable thrown) {
        return new LoggingEvent(
                "", new LoggerContext().getLogger("dev.gavel.app.Some"), Level.WARN, message, thrown, null);
    }

    private static String text(LoggingEvent event) {
        return new String(new TextLogEncoder().encode(event), UTF_8);
    }

    private static String json(LoggingEvent event) {
        return new String(new JsonLogEncoder().encode(event), UTF_8);
    }

    @Test
    void aMessageCannotForgeASecondLine() {
        LoggingEvent event = event("a\n2026-01-01T00:00:00 INFO  Forged: b\r\u001b[2J\u2028\u202e", null);

        assertThat(text(event).lines()).hasSize(1);
        assertThat(text(event))
                .endsWith("WARN  Some: a\\u000a2026-01-01T00:00:00 INFO  Forged: b\\u000d\\u001b[2J\\u2028\\u202e\n");
        assertThat(json(event)).hasLineCount(1).doesNotContain("\u001b");
    }

    @Test
    void aKeyValueOrErrorMessageCannotForgeALine() {
        LoggingEvent event = event("a", new IOException("x\n2026-01-01T00:00:00 INFO  Forged: b"));
        event.addKeyValuePair(new KeyValuePair("path", "/\nForged"));

        assertThat(text(event).lines().skip(1)).isNotEmpty().allMatch(line -> line.startsWith("\t"));
        assertThat(text(event)).contains("Some: a path=/\\u000aForged\n");
        assertThat(json(event).strip().lines()).hasSize(1);
    }

    @Test
    void jsonHasAFieldForEverything() {
        LoggingEvent event = event("it failed", new IOException("no disk"));
        event.addKeyValuePair(new KeyValuePair("topic", "ops"));
        event.addKeyValuePair(new KeyValuePair("message", "another"));

        JsonNode line = new JsonMapper().readTree(json(event));

        assertThat(line.path("ts").asString()).endsWith("Z");
        assertThat(line.path("level").asString()).isEqualTo("WARN");
        assertThat(line.path("logger").asString()).isEqualTo("dev.gavel.app.Some");
        assertThat(line.path("message").asString()).isEqualTo("it failed");
        assertThat(line.path("message_").asString()).isEqualTo("another");
        assertThat(line.path("thread").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(line.path("topic").asString()).isEqualTo("ops");
        assertThat(line.path("error").path("class").asString()).isEqualTo("java.io.IOException");
        assertThat(line.path("error").path("message").asString()).isEqualTo("no disk");
        assertThat(line.path("error").path("stack").asString()).contains("LogEncoderTest");
    }

    @Test
    void longTextIsTruncated() {
        LoggingEvent event = event("a".repeat(1_000_000), new IOException("b".repeat(1_000_000)));

        assertThat(text(event)).hasSizeLessThan(20_000);
        assertThat(json(event)).hasSizeLessThan(40_000);
    }

    @Test
    void jsonEscapesInvisibleCharactersWithoutLoss() {
        String invisible = "a\u0085b\u009bc\u202ed\u2028e\udb40\udc01f";
        LoggingEvent event = event(invisible, new IOException(invisible));
        event.addKeyValuePair(new KeyValuePair("path", invisible));

        assertThat(json(event)).doesNotContain("\u0085", "\u009b", "\u202e", "\u2028", "\udb40\udc01");
        JsonNode line = new JsonMapper().readTree(json(event));
        assertThat(line.path("message").asString()).isEqualTo(invisible);
        assertThat(line.path("path").asString()).isEqualTo(invisible);
        assertThat(line.path("error").path("message").asString()).isEqualTo(invisible);
    }

    @Test
    void anUnpairedSurrogateDoesNotPreventLogging() {
        String cut = "a".repeat(8 * 1024 - 1) + "\ud83d\udd28b";

        assertThat(new JsonMapper()
                        .readTree(json(event("x\ud83d", null)))
                        .path("message")
                        .asString())
                .isEqualTo("x?");
        assertThat(new JsonMapper()
                        .readTree(json(event(cut, null)))
                        .path("message")
                        .asString())
                .isEqualTo("a".repeat(8 * 1024 - 1) + "…");
    }

    @Test
    void textOmitsValuesThatTheMessageContains() {
        LoggingEvent event = event("alice made token k-12 for 'helper'", null);
        for (String pair : List.of("by=alice", "identity=helper", "token=k-12", "change=token.created", "seq=1")) {
            event.addKeyValuePair(new KeyValuePair(pair.split("=", 2)[0], pair.split("=", 2)[1]));
        }

        assertThat(text(event)).endsWith("Some: alice made token k-12 for 'helper' change=token.created seq=1\n");
        assertThat(new JsonMapper().readTree(json(event)).path("identity").asString())
                .isEqualTo("helper");
    }
}
