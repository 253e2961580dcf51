package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.mcpx.text.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads from the history of a git checkout when files were added and last changed. Runs {@code git} once for each
 * checkout. Not thread-safe.
 */
final class GitFileDates {
    private static final String COMMIT = "\u0001";

    private final Map<Path, Path> checkouts = new HashMap<>();
    private final Map<Path, Map<String, Dates>> datesByCheckout = new HashMap<>();

    /**
     * The time of the first and of the last commit that changed a file.
     *
     * @param added when the file was added under its current path
     */
    record Dates(Instant added, Instant changed) {
        Dates earlier(Instant commit) {
            return new Dates(commit.isBefore(added) ? commit : added, commit.isAfter(changed) ? commit : changed);
        }
    }

    /**
     * Returns the dates of a file; empty if it was never committed.
     *
     * @throws CommandException if the file is not in a complete git checkout, or if git is not installed
     */
    Optional<Dates> of(Path file) throws InterruptedException {
        Path directory = file.toAbsolutePath().resolveSibling("");
        Path checkout = checkouts.get(directory);
        if (checkout == null) {
            checkout = findCheckout(directory);
            checkouts.put(directory, checkout);
        }
        Map<String, Dates> dates = datesByCheckout.get(checkout);
        if (dates == null) {
            dates = readHistory(checkout);
            datesByCheckout.put(checkout, dates);
        }
        return Optional.ofNullable(
                dates.get(checkout.relativize(file.toAbsolutePath()).toString().replace('\\', '/')));
    }

    private static Path findCheckout(Path directory) throws InterruptedException {
        String[] answer = new String(
                        run(directory, "rev-parse", "--show-toplevel", "--is-shallow-repository"),
                        StandardCharsets.UTF_8)
                .split("\n", -1);
        if (answer.length > 1 && answer[1].equals("true")) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--git-dates needs the whole history, but " + SafeText.line(answer[0])
                            + " is a shallow checkout. Run 'git fetch --unshallow' there.");
        }
        return Path.of(answer[0]);
    }

    private static Map<String, Dates> readHistory(Path checkout) throws InterruptedException {
        Map<String, Dates> dates = new HashMap<>();
        Instant commit = Instant.EPOCH;
        String log = new String(
                run(checkout, "log", "--format=%x01%cI", "--name-only", "-z", "--no-renames", "HEAD", "--"),
                StandardCharsets.UTF_8);
        for (String part : log.split("\0", -1)) {
            String word = part.strip();
            Optional<Instant> commitDate = parseCommitDate(word);
            if (commitDate.isPresent()) {
                commit = commitDate.get();
            } else if (!word.isEmpty()) {
                Instant at = commit;
                dates.compute(word, (name, known) -> known == null ? new Dates(at, at) : known.earlier(at));
            }
        }
        return dates;
    }

    /** Returns the date that a line about a commit states; empty for the name of a file, which can begin like one. */
    private static Optional<Instant> parseCommitDate(String word) {
        if (!word.startsWith(COMMIT)) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    OffsetDateTime.parse(word.substring(COMMIT.length())).toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static byte[] run(Path directory, String... arguments) throws InterruptedException {
        // Nothing that the checkout configures is run, and nothing is fetched.
        List<String> command = new ArrayList<>(
                List.of("git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment()
                .putAll(Map.of("GIT_OPTIONAL_LOCKS", "0", "GIT_NO_LAZY_FETCH", "1", "GIT_TERMINAL_PROMPT", "0"));
        try {
            Process git = builder.start();
            git.getOutputStream().close();
            try (InputStream output = git.getInputStream()) {
                byte[] bytes = output.readAllBytes();
                if (git.waitFor() == 0) {
                    return bytes;
                }
            } finally {
                git.destroy();
            }
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "--git-dates needs git, which cannot be run here");
        }
        throw new CommandException(
                ExitCode.USAGE,
                "--git-dates needs a git checkout with commits, which " + SafeText.line(directory.toString())
                        + " is not");
    }
}
