package dev.gavel.mcp.bridge;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.Meta;
import dev.gavel.mcp.rpc.RawJson;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcp.session.Session;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests that go to a server and whose answers go back, with progress on the way, until they are answered, called off or given
 * up. Nothing in here waits. Thread-safe.
 */
final class Errands {
    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final String name;
    private final String topic;
    private final Session session;
    private final Outlet outlet;
    private final Proposers proposers;
    private final BooleanSupplier ours;
    private final Calls calls = new Calls();
    private volatile boolean closed;

    /**
     * Nothing is under way yet.
     *
     * @param ours whether calls are still this process's to run
     */
    Errands(String name, String topic, Session session, Outlet outlet, Proposers proposers, BooleanSupplier ours) {
        this.name = name;
        this.topic = topic;
        this.session = session;
        this.outlet = outlet;
        this.proposers = proposers;
        this.ours = ours;
    }

    /** Sends a request to the server, unless it is there already. */
    void forward(Asked asked) {
        if (isRunning(asked)) {
            return;
        }
        String id = session.nextId();
        if (!calls.add(id, asked)) {
            outlet.answer(
                    asked,
                    RpcError.BUSY.failure(
                            "null",
                            "'" + name + "' has as many calls under way as it may, " + Calls.MOST
                                    + " or 64 MiB; send it again later"));
            return;
        }
        put(id, asked, asked.params(), 0);
    }

    private void put(String id, Asked asked, Optional<String> given, int round) {
        boolean mine = ours.getAsBoolean();
        if (!mine || closed) {
            unrun(id, asked, mine, round);
            return;
        }
        Optional<String> params = given.map(raw ->
                        RawJson.replaced(raw, id, Meta.META, "progressToken").orElse(raw))
                .map(raw -> asked.traced(raw, topic));
        session.ask(id, asked.method(), params, asked.proposal().isEmpty(), answer -> {
            switch (RoundTrip.of(name, session.stateless(), asked, answer, round)) {
                case RoundTrip.Over(Message.Answer last) -> {
                    Asked taken = calls.take(id);
                    if (taken != null) {
                        outlet.answer(taken, doubtful(last));
                    }
                }
                case RoundTrip.Again(String state, Duration pause) -> again(id, asked, state, round, pause);
            }
        });
    }

    /**
     * Does not run a call, or not on.
     *
     * @param mine whether nobody else could
     */
    private void unrun(String id, Asked asked, boolean mine, int round) {
        if (calls.take(id) == null) {
            return;
        }
        if (round > 0) {
            outlet.answer(
                    asked,
                    RpcError.UNAVAILABLE.failure(
                            "null", "the bridge '" + name + "' is closing; whether the call ran is not known"));
        } else if (mine) {
            outlet.answer(
                    asked,
                    RpcError.UNAVAILABLE.failure(
                            "null", "the bridge '" + name + "' is closing; the call was not run, send it again"));
        } else {
            // Nor is it answered: whoever took our place may be at it, and theirs is the answer.
            log.warn("bridge {}: a call was not run, since another process has taken its place", name);
        }
    }

    /** Runs nothing from here on; what comes is told so. */
    void close() {
        closed = true;
    }

    /** Answers what was asked of whoever was here before, and is gone: nobody knows how far they came. */
    void disown(Asked asked) {
        if (!isRunning(asked)) {
            outlet.answer(
                    asked,
                    RpcError.UNAVAILABLE.failure(
                            "null",
                            "the process that ran '" + name + "' ended before it answered; whether the call ran is"
                                    + " not known"));
        }
    }

    private boolean isRunning(Asked asked) {
        return calls.find(each ->
                        each.envelope().equals(asked.envelope()) && each.from().equals(asked.from()))
                .isPresent();
    }

    /** Where the way to the server was lost, whoever asked should know what that leaves open. */
    private static Message.Answer doubtful(Message.Answer answer) {
        return answer instanceof Message.Failure failure && failure.code() == RpcError.UNAVAILABLE.code()
                ? RpcError.UNAVAILABLE.failure(failure.id(), failure.words() + "; whether the call ran is not known")
                : answer;
    }

    private void again(String id, Asked asked, String state, int round, Duration pause) {
        String next = session.nextId();
        if (!calls.move(id, next)) {
            return;
        }
        Thread.ofVirtual().name("bridge " + name + " again").start(() -> {
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (calls.has(next)) {
                String params = RawJson.with(asked.params().orElse("{}"), state, "requestState");
                put(next, asked, Optional.of(params), round + 1);
            }
        });
    }

    /** Gives up what the server has left unanswered for so long, without a word. */
    void giveUpAfter(Duration silence) {
        calls.silentFor(silence).forEach(this::giveUp);
    }

    private void giveUp(String id) {
        Asked taken = calls.take(id);
        if (taken != null) {
            stop(id, Optional.of("no answer and no progress for too long"));
            outlet.answer(
                    taken,
                    RpcError.UNAVAILABLE.failure(
                            "null",
                            "the server of '" + name + "' did not answer within an hour, nor did it report progress;"
                                    + " whether the call ran is not known"));
        }
    }

    private void stop(String id, Optional<String> reason) {
        session.forget(id);
        session.tell(Notices.CANCELLED, Notices.cancellation(id, reason));
    }

    /** Who asked may call it off, and so may who proposed it; and the gateway, which does so for either. */
    void cancel(Envelope envelope) {
        Json params = Payloads.of(envelope).at("params");
        Json wanted = params.at("requestId");
        String from = String.valueOf(envelope.from());
        Optional<String> found = calls.find(asked -> {
            boolean requester = asked.from().equals(from);
            boolean entitled = requester
                    || from.equals(SystemMessage.GATEWAY)
                    || asked.proposal()
                            .flatMap(proposers::of)
                            .filter(from::equals)
                            .isPresent();
            return entitled
                    && (wanted.ifText().filter(asked.envelope()::equals).isPresent()
                            || (requester && wanted.there() && wanted.raw().equals(asked.id())));
        });
        if (found.isEmpty()) {
            return;
        }
        Asked taken = calls.take(found.get());
        if (taken != null) {
            stop(found.get(), params.at("reason").ifText());
            outlet.answer(taken, RpcError.CANCELLED.failure("null", "cancelled by '" + from + "'"));
        }
    }

    /** The server reports progress: whoever asked is told, under the token that they gave. */
    void progressed(Message.Notification notification) {
        Optional<String> token = notification.params().flatMap(raw -> RawJson.at(raw, "progressToken"));
        if (token.isEmpty()) {
            return;
        }
        boolean allowed = outlet.allowed();
        // While it cannot be answered: nothing follows an answer.
        calls.with(
                token.get(),
                asked -> asked.progressToken()
                        .filter(original -> allowed)
                        .flatMap(original ->
                                notification.params().flatMap(raw -> RawJson.replaced(raw, original, "progressToken")))
                        .ifPresent(params -> outlet.notice(asked.progressed(params))));
    }
}
