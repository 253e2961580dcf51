package dev.gavel.bench.sep;

import dev.gavel.bench.server.RunWorkspace;
import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.board.BoardInput;
import dev.gavel.sep.board.BoardPageWrittenListener;
import dev.gavel.sep.board.BoardWriter;
import dev.gavel.sep.board.DocumentSepLoader;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.render.MarkdownRenderer;
import dev.gavel.sep.service.ExecutorPools;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.OfflineSepFactEvaluator;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepLimits;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.similarity.SimilarityIndex;
import dev.gavel.sep.stats.Stats;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * Measures linting, importing, similarity search and writing the static board for thousands of SEP documents. The
 * reference, measured alternately with each, reads the same amount of text character by character: the minimum for any
 * processing.
 */
public final class SepDocumentBenchmark {
    private static final int ROUNDS = 15;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The length of a document in words, about that of a real one. */
    private static final int WORDS = 2_500;

    private static final int SUMMARY = 500;
    private static final int AT_ONCE = 4;

    private SepDocumentBenchmark() {}

    /** Runs the benchmark; takes no arguments, prints Markdown, and leaves nothing behind. */
    public static void main(String[] args) throws IOException {
        run(System.out);
    }

    private static void run(PrintStream out) throws IOException {
        out.println("| operation | median, ms | reading the text once, ms | ratio |");
        out.println("|---|--:|--:|--:|");
        measureDocuments(out);
        measureSimilarity(out);
        measureBoard(out);
    }

    private static void measureDocuments(PrintStream out) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            texts.add(document(i));
        }
        LintContext context = LintContext.of(BuiltInProcesses.defaultProcess());
        measureRow(
                out,
                "linting 1,000 documents",
                5,
                texts,
                () -> texts.forEach(text -> Linter.lint(
                        "bench.md",
                        Document.read(text, context.processDefinition().documentFormat()),
                        context)));
        measureRow(
                out, "importing 1,000 documents, each durable before the response", 3, texts, () -> importAll(texts));
    }

    /** Imports in batches of the size that the command line sends. */
    private static void importAll(List<String> texts) throws IOException {
        ProcessDefinition processDefinition = BuiltInProcesses.defaultProcess();
        try (RunWorkspace bench = RunWorkspace.open();
                SepLedgerFiller ledger =
                        new SepLedgerFiller(bench.directory().resolve("import.db"), processDefinition);
                ExecutorService executor = Executors.newFixedThreadPool(2)) {
            LedgerSepService sepService = new LedgerSepService(
                    ledger.ledger(),
                    ledger.writer(),
                    new LifecycleEngine(processDefinition),
                    List::of,
                    InstantSource.system(),
                    ExecutorPools.shared(executor),
                    SepLimits.forSponsors(5));
            SepCaller admin = new SepCaller("admin", Set.of("admin"));
            Semaphore permits = new Semaphore(AT_ONCE);
            for (String text : texts) {
                permits.acquireUninterruptibly();
                sepService
                        .execute(admin, SepOperation.IMPORT, Json.object().with("document", Json.ofText(text)))
                        .whenComplete((sepResult, failure) -> permits.release());
            }
            permits.acquireUninterruptibly(AT_ONCE);
        }
    }

    private static void measureSimilarity(PrintStream out) throws IOException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            texts.add(text(i, SUMMARY));
        }
        SimilarityIndex index = new SimilarityIndex();
        fill(index, texts);
        measureRow(out, "indexing 10,000 documents", 3, texts, () -> fill(new SimilarityIndex(), texts));
        int[] next = {0};
        measureRow(out, "finding SEPs similar to one, among 10,000", ROUNDS * 10, texts.subList(0, 1), () -> {
            next[0] += 37;
            if (index.findSimilar(texts.get(next[0] % texts.size()), 10, SimilarityIndex.MIN_SHOWN_SCORE)
                    .isEmpty()) {
                throw new IllegalStateException("a document must be similar to itself");
            }
        });
        measureRow(out, "updating one of 10,000 in the index", ROUNDS * 10, texts.subList(0, 1), () -> {
            next[0] += 37;
            index.put(next[0] % texts.size(), texts.get(next[0] % texts.size()));
        });
    }

    private static void fill(SimilarityIndex index, List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            index.put(i, texts.get(i));
        }
    }

    private static void measureBoard(PrintStream out) throws IOException {
        ProcessDefinition processDefinition = BuiltInProcesses.defaultProcess();
        DocumentSepLoader files = new DocumentSepLoader(processDefinition);
        List<String> texts = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            String text = document(i);
            texts.add(text);
            files.add(i + "-bench.md", Document.read(text, processDefinition.documentFormat()), NOW);
        }
        List<Sep> seps = files.seps();
        BoardInput input = new BoardInput(
                "Bench",
                "",
                processDefinition,
                seps,
                files::text,
                sep -> sep.metadata().summary(),
                text -> MarkdownRenderer.render(text).html(),
                sep -> OfflineSepFactEvaluator.of(sep, processDefinition, files::find),
                Map.of(),
                NOW);
        measureRow(
                out,
                "rendering 1,000 documents for the board",
                5,
                texts,
                () -> texts.forEach(MarkdownRenderer::render));
        measureRow(
                out,
                "generating a board of 1,000",
                5,
                texts,
                () -> BoardWriter.write(input, (path, content) -> {}, BoardPageWrittenListener.NONE));
        measureRow(out, "statistics of 1,000", ROUNDS, texts, () -> {
            Function<Sep, ExternalFacts> known = input.externalFacts();
            if (Stats.of(seps, processDefinition, known, NOW).total() != seps.size()) {
                throw new IllegalStateException("not all SEPs were counted");
            }
        });
    }

    private interface MeasuredWork {
        void run() throws IOException;
    }

    private static void measureRow(PrintStream out, String what, int rounds, List<String> texts, MeasuredWork work)
            throws IOException {
        List<Double> subject = new ArrayList<>();
        List<Double> reference = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            reference.add(millis(() -> read(texts)));
            subject.add(millis(work));
        }
        double subjectMedian = median(subject);
        double least = median(reference);
        out.printf("| %s | %.2f | %.3f | **%.1f** |%n", what, subjectMedian, least, subjectMedian / least);
    }

    private static void read(List<String> texts) {
        long letters = 0;
        for (String text : texts) {
            for (int i = 0; i < text.length(); i++) {
                letters += Character.isLetter(text.charAt(i)) ? 1 : 0;
            }
        }
        if (letters == 0) {
            throw new IllegalStateException("the texts are empty");
        }
    }

    private static double millis(MeasuredWork work) throws IOException {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static String document(int number) {
        return """
                # SEP-%d: %s

                - **Status**: %s
                - **Type**: Standards Track
                - **Created**: 2025-0%d-1%d
                - **Author(s)**: Ann (@ann%d)
                - **Sponsor**: @sponsor%d

                ## Abstract

                %s

                ## Motivation

                %s

                ## Specification

                | a | b |
                |---|---|
                | 1 | `2` |

                ```json
                {"a": [1, 2, 3]}
                ```

                %s
                """.formatted(
                        number,
                        text(number, 6),
                        List.of("Draft", "Final", "In-Review", "Accepted").get(number % 4),
                        1 + number % 9,
                        number % 10,
                        number % 97,
                        number % 23,
                        text(number, SUMMARY / 4),
                        text(number + 1, SUMMARY / 2),
                        text(number + 2, WORDS));
    }

    /** Generates words with the frequencies of a language: a few are frequent, many are rare. */
    private static String text(int seed, int words) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            int word = (int) (Math.pow(random.nextDouble(), 4) * 30_000);
            text.append(Integer.toString(word + 1_296, 36)).append("ab").append(i % 17 == 16 ? ". " : " ");
        }
        return text.toString();
    }
}
