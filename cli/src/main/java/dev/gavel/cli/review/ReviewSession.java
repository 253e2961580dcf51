package dev.gavel.cli.review;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.proposal.ProposalApprovalSender;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.cli.review.ReviewScreenMode.Question;
import dev.gavel.cli.terminal.LineEditState;
import dev.gavel.cli.terminal.TerminalDisplay;
import dev.gavel.cli.terminal.TerminalKey;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.client.http.RemoteGatewayException.Refused;
import dev.gavel.client.http.RemoteGatewayException.Unreachable;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.ApprovalOptions;
import dev.gavel.mcpx.proposal.RejectionReason;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The loop of {@code gavel review}: handles keys and server events while a reviewer decides proposals one by one. A key
 * counts only for the proposal that was on the screen when the reviewer pressed it; when another proposal is shown,
 * keys typed before that are dropped. Used by one thread.
 */
final class ReviewSession {
    private static final Json EMPTY = Json.parse("{}").orElseThrow();
    private static final long REDRAW_MILLIS = 250;
    private static final String DISCARD_QUESTION = "press Esc again to discard what you typed";

    /**
     * No message reports some changes to a reviewer, such as that the participant who runs a call has been disconnected
     * too long.
     */
    private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(5);

    private final ClientCommandContext clientCommandContext;
    private final ReviewQueue queue;
    private final ReviewViewport viewport;
    private final BlockingQueue<ReviewSessionEvent> events;

    private ReviewScreenMode mode = new ReviewScreenMode.Idle();
    private String message = "";
    private boolean serverLost;
    private long refreshedNanos = System.nanoTime();
    private boolean modeChanged;
    private boolean done;

    /** What the reviewer stated about the current proposal, besides the call. */
    private ApprovalOptions approvalOptions = ApprovalOptions.DEFAULT;

    ReviewSession(
            ClientCommandContext clientCommandContext,
            TerminalDisplay terminalDisplay,
            ReviewQueue queue,
            BlockingQueue<ReviewSessionEvent> events) {
        this.clientCommandContext = clientCommandContext;
        this.queue = queue;
        this.viewport = new ReviewViewport(
                terminalDisplay,
                new ReviewRenderer(
                        clientCommandContext.output(),
                        clientCommandContext.environment().zone(),
                        queue));
        this.events = events;
    }

    /**
     * Runs the session until the reviewer quits or the terminal is closed.
     *
     * @param keysHandledListener called after keys are handled, with whether to drop the keys typed meanwhile
     */
    void run(KeysHandledListener keysHandledListener) throws RemoteGatewayException, InterruptedException {
        queue.reload();
        showNext();
        while (!done) {
            draw();
            @Nullable ReviewSessionEvent event = events.poll(REDRAW_MILLIS, TimeUnit.MILLISECONDS);
            if (event != null) {
                handle(event, keysHandledListener);
            } else if (System.nanoTime() - refreshedNanos > REFRESH_INTERVAL.toNanos()) {
                refresh();
            }
        }
    }

    /** Notifies the thread that reads keys, which waits for this before it reads more. */
    @FunctionalInterface
    interface KeysHandledListener {
        void onKeysHandled(boolean dropPending);
    }

    private void handle(ReviewSessionEvent event, KeysHandledListener keysHandledListener)
            throws RemoteGatewayException, InterruptedException {
        switch (event) {
            case ReviewSessionEvent.KeysPressed(List<TerminalKey> keys) -> {
                modeChanged = false;
                for (TerminalKey key : keys) {
                    if (!modeChanged && !done) {
                        onKey(key);
                    }
                }
                if (modeChanged) {
                    draw();
                }
                keysHandledListener.onKeysHandled(modeChanged);
            }
            case ReviewSessionEvent.TerminalClosed() -> done = true;
            case ReviewSessionEvent.ProposalsChanged(List<String> about) -> {
                attempt(() -> queue.refresh(about).forEach(text -> message = text));
                checkDecidedElsewhere();
            }
            case ReviewSessionEvent.PresenceChanged() -> refresh();
            case ReviewSessionEvent.ServerLost() -> serverLost = true;
            case ReviewSessionEvent.ServerBack() -> {
                serverLost = false;
                message = "reconnected to the server";
                attempt(queue::reload);
                checkDecidedElsewhere();
            }
            case ReviewSessionEvent.FeedRefused(RemoteGatewayException reason) -> throw reason;
        }
    }

    private void refresh() throws InterruptedException {
        if (!serverLost) {
            attempt(() -> queue.refresh().forEach(text -> message = text));
        }
        refreshedNanos = System.nanoTime();
        checkDecidedElsewhere();
    }

    /** A request to the server. */
    @FunctionalInterface
    private interface ServerAction {
        void run() throws RemoteGatewayException, InterruptedException;
    }

    /**
     * Runs a request and returns whether it succeeded. A failure does not end the session: the reviewer sees a message
     * and can try again.
     */
    private boolean attempt(ServerAction serverAction) throws InterruptedException {
        try {
            serverAction.run();
            return true;
        } catch (RemoteGatewayException e) {
            message = switch (e) {
                case Refused refused ->
                    refused.problem().detail() + " (" + refused.problem().code() + ")";
                case Unreachable unreachable ->
                    unreachable.getMessage() + (unreachable.maybeSent() ? "; check the proposal before you retry" : "");
            };
        } catch (CommandException e) {
            message = String.valueOf(e.getMessage());
        }
        return false;
    }

    /** Checks whether another reviewer or the expiry was faster; if so, shows that. */
    private void checkDecidedElsewhere() throws InterruptedException {
        Optional<Json> current = queue.current();
        if (current.isPresent() && !ReviewQueue.isDecidable(current.get())) {
            if (!(mode instanceof ReviewScreenMode.DecidedElsewhere)) {
                switchMode(new ReviewScreenMode.DecidedElsewhere(
                        ProposalTextFormatter.status(current.get()), unsentText()));
            }
        } else if (mode instanceof ReviewScreenMode.Idle) {
            showNext();
        }
    }

    /** What the reviewer has typed and not sent. */
    private String unsentText() {
        return switch (mode) {
            case ReviewScreenMode.AskingQuestion asking -> asking.line().text();
            case ReviewScreenMode.ConfirmingEdit(Json params) -> editedText(params);
            case ReviewScreenMode.ConfirmingApproval(Json params, Json _, boolean _, boolean _) ->
                modeBeforeSend(params) instanceof ReviewScreenMode.ConfirmingEdit ? editedText(params) : "";
            case ReviewScreenMode.InvalidEdit(String text, String _) -> text;
            default -> "";
        };
    }

    private static String editedText(Json params) {
        return SafeText.json(params.at("arguments").pretty());
    }

    /**
     * Shows the next proposal. If it cannot be read, the screen shows no proposal to decide, and the session tries
     * again later. Returns whether it was read.
     */
    private boolean showNext() throws InterruptedException {
        boolean read = attempt(queue::selectNext);
        approvalOptions = ApprovalOptions.DEFAULT;
        resume();
        viewport.onNextProposal();
        return read;
    }

    private void switchMode(ReviewScreenMode newMode) {
        mode = newMode;
        viewport.scrollToTop();
        modeChanged = true;
    }

    private void onKey(TerminalKey key) throws InterruptedException {
        if (key == TerminalKey.Named.REDRAW) {
            viewport.invalidate();
        } else if (key == TerminalKey.Named.INTERRUPT || (viewport.isTooSmall() && letter(key) == 'q')) {
            done = true;
        } else if (viewport.isTooSmall()) {
            message = "";
        } else if (!(mode instanceof ReviewScreenMode.AskingQuestion) && viewport.scroll(key)) {
            message = "";
        } else {
            switch (mode) {
                case ReviewScreenMode.Idle() -> onIdleKey(key);
                case ReviewScreenMode.ReadingProposal(boolean metadataShown) -> onReadingKey(key, metadataShown);
                case ReviewScreenMode.ConfirmingApproval(Json params, Json _, boolean _, boolean _) ->
                    onApprovalConfirmationKey(key, params);
                case ReviewScreenMode.ShowingHelp() -> resume();
                case ReviewScreenMode.DecidedElsewhere _ -> {
                    // The reviewer may be typing: no letter may lead to the next proposal, where it would decide.
                    message = "";
                    if (key == TerminalKey.Named.ENTER) {
                        showNext();
                    }
                }
                case ReviewScreenMode.ConfirmingEdit(Json params) -> onConfirmingKey(key, params);
                case ReviewScreenMode.InvalidEdit(String text, String _) -> onInvalidEditKey(key, text);
                case ReviewScreenMode.AskingQuestion askingQuestion -> onPromptKey(key, askingQuestion);
            }
        }
    }

    private void onIdleKey(TerminalKey key) throws InterruptedException {
        switch (letter(key)) {
            case 'q' -> done = true;
            case '?' -> switchMode(new ReviewScreenMode.ShowingHelp());
            case 's' -> {
                queue.clearSkipped();
                showNext();
            }
            default -> message = "";
        }
    }

    private void onReadingKey(TerminalKey key, boolean metadataShown) throws InterruptedException {
        Json proposal = queue.current().orElseThrow();
        message = "";
        switch (letter(key)) {
            case 'q' -> done = true;
            case '?' -> switchMode(new ReviewScreenMode.ShowingHelp());
            case 's' -> {
                queue.skip();
                message = "skipped " + ProposalTextFormatter.id(proposal);
                showNext();
            }
            case 'c' -> {
                if (attempt(queue::sendConsidering)) {
                    message = "told "
                            + ProposalTextFormatter.name(
                                    proposal, proposal.at("from").text()) + " that you are considering it";
                }
            }
            case 'a' -> approve(proposedParams(), ApprovalOptions.DEFAULT);
            case 'm' -> switchMode(new ReviewScreenMode.ReadingProposal(!metadataShown));
            case 'd' -> approveDefinition(proposedParams(), false);
            case 'e' -> {
                Json arguments = proposedParams().at("arguments");
                if (mayApprove(proposal)) {
                    edit(SafeText.json((arguments.isPresent() ? arguments : EMPTY).pretty()));
                }
            }
            case 'r' -> {
                if (checkMove(proposal, "rejected", "reject")) {
                    switchMode(new ReviewScreenMode.AskingQuestion(
                            new Question.Reason(), ReviewRenderer.rejectionReasonLines(), LineEditState.EMPTY));
                }
            }
            default -> message = "unknown key; press ? for help";
        }
    }

    private boolean mayApprove(Json proposal) {
        return checkMove(proposal, "fulfilled", "approve");
    }

    private boolean checkMove(Json proposal, String state, String verb) {
        boolean allowed = ProposalTextFormatter.mayMoveTo(proposal, state);
        if (!allowed) {
            message = "you cannot " + verb + " this proposal"
                    + ProposalTextFormatter.blockedReason(proposal, state)
                            .map(reason -> ": " + reason)
                            .orElse("");
        }
        return allowed;
    }

    /**
     * Approves the call with these parameters, proposed or edited. Asks first if the call needs care, if its tool's
     * definition changed, or if the reviewer has not seen the whole proposal.
     */
    private void approve(Json params, ApprovalOptions options) throws InterruptedException {
        Json proposal = queue.current().orElseThrow();
        approvalOptions = options;
        if (!mayApprove(proposal)) {
            return;
        }
        ProposalApprovalSender approvalSender = new ProposalApprovalSender(queue.topic(), proposal);
        boolean changed = approvalSender.mustNameDefinition();
        if (changed && !options.definitionDigests().equals(approvalSender.shownDefinitions())) {
            message = "the definition of the tool changed after the call was proposed, or was not known then: read it,"
                    + " then press d to approve the call for the current definition";
            return;
        }
        Json assessed = proposal;
        if (!params.equals(approvalSender.params())) {
            AtomicReference<Json> ofEdit = new AtomicReference<>(proposal);
            if (!attempt(() -> ofEdit.set(approvalSender.assess(queue.gateway(), params, Optional.empty())))) {
                return;
            }
            assessed = ofEdit.get();
        }
        if (changed || ProposalTextFormatter.isCareful(assessed) || !viewport.isFullySeen()) {
            switchMode(new ReviewScreenMode.ConfirmingApproval(
                    params, assessed, options.unchecked(), viewport.isFullySeen()));
            return;
        }
        send(params);
    }

    /** Approves the call with these parameters for the tool definition that is shown. */
    private void approveDefinition(Json params, boolean unchecked) throws InterruptedException {
        ProposalApprovalSender approvalSender =
                new ProposalApprovalSender(queue.topic(), queue.current().orElseThrow());
        if (approvalSender.mustNameDefinition()) {
            approve(params, new ApprovalOptions(unchecked, approvalSender.shownDefinitions()));
        } else {
            message = "the definition of the tool has not changed; press a to approve the call";
        }
    }

    private Json proposedParams() {
        return new ProposalApprovalSender(queue.topic(), queue.current().orElseThrow()).params();
    }

    /** Another key than those that approve: a key that repeats must not confirm. */
    private void onApprovalConfirmationKey(TerminalKey key, Json params) throws InterruptedException {
        switch (letter(key)) {
            case 'y' -> send(params);
            case 'a', 'd', 'u' -> {}
            default -> {
                approvalOptions = ApprovalOptions.DEFAULT;
                switchMode(modeBeforeSend(params), "nothing approved");
            }
        }
    }

    /**
     * Approves with these parameters if exactly one participant can run the call; otherwise prompts for the runner
     * first.
     */
    private void send(Json params) throws InterruptedException {
        ProposalApprovalSender approvalSender =
                new ProposalApprovalSender(queue.topic(), queue.current().orElseThrow());
        List<String> runners = approvalSender.possibleRunners();
        if (runners.size() == 1) {
            send(params, runners.getFirst());
            return;
        }
        Question.Runner question =
                new Question.Runner(params, runners.isEmpty() ? approvalSender.alternativeRunners() : runners);
        switchMode(new ReviewScreenMode.AskingQuestion(question, question.lines(), LineEditState.EMPTY));
    }

    private void send(Json params, String runner) throws InterruptedException {
        applyDecision(() -> message = queue.approve(params, runner, approvalOptions), modeBeforeSend(params));
    }

    /** The mode to return to if sending these parameters fails, so that an edit is not lost. */
    private ReviewScreenMode modeBeforeSend(Json params) {
        return params.equals(proposedParams())
                ? new ReviewScreenMode.ReadingProposal(false)
                : new ReviewScreenMode.ConfirmingEdit(params);
    }

    private void applyDecision(ServerAction decision, ReviewScreenMode modeOnFailure) throws InterruptedException {
        if (attempt(decision)) {
            String text = message;
            if (!showNext()) {
                message = text + "; the next proposal could not be loaded: " + message;
            }
        } else {
            String reason = message;
            switchMode(modeOnFailure);
            attempt(queue::refresh);
            checkDecidedElsewhere();
            message = reason;
        }
    }

    private void edit(String text) throws InterruptedException {
        approvalOptions = ApprovalOptions.DEFAULT;
        ProposalApprovalSender approvalSender =
                new ProposalApprovalSender(queue.topic(), queue.current().orElseThrow());
        if (!approvalSender.hasArguments()) {
            message = "this call has no arguments to edit";
            return;
        }
        viewport.invalidate();
        switch (ArgumentEditor.of(clientCommandContext.environment()).edit(text, viewport.display())) {
            // The mode stays, and with it the previous edit.
            case ArgumentEditor.EditResult.Failed(String reason) -> switchMode(mode, reason);
            case ArgumentEditor.EditResult.Text(String editedText) -> {
                ReviewScreenMode after = modeAfterEdit(approvalSender, editedText);
                switchMode(
                        after, after instanceof ReviewScreenMode.ReadingProposal ? "the arguments are unchanged" : "");
            }
        }
    }

    private void onConfirmingKey(TerminalKey key, Json params) throws InterruptedException {
        switch (letter(key)) {
            case 'a' -> approve(params, ApprovalOptions.DEFAULT);
            case 'u' -> approve(params, new ApprovalOptions(true, approvalOptions.definitionDigests()));
            case 'd' -> approveDefinition(params, approvalOptions.unchecked());
            case 'e' -> edit(editedText(params));
            case 'n' -> switchMode(new ReviewScreenMode.ReadingProposal(false), "edit discarded");
            default -> onOtherKey(key);
        }
    }

    private void onInvalidEditKey(TerminalKey key, String text) throws InterruptedException {
        switch (letter(key)) {
            case 'e' -> edit(text.stripTrailing());
            case 'n' -> switchMode(new ReviewScreenMode.ReadingProposal(false), "edit discarded");
            default -> onOtherKey(key);
        }
    }

    private void onPromptKey(TerminalKey key, ReviewScreenMode.AskingQuestion askingQuestion)
            throws InterruptedException {
        if (key == TerminalKey.Named.ENTER) {
            submitAnswer(askingQuestion.question(), askingQuestion.line().text().strip());
        } else if (key == TerminalKey.Named.ESCAPE
                && !askingQuestion.line().text().isEmpty()
                && !message.equals(DISCARD_QUESTION)) {
            message = DISCARD_QUESTION;
        } else if (key == TerminalKey.Named.ESCAPE) {
            switchMode(
                    askingQuestion.question() instanceof Question.Runner(Json params, List<String> _)
                            ? modeBeforeSend(params)
                            : new ReviewScreenMode.ReadingProposal(false),
                    "");
        } else {
            message = "";
            mode = new ReviewScreenMode.AskingQuestion(
                    askingQuestion.question(),
                    askingQuestion.introLines(),
                    askingQuestion.line().withKey(key));
        }
    }

    private void submitAnswer(Question question, String line) throws InterruptedException {
        switch (question) {
            case Question.Runner(Json params, List<String> choices) -> {
                if (line.isEmpty()) {
                    message = "type a name, or press Esc to go back";
                } else {
                    String runner = ReviewRenderer.resolveChoice(line, choices);
                    if (choices.isEmpty() || choices.contains(runner)) {
                        send(params, runner);
                    } else {
                        message = "choose one of these participants, or press Esc and use 'gavel approve --to'";
                    }
                }
            }
            case Question.Reason() -> {
                if (line.isEmpty()) {
                    message = "type a reason, or press Esc to go back";
                } else {
                    String reason = ReviewRenderer.resolveChoice(line, RejectionReason.wireNames());
                    message = "";
                    switchMode(new ReviewScreenMode.AskingQuestion(
                            new Question.Note(reason), List.of(), LineEditState.EMPTY));
                }
            }
            case Question.Note(String reason) ->
                applyDecision(() -> message = queue.reject(reason, line), new ReviewScreenMode.ReadingProposal(false));
        }
    }

    private void onOtherKey(TerminalKey key) {
        message = key == TerminalKey.Named.ESCAPE
                ? "press n to discard the edit"
                : "unknown key; the last line shows the keys";
    }

    private void switchMode(ReviewScreenMode newMode, String text) {
        switchMode(newMode);
        message = text;
    }

    private void resume() {
        switchMode(
                queue.current().isPresent()
                        ? new ReviewScreenMode.ReadingProposal(false)
                        : new ReviewScreenMode.Idle());
    }

    private static int letter(TerminalKey key) {
        return key instanceof TerminalKey.Typed(int character) ? character : 0;
    }

    private void draw() {
        viewport.draw(mode, serverLost ? "lost the connection to the server; reconnecting" : message);
    }

    /** The mode after the edit: correct the text, confirm the new arguments, or read on because nothing has changed. */
    private static ReviewScreenMode modeAfterEdit(ProposalApprovalSender approvalSender, String text) {
        Optional<String> error = Json.findSyntaxError(text);
        if (error.isPresent()) {
            return new ReviewScreenMode.InvalidEdit(text, "Invalid JSON: " + SafeText.line(error.get()));
        }
        Json arguments = Json.parse(text).orElseThrow();
        if (arguments.type() != Json.Type.OBJECT) {
            return new ReviewScreenMode.InvalidEdit(text, "Arguments must be a JSON object: { \"name\": value }");
        }
        // The layout of the text in the editor does not matter.
        return arguments.equals(approvalSender.params().at("arguments"))
                ? new ReviewScreenMode.ReadingProposal(false)
                : new ReviewScreenMode.ConfirmingEdit(approvalSender.paramsWith(
                        Json.parse(arguments.compact()).orElseThrow()));
    }
}
