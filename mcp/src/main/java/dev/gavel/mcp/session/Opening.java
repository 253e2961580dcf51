package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds out how a server is to be spoken to. It is asked in the newest version what it is; a server that does not know what that
 * means is introduced to in the old way. Used once, by one thread.
 */
final class Opening {
    private static final int LONGEST_INTRODUCTION = 1024 * 1024;

    private final Session session;
    private final Session.ClientInfo client;
    private final Patience patience;
    private final long end;

    /**
     * How long is waited.
     *
     * @param whole for everything
     * @param probe for an answer in the newest version, before the old way is tried as well
     */
    record Patience(Duration whole, Duration probe) {}

    /** What is tried. */
    enum Way {
        /** The newest first, then what else there is. */
        EITHER,
        /** The old alone: the server ended when it was asked in the newest. */
        OLD,
        /** The newest alone: the server is known to speak it. */
        NEW
    }

    /** What came of it. */
    sealed interface Outcome {
        /** It is known how the server is spoken to. */
        record Found(Manner manner) implements Outcome {}

        /** It is known, but the server must be started once more to be spoken to so. */
        record Again(Way way) implements Outcome {}
    }

    Opening(Session session, Session.ClientInfo client, Patience patience) {
        this.session = session;
        this.client = client;
        this.patience = patience;
        this.end = System.nanoTime() + patience.whole().toNanos();
    }

    /** All versions that we speak, for people. */
    static String understood() {
        return NewManner.VERSION + ", " + String.join(", ", OldManner.TAKEN);
    }

    /**
     * Finds it out; waits.
     *
     * @throws IOException where the server cannot be spoken to, with a message that says why
     */
    Outcome by(Way way) throws IOException, InterruptedException {
        return switch (way) {
            case OLD -> new Outcome.Found(introduced(greet()));
            case NEW -> new Outcome.Found(known(discover()));
            case EITHER -> either(discover());
        };
    }

    private Outcome either(CompletableFuture<Message.Answer> discovered) throws IOException, InterruptedException {
        Optional<Message.Answer> answer =
                within(discovered, Math.min(patience.probe().toNanos(), left()));
        if (answer.isEmpty()) {
            return both(discovered, greet());
        }
        if (session.isLost()) {
            // Some end when the first thing they are told is not what they expect.
            return new Outcome.Again(Way.OLD);
        }
        Optional<Json> modern = modern(answer.get());
        return new Outcome.Found(modern.isPresent() ? new NewManner(client, modern.get()) : introduced(greet()));
    }

    /** It is slow to start, or leaves what it does not know unanswered. Whichever answer comes says which. */
    private Outcome both(CompletableFuture<Message.Answer> discovered, CompletableFuture<Message.Answer> greeted)
            throws IOException, InterruptedException {
        within(CompletableFuture.anyOf(discovered, greeted), left());
        if (!discovered.isDone()) {
            Optional<Message.Answer> greeting = within(greeted, 0);
            return greeting.isPresent() && greeting.get() instanceof Message.Failure
                    ? refused(discovered, greeted)
                    : new Outcome.Found(introduced(greeted));
        }
        if (session.isLost()) {
            return new Outcome.Again(Way.OLD);
        }
        Optional<Json> modern = modern(discovered.join());
        if (modern.isEmpty()) {
            return new Outcome.Found(introduced(greeted));
        }
        Optional<Message.Answer> greeting =
                within(greeted, Math.min(patience.probe().toNanos(), left()));
        // A server that speaks both has chosen the old one by now, for as long as it runs.
        return greeting.isPresent() && greeting.get() instanceof Message.Response
                ? new Outcome.Again(Way.NEW)
                : new Outcome.Found(new NewManner(client, modern.get()));
    }

    /** It does not know the old way; so its answer in the newest is worth waiting for. */
    private Outcome refused(CompletableFuture<Message.Answer> discovered, CompletableFuture<Message.Answer> greeted)
            throws IOException, InterruptedException {
        Optional<Message.Answer> answer = within(discovered, left());
        Optional<Json> modern = answer.isPresent() ? modern(answer.get()) : Optional.empty();
        return new Outcome.Found(modern.isPresent() ? new NewManner(client, modern.get()) : introduced(greeted));
    }

    // --- in the newest version

    private CompletableFuture<Message.Answer> discover() {
        return session.put(NewManner.DISCOVER, new NewManner(client, Json.object()).params(Optional.empty(), false));
    }

    private Manner known(CompletableFuture<Message.Answer> discovered) throws IOException, InterruptedException {
        Message.Answer answer = awaited(discovered, NewManner.DISCOVER);
        return new NewManner(
                client,
                modern(answer)
                        .orElseThrow(() -> new IOException(
                                "the server said that it speaks MCP " + NewManner.VERSION + ", and now that it does not"
                                        + (answer instanceof Message.Failure failure ? ": " + failure.words() : ""))));
    }

    /** What the server says of itself, where it speaks the newest version; nothing where an older one is to be tried. */
    private static Optional<Json> modern(Message.Answer answer) throws IOException {
        return switch (answer) {
            case Message.Response(String _, String raw) -> {
                Json result = introduction(raw);
                yield speaks(result.at("supportedVersions").texts()) ? Optional.of(result) : Optional.empty();
            }
            case Message.Failure failure -> {
                boolean modern = failure.code() == RpcError.HEADER_MISMATCH.code()
                        || failure.code() == RpcError.MISSING_CAPABILITY.code()
                        || (failure.code() == RpcError.UNSUPPORTED_VERSION.code() && speaks(supported(failure)));
                if (modern) {
                    throw new IOException("the server speaks MCP " + NewManner.VERSION
                            + ", but does not say what it offers: " + failure.words());
                }
                yield Optional.empty();
            }
        };
    }

    private static List<String> supported(Message.Failure failure) {
        return RawJson.at(failure.error(), "data", "supported")
                .flatMap(Json::parse)
                .map(Json::texts)
                .orElse(List.of());
    }

    /** Whether the newest version is among them; a server that names none may know the old ones. */
    private static boolean speaks(List<String> versions) throws IOException {
        boolean newest = versions.contains(NewManner.VERSION);
        if (!newest && !versions.isEmpty() && versions.stream().noneMatch(OldManner.TAKEN::contains)) {
            throw new IOException("the server speaks MCP " + String.join(", ", versions)
                    + " only; these are understood here: " + understood());
        }
        return newest;
    }

    // --- in the old way

    private CompletableFuture<Message.Answer> greet() {
        return session.put(OldManner.INITIALISE, Optional.of(OldManner.greeting(client)));
    }

    private Manner introduced(CompletableFuture<Message.Answer> greeted) throws IOException, InterruptedException {
        return switch (awaited(greeted, OldManner.INITIALISE)) {
            case Message.Response(String _, String raw) -> {
                Manner manner = OldManner.of(introduction(raw));
                session.send(new Message.Notification(OldManner.INITIALISED, Optional.empty()));
                yield manner;
            }
            case Message.Failure failure
            when failure.code() == RpcError.UNAVAILABLE.code() -> throw new IOException(failure.words());
            case Message.Failure failure ->
                throw new IOException("the server refused to be initialised: " + failure.words());
        };
    }

    private static Json introduction(String raw) throws IOException {
        if (raw.length() > LONGEST_INTRODUCTION) {
            throw new IOException("the server introduces itself with " + raw.length() + " characters; at most "
                    + LONGEST_INTRODUCTION + " are taken");
        }
        return Json.parse(raw).orElseGet(Json::object);
    }

    // --- waiting

    private long left() {
        return Math.max(0, end - System.nanoTime());
    }

    private Message.Answer awaited(CompletableFuture<Message.Answer> answer, String method)
            throws IOException, InterruptedException {
        return within(answer, left())
                .orElseThrow(() -> new IOException("the server did not answer '" + method + "' within "
                        + patience.whole().toSeconds() + " s"));
    }

    private static <T> Optional<T> within(CompletableFuture<T> future, long nanos) throws InterruptedException {
        try {
            return Optional.of(future.get(nanos, TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
