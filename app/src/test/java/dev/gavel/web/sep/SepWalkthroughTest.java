package dev.gavel.web.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.web.sep.SepTestServer.CommandOutput;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that every command in {@code docs/sep-walkthrough.md} prints what the document says. If they differ,
 * {@code target/sep-walkthrough.md} contains the corrected document.
 */
class SepWalkthroughTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "sep-walkthrough.md");
    private static final Path SHOULD_BE = Path.of("target", "sep-walkthrough.md");

    /** The date of the document. */
    private static final LocalDate WRITTEN = LocalDate.parse("2026-11-16");

    private static final Pattern TYPED = Pattern.compile("([a-z]+)\\$ gavel sep (.+)");
    private static final Pattern FILE = Pattern.compile("<!-- file: (\\S+) -->");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|[^\\s\"]+(?:\"([^\"]*)\")?");
    private static final Pattern DATE = Pattern.compile("\\b\\d{4}-\\d{2}-\\d{2}\\b");
    private static final Pattern TIME = Pattern.compile("(\\d{4}-\\d{2}-\\d{2}) \\d{2}:\\d{2}");

    @TempDir
    private Path directory;

    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @Test
    void whatTheWalkthroughShowsIsWhatIsPrinted() throws Exception {
        List<String> written = Files.readAllLines(DOCUMENT);
        List<String> replayed = new ArrayList<>();
        int commands = 0;
        try (SepTestServer sepServer = new SepTestServer(directory)) {
            for (int i = 0; i < written.size(); i++) {
                String line = written.get(i);
                Matcher file = FILE.matcher(line);
                if (file.matches()) {
                    int end = written.subList(i + 2, written.size()).indexOf("```") + i + 2;
                    Files.write(directory.resolve(file.group(1)), written.subList(i + 2, end));
                }
                replayed.add(line);
                if (line.equals("```console")) {
                    int end = written.subList(i, written.size()).indexOf("```") + i;
                    List<String> typed = written.subList(i + 1, end).stream()
                            .filter(each -> TYPED.matcher(each).matches())
                            .toList();
                    commands += typed.size();
                    for (String each : typed) {
                        if (!each.equals(typed.getFirst())) {
                            replayed.add("");
                        }
                        replayed.add(each);
                        replayed.addAll(answer(sepServer, each));
                    }
                    i = end - 1;
                }
            }
        }
        Files.write(SHOULD_BE, replayed);
        assertThat(String.join("\n", replayed).replaceAll(TIME.pattern(), "$1"))
                .isEqualTo(String.join("\n", written).replaceAll(TIME.pattern(), "$1"));
        assertThat(commands).isGreaterThan(25);
    }

    private List<String> answer(SepTestServer sepServer, String typed) {
        Matcher command = TYPED.matcher(typed);
        assertThat(command.matches()).isTrue();
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command.group(2));
        while (word.find()) {
            words.add(word.group().replace("\"", ""));
        }
        CommandOutput answer = sepServer.runCommand(command.group(1), words.toArray(String[]::new));
        List<String> lines = new ArrayList<>(
                (answer.out() + answer.err()).lines().map(this::asWritten).toList());
        while (!lines.isEmpty() && lines.getLast().isEmpty()) {
            lines.removeLast();
        }
        if (answer.exit() != 0) {
            lines.add("(exit " + answer.exit() + ")");
        }
        return lines;
    }

    /**
     * Converts dates from today on to the same distance from the document's date; earlier dates come from the commands.
     */
    private String asWritten(String line) {
        return DATE.matcher(line).replaceAll(found -> {
            LocalDate date = LocalDate.parse(found.group());
            return date.isBefore(today)
                    ? found.group()
                    : WRITTEN.plusDays(ChronoUnit.DAYS.between(today, date)).toString();
        });
    }
}
