import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Runs one client that is written for the JVM, controlled by lines on standard input. clients/driver.mjs describes the lines. */
public final class Driver {
    /** A client that is connected to Gavel. */
    public interface Client {
        List<String> tools() throws Exception;

        Result call(String tool, Map<String, Object> arguments) throws Exception;
    }

    /** A tool's result. Each part is JSON, made by {@link #text} or {@link #image}. */
    public record Result(boolean error, List<String> parts) {}

    private static final PrintStream out = System.out;

    private Driver() {}

    public static String url() {
        return System.getenv("MCP_URL");
    }

    public static String token() {
        return System.getenv("MCP_TOKEN");
    }

    /** The command of a server, or an empty list if the client connects to {@link #url}. */
    public static List<String> command() {
        return Optional.ofNullable(System.getenv("MCP_COMMAND")).map(text -> List.of(text.split("\n"))).orElse(List.of());
    }

    /** The client's time-out in milliseconds, or empty for its own. */
    public static Optional<Long> timeout() {
        return Optional.ofNullable(System.getenv("MCP_TIMEOUT")).map(Long::valueOf);
    }

    public static String text(String words) {
        return "{\"type\":\"text\",\"text\":" + quoted(words) + "}";
    }

    public static String image(String base64) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Base64.getDecoder().decode(base64));
            return "{\"type\":\"image\",\"sha256\":\"" + HexFormat.of().formatHex(digest) + "\"}";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void run(Callable<Client> connect) throws IOException {
        // Some libraries print to standard output.
        System.setOut(System.err);
        Client[] client = new Client[1];
        String failure = null;
        try {
            client[0] = connect.call();
        } catch (Exception e) {
            failure = message(e);
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t");
            if (client[0] == null) {
                print(words[0], "error", quoted(failure));
            } else {
                Thread.ofPlatform().daemon().start(() -> act(client[0], words));
            }
        }
        // Some clients keep threads running.
        Runtime.getRuntime().halt(0);
    }

    private static void act(Client client, String[] words) {
        try {
            print(words[0], "value", words[1].equals("tools") ? list(client.tools()) : called(client, words));
        } catch (Exception e) {
            print(words[0], "error", quoted(message(e)));
        }
    }

    private static String called(Client client, String[] words) throws Exception {
        Result result = client.call(words[2], words.length > 4 ? Map.of(words[3], words[4]) : Map.of());
        return "{\"isError\":" + result.error() + ",\"content\":[" + String.join(",", result.parts()) + "]}";
    }

    private static String list(List<String> names) {
        return names.stream().map(Driver::quoted).collect(Collectors.joining(",", "[", "]"));
    }

    private static synchronized void print(String id, String name, String value) {
        out.println("{\"id\":" + quoted(id) + ",\"" + name + "\":" + value + "}");
        out.flush();
    }

    // The first cause says most.
    private static String message(Throwable error) {
        return error.getCause() == null
                ? Optional.ofNullable(error.getMessage()).orElse(error.toString())
                : message(error.getCause());
    }

    private static String quoted(String text) {
        return Arrays.stream(text.split(""))
                .map(each -> each.isEmpty() ? "" : character(each.charAt(0)))
                .collect(Collectors.joining("", "\"", "\""));
    }

    private static String character(char each) {
        return each < ' ' || each == '"' || each == '\\' || each > '~' ? String.format("\\u%04x", (int) each) : String.valueOf(each);
    }
}
