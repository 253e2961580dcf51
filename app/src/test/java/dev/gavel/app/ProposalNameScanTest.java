package dev.gavel.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Checks that only the process decides what proposals are called: no text of the program contains the word SEP, except
 * the default. Names of commands, paths, packages and classes may contain it.
 */
class ProposalNameScanTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern WORD = Pattern.compile("\\bSEP[sS]?\\b");

    /** In a template, {@code SEPS} is the name of a constant. */
    private static final Pattern TEMPLATE_WORD = Pattern.compile("\\bSEPs?\\b");

    /** Files that name the default, or a sample that belongs to the default process. */
    private static final Set<String> DEFAULTS = Set.of("ProposalTerms.java", "DemoSepSeeder.java");

    /** Modules that are not part of the program. */
    private static final Set<String> TOOLS = Set.of("bench", "faults");

    @Test
    void noStringLiteralSaysWhatProposalsAreCalled() throws IOException {
        List<Path> sources = files("src/main/java", ".java");
        assertThat(sources).hasSizeGreaterThan(500);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> found = new ArrayList<>();
        try (StandardJavaFileManager fileManager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, fileManager, null, null, null, fileManager.getJavaFileObjectsFromPaths(sources));
            Trees trees = Trees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                String file = unit.getSourceFile().getName();
                if (!DEFAULTS.contains(Path.of(file).getFileName().toString())) {
                    new TreeScanner<Void, Void>() {
                        @Override
                        public Void visitLiteral(LiteralTree literal, Void nothing) {
                            if (literal.getValue() instanceof String text
                                    && WORD.matcher(text).find()) {
                                long position = trees.getSourcePositions().getStartPosition(unit, literal);
                                found.add(file + ":" + unit.getLineMap().getLineNumber(position) + ": " + text.strip());
                            }
                            return super.visitLiteral(literal, null);
                        }
                    }.scan(unit, null);
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void noTemplateAndNoResourceSaysWhatProposalsAreCalled() throws IOException {
        List<Path> texts = new ArrayList<>(files("src/main/jte", ".jte"));
        assertThat(texts).hasSizeGreaterThan(50);
        texts.add(PROJECT.resolve("web/src/main/resources/openapi.json"));
        List<String> found = new ArrayList<>();
        for (Path file : texts) {
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                if (TEMPLATE_WORD.matcher(lines.get(i)).find()) {
                    found.add(file + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /** Returns the files with an extension below a folder of each module. */
    private static List<Path> files(String folder, String extension) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(PROJECT)) {
            for (Path module : modules.sorted().toList()) {
                if (Files.isDirectory(module.resolve(folder))
                        && !TOOLS.contains(module.getFileName().toString())) {
                    try (Stream<Path> below = Files.walk(module.resolve(folder))) {
                        below.filter(file -> file.toString().endsWith(extension))
                                .sorted()
                                .forEach(found::add);
                    }
                }
            }
        }
        return found;
    }
}
