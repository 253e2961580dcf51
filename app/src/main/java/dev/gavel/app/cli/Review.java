package dev.gavel.app.cli;

import dev.gavel.app.cli.ReviewMode.Question;
import dev.gavel.app.terminal.Canvas;
import dev.gavel.app.terminal.Key;
import dev.gavel.app.terminal.LineInput;
import dev.gavel.client.http.RemoteException;
import dev.gavel.client.http.RemoteException.Refused;
import dev.gavel.client.http.RemoteException.Unreachable;
import dev.gavel.mcpx.draft.RejectionReason;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A sitting in which somebody decides proposals one by one. A key counts for the proposal that was on the screen when it
 * was pressed: whatever else was typed by the time another one is shown is dropped. Used by one thread.
 */
final class Review {
    private static final Json EMPTY = Json.parse("{}").orElseThrow();
    private static final long REDRAW_MILLIS = 250;

    /** Some things no message tells a reviewer of, such as that whoever was to run a call has been away too long. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

    private final Client client;
    private final ReviewDesk desk;
    private final ReviewPane pane;
    private final BlockingQueue<ReviewEvent> events;

    private ReviewMode mode = new ReviewMode.Idle();
    private String message = "";
    private boolean away;
    private long lookedNanos = System.nanoTime();
    private boolean turned;
    private boolean done;

    Review(Client client, Canvas canvas, ReviewDesk desk, BlockingQueue<ReviewEvent> events) {
        this.client = client;
        this.desk = desk;
        this.pane = new ReviewPane(
                canvas, new ReviewView(client.screen(), client.here().zone(), desk));
        this.events = events;
    }

    /**
     * Goes on until the reviewer has had enough.
     *
     * @param keysTaken is told after keys were dealt with: whether those typed meanwhile were meant for something else
     */
    void run(KeysTaken keysTaken) throws RemoteException, InterruptedException {
        desk.reload();
        next();
        while (!done) {
            draw();
            @Nullable ReviewEvent event = events.poll(REDRAW_MILLIS, TimeUnit.MILLISECONDS);
            if (event != null) {
                handle(event, keysTaken);
            } else if (System.nanoTime() - lookedNanos > LOOK_AGAIN.toNanos()) {
                look();
            }
        }
    }

    /** Whoever reads the keys waits for this before reading more. */
    @FunctionalInterface
    interface KeysTaken {
        void taken(boolean dropTheRest);
    }

    private void handle(ReviewEvent event, KeysTaken keysTaken) throws RemoteException, InterruptedException {
        switch (event) {
            case ReviewEvent.Pressed(List<Key> keys) -> {
                turned = false;
                for (Key key : keys) {
                    if (!turned && !done) {
                        press(key);
                    }
                }
                if (turned) {
                    draw();
                }
                keysTaken.taken(turned);
            }
            case ReviewEvent.HungUp() -> done = true;
            case ReviewEvent.News(List<String> about) -> {
                attempt(() -> desk.refresh(about).forEach(words -> message = words));
                overtaken();
            }
            case ReviewEvent.Attendance() -> look();
            case ReviewEvent.Lost() -> away = true;
            case ReviewEvent.Back() -> {
                away = false;
                message = "the server is back";
                attempt(desk::reload);
                overtaken();
            }
            case ReviewEvent.Refused(RemoteException why) -> throw why;
        }
    }

    private void look() throws InterruptedException {
        if (!away) {
            attempt(() -> desk.refresh().forEach(words -> message = words));
        }
        lookedNanos = System.nanoTime();
        overtaken();
    }

    /** What the server must do. */
    @FunctionalInterface
    private interface Request {
        void make() throws RemoteException, InterruptedException;
    }

    /** A request that fails ends nothing: the reviewer is told, and can try again. Says whether it went well. */
    private boolean attempt(Request request) throws InterruptedException {
        try {
            request.make();
            return true;
        } catch (RemoteException e) {
            message = switch (e) {
                case Refused refused ->
                    refused.problem().detail() + " (" + refused.problem().code() + ")";
                case Unreachable unreachable ->
                    unreachable.getMessage() + (unreachable.sent() ? "; look again before you try again" : "");
            };
        } catch (Complaint e) {
            message = String.valueOf(e.getMessage());
        }
        return false;
    }

    /** Sees whether somebody else, or time, was faster. */
    private void overtaken() throws InterruptedException {
        Optional<Json> current = desk.current();
        if (current.isPresent() && !ReviewDesk.decidable(current.get())) {
            if (!(mode instanceof ReviewMode.Overtaken)) {
                turn(new ReviewMode.Overtaken(ProposalText.status(current.get())));
            }
        } else if (mode instanceof ReviewMode.Idle) {
            next();
        }
    }

    /** Takes up the next. Where that cannot be read nothing is on the screen to be decided, and it is tried again. */
    private boolean next() throws InterruptedException {
        boolean read = attempt(desk::next);
        resume();
        pane.another();
        return read;
    }

    private void turn(ReviewMode to) {
        mode = to;
        pane.rewind();
        turned = true;
    }

    private void press(Key key) throws InterruptedException {
        if (key == Key.Named.REDRAW) {
            pane.spoilt();
        } else if (key == Key.Named.INTERRUPT || (pane.tooSmall() && letter(key) == 'q')) {
            done = true;
        } else if (pane.tooSmall()) {
            message = "";
        } else if (!(mode instanceof ReviewMode.Asking) && pane.scroll(key)) {
            message = "";
            mode = mode instanceof ReviewMode.Reading ? new ReviewMode.Reading(false) : mode;
        } else {
            switch (mode) {
                case ReviewMode.Idle() -> idle(key);
                case ReviewMode.Reading(boolean insists) -> reading(key, insists);
                case ReviewMode.Helping() -> resume();
                case ReviewMode.Overtaken _ -> {
                    message = "";
                    next();
                }
                case ReviewMode.Confirming(Json params) -> confirming(key, params);
                case ReviewMode.Mending(String text, String _) -> mending(key, text);
                case ReviewMode.Asking asking -> asking(key, asking);
            }
        }
    }

    private void idle(Key key) throws InterruptedException {
        switch (letter(key)) {
            case 'q' -> done = true;
            case '?' -> turn(new ReviewMode.Helping());
            case 's' -> {
                desk.unskip();
                next();
            }
            default -> message = "";
        }
    }

    private void reading(Key key, boolean insists) throws InterruptedException {
        Json proposal = desk.current().orElseThrow();
        message = "";
        switch (letter(key)) {
            case 'q' -> done = true;
            case '?' -> turn(new ReviewMode.Helping());
            case 's' -> {
                desk.skip();
                message = "skipped " + ProposalText.id(proposal);
                next();
            }
            case 'c' -> {
                if (attempt(desk::consider)) {
                    message = "told " + SafeText.line(proposal.at("from").text()) + " that you are considering it";
                }
            }
            case 'a' -> approve(proposal, insists);
            case 'e' -> {
                Json arguments = new Approval(desk.topic(), proposal).params().at("arguments");
                if (mayApprove(proposal)) {
                    edit((arguments.there() ? arguments : EMPTY).pretty());
                }
            }
            case 'r' -> {
                if (may(proposal, "rejected", "reject")) {
                    turn(new ReviewMode.Asking(new Question.Reason(), ReviewView.reasons(), LineInput.EMPTY));
                }
            }
            default -> message = "a key that does nothing here; ? says which do";
        }
    }

    private boolean mayApprove(Json proposal) {
        return may(proposal, "fulfilled", "approve");
    }

    private boolean may(Json proposal, String state, String verb) {
        boolean may = ProposalText.may(proposal, state);
        if (!may) {
            message = "you may not " + verb + " this one"
                    + ProposalText.barred(proposal, state)
                            .map(why -> ": " + why)
                            .orElse("");
        }
        return may;
    }

    private void approve(Json proposal, boolean insists) throws InterruptedException {
        if (!mayApprove(proposal)) {
            return;
        }
        if (!pane.seen() && !insists) {
            message = "you have not seen all of it: space shows more, a once more approves it all the same";
            mode = new ReviewMode.Reading(true);
            return;
        }
        send(new Approval(desk.topic(), proposal).params());
    }

    /** Approves with these, if it is clear who is to run it; else that is asked first. */
    private void send(Json params) throws InterruptedException {
        List<String> couldRun = new Approval(desk.topic(), desk.current().orElseThrow()).couldRun();
        if (couldRun.size() == 1) {
            send(params, couldRun.getFirst());
            return;
        }
        Question.Runner question = new Question.Runner(params, couldRun);
        turn(new ReviewMode.Asking(question, question.lines(), LineInput.EMPTY));
    }

    private void send(Json params, String runner) throws InterruptedException {
        decided(() -> message = desk.approve(params, runner), before(params));
    }

    /** Where a call with these was on the screen before it was sent: an edit is not lost where sending it fails. */
    private ReviewMode before(Json params) {
        return params.equals(new Approval(desk.topic(), desk.current().orElseThrow()).params())
                ? new ReviewMode.Reading(false)
                : new ReviewMode.Confirming(params);
    }

    private void decided(Request decision, ReviewMode otherwise) throws InterruptedException {
        if (attempt(decision)) {
            String words = message;
            if (!next()) {
                message = words + "; but then: " + message;
            }
        } else {
            String why = message;
            turn(otherwise);
            attempt(desk::refresh);
            overtaken();
            message = why;
        }
    }

    private void edit(String text) throws InterruptedException {
        Approval approval = new Approval(desk.topic(), desk.current().orElseThrow());
        if (!approval.hasArguments()) {
            message = "this call has no arguments to edit";
            return;
        }
        pane.spoilt();
        switch (ArgumentEditor.of(client.here()).edit(text, pane.canvas())) {
            // What was edited before still stands.
            case ArgumentEditor.Edited.Failed(String why) -> turn(mode, why);
            case ArgumentEditor.Edited.Text(String edited) -> {
                ReviewMode after = edited(approval, edited);
                turn(after, after instanceof ReviewMode.Reading ? "nothing was changed" : "");
            }
        }
    }

    private void confirming(Key key, Json params) throws InterruptedException {
        switch (letter(key)) {
            case 'y', 'a' -> send(params);
            case 'e' -> edit(params.at("arguments").pretty());
            case 'n' -> turn(new ReviewMode.Reading(false), "the edit was dropped");
            default -> escape(key);
        }
    }

    private void mending(Key key, String text) throws InterruptedException {
        switch (letter(key)) {
            case 'e' -> edit(text.stripTrailing());
            case 'n' -> turn(new ReviewMode.Reading(false), "the edit was dropped");
            default -> escape(key);
        }
    }

    private void asking(Key key, ReviewMode.Asking asking) throws InterruptedException {
        if (key == Key.Named.ENTER) {
            answer(asking.question(), asking.line().text().strip());
        } else if (key == Key.Named.ESCAPE) {
            turn(
                    asking.question() instanceof Question.Runner(Json params, List<String> _)
                            ? before(params)
                            : new ReviewMode.Reading(false),
                    "");
        } else {
            mode = new ReviewMode.Asking(
                    asking.question(), asking.above(), asking.line().after(key));
        }
    }

    private void answer(Question question, String line) throws InterruptedException {
        switch (question) {
            case Question.Runner(Json params, List<String> choices) -> {
                if (line.isEmpty()) {
                    message = "say who, or leave with Esc";
                } else {
                    send(params, ReviewView.chosen(line, choices));
                }
            }
            case Question.Reason() -> {
                if (line.isEmpty()) {
                    message = "say why, or leave with Esc";
                } else {
                    String reason = ReviewView.chosen(line, RejectionReason.words());
                    message = "";
                    turn(new ReviewMode.Asking(new Question.Note(reason), List.of(), LineInput.EMPTY));
                }
            }
            case Question.Note(String reason) ->
                decided(() -> message = desk.reject(reason, line), new ReviewMode.Reading(false));
        }
    }

    private void escape(Key key) {
        if (key == Key.Named.ESCAPE) {
            turn(new ReviewMode.Reading(false), "the edit was dropped");
        } else {
            message = "a key that does nothing here; the last line says which do";
        }
    }

    private void turn(ReviewMode to, String words) {
        turn(to);
        message = words;
    }

    private void resume() {
        turn(desk.current().isPresent() ? new ReviewMode.Reading(false) : new ReviewMode.Idle());
    }

    private static int letter(Key key) {
        return key instanceof Key.Typed(int character) ? character : 0;
    }

    private void draw() {
        pane.draw(mode, away ? "lost the server; trying again until it is back" : message);
    }

    /** The mode after the reviewer left the editor: correct the text, confirm the new arguments, or nothing has changed. */
    private static ReviewMode edited(Approval approval, String text) {
        Optional<String> trouble = Json.trouble(text);
        if (trouble.isPresent()) {
            return new ReviewMode.Mending(text, "That is not JSON: " + SafeText.line(trouble.get()));
        }
        Json arguments = Json.parse(text).orElseThrow();
        if (arguments.type() != Json.Type.OBJECT) {
            return new ReviewMode.Mending(text, "Arguments must be a JSON object: { \"name\": value }");
        }
        // The layout of the text in the editor does not matter.
        return arguments.equals(approval.params().at("arguments"))
                ? new ReviewMode.Reading(false)
                : new ReviewMode.Confirming(
                        approval.paramsWith(Json.parse(arguments.compact()).orElseThrow()));
    }
}
