package dev.gavel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sample server, line by line: which files it changes and which it never touches. */
final class FileSandboxTest {
    @TempDir
    Path directory;

    private Path sandbox;

    @BeforeEach
    void prepare() throws Exception {
        sandbox = Files.createDirectories(directory.resolve("sandbox"));
        Files.writeString(directory.resolve("secret"), "not for you");
        Files.createSymbolicLink(sandbox.resolve("link"), directory.resolve("secret"));
        Files.createSymbolicLink(sandbox.resolve("out"), directory);
        Files.createDirectories(sandbox.resolve("notes"));
        Files.writeString(sandbox.resolve("notes/todo.txt"), "milk");
    }

    private List<Json> exchange(String... lines) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] in = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
        new SampleMcpServer(new FileSandbox(sandbox), new ByteArrayInputStream(in), out).run();
        return out.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> Json.parse(line).orElseThrow())
                .toList();
    }

    private Json call(String tool, String arguments) throws Exception {
        return exchange(request("1", tool, arguments)).getFirst();
    }

    private static String request(String id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    private static String resultText(Json answer) {
        return answer.at("result")
                .at("content")
                .elements()
                .getFirst()
                .at("text")
                .text();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../secret",
                "notes/../../secret",
                "link",
                "out/secret",
                "/etc/passwd",
                ".",
                "notes",
                ".trash/x",
                ".TRASH/x",
                "\\u0000",
                " ",
                "not/there"
            })
    void nothingButAFileInsideIsReadOrDeleted(String path) throws Exception {
        for (String tool : List.of("read_file", "delete_file")) {
            Json answer = call(tool, "{\"path\":\"" + path + "\"}");
            assertThat(answer.at("result").at("isError").isTrue())
                    .as(answer.raw())
                    .isTrue();
        }
        assertThat(directory.resolve("secret")).hasContent("not for you");
        assertThat(sandbox.resolve("link")).isSymbolicLink();
        assertThat(sandbox.resolve("notes/todo.txt")).hasContent("milk");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../new",
                "link",
                "out/new",
                "out/secret",
                "/tmp/gavel-sample-new",
                "notes",
                ".trash/new",
                "notes/todo.txt/new"
            })
    void nothingIsWrittenOutsideOrInAWrongPlace(String path) throws Exception {
        Json answer = call("write_file", "{\"path\":\"" + path + "\",\"text\":\"evil\"}");
        assertThat(answer.at("result").at("isError").isTrue()).as(answer.raw()).isTrue();
        assertThat(directory.resolve("new")).doesNotExist();
        assertThat(Path.of("/tmp/gavel-sample-new")).doesNotExist();
        assertThat(directory.resolve("secret")).hasContent("not for you");
        assertThat(sandbox.resolve("notes/todo.txt")).hasContent("milk");
    }

    @Test
    void linksAndWhatWasDeletedAreNotListed() throws Exception {
        call("delete_file", "{\"path\":\"notes/todo.txt\"}");
        Files.writeString(sandbox.resolve("left"), "12345");
        assertThat(resultText(call("list_files", "{}"))).isEqualTo("left (5 bytes)");
    }

    @Test
    void whatIsDeletedTwiceIsKeptTwice() throws Exception {
        for (String text : List.of("one", "two")) {
            call("write_file", "{\"path\":\"a\",\"text\":\"" + text + "\"}");
            call("delete_file", "{\"path\":\"a\"}");
        }
        assertThat(sandbox.resolve(".trash/a")).hasContent("one");
        assertThat(sandbox.resolve(".trash/a.2")).hasContent("two");
    }

    @Test
    void aDeletedFileIsKeptWhateverItsNameAndWhateverIsWrittenAfterwards() throws Exception {
        call("write_file", "{\"path\":\"draft\",\"text\":\"mine\"}");
        call("delete_file", "{\"path\":\"draft\"}");
        call("write_file", "{\"path\":\"b\",\"text\":\"other\"}");
        assertThat(sandbox.resolve(".trash/draft")).hasContent("mine");
        assertThat(sandbox.resolve(".trash").toFile().list()).containsExactly("draft");
    }

    @Test
    void sizesAreBounded() throws Exception {
        Files.write(sandbox.resolve("large"), new byte[256 * 1024 + 1]);
        assertThat(resultText(call("read_file", "{\"path\":\"large\"}"))).contains("too large to read");
        String text = "x".repeat(256 * 1024 + 1);
        assertThat(resultText(call("write_file", "{\"path\":\"b\",\"text\":\"" + text + "\"}")))
                .contains("at most 262144 are allowed");
        assertThat(exchange("[" + "x".repeat(2 * 1024 * 1024), request("2", "list_files", "{}")))
                .satisfiesExactly(
                        refused -> assertThat(refused.at("error").at("code").asLong(0))
                                .isEqualTo(-32700),
                        answered -> assertThat(answered.at("id").asLong(0)).isEqualTo(2));
    }

    @Test
    void wrongArgumentsAreNamed() throws Exception {
        assertThat(resultText(call("read_file", "{}"))).isEqualTo("the argument 'path' is missing.");
        assertThat(resultText(call("read_file", "{\"path\":1}"))).isEqualTo("'path' must be a string.");
        assertThat(resultText(call("list_files", "{\"deep\":\"x\"}"))).isEqualTo("unknown argument 'deep'.");
        assertThat(resultText(call("list_files", "[]"))).isEqualTo("'arguments' must be an object.");
    }

    @Test
    void everyLineIsAnsweredThatWantsAnAnswerAndNoOther() throws Exception {
        List<String> answers = exchange(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\"}}",
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"prompts/list\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                        "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}",
                        "[]",
                        "",
                        request("5", "rm_rf", "{}"))
                .stream()
                .map(answer -> answer.at("id") + " "
                        + Stream.of("result", "error")
                                .filter(member -> answer.at(member).isPresent())
                                .map(member -> member
                                        + answer.at(member).at("code").text()
                                        + answer.at(member)
                                                .at("protocolVersion")
                                                .text())
                                .toList())
                .toList();
        assertThat(answers)
                .containsExactly(
                        "\"i\" [result2025-06-18]",
                        "2 [result]",
                        "3 [error-32601]",
                        "null [error-32600]",
                        "null [error-32600]",
                        "null [error-32700]",
                        "5 [error-32602]");
    }

    /** Supplies a call, and its cancellation after the first response to the call. */
    private static final class Canceller extends InputStream {
        private final CountDownLatch heard = new CountDownLatch(1);
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private final InputStream lines;
        private final int callEnds;
        private int given;

        Canceller(String call, String cancellation) {
            callEnds = call.length() + 1;
            lines = new ByteArrayInputStream((call + "\n" + cancellation + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public int read() throws IOException {
            if (given++ == callEnds) {
                Uninterruptibly.await(heard);
            }
            int next = lines.read();
            if (next < 0) {
                cancelled.countDown();
            }
            return next;
        }

        /** Returns one byte at a time, so that nothing is read ahead. */
        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            int next = read();
            if (next < 0) {
                return -1;
            }
            into[from] = (byte) next;
            return 1;
        }
    }

    @Test
    void aCancelledCallIsNotAnswered() throws Exception {
        for (int i = 0; i < 150; i++) {
            Files.writeString(sandbox.resolve("file" + i), "");
        }
        Canceller in = new Canceller(
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_files\","
                        + "\"_meta\":{\"progressToken\":\"t\"}}}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}");
        ByteArrayOutputStream out = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                in.heard.countDown();
                Uninterruptibly.await(in.cancelled);
            }
        };
        new SampleMcpServer(new FileSandbox(sandbox), in, out).run();
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("notifications/progress");
    }

    private static final class Uninterruptibly {
        static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
