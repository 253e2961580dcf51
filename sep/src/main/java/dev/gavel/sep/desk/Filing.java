package dev.gavel.sep.desk;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.kept.Filed;
import dev.gavel.sep.lint.Finding;
import dev.gavel.sep.lint.LintContext;
import dev.gavel.sep.lint.Linter;
import dev.gavel.sep.similar.Similar;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JsonGenerator;

/** Takes documents in: new ones, changed ones, and those of a process that ran elsewhere before. */
record Filing(Enquiries enquiries, Clerk clerk, Likeness likeness, Replies replies) {
    private static final int MOST_SIMILAR = 5;

    /** Longer ones are days, or build numbers; what letters follow is a word that begins with a digit. */
    private static final Pattern NUMBERED = Pattern.compile("([0-9]{1,5})(?![0-9\\p{L}])");

    private static final Pattern DATED =
            Pattern.compile("([0-9]{4}[-_.][0-9]{1,2}[-_.][0-9]{1,2}|[0-9]{1,2}[-_.][0-9]{1,2}[-_.][0-9]{4})(?![0-9])");

    private static CompletionStage<Reply> withDocument(
            Json arguments, Function<Document, CompletionStage<Reply>> then) {
        String text = arguments.at("document").text();
        if (text.length() > LedgerDesk.LONGEST_DOCUMENT) {
            return CompletableFuture.completedStage(
                    new Reply.Wrong("the document is longer than " + LedgerDesk.LONGEST_DOCUMENT + " characters"));
        }
        if (text.isBlank()) {
            return CompletableFuture.completedStage(new Reply.Wrong("the document is empty"));
        }
        return then.apply(Document.read(text));
    }

    private String identity() {
        return enquiries.caller().identity();
    }

    CompletionStage<Reply> submit(Json arguments) {
        return withDocument(arguments, document -> {
            Optional<Ruling> objection = objection(Optional.empty(), document);
            if (objection.isPresent()) {
                return CompletableFuture.completedStage(replies.to(objection.get()));
            }
            List<Similar> similar = likeness.like(document.outline().summary(), MOST_SIMILAR);
            return clerk.file(document, identity())
                    .thenCompose(filed -> clerk.submit(enquiries.caller(), filed, numbers(filed), enquiries.roster()))
                    .thenApply(ruling -> replies.to(ruling, List.of(), json -> {
                        similar(json, similar);
                        findings(json, findings(document, arguments));
                    }));
        });
    }

    /** Those like a proposal, or like a text. */
    Reply similar(Json arguments) {
        boolean numbered = arguments.at("number").there();
        if (numbered == arguments.at("text").there()) {
            return new Reply.Wrong("'similar' takes a number, or a text");
        }
        int limit = (int) Math.clamp(arguments.at("limit").number(MOST_SIMILAR), 1L, 50L);
        if (!numbered) {
            String text = arguments.at("text").text();
            if (text.length() > LedgerDesk.LONGEST_DOCUMENT) {
                return new Reply.Wrong("the text is longer than " + LedgerDesk.LONGEST_DOCUMENT + " characters");
            }
            String summary = Document.read(text).outline().summary();
            return found(likeness.like(summary.isBlank() ? text : summary, limit));
        }
        int number = LedgerDesk.number(arguments);
        return enquiries
                .shelf()
                .find(number)
                .map(sep -> found(likeness.like(sep, limit)))
                .orElseGet(() -> Enquiries.unknown(number));
    }

    private Reply found(List<Similar> similar) {
        return new Reply.Done(Enquiries.object(json -> similar(json, similar)));
    }

    private void similar(JsonGenerator json, List<Similar> similar) {
        json.writeArrayPropertyStart("similar");
        for (Similar each : similar) {
            enquiries
                    .shelf()
                    .readable(each.number())
                    .ifPresent(sep -> json.writeStartObject()
                            .writeNumberProperty("number", sep.number())
                            .writeStringProperty("title", sep.title())
                            .writeStringProperty("status", sep.state())
                            .writeNumberProperty("score", Math.round(each.score() * 100) / 100.0)
                            .writeEndObject());
        }
        json.writeEndArray();
    }

    CompletionStage<Reply> edit(Json arguments) {
        int number = LedgerDesk.number(arguments);
        Optional<Sep> before = enquiries.shelf().find(number);
        if (before.isEmpty()) {
            return CompletableFuture.completedStage(Enquiries.unknown(number));
        }
        return withDocument(
                arguments,
                document -> objection(before, document)
                        .<CompletionStage<Reply>>map(no -> CompletableFuture.completedStage(replies.to(no)))
                        .orElseGet(() -> clerk.file(document, identity())
                                .thenCompose(filed -> clerk.edit(
                                        enquiries.caller(),
                                        number,
                                        filed,
                                        arguments.at("base").ifText(),
                                        enquiries.roster()))
                                .thenApply(ruling -> replies.to(
                                        ruling, List.of(), json -> findings(json, findings(document, arguments))))));
    }

    /** Nothing is kept of a document that would not be taken. */
    private Optional<Ruling> objection(Optional<Sep> before, Document document) {
        return clerk.objection(enquiries.caller(), before, document.outline(), enquiries.roster(), enquiries.now());
    }

    /** What is wrong with a document; of one that is a proposal already, also where it says what is not so. */
    CompletionStage<Reply> lint(Json arguments) {
        return withDocument(
                arguments,
                document -> CompletableFuture.completedStage(
                        new Reply.Done(Enquiries.object(json -> findings(json, findings(document, arguments))))));
    }

    private List<Finding> findings(Document document, Json arguments) {
        int number = arguments.at("number").there()
                ? LedgerDesk.number(arguments)
                : document.outline().number().orElse(0);
        LintContext context = LintContext.of(enquiries.lifecycle().process())
                .others(other -> enquiries.shelf().find(other).map(Sep::outline));
        Optional<Sep> sep = enquiries.shelf().find(number);
        LintContext known = sep.map(kept -> context.kept(new LintContext.Kept(
                        number,
                        kept.state(),
                        role -> !kept.standing().holders().of(role).isEmpty())))
                .orElse(context);
        String file = arguments.at("file").ifText().orElse("document");
        return Linter.lint(file, document, known);
    }

    private static void findings(JsonGenerator json, List<Finding> findings) {
        json.writeArrayPropertyStart("findings");
        for (Finding finding : findings) {
            json.writeStartObject()
                    .writeStringProperty("file", finding.file())
                    .writeNumberProperty("line", finding.line())
                    .writeNumberProperty("column", finding.column())
                    .writeStringProperty("severity", finding.severity().word())
                    .writeStringProperty("code", finding.code().word())
                    .writeStringProperty("message", finding.message())
                    .writeStringProperty("help", finding.help())
                    .writeEndObject();
        }
        json.writeEndArray();
    }

    CompletionStage<Reply> bring(Json arguments) {
        if (!replies.isSteward()) {
            return CompletableFuture.completedStage(replies.notSteward("import"));
        }
        return withDocument(
                arguments,
                document -> clerk.file(document, identity())
                        .thenCompose(filed -> clerk.bring(
                                enquiries.caller(),
                                filed,
                                numberOf(filed, arguments.at("file").text()),
                                numbers(filed),
                                enquiries.roster()))
                        .thenApply(ruling -> replies.to(ruling, List.of(), json -> {
                            json.writeStringProperty("outcome", outcome(ruling));
                            findings(json, findings(document, arguments));
                        })));
    }

    private static String outcome(Ruling ruling) {
        if (!(ruling instanceof Ruling.Made made) || made.events().isEmpty()) {
            return "unchanged";
        }
        return made.events().getFirst() instanceof Event.Submitted ? "imported" : "updated";
    }

    /** The number a document has: as it says, or as its file is called; none where neither tells. */
    private static OptionalInt numberOf(Filed filed, String file) {
        int said = filed.outline().number().orElse(0);
        if (said > 0 && said <= Numbers.HIGHEST) {
            return OptionalInt.of(said);
        }
        String name = file.substring(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
        Matcher called = NUMBERED.matcher(name);
        int number = called.lookingAt() && !DATED.matcher(name).lookingAt() ? Integer.parseInt(called.group(1)) : 0;
        return number > 0 ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private Numbers numbers(Filed filed) {
        enquiries.shelf().follow();
        return new Numbers(
                enquiries.catalogue().next(), enquiries.catalogue().withDocument(filed.hash()), replies.isSteward());
    }
}
