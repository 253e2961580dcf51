package dev.gavel.cli.sep;

import dev.gavel.cli.CommandException;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ProgressLine;
import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFile;
import dev.gavel.sep.lint.LintCode;
import dev.gavel.sep.lint.LintFinding;
import dev.gavel.sep.lint.Linter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Loads SEP documents from files and directories for commands without a server, and reports files that it cannot read.
 * Not thread-safe.
 */
public final class SepDocumentLoader {
    // A character of UTF-8 takes at most four bytes, so a larger file is certainly too long.
    private static final long MAX_BYTES = 4L * Document.MAX_LENGTH;

    private static final long MAX_PREAMBLE_BYTES = 256 * 1024;

    private final Path directory;
    private final DocumentFormat format;
    private final ProgressLine progressLine;
    private final List<Linter.Source> sources = new ArrayList<>();
    private final List<LintFinding> findings = new ArrayList<>();
    private boolean includesDirectory;

    /** @param format the format of the documents */
    public SepDocumentLoader(Path directory, DocumentFormat format, ProgressLine progressLine) {
        this.directory = directory;
        this.format = format;
        this.progressLine = progressLine;
    }

    /** The documents that could be read. */
    public List<Linter.Source> sources() {
        return sources;
    }

    /** One finding for each file that could not be read. */
    public List<LintFinding> findings() {
        return findings;
    }

    /** Whether the paths include a directory, so that a document which is not among the files does not exist. */
    boolean includesDirectory() {
        return includesDirectory;
    }

    public void read(List<Path> paths) throws IOException {
        for (Path path : paths) {
            Path resolvedPath = directory.resolve(path);
            if (!Files.exists(resolvedPath)) {
                throw new CommandException(
                        ExitCode.USAGE, "there is no file or directory " + SafeText.line(path.toString()));
            }
            includesDirectory |= Files.isDirectory(resolvedPath);
        }
        Set<LocalDocument> files = new LinkedHashSet<>(LocalDocumentFinder.find(directory, paths, format.files()));
        for (LocalDocument file : files) {
            String name = file.name().toString();
            if (file.source().isPresent()) {
                read(name, file.source().get());
            } else {
                findings.add(new LintFinding(
                        name,
                        1,
                        1,
                        LintCode.FILE_OUTSIDE.severity(),
                        LintCode.FILE_OUTSIDE,
                        LocalDocument.OUTSIDE,
                        LocalDocument.OUTSIDE_HELP));
            }
            progressLine.step();
        }
    }

    private void read(String name, Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            findings.add(new LintFinding(
                    name,
                    1,
                    1,
                    LintCode.TOO_LONG.severity(),
                    LintCode.TOO_LONG,
                    "the file has " + Files.size(file) + " bytes and is too long to be read",
                    "move long examples and data into separate files and link them"));
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer chars = CharBuffer.allocate(bytes.remaining() + 1);
        if (decoder.decode(bytes, chars, true).isError()) {
            addDecodingError(name, chars.flip().toString(), bytes);
        } else {
            sources.add(new Linter.Source(
                    name,
                    Document.read(chars.flip().toString(), format, new DocumentFile(path(name), readPreambles(file)))));
        }
    }

    /** Returns the absolute path, because the name can be relative to a directory that the format knows. */
    private String path(String name) {
        return directory.resolve(name).toAbsolutePath().normalize().toString();
    }

    /** Returns the content of the files beside a document that contain its preamble, without links and long files. */
    private List<String> readPreambles(Path file) throws IOException {
        List<String> preambles = new ArrayList<>();
        for (String name : format.files().preambleFiles()) {
            Path side = file.resolveSibling(name);
            if (Files.isRegularFile(side, LinkOption.NOFOLLOW_LINKS) && Files.size(side) <= MAX_PREAMBLE_BYTES) {
                preambles.add(new String(Files.readAllBytes(side), StandardCharsets.UTF_8));
            }
        }
        return preambles;
    }

    private void addDecodingError(String name, String before, ByteBuffer bytes) {
        int line = 1 + (int) before.chars().filter(each -> each == '\n').count();
        int column = before.length() - before.lastIndexOf('\n');
        findings.add(new LintFinding(
                name,
                line,
                column,
                LintCode.NOT_UTF_8.severity(),
                LintCode.NOT_UTF_8,
                String.format(Locale.ROOT, "the byte 0x%02X is not valid UTF-8", bytes.get(bytes.position())),
                "save the file as UTF-8"));
    }
}
