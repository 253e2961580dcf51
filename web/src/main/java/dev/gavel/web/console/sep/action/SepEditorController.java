package dev.gavel.web.console.sep.action;

import dev.gavel.lifecycle.process.AttributeDefinition;
import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.document.DocumentTemplate;
import dev.gavel.sep.service.LedgerSepService;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.sep.SepActionPaths;
import dev.gavel.web.console.sep.SepActionSuccessMessages;
import dev.gavel.web.console.sep.action.ConsoleSepClient.SepQuery;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Serves the editor in which a user writes a new SEP or changes the document of an existing one. Thread-safe. */
public final class SepEditorController {
    private static final String NEW = "/console/seps/new";
    private static final String EDIT = "/console/seps/:number/edit";

    /**
     * A form is longer than the document in it: URL encoding needs nine bytes for one letter of some non-Latin scripts.
     */
    private static final int MAX_FORM_BYTES = 9 * LedgerSepService.MAX_DOCUMENT_LENGTH + 64 * 1024;

    private static final String WRITE = "Write {a proposal}";
    private static final int MAX_TITLE_LENGTH = 200;

    private final ConsoleRequestGuard guard;
    private final Optional<SepService> sepService;
    private final ProcessDefinition processDefinition;
    private final InstantSource clock;
    private final SepDocumentPreviewRenderer sepDocumentPreviewRenderer = new SepDocumentPreviewRenderer();

    /**
     * Creates the controller.
     *
     * @param sepService empty if there is no ledger to store SEPs in
     */
    public SepEditorController(
            ConsoleRequestGuard guard,
            Optional<SepService> sepService,
            ProcessDefinition processDefinition,
            InstantSource clock) {
        this.guard = guard;
        this.sepService = sepService;
        this.processDefinition = processDefinition;
        this.clock = clock;
    }

    public void mount(Router router) {
        router.get(NEW)
                .handler(context -> guard.handlePage(
                        context,
                        consoleUser -> ConsoleSepClient.withSepService(
                                context,
                                sepService,
                                consoleUser,
                                consoleSepClient -> showNewSep(context, consoleUser, consoleSepClient))));
        router.post(NEW).handler(context -> withSubmission(context, this::submit));
        router.get(EDIT)
                .handler(context -> guard.handlePage(
                        context,
                        consoleUser -> ConsoleSepClient.withSepService(
                                context,
                                sepService,
                                consoleUser,
                                consoleSepClient -> showExistingSep(context, consoleUser, consoleSepClient))));
        router.post(EDIT).handler(context -> withSubmission(context, this::save));
        router.post("/console/seps/check").handler(context -> withSubmission(context, this::check));
    }

    /** A submitted editor form, with the user and the client for the SEP service. */
    private record EditorSubmission(
            RoutingContext context, ConsoleUser consoleUser, ConsoleSepClient consoleSepClient, FormFields fields) {
        String text() {
            return fields.rawText("document").orElse("");
        }

        boolean isCheckOnly() {
            return fields.text("do").filter("check"::equals).isPresent();
        }
    }

    private void withSubmission(RoutingContext context, Consumer<EditorSubmission> then) {
        guard.handleForm(
                context,
                MAX_FORM_BYTES,
                (consoleUser, fields) -> ConsoleSepClient.withSepService(
                        context,
                        sepService,
                        consoleUser,
                        consoleSepClient ->
                                then.accept(new EditorSubmission(context, consoleUser, consoleSepClient, fields))));
    }

    // --- a new SEP

    private void showNewSep(RoutingContext context, ConsoleUser consoleUser, ConsoleSepClient consoleSepClient) {
        String title = Optional.ofNullable(context.request().getParam("title"))
                .map(String::strip)
                .orElse("");
        Optional<AttributeDefinition> types =
                Optional.ofNullable(processDefinition.attributes().get("type"));
        if (title.isEmpty()) {
            ConsoleResponses.sendPage(
                    context,
                    200,
                    SepActionPageRenderer.newSep(new NewSepPage(
                            consoleUser.frame("New " + consoleUser.terms().name(), PageLayoutData.Section.SEPS),
                            types.map(type -> List.copyOf(type.values())).orElse(List.of()),
                            types.flatMap(AttributeDefinition::defaultValue).orElse(""))));
            return;
        }
        String limitedTitle = title.substring(0, Math.min(MAX_TITLE_LENGTH, title.length()));
        Optional<String> type = Optional.ofNullable(context.request().getParam("type"))
                .flatMap(word -> types.flatMap(known -> known.canonicalValue(word)))
                .or(() -> types.flatMap(AttributeDefinition::defaultValue));
        String text = DocumentTemplate.render(
                processDefinition.documentFormat(),
                limitedTitle,
                List.of(author(consoleUser)),
                type,
                DocumentTemplate.initialStatus(processDefinition),
                LocalDate.ofInstant(clock.instant(), ZoneId.systemDefault()));
        showEditor(context, consoleSepClient, newSepPage(consoleUser, limitedTitle, text, false), 200);
    }

    private static String author(ConsoleUser consoleUser) {
        String handle = consoleUser.identity().handles().stream().findFirst().orElse("@" + consoleUser.id());
        return consoleUser.identity().name() + " (" + handle + ")";
    }

    private static SepEditorPage newSepPage(ConsoleUser consoleUser, String title, String text, boolean resubmitted) {
        return SepEditorPage.of(
                consoleUser.frame(consoleUser.terms().text(WRITE), PageLayoutData.Section.SEPS),
                Optional.empty(),
                SafeText.line(title),
                NEW,
                text,
                "",
                resubmitted);
    }

    private void submit(EditorSubmission editorSubmission) {
        String title = editorSubmission
                .fields()
                .text("title")
                .orElse(processDefinition.terms().text(WRITE));
        SepEditorPage page = newSepPage(editorSubmission.consoleUser(), title, editorSubmission.text(), true);
        if (editorSubmission.isCheckOnly()) {
            showEditor(editorSubmission.context(), editorSubmission.consoleSepClient(), page, 200);
            return;
        }
        Json arguments = Json.object().with("document", Json.ofText(editorSubmission.text()));
        AsyncPageContinuation.whenLoaded(
                editorSubmission.consoleSepClient().send(SepOperation.SUBMIT, arguments),
                editorSubmission.context(),
                sepResult -> {
                    if (sepResult instanceof SepResult.Success(Json body)) {
                        ConsoleResponses.redirect(
                                editorSubmission.context(),
                                SepActionSuccessMessages.redirectPath(
                                        body.at("number").asLong(0), SepOperation.SUBMIT, Map.of()));
                    } else {
                        showEditor(
                                editorSubmission.context(),
                                editorSubmission.consoleSepClient(),
                                page.withComplaint(SepFormErrorMarker.refusalText(sepResult)),
                                ConsoleSepClient.httpStatus(sepResult));
                    }
                });
    }

    // --- an existing SEP

    private void showExistingSep(RoutingContext context, ConsoleUser consoleUser, ConsoleSepClient consoleSepClient) {
        withNumber(
                context,
                number -> consoleSepClient.queryAll(
                        context,
                        List.of(
                                SepQuery.about(SepOperation.EXPORT, number),
                                SepQuery.about(SepOperation.EXPLAIN, number)),
                        answers -> {
                            ProposalTerms terms = consoleUser.terms();
                            Json export = answers.get(0);
                            if (!answers.get(1).at("youMayAlso").texts().contains(SepOperation.EDIT.wireName())) {
                                ConsoleResponses.refuse(
                                        context,
                                        403,
                                        terms.text("You cannot edit this {proposal}"),
                                        "The process does not allow you to edit the document of "
                                                + terms.numberLabel(number)
                                                + terms.text(", or the {proposal} is closed. You can comment on the"
                                                        + " {proposal} instead."));
                                return;
                            }
                            String text = export.at("document").text();
                            String hash = export.at("hash").text();
                            showEditor(
                                    context,
                                    consoleSepClient,
                                    offerEditorial(
                                            existingSepPage(consoleUser, number, export, text, hash, false),
                                            answers.get(1),
                                            false),
                                    200);
                        }));
    }

    private void withNumber(RoutingContext context, Consumer<Long> then) {
        ConsoleSepClient.parseNumber(context)
                .ifPresentOrElse(
                        then,
                        () -> ConsoleResponses.refuse(
                                context,
                                404,
                                "Not found",
                                processDefinition.terms().text("This {proposal} does not exist.")));
    }

    private static SepEditorPage existingSepPage(
            ConsoleUser consoleUser, long number, Json export, String text, String base, boolean resubmitted) {
        return SepEditorPage.of(
                consoleUser.frame("Edit " + consoleUser.terms().numberLabel(number), PageLayoutData.Section.SEPS),
                Optional.of(number),
                SafeText.line(export.at("title").text()),
                SepActionPaths.actionPath(number, SepOperation.EDIT),
                text,
                base,
                resubmitted);
    }

    private void save(EditorSubmission editorSubmission) {
        RoutingContext context = editorSubmission.context();
        withNumber(
                context,
                number -> editorSubmission
                        .consoleSepClient()
                        .queryAll(
                                context,
                                List.of(
                                        SepQuery.about(SepOperation.EXPORT, number),
                                        SepQuery.about(SepOperation.EXPLAIN, number)),
                                answers -> save(editorSubmission, number, answers.get(0), answers.get(1))));
    }

    /** Offers to declare the edit editorial, if the answer to {@code explain} allows it. */
    private static SepEditorPage offerEditorial(SepEditorPage page, Json explain, boolean declared) {
        return explain.at("youMayDeclareEditorial").isTrue() ? page.withEditorial(declared) : page;
    }

    private void save(EditorSubmission editorSubmission, long number, Json before, Json explain) {
        String base = editorSubmission.fields().text("base").orElse("");
        boolean editorial = editorSubmission.fields().text("editorial").isPresent();
        SepEditorPage page = offerEditorial(
                existingSepPage(editorSubmission.consoleUser(), number, before, editorSubmission.text(), base, true),
                explain,
                editorial);
        if (editorSubmission.isCheckOnly()) {
            showEditor(editorSubmission.context(), editorSubmission.consoleSepClient(), page, 200);
            return;
        }
        // Browsers submit all line ends in the same form; a document with CRLF line ends keeps them.
        String text = before.at("document").text().contains("\r\n")
                ? editorSubmission.text().replace("\n", "\r\n")
                : editorSubmission.text();
        Json arguments = Json.object()
                .with("number", Json.of(number))
                .with("document", Json.ofText(text))
                .with("base", Json.ofText(base))
                .with("editorial", Json.of(editorial));
        AsyncPageContinuation.whenLoaded(
                editorSubmission.consoleSepClient().send(SepOperation.EDIT, arguments),
                editorSubmission.context(),
                sepResult -> {
                    switch (sepResult) {
                        case SepResult.Success _ ->
                            ConsoleResponses.redirect(
                                    editorSubmission.context(),
                                    SepActionSuccessMessages.redirectPath(number, SepOperation.EDIT, Map.of()));
                        case SepResult.Refused refused
                        when refused.code().equals("changed-since") ->
                            showConflict(editorSubmission, number, page, refused);
                        default ->
                            showEditor(
                                    editorSubmission.context(),
                                    editorSubmission.consoleSepClient(),
                                    page.withComplaint(SepFormErrorMarker.refusalText(sepResult)),
                                    ConsoleSepClient.httpStatus(sepResult));
                    }
                });
    }

    /**
     * Another user changed the document meanwhile. Shows the current document, so that the user has seen it before
     * saving again.
     */
    private void showConflict(
            EditorSubmission editorSubmission, long number, SepEditorPage submitted, SepResult.Refused refused) {
        editorSubmission
                .consoleSepClient()
                .queryAll(editorSubmission.context(), List.of(SepQuery.about(SepOperation.EXPORT, number)), answers -> {
                    Json now = answers.getFirst();
                    String hash = now.at("hash").text();
                    SepEditorPage page = existingSepPage(
                                    editorSubmission.consoleUser(), number, now, editorSubmission.text(), hash, true)
                            .withComplaint("Nothing was saved. " + SepFormErrorMarker.refusalText(refused))
                            .withCurrentDocument(
                                    SafeText.lines(now.at("document").text()));
                    showEditor(
                            editorSubmission.context(),
                            editorSubmission.consoleSepClient(),
                            submitted.editorial().map(page::withEditorial).orElse(page),
                            ConsoleSepClient.httpStatus(refused));
                });
    }

    // --- used for new and existing SEPs

    /** Shows the editor with the preview and the findings of the document. */
    private void showEditor(RoutingContext context, ConsoleSepClient consoleSepClient, SepEditorPage page, int status) {
        sepDocumentPreviewRenderer.render(
                context,
                consoleSepClient,
                page.number(),
                page.text(),
                sepDocumentCheckView -> ConsoleResponses.sendPage(
                        context, status, SepActionPageRenderer.editor(page.withCheck(sepDocumentCheckView))));
    }

    private void check(EditorSubmission editorSubmission) {
        RoutingContext context = editorSubmission.context();
        Optional<Long> number = editorSubmission
                .fields()
                .text("number")
                .filter(text -> text.matches("[1-9]\\d{0,8}"))
                .map(Long::parseLong);
        sepDocumentPreviewRenderer.render(
                context,
                editorSubmission.consoleSepClient(),
                number,
                editorSubmission.text(),
                sepDocumentCheckView -> ConsoleResponses.sendPage(
                        context, 200, SepActionPageRenderer.documentCheck(sepDocumentCheckView)));
    }
}
