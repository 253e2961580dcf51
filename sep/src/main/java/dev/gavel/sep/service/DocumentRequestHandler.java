package dev.gavel.sep.service;

import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.process.DocumentFormat;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.result.LifecycleRefusal;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.DocumentFile;
import dev.gavel.sep.document.DocumentPath;
import dev.gavel.sep.document.SectionNames;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.LintFinding;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.lint.TemplateTextFinder;
import dev.gavel.sep.similarity.SimilarSep;
import dev.gavel.sep.store.StoredDocumentMetadata;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/** Handles the operations that take a document: submit, edit, import, lint and the search for similar SEPs. */
record DocumentRequestHandler(
        SepQueries queries, SepCommandExecutor commands, SimilarSepFinder similarSeps, SepChangeResultBuilder results) {
    private static final int MOST_SIMILAR = 5;

    /**
     * Matches a SEP number at the start of a file name. More digits are a date or a build number, and a letter after
     * the digits makes them part of a word.
     */
    private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,5})(?![0-9\\p{L}])");

    private static final Pattern DATED =
            Pattern.compile("([0-9]{4}[-_.][0-9]{1,2}[-_.][0-9]{1,2}|[0-9]{1,2}[-_.][0-9]{1,2}[-_.][0-9]{4})(?![0-9])");

    private CompletionStage<SepResult> withDocument(
            Json arguments, Function<Document, CompletionStage<SepResult>> then) {
        return withText(arguments, text -> then.apply(Document.read(text, format())));
    }

    private DocumentFormat format() {
        return queries.lifecycleEngine().processDefinition().documentFormat();
    }

    private static CompletionStage<SepResult> withText(
            Json arguments, Function<String, CompletionStage<SepResult>> then) {
        String text = arguments.at("document").text();
        if (text.length() > LedgerSepService.MAX_DOCUMENT_LENGTH) {
            return CompletableFuture.completedStage(new SepResult.InvalidRequest(
                    "the document is longer than " + LedgerSepService.MAX_DOCUMENT_LENGTH + " characters"));
        }
        if (text.isBlank()) {
            return CompletableFuture.completedStage(new SepResult.InvalidRequest("the document is empty"));
        }
        return then.apply(text);
    }

    private String identity() {
        return queries.caller().identity();
    }

    CompletionStage<SepResult> submit(Json arguments) {
        return withDocument(arguments, document -> {
            Optional<SepChangeResult> objection =
                    checkWritten(document).or(() -> checkDocument(Optional.empty(), DocumentEdit.NONE, document));
            if (objection.isPresent()) {
                return CompletableFuture.completedStage(results.toResult(objection.get()));
            }
            List<SimilarSep> similarSep =
                    similarSeps.findSimilar(document.metadata().summary(), MOST_SIMILAR);
            return commands.storeDocument(document, identity())
                    .thenCompose(storedDocumentMetadata ->
                            commands.submit(queries.caller(), storedDocumentMetadata, numbers(storedDocumentMetadata)))
                    .thenApply(sepChangeResult -> results.toResult(sepChangeResult, List.of(), json -> {
                        similar(json, similarSep);
                        findings(json, findings(document, arguments));
                    }));
        });
    }

    /** Refuses a document in which the author has not replaced the text of the template. */
    private Optional<SepChangeResult> checkWritten(Document document) {
        List<String> unwritten = TemplateTextFinder.of(document)
                .unwrittenForSubmission(queries.lifecycleEngine().processDefinition());
        return unwritten.isEmpty()
                ? Optional.empty()
                : Optional.of(new SepChangeResult.Refused(LifecycleRefusal.of(
                        "template-text",
                        "The document still has the text of the template. Write these parts, then submit it: "
                                + String.join(
                                        ", ",
                                        unwritten.stream()
                                                .map(SectionNames.of(format())::title)
                                                .toList())
                                + ".")));
    }

    /** Returns the SEPs similar to a SEP or to a text. */
    SepResult similar(Json arguments) {
        boolean numbered = arguments.at("number").isPresent();
        if (numbered == arguments.at("text").isPresent()) {
            return new SepResult.InvalidRequest("'similar' needs either 'number' or 'text'");
        }
        int limit = (int) Math.clamp(arguments.at("limit").asLong(MOST_SIMILAR), 1L, 50L);
        if (!numbered) {
            String text = arguments.at("text").text();
            if (text.length() > LedgerSepService.MAX_DOCUMENT_LENGTH) {
                return new SepResult.InvalidRequest(
                        "the text is longer than " + LedgerSepService.MAX_DOCUMENT_LENGTH + " characters");
            }
            String summary = Document.read(text, format()).metadata().summary();
            return similarResult(similarSeps.findSimilar(summary.isBlank() ? text : summary, limit));
        }
        int number = LedgerSepService.number(arguments);
        return queries.openSeps()
                .find(number)
                .map(sep -> similarResult(similarSeps.findSimilar(sep, limit)))
                .orElseGet(() -> queries.notFound(number));
    }

    private SepResult similarResult(List<SimilarSep> similarSep) {
        return new SepResult.Success(
                SepJsonWriter.write(queries.peopleResolver(), writer -> similar(writer.json(), similarSep)));
    }

    private void similar(JsonGenerator json, List<SimilarSep> similarSep) {
        json.writeArrayPropertyStart("similar");
        for (SimilarSep each : similarSep) {
            queries.openSeps()
                    .findReadable(each.number())
                    .ifPresent(sep -> json.writeStartObject()
                            .writeNumberProperty("number", sep.number())
                            .writeStringProperty("title", sep.title())
                            .writeStringProperty("status", sep.state())
                            .writeNumberProperty("score", Math.round(each.score() * 100) / 100.0)
                            .writeEndObject());
        }
        json.writeEndArray();
    }

    CompletionStage<SepResult> edit(Json arguments) {
        int number = LedgerSepService.number(arguments);
        Optional<Sep> before = queries.openSeps().find(number);
        if (before.isEmpty()) {
            return CompletableFuture.completedStage(queries.notFound(number));
        }
        return withDocument(arguments, document -> {
            DocumentEdit documentEdit = new DocumentEdit(
                    before.get().documentHash(),
                    queries.documentVersions(before.get()).changesTo(document),
                    arguments.at("editorial").isTrue());
            return checkDocument(before, documentEdit, document)
                    .<CompletionStage<SepResult>>map(no -> CompletableFuture.completedStage(results.toResult(no)))
                    .orElseGet(() -> commands.storeDocument(document, identity())
                            .thenCompose(storedDocumentMetadata -> commands.edit(
                                    queries.caller(),
                                    number,
                                    storedDocumentMetadata,
                                    documentEdit,
                                    arguments.at("base").asText()))
                            .thenApply(sepChangeResult -> results.toResult(
                                    sepChangeResult,
                                    List.of(),
                                    json -> findings(json, findings(document, arguments)))));
        });
    }

    /** Checks a document before it is stored, so that a document that would be refused is not stored. */
    private Optional<SepChangeResult> checkDocument(
            Optional<Sep> before, DocumentEdit documentEdit, Document document) {
        return commands.checkDocument(
                queries.caller(), before, documentEdit, document.metadata(), queries.peopleResolver(), queries.now());
    }

    /**
     * Returns the lint findings of a document. For a document of an existing SEP, this includes contradictions to the
     * ledger.
     */
    CompletionStage<SepResult> lint(Json arguments) {
        return withDocument(
                arguments,
                document -> CompletableFuture.completedStage(new SepResult.Success(SepJsonWriter.write(
                        queries.peopleResolver(), writer -> findings(writer.json(), findings(document, arguments))))));
    }

    private List<LintFinding> findings(Document document, Json arguments) {
        int number = arguments.at("number").isPresent()
                ? LedgerSepService.number(arguments)
                : document.metadata().number().orElse(0);
        LintContext context = LintContext.of(queries.lifecycleEngine().processDefinition())
                .others(other -> queries.openSeps().find(other).map(Sep::metadata));
        Optional<Sep> sep = queries.openSeps().find(number);
        LintContext stateContext = sep.map(storedSep -> context.ledgerState(new LintContext.LedgerState(
                        number,
                        storedSep.state(),
                        role -> !storedSep.snapshot().holders().holders(role).isEmpty())))
                .orElse(context);
        String file = arguments.at("file").asText().orElse("document");
        return Linter.lint(file, document, stateContext);
    }

    private static void findings(JsonGenerator json, List<LintFinding> findings) {
        json.writeArrayPropertyStart("findings");
        for (LintFinding finding : findings) {
            json.writeStartObject()
                    .writeStringProperty("file", finding.file())
                    .writeNumberProperty("line", finding.line())
                    .writeNumberProperty("column", finding.column())
                    .writeStringProperty("severity", finding.severity().wireName())
                    .writeStringProperty("code", finding.code().wireName())
                    .writeStringProperty("message", finding.message())
                    .writeStringProperty("help", finding.help())
                    .writeEndObject();
        }
        json.writeEndArray();
    }

    CompletionStage<SepResult> importDocument(Json arguments) {
        if (!results.mayAdminister()) {
            return CompletableFuture.completedStage(results.notAllowed("import documents"));
        }
        Optional<String> mistake = ImportOptions.validate(arguments);
        if (mistake.isPresent()) {
            return CompletableFuture.completedStage(new SepResult.InvalidRequest(mistake.get()));
        }
        ImportOptions importOptions = ImportOptions.of(arguments);
        return withText(arguments, text -> {
            String path = importOptions
                    .path()
                    .map(DocumentPath::text)
                    .orElse(arguments.at("file").text());
            Document document = Document.read(text, format(), DocumentFile.of(path));
            return commands.storeDocument(document, identity())
                    .thenCompose(storedDocumentMetadata -> commands.importDocument(
                            queries.caller(),
                            storedDocumentMetadata.withPath(importOptions.path()),
                            importOptions,
                            numberOf(
                                    storedDocumentMetadata, arguments.at("file").text()),
                            numbers(storedDocumentMetadata)))
                    .thenApply(sepChangeResult -> results.toResult(sepChangeResult, List.of(), json -> {
                        json.writeStringProperty("outcome", outcome(sepChangeResult));
                        findings(json, findings(document, arguments));
                    }));
        });
    }

    private static String outcome(SepChangeResult sepChangeResult) {
        if (!(sepChangeResult instanceof SepChangeResult.Applied applied)
                || applied.events().isEmpty()) {
            return "unchanged";
        }
        return applied.events().getFirst() instanceof LifecycleEvent.Submitted ? "imported" : "updated";
    }

    /** Returns the number that the document states, or else the number in its file name; empty if neither has one. */
    private static OptionalInt numberOf(StoredDocumentMetadata storedDocumentMetadata, String file) {
        int statedNumber = storedDocumentMetadata.metadata().number().orElse(0);
        if (statedNumber > 0 && statedNumber <= SepNumberAllocator.MAX_NUMBER) {
            return OptionalInt.of(statedNumber);
        }
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        Matcher called = NUMBERED.matcher(name);
        int number = called.lookingAt() && !DATED.matcher(name).lookingAt() ? Integer.parseInt(called.group(1)) : 0;
        return number > 0 ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private SepNumberAllocator numbers(StoredDocumentMetadata storedDocumentMetadata) {
        queries.openSeps().refresh();
        return new SepNumberAllocator(
                queries.index().nextNumber(),
                queries.index().lowestFreeNumber(),
                queries.index().numbersWithDocument(storedDocumentMetadata.hash()),
                skip());
    }

    private SepNumberAllocator.Skip skip() {
        ProcessDefinition process = queries.lifecycleEngine().processDefinition();
        if (results.mayAdminister()) {
            return SepNumberAllocator.Skip.ANY;
        }
        return SepCommandExecutor.hasRole(process, queries.caller().roles())
                ? SepNumberAllocator.Skip.SOME
                : SepNumberAllocator.Skip.NONE;
    }
}
