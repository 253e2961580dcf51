package dev.gavel.client;

import dev.gavel.client.connection.ClientSendResult;
import dev.gavel.client.http.RemoteProblem;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeDraft;
import dev.gavel.mcpx.EnvelopeSyntax;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.EnvelopeIdGenerator;
import dev.gavel.mcpx.proposal.PayloadJsonConverter;
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
 * Runs this participant's tool once for each request that is addressed to the participant, and sends the answer.
 * Requests that arrive before the program has registered its tools are queued. Thread-safe.
 */
final class ToolRequestDispatcher {
    private static final System.Logger log = System.getLogger("dev.gavel.client");
    private static final int MAX_CONCURRENT = 64;
    private static final int MAX_REQUESTS = 1024;
    private static final int MAX_REQUEST_BYTES = 16 * 1024 * 1024;
    private static final int BUSY = -31003;
    private static final String BUSY_MESSAGE = "too many requests are waiting; try again later";

    /** Codes of refusals that concern the form of an answer, so that the gateway may accept another one. */
    private static final Set<String> UNSENDABLE_CODES = Set.of("too_large", "malformed", "kind_payload_mismatch");

    private final Participant participant;
    private final Executor executor;
    private final CallbackQueue<Envelope> overflow;
    private final Semaphore permits = new Semaphore(MAX_CONCURRENT);
    private final Queue<Envelope> receivedBeforeStart = new ArrayDeque<>();
    private @Nullable Tools tools;
    private int acceptedCount;
    private int acceptedBytes;

    ToolRequestDispatcher(Participant participant, Executor executor) {
        this.participant = participant;
        this.executor = executor;
        this.overflow = new CallbackQueue<>(
                executor,
                envelope -> send(
                        envelope, PayloadJsonConverter.of(envelope), Answer.error(BUSY, BUSY_MESSAGE), refusal -> {}),
                MAX_REQUESTS);
    }

    void start(Tools registeredTools) {
        List<Envelope> queued;
        synchronized (this) {
            if (tools != null) {
                throw new IllegalStateException(
                        "this participant already serves tools; register all tools in one call");
            }
            tools = registeredTools;
            queued = new ArrayList<>(receivedBeforeStart);
            receivedBeforeStart.clear();
        }
        queued.forEach(envelope -> run(envelope, registeredTools));
    }

    synchronized void onEnvelope(Envelope envelope) {
        if (envelope.category() != KindCategory.REQUEST || !envelope.to().contains(participant.id())) {
            return;
        }
        if (acceptedCount >= MAX_REQUESTS || acceptedBytes + envelope.length() > MAX_REQUEST_BYTES) {
            if (tools != null && !overflow.offer(envelope)) {
                log.log(System.Logger.Level.WARNING, "A request is not answered: too many requests arrived at once.");
            }
            return;
        }
        acceptedCount++;
        acceptedBytes += envelope.length();
        if (tools == null) {
            receivedBeforeStart.add(envelope);
        } else {
            run(envelope, tools);
        }
    }

    private void run(Envelope envelope, Tools registeredTools) {
        executor.execute(() -> {
            try {
                permits.acquire();
                try {
                    answer(envelope, registeredTools);
                } finally {
                    permits.release();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                onAnswered(envelope);
            }
        });
    }

    private synchronized void onAnswered(Envelope envelope) {
        acceptedCount--;
        acceptedBytes -= envelope.length();
    }

    private void answer(Envelope envelope, Tools registeredTools) {
        Json payload = PayloadJsonConverter.of(envelope);
        Answer answer;
        try {
            answer = registeredTools.answer(IncomingToolRequest.of(envelope, payload));
            if (answer == null) {
                throw new IllegalStateException("the tool handler returned null");
            }
        } catch (Throwable e) {
            // Errors are caught too, since the requester waits for an answer in any case.
            log.log(System.Logger.Level.WARNING, "The handler of " + envelope.kindWithContext() + " failed.", e);
            answer = Answer.failed("the call failed; see the log of '" + participant.id() + "'");
        }
        respond(envelope, payload, answer);
    }

    /** Sends the answer; if it cannot be sent, sends a failure that says so. */
    private void respond(Envelope request, Json payload, Answer answer) {
        try {
            send(request, payload, answer, problem -> {
                if (UNSENDABLE_CODES.contains(problem.code())) {
                    executor.execute(() -> sendFailure(request, payload, problem.detail()));
                }
            });
        } catch (GavelException e) {
            throw e;
        } catch (RuntimeException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    "The response to " + request.kindWithContext() + " cannot be encoded.",
                    e);
            sendFailure(request, payload, "it cannot be encoded as JSON");
        }
    }

    private void sendFailure(Envelope request, Json payload, String reason) {
        send(
                request,
                payload,
                Answer.failed("the call was run, but its result could not be sent: " + reason),
                problem -> {});
    }

    /** Sends an answer, unless the request is a notification, which has no answer. */
    private void send(Envelope request, Json payload, Answer answer, Consumer<RemoteProblem> onRefused) {
        Json id = payload.at("id");
        if (!id.isPresent()) {
            return;
        }
        // The gateway stores and echoes only answers to requests that fulfil a proposal.
        boolean durable = !request.correlationIds().isEmpty();
        participant.transmit(encode(request, id, answer), durable, clientSendResult -> {
            if (clientSendResult instanceof ClientSendResult.Refused(RemoteProblem problem)) {
                log.log(
                        System.Logger.Level.WARNING,
                        "The gateway refused a response: " + problem.code() + ": " + problem.detail());
                onRefused.accept(problem);
            }
        });
    }

    private static byte[] encode(Envelope request, Json id, Answer answer) {
        return EnvelopeDraft.of(
                        EnvelopeIdGenerator.next('a', Instant.now()),
                        request.kindWithContext().withOperation("response"))
                .withRecipients(List.of(String.valueOf(request.from())))
                .withCorrelationIds(List.of(request.id()))
                .encode(EnvelopeSyntax.CURRENT, json -> {
                    json.writeStartObject();
                    json.writeStringProperty("jsonrpc", "2.0");
                    json.writeName("id");
                    json.writeRawValue(id.raw());
                    switch (answer) {
                        case Answer.Result(Json value) -> {
                            json.writeName("result");
                            json.writeRawValue(value.raw());
                        }
                        case Answer.ErrorAnswer(int code, String message) -> {
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
