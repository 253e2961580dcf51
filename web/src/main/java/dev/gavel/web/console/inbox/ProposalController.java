package dev.gavel.web.console.inbox;

import dev.gavel.gateway.ApprovalResult;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.ReviewDecisionSubmitter;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.gateway.routing.SubmitResult;
import dev.gavel.mcpx.SystemMessage.Failure;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.live.LiveUpdateEndpoint;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.console.session.AsyncPageContinuation;
import dev.gavel.web.console.session.ConsoleRequestGuard;
import dev.gavel.web.console.session.ConsoleResponses;
import dev.gavel.web.console.session.ConsoleUser;
import dev.gavel.web.console.session.FormFields;
import dev.gavel.web.console.topic.ProposalHistoryView;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Serves a proposal's page and the forms by which a reviewer approves, edits or rejects it, or reports that it is under
 * consideration. Thread-safe.
 */
final class ProposalController {
    private static final String PROPOSAL = "/console/proposals/:topic/:id";

    private static final String NOT_FOUND_TEXT = "None of your topics has this proposal.";

    /** In bytes. An envelope may have a quarter of this, and a form encodes many characters as three. */
    private static final int MAX_FORM_BYTES = 4 * 1024 * 1024;

    private final ConsoleRequestGuard guard;
    private final Gateway gateway;
    private final InboxQueries inboxQueries;
    private final ReviewDecisionSubmitter reviewDecisionSubmitter;
    private final LiveUpdateEndpoint liveUpdateEndpoint;
    private final InstantSource clock;

    ProposalController(
            ConsoleRequestGuard guard,
            Gateway gateway,
            InboxQueries inboxQueries,
            LiveUpdateEndpoint liveUpdateEndpoint,
            InstantSource clock) {
        this.guard = guard;
        this.gateway = gateway;
        this.inboxQueries = inboxQueries;
        this.reviewDecisionSubmitter = new ReviewDecisionSubmitter(gateway, clock);
        this.liveUpdateEndpoint = liveUpdateEndpoint;
        this.clock = clock;
    }

    void mount(Router router) {
        page(router, PROPOSAL, proposalRequest -> show(proposalRequest, 200, Optional.empty()));
        page(
                router,
                PROPOSAL + "/approve",
                proposalRequest -> showConfirmForm(proposalRequest, 200, ConfirmFormView::of));
        page(router, PROPOSAL + "/edit", proposalRequest -> edit(proposalRequest, 200, ArgumentEditorView::of));
        page(router, PROPOSAL + "/reject", proposalRequest -> showRejectForm(proposalRequest, 200, RejectFormView::of));
        form(
                router,
                "/edit",
                (proposalRequest, fields) -> edit(proposalRequest, 200, refilledEditor(fields, Optional.empty())));
        form(router, "/check", this::check);
        form(router, "/approve", this::approve);
        form(router, "/reject", this::reject);
        form(router, "/reveal", (proposalRequest, fields) -> reveal(proposalRequest));
        form(
                router,
                "/consider",
                (proposalRequest, fields) -> whenDecided(
                        proposalRequest,
                        reviewDecisionSubmitter.acknowledge(
                                proposalRequest.topicAccess().topic(),
                                proposalRequest.topicAccess().member(),
                                proposalRequest.consoleUser().accessGrant(),
                                proposalRequest.id()),
                        reason -> show(proposalRequest, 409, Optional.of(reason))));
    }

    private void page(Router router, String path, Consumer<ProposalRequest> then) {
        router.get(path).handler(context -> guard.handlePage(context, consoleUser -> find(context, consoleUser, then)));
    }

    private void form(Router router, String path, BiConsumer<ProposalRequest, FormFields> then) {
        router.post(PROPOSAL + path)
                .handler(context -> guard.handleForm(
                        context,
                        MAX_FORM_BYTES,
                        (consoleUser, fields) ->
                                find(context, consoleUser, proposalRequest -> then.accept(proposalRequest, fields))));
    }

    /** A request for a proposal in a topic of which the user is a member. */
    private record ProposalRequest(
            RoutingContext context, ConsoleUser consoleUser, InboxQueries.LedgerTopic topicAccess, String id) {
        boolean isHtmxRequest() {
            return ConsoleResponses.isHtmxRequest(context);
        }

        /** Whether to show the whole proposal: if the open page shows all of it, the response does so too. */
        boolean showsAll() {
            return !isHtmxRequest() || "true".equals(context.request().getHeader("X-Whole"));
        }

        void sendNotFound() {
            ConsoleResponses.refuse(context, 404, "Not found", NOT_FOUND_TEXT);
        }
    }

    private void find(RoutingContext context, ConsoleUser consoleUser, Consumer<ProposalRequest> then) {
        String id = Objects.requireNonNull(context.pathParam("id"));
        gateway.topic(Objects.requireNonNull(context.pathParam("topic")))
                .flatMap(topic -> InboxQueries.ledgerTopics(topic, consoleUser))
                .ifPresentOrElse(
                        ledgerTopic -> then.accept(new ProposalRequest(context, consoleUser, ledgerTopic, id)),
                        () -> ConsoleResponses.refuse(context, 404, "Not found", NOT_FOUND_TEXT));
    }

    /** The current state of a proposal, and its card. */
    private record ProposalSnapshot(ProposalView view, ProposalCard card) {
        /** The proposed arguments of the call; an empty object if there are none. */
        Json arguments() {
            Json arguments = Json.parse(view.payload().toString())
                    .orElseGet(Json::object)
                    .at("params")
                    .at("arguments");
            return arguments.type() == Json.Type.OBJECT ? arguments : Json.object();
        }
    }

    private void load(ProposalRequest proposalRequest, Consumer<ProposalSnapshot> then) {
        loadAndCompute(proposalRequest, proposalSnapshot -> proposalSnapshot, then);
    }

    /**
     * Loads a proposal and computes a value from it. The computation does not run on the event loop, because processing
     * untrusted input may take long.
     */
    private <T> void loadAndCompute(
            ProposalRequest proposalRequest, Function<ProposalSnapshot, T> work, Consumer<T> then) {
        inboxQueries.requestTools(proposalRequest.topicAccess());
        AsyncPageContinuation.whenLoaded(
                proposalRequest
                        .topicAccess()
                        .proposalQueries()
                        .view(proposalRequest.topicAccess().member(), proposalRequest.id())
                        .thenApply(found -> found.map(view -> work.apply(new ProposalSnapshot(
                                view,
                                inboxQueries
                                        .cardBuilder(
                                                proposalRequest.topicAccess().member(), proposalRequest.showsAll())
                                        .build(
                                                proposalRequest
                                                        .topicAccess()
                                                        .topic()
                                                        .name(),
                                                view))))),
                proposalRequest.context(),
                found -> found.ifPresentOrElse(then, proposalRequest::sendNotFound));
    }

    /** Shows the current state of a proposal: as a page, or as a card in the open page. */
    private void show(ProposalRequest proposalRequest, int status, Optional<String> complaint) {
        String mark = liveUpdateEndpoint.mark();
        load(proposalRequest, proposalSnapshot -> {
            ProposalCard card =
                    complaint.map(proposalSnapshot.card()::withComplaint).orElse(proposalSnapshot.card());
            if (proposalRequest.isHtmxRequest()) {
                // Replaces the card even if the request came from one of its forms.
                proposalRequest
                        .context()
                        .response()
                        .putHeader("HX-Retarget", "#" + card.elementId())
                        .putHeader("HX-Reswap", "outerHTML");
            }
            ConsoleResponses.sendPage(
                    proposalRequest.context(),
                    status,
                    proposalRequest.isHtmxRequest()
                            ? InboxAndProposalRenderer.card(
                                    card, proposalRequest.consoleUser().csrf(), clock.instant())
                            : InboxAndProposalRenderer.proposal(
                                    new ProposalDetailPage(
                                            frame(proposalRequest, card.call().name())
                                                    .live(stream(proposalRequest), mark),
                                            card,
                                            ProposalHistoryView.of(
                                                    proposalSnapshot.view(),
                                                    proposalRequest
                                                            .consoleUser()
                                                            .id())),
                                    clock.instant()));
        });
    }

    /**
     * Returns the path of the event stream for a proposal's page. The proposal's path is a query value there, and
     * therefore encoded once more.
     */
    private static String stream(ProposalRequest proposalRequest) {
        String path = ProposalCard.path(proposalRequest.topicAccess().topic().name(), proposalRequest.id());
        return "/console/live?of=" + URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    private static PageLayoutData frame(ProposalRequest proposalRequest, String title) {
        return proposalRequest.consoleUser().frame(title, PageLayoutData.Section.INBOX);
    }

    /** Creates the content of the argument editor. */
    @FunctionalInterface
    private interface EditorFactory {
        ArgumentEditorView create(ProposalCard card, Json proposed);
    }

    /** Returns a factory for an editor that contains the submitted arguments. */
    private static EditorFactory refilledEditor(FormFields fields, Optional<String> complaint) {
        return (card, proposed) ->
                new ArgumentEditorView(card, proposed, submittedArguments(fields), fields.text("to"), complaint);
    }

    private static String submittedArguments(FormFields fields) {
        return fields.text("arguments").orElse("").replace("\r\n", "\n");
    }

    /**
     * A rendered form and the card it belongs to; {@code html} is empty if the reader may not change the proposal now.
     */
    private record RenderedForm(ProposalCard card, Optional<String> html) {}

    private void edit(ProposalRequest proposalRequest, int status, EditorFactory editorFactory) {
        loadAndCompute(
                proposalRequest,
                proposalSnapshot -> new RenderedForm(
                        proposalSnapshot.card(),
                        proposalSnapshot.card().actions().edit()
                                ? Optional.of(renderEditor(
                                        proposalRequest,
                                        editorFactory.create(proposalSnapshot.card(), proposalSnapshot.arguments())))
                                : Optional.empty()),
                renderedForm -> renderedForm
                        .html()
                        .ifPresentOrElse(
                                html -> {
                                    targetFormSlot(proposalRequest, renderedForm.card());
                                    ConsoleResponses.sendPage(proposalRequest.context(), status, html);
                                },
                                // The proposal has ended, or the reader was never allowed to edit it; the card shows
                                // which.
                                () -> show(proposalRequest, 409, Optional.of("This proposal cannot be edited now."))));
    }

    private static String renderEditor(ProposalRequest proposalRequest, ArgumentEditorView argumentEditorView) {
        return proposalRequest.isHtmxRequest()
                ? InboxAndProposalRenderer.editForm(
                        argumentEditorView, proposalRequest.consoleUser().csrf())
                : InboxAndProposalRenderer.editPage(
                        frame(
                                proposalRequest,
                                "Edit " + argumentEditorView.card().call().name()),
                        argumentEditorView);
    }

    private void check(ProposalRequest proposalRequest, FormFields fields) {
        loadAndCompute(
                proposalRequest,
                proposalSnapshot -> proposalSnapshot.card().actions().edit()
                        ? InboxAndProposalRenderer.argumentCheck(checkArguments(proposalSnapshot, fields))
                        : InboxAndProposalRenderer.notEditable(),
                html -> ConsoleResponses.sendPage(proposalRequest.context(), 200, html));
    }

    private static ArgumentEditorView.ArgumentCheck checkArguments(
            ProposalSnapshot proposalSnapshot, FormFields fields) {
        return ArgumentEditorView.check(
                proposalSnapshot.arguments(),
                submittedArguments(fields),
                proposalSnapshot.card().call());
    }

    private void approve(ProposalRequest proposalRequest, FormFields fields) {
        if (!fields.has("arguments")) {
            approve(
                    proposalRequest,
                    fields,
                    Optional.empty(),
                    fields.text("confirm").isPresent(),
                    (status, reason) -> show(proposalRequest, status, Optional.of(reason)));
            return;
        }
        loadAndCompute(proposalRequest, proposalSnapshot -> checkArguments(proposalSnapshot, fields), argumentCheck -> {
            if (!argumentCheck.warningText().isEmpty()
                    && !fields.text("warned").orElse("").equals(argumentCheck.warningText())) {
                edit(
                        proposalRequest,
                        409,
                        refilledEditor(
                                fields,
                                Optional.of("Nothing was approved: Gavel has checked your arguments again. Read the"
                                        + " warnings below, then approve them.")));
            } else if (argumentCheck.isValid()
                    || (fields.has("unchecked") && argumentCheck.value().isPresent())) {
                approve(
                        proposalRequest,
                        fields,
                        // Without changes, the call carries the proposed arguments exactly as they were sent.
                        argumentCheck
                                .value()
                                .filter(value -> !argumentCheck.jsonDiff().isEmpty()),
                        // The reviewer opened the editor first, and it showed these warnings.
                        true,
                        (status, reason) -> edit(proposalRequest, status, refilledEditor(fields, Optional.of(reason))));
            } else {
                edit(
                        proposalRequest,
                        400,
                        refilledEditor(fields, Optional.of("Nothing was approved: the arguments are not valid yet.")));
            }
        });
    }

    /** Shows why an approval was refused. */
    @FunctionalInterface
    private interface RefusalHandler {
        void accept(int status, String reason);
    }

    private void approve(
            ProposalRequest proposalRequest,
            FormFields fields,
            Optional<Json> arguments,
            boolean confirmed,
            RefusalHandler refused) {
        Optional<String> to = fields.text("to");
        if (to.isEmpty()) {
            // The reader approves a run by the participant that the form showed, never by whichever participant is
            // connected when the form arrives.
            refused.accept(400, "Choose the participant that runs the call.");
            return;
        }
        AsyncPageContinuation.whenLoaded(
                reviewDecisionSubmitter.approve(
                        proposalRequest.topicAccess().topic(),
                        proposalRequest.topicAccess().member(),
                        proposalRequest.consoleUser().accessGrant(),
                        proposalRequest.id(),
                        arguments,
                        confirmed,
                        to,
                        new ApprovalOptions(
                                fields.has("unchecked"),
                                fields.text("definition")
                                        .map(text -> List.of(text.split(" ")))
                                        .orElse(List.of()))),
                proposalRequest.context(),
                approvalResult -> {
                    switch (approvalResult) {
                        case ApprovalResult.Sent _ -> showResult(proposalRequest);
                        case ApprovalResult.RunnerChoiceRequired(List<String> couldRun, List<String> alternatives) ->
                            refused.accept(
                                    409,
                                    couldRun.isEmpty() && alternatives.isEmpty()
                                            ? "No connected participant can run this call. Connect the tool's server,"
                                                    + " then approve the call."
                                            : SafeText.line(to.get())
                                                    + " can no longer run this call. Nothing was sent. Check which"
                                                    + " participant runs it now, then approve it again.");
                        case ApprovalResult.ConfirmationRequired _ ->
                            showConfirmForm(
                                    proposalRequest,
                                    409,
                                    card -> new ConfirmFormView(card, to.get(), Optional.empty()));
                        case ApprovalResult.Refused(List<Failure> failures) ->
                            refused.accept(409, failureText(failures));
                        case ApprovalResult.InvalidArguments(String reason) -> refused.accept(409, reason);
                        case ApprovalResult.UnknownProposal() -> proposalRequest.sendNotFound();
                    }
                });
    }

    /** Inserts the response into the card's slot for forms, whichever element sent the request. */
    private static void targetFormSlot(ProposalRequest proposalRequest, ProposalCard card) {
        if (proposalRequest.isHtmxRequest()) {
            proposalRequest
                    .context()
                    .response()
                    .putHeader("HX-Retarget", "#" + card.elementId() + "-form")
                    .putHeader("HX-Reswap", "innerHTML");
        }
    }

    private void showConfirmForm(
            ProposalRequest proposalRequest, int status, Function<ProposalCard, ConfirmFormView> formFactory) {
        load(proposalRequest, proposalSnapshot -> {
            ProposalCard card = proposalSnapshot.card();
            if (!card.approvable()) {
                show(proposalRequest, 409, Optional.of("You cannot approve this proposal now."));
                return;
            }
            ConfirmFormView confirmFormView = formFactory.apply(card);
            targetFormSlot(proposalRequest, card);
            ConsoleResponses.sendPage(
                    proposalRequest.context(),
                    status,
                    proposalRequest.isHtmxRequest()
                            ? InboxAndProposalRenderer.confirmForm(
                                    confirmFormView,
                                    proposalRequest.consoleUser().csrf())
                            : InboxAndProposalRenderer.confirmPage(
                                    frame(
                                            proposalRequest,
                                            "Approve " + card.call().name()),
                                    confirmFormView));
        });
    }

    private void showRejectForm(
            ProposalRequest proposalRequest, int status, Function<ProposalCard, RejectFormView> formFactory) {
        load(proposalRequest, proposalSnapshot -> {
            ProposalCard card = proposalSnapshot.card();
            if (!card.actions().reject()) {
                show(proposalRequest, 409, Optional.of("You cannot reject this proposal now."));
                return;
            }
            RejectFormView rejectFormView = formFactory.apply(card);
            targetFormSlot(proposalRequest, card);
            ConsoleResponses.sendPage(
                    proposalRequest.context(),
                    status,
                    proposalRequest.isHtmxRequest()
                            ? InboxAndProposalRenderer.rejectForm(
                                    rejectFormView,
                                    proposalRequest.consoleUser().csrf())
                            : InboxAndProposalRenderer.rejectPage(
                                    frame(
                                            proposalRequest,
                                            "Reject " + card.call().name()),
                                    rejectFormView));
        });
    }

    private void reject(ProposalRequest proposalRequest, FormFields fields) {
        Optional<String> reason = fields.text("reason")
                .flatMap(chosen -> chosen.equals("own") ? fields.text("words") : Optional.of(chosen));
        if (reason.isEmpty()) {
            showRejectForm(
                    proposalRequest,
                    400,
                    card -> new RejectFormView(
                            card,
                            fields.text("words").orElse(""),
                            fields.text("note").orElse(""),
                            Optional.of("Choose a reason, or write your own.")));
            return;
        }
        whenDecided(
                proposalRequest,
                reviewDecisionSubmitter.reject(
                        proposalRequest.topicAccess().topic(),
                        proposalRequest.topicAccess().member(),
                        proposalRequest.consoleUser().accessGrant(),
                        proposalRequest.id(),
                        reason.get(),
                        fields.text("note")),
                why -> show(proposalRequest, 409, Optional.of(why)));
    }

    /** Shows the secret arguments on a page of their own: updates of an open card would hide them again. */
    private void reveal(ProposalRequest proposalRequest) {
        AsyncPageContinuation.whenLoaded(
                proposalRequest
                        .topicAccess()
                        .proposalQueries()
                        .reveal(proposalRequest.topicAccess().member(), proposalRequest.id()),
                proposalRequest.context(),
                found -> found.ifPresentOrElse(
                        view -> {
                            ProposalCard card = inboxQueries
                                    .cardBuilder(proposalRequest.topicAccess().member(), true)
                                    .build(proposalRequest.topicAccess().topic().name(), view);
                            ConsoleResponses.sendPage(
                                    proposalRequest.context(),
                                    200,
                                    InboxAndProposalRenderer.revealPage(
                                            frame(
                                                    proposalRequest,
                                                    "Secrets of " + card.call().name()),
                                            card));
                        },
                        () -> show(
                                proposalRequest,
                                403,
                                Optional.of("Only members who could approve this proposal can reveal its secret"
                                        + " arguments."))));
    }

    private void whenDecided(
            ProposalRequest proposalRequest, CompletionStage<SubmitResult> future, Consumer<String> refused) {
        AsyncPageContinuation.whenLoaded(future, proposalRequest.context(), submitResult -> {
            switch (submitResult) {
                case SubmitResult.Accepted accepted ->
                    openProposalText(accepted)
                            .ifPresentOrElse(
                                    text -> show(proposalRequest, 200, Optional.of(text)),
                                    () -> showResult(proposalRequest));
                case SubmitResult.Refused(List<Failure> failures) -> refused.accept(failureText(failures));
            }
        });
    }

    /** Returns what the reader's rejection did if it left the proposal open. */
    private static Optional<String> openProposalText(SubmitResult.Accepted accepted) {
        return accepted.rejectionEffects().stream()
                .filter(effect -> !effect.closed())
                .map(effect -> "Not rejected: " + SafeText.line(effect.detail()) + ".")
                .findFirst();
    }

    private void showResult(ProposalRequest proposalRequest) {
        if (proposalRequest.isHtmxRequest()) {
            show(proposalRequest, 200, Optional.empty());
        } else {
            ConsoleResponses.redirect(
                    proposalRequest.context(),
                    ProposalCard.path(proposalRequest.topicAccess().topic().name(), proposalRequest.id()));
        }
    }

    private static String failureText(List<Failure> failures) {
        return failures.stream().map(each -> SafeText.line(each.message())).collect(Collectors.joining(" "));
    }
}
