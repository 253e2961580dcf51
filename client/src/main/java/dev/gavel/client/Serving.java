package dev.gavel.client;

import dev.gavel.client.http.Problem;
import dev.gavel.client.link.Receipt;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.Spelling;
import dev.gavel.mcpx.draft.EnvelopeIds;
import dev.gavel.mcpx.draft.Payloads;
import dev.gavel.mcpx.json.Json;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that are addressed to this participant, each exactly once: a few at the same time, more waiting, and
 * what is too much is told so. What comes before there is somebody to answer waits too. Thread-safe.
 */
final class Serving {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final int AT_ONCE = 64;
    private static final int MOST = 1024;
    private static final int MOST_BYTES = 16 * 1024 * 1024;
    private static final int BUSY = -31003;
    private static final String BUSY_WORDS = "too many requests wait here already; send it again later";

    /** Refusals that are about how an answer is written, so that another one may be taken. */
    private static final Set<String> UNSENDABLE = Set.of("too_large", "malformed", "kind_payload_mismatch");

    private final Participant participant;
    private final Executor executor;
    private final Mailbox<Envelope> tooMany;
    private final Semaphore places = new Semaphore(AT_ONCE);
    private final Queue<Envelope> early = new ArrayDeque<>();
    private @Nullable Tools tools;
    private int taken;
    private int bytes;

    Serving(Participant participant, Executor executor) {
        this.participant = participant;
        this.executor = executor;
        this.tooMany = new Mailbox<>(
                executor,
                envelope -> send(envelope, Payloads.of(envelope), Answer.error(BUSY, BUSY_WORDS), refusal -> {}),
                MOST);
    }

    void start(Tools with) {
        List<Envelope> waiting;
        synchronized (this) {
            if (tools != null) {
                throw new IllegalStateException("this participant serves already; put all its tools together");
            }
            tools = with;
            waiting = new ArrayList<>(early);
            early.clear();
        }
        waiting.forEach(envelope -> run(envelope, with));
    }

    synchronized void hear(Envelope envelope) {
        if (envelope.rule() != KindRule.REQUEST || !envelope.to().contains(participant.id())) {
            return;
        }
        if (taken >= MOST || bytes + envelope.length() > MOST_BYTES) {
            if (tools != null && !tooMany.offer(envelope)) {
                log.log(System.Logger.Level.WARNING, "a request is not answered: far too many came at once");
            }
            return;
        }
        taken++;
        bytes += envelope.length();
        if (tools == null) {
            early.add(envelope);
        } else {
            run(envelope, tools);
        }
    }

    private void run(Envelope envelope, Tools with) {
        executor.execute(() -> {
            try {
                places.acquire();
                try {
                    answer(envelope, with);
                } finally {
                    places.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                done(envelope);
            }
        });
    }

    private synchronized void done(Envelope envelope) {
        taken--;
        bytes -= envelope.length();
    }

    private void answer(Envelope envelope, Tools with) {
        Json payload = Payloads.of(envelope);
        Answer answer;
        try {
            answer = with.answer(Request.of(envelope, payload));
            if (answer == null) {
                throw new IllegalStateException("it gave no answer, but null");
            }
        } catch (Throwable e) {
            // An Error too: whoever asked waits for an answer all the same.
            log.log(System.Logger.Level.WARNING, "the answer to " + envelope.effectiveKind() + " failed", e);
            answer = Answer.failed("it failed here; the log of '" + participant.id() + "' says why");
        }
        respond(envelope, payload, answer);
    }

    /** Answers; where the answer cannot be sent, says at least that. */
    private void respond(Envelope request, Json payload, Answer answer) {
        try {
            send(request, payload, answer, problem -> {
                if (UNSENDABLE.contains(problem.code())) {
                    executor.execute(() -> instead(request, payload, problem.detail()));
                }
            });
        } catch (GavelException e) {
            throw e;
        } catch (RuntimeException e) {
            log.log(System.Logger.Level.WARNING, "the answer to " + request.effectiveKind() + " cannot be written", e);
            instead(request, payload, "it is not an answer that can be written as JSON");
        }
    }

    private void instead(Envelope request, Json payload, String why) {
        send(request, payload, Answer.failed("it ran here, but its answer could not be sent: " + why), problem -> {});
    }

    /** Sends an answer, unless it is to a notification, which nobody waits for. */
    private void send(Envelope request, Json payload, Answer answer, Consumer<Problem> refused) {
        Json id = payload.at("id");
        if (!id.there()) {
            return;
        }
        // Only an answer to a fulfilment is kept, and echoed.
        boolean durable = !request.correlationIds().isEmpty();
        participant.transmit(written(request, id, answer), durable, receipt -> {
            if (receipt instanceof Receipt.Refused(Problem problem)) {
                log.log(
                        System.Logger.Level.WARNING,
                        "an answer was refused: " + problem.code() + ": " + problem.detail());
                refused.accept(problem);
            }
        });
    }

    private static byte[] written(Envelope request, Json id, Answer answer) {
        return EnvelopeDraft.of(
                        EnvelopeIds.next('a', Instant.now()),
                        request.effectiveKind().withOperation("response"))
                .addressed(List.of(String.valueOf(request.from())))
                .about(List.of(request.id()))
                .encode(Spelling.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeName("id");
                    json.writeRawValue(id.raw());
                    switch (answer) {
                        case Answer.Result(Json value) -> {
                            json.writeName("result");
                            json.writeRawValue(value.raw());
                        }
                        case Answer.Fault(int code, String message) -> {
                            json.writeObjectPropertyStart("error");
                            json.writeNumberProperty("code", code);
                            json.writeStringProperty("message", message);
                            json.writeEndObject();
                        }
                    }
                    json.writeEndObject();
                });
    }
}
