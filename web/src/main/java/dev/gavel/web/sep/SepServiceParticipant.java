package dev.gavel.web.sep;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcp.bridge.InboundEnvelopeQueue;
import dev.gavel.mcp.bridge.TopicConnector;
import dev.gavel.mcp.bridge.TopicRequest;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcp.rpc.RpcMessage;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeLimits;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.EnvelopeRefusal;
import dev.gavel.mcpx.KindCategory;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepCaller;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.sep.service.SepService;
import dev.gavel.web.http.HttpProblem;
import dev.gavel.web.http.MemoryQuota;
import dev.gavel.web.identity.Identity;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the SEP service as an MCP server in a topic, executing each request with the identity and roles of its sender.
 * The roles are those at the time of execution. For a fulfilled proposal the sender is the reviewer who approved it.
 * Thread-safe.
 */
public final class SepServiceParticipant implements AutoCloseable {
    /** The participant's id in the topic. */
    public static final String NAME = Identity.SEP_SERVICE;

    private static final Logger log = LoggerFactory.getLogger(SepServiceParticipant.class);

    private static final Duration INITIAL_DELAY = Duration.ofSeconds(1);
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    /** How many requests may wait for a response; the SEP service works in order, so more would only wait longer. */
    private static final int MAX_IN_FLIGHT = 1000;

    /** A call's envelope, its parsed parameters and its document take up to this many times the bytes of the envelope. */
    private static final int MEMORY_PER_BYTE = 4;

    private static final String CALL = "tools/call";
    private static final String NOTIFICATIONS = "notifications/";

    private final TopicConnector topicConnector;
    private final SepService service;
    private final Function<String, Set<String>> rolesOf;
    private final EnvelopeReader reader;

    /** The same for every client. */
    private final Json toolList;

    private final ReconnectTimer timer;
    private final MemoryQuota memoryQuota;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile boolean closed;
    private @Nullable Thread supervisor;

    /**
     * Creates a participant that has not joined yet.
     *
     * @param roles returns the current roles of an identity by its id
     * @param limits the gateway's limits for envelopes
     * @param terms how tool descriptions name the proposals
     */
    public SepServiceParticipant(
            TopicConnector topicConnector,
            SepService sepService,
            Function<String, Set<String>> roles,
            EnvelopeLimits limits,
            ProposalTerms terms) {
        this(
                topicConnector,
                sepService,
                roles,
                limits,
                terms,
                MemoryQuota.forSepCalls(Runtime.getRuntime().maxMemory()),
                new ReconnectTimer() {
                    @Override
                    public long nanos() {
                        return System.nanoTime();
                    }

                    @Override
                    public void sleep(Duration time) throws InterruptedException {
                        Thread.sleep(time);
                    }
                });
    }

    SepServiceParticipant(
            TopicConnector topicConnector,
            SepService sepService,
            Function<String, Set<String>> roles,
            EnvelopeLimits limits,
            ProposalTerms terms,
            MemoryQuota quota,
            ReconnectTimer reconnectTimer) {
        this.topicConnector = topicConnector;
        this.service = sepService;
        this.rolesOf = roles;
        this.reader = new EnvelopeReader(limits);
        this.toolList = SepMcpTools.list(terms);
        this.memoryQuota = quota;
        this.timer = reconnectTimer;
    }

    /** Measures time and waits between two sessions in the topic. */
    interface ReconnectTimer {
        /** A monotonic time in nanoseconds, with an arbitrary origin. */
        long nanos();

        void sleep(Duration time) throws InterruptedException;
    }

    /** Joins the topic and rejoins it whenever a session ends. May be called once. */
    public synchronized void start() {
        if (supervisor != null) {
            throw new IllegalStateException("'" + NAME + "' is already started");
        }
        supervisor = Thread.ofVirtual().name(NAME).start(this::supervise);
    }

    /** Leaves the topic. Requests in flight are still executed, but get no response. */
    @Override
    public synchronized void close() {
        closed = true;
        if (supervisor != null) {
            supervisor.interrupt();
        }
    }

    private void supervise() {
        Duration delay = INITIAL_DELAY;
        try {
            while (!closed) {
                long joinedNanos = timer.nanos();
                String reason;
                try {
                    reason = runSession();
                } catch (RuntimeException e) {
                    log.error("{}: the session in the topic failed; rejoining", NAME, e);
                    reason = String.valueOf(e.getMessage());
                }
                log.debug("{}: the session in the topic has ended: {}", NAME, reason);
                // Reset the delay only after a long session, so that a participant removed right after joining does not
                // rejoin all the time.
                boolean longSession = timer.nanos() - joinedNanos >= MAX_DELAY.toNanos();
                delay = longSession ? INITIAL_DELAY : delay;
                timer.sleep(delay);
                delay = delay.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? delay.multipliedBy(2) : MAX_DELAY;
            }
        } catch (InterruptedException e) {
            log.debug("{}: stopped", NAME);
        }
    }

    /** Joins the topic and stays until the session ends; returns the reason. */
    private String runSession() throws InterruptedException {
        Optional<String> unavailableReason = topicConnector.unavailableReason();
        if (unavailableReason.isPresent()) {
            return unavailableReason.get();
        }
        ParticipantSession participantSession = new ParticipantSession();
        try {
            participantSession.begin();
            return participantSession.endReason.get();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            participantSession.end();
        }
    }

    /** One session in the topic. */
    private final class ParticipantSession implements TopicConnector.SessionListener {
        private final CompletableFuture<String> endReason = new CompletableFuture<>();
        private final InboundEnvelopeQueue inboundEnvelopeQueue = new InboundEnvelopeQueue(NAME, this::read);
        private volatile TopicConnector.@Nullable TopicSession topicSession;

        void begin() throws IOException {
            topicSession = topicConnector.join(this);
            inboundEnvelopeQueue.open();
        }

        void end() {
            TopicConnector.TopicSession session = topicSession;
            if (session != null) {
                session.close();
            }
        }

        @Override
        public void onEnvelope(byte[] envelope) {
            if (!inboundEnvelopeQueue.offer(envelope)
                    && reader.read(envelope) instanceof Envelope request
                    && isRequest(request)) {
                sendResponse(
                        TopicRequest.of(request),
                        RpcErrorCode.BUSY.toResponse("null", "'" + NAME + "' has too many pending requests"));
            }
        }

        @Override
        public void onReconnect() {
            // Nothing to do: clients send requests again that they sent while the connection was interrupted.
        }

        @Override
        public void onRemoved(String reason, boolean permanent) {
            endReason.complete(reason);
        }

        private void read(byte[] bytes) {
            try {
                // Handles only requests addressed to this participant; a broadcast has no particular recipient.
                if (reader.read(bytes) instanceof Envelope envelope && isRequest(envelope)) {
                    dispatch(TopicRequest.of(envelope));
                }
            } catch (RuntimeException e) {
                log.error("{}: an envelope could not be processed", NAME, e);
            }
        }

        private boolean isRequest(Envelope envelope) {
            return envelope.category() == KindCategory.REQUEST && envelope.to().contains(NAME);
        }

        private void dispatch(TopicRequest topicRequest) {
            switch (topicRequest.method()) {
                case "tools/list" -> respond(topicRequest, toolList);
                case "prompts/list" -> respond(topicRequest, empty("prompts"));
                case "resources/list" -> respond(topicRequest, empty("resources"));
                case "resources/templates/list" -> respond(topicRequest, empty("resourceTemplates"));
                case "ping" -> respond(topicRequest, Json.object());
                case CALL -> callTool(topicRequest);
                default -> {
                    if (!topicRequest.method().startsWith(NOTIFICATIONS)) {
                        sendResponse(
                                topicRequest,
                                RpcErrorCode.METHOD_NOT_FOUND.toResponse(
                                        "null",
                                        "'" + NAME + "' does not support the method '" + topicRequest.method() + "'"));
                    }
                }
            }
        }

        private void callTool(TopicRequest topicRequest) {
            if (!topicConnector.isOwner()) {
                // The process that took over may be executing the call, and sends the response.
                log.warn("{}: a call was not executed because another process has taken over", NAME);
                endReason.complete("another process has taken over");
                return;
            }
            Json params = topicRequest.params().flatMap(Json::parse).orElseGet(Json::object);
            String tool = params.at("name").text();
            Optional<SepOperation> sepOperation = SepMcpTools.find(tool);
            if (sepOperation.isEmpty()) {
                sendResponse(
                        topicRequest,
                        RpcErrorCode.INVALID_PARAMS.toResponse("null", "there is no tool '" + tool + "'"));
                return;
            }
            MemoryQuota.Reservation memory = memoryQuota.reserve(topicRequest.from());
            Runnable release = () -> {
                inFlight.decrementAndGet();
                memory.release();
            };
            Optional<String> busyReason = inFlight.incrementAndGet() > MAX_IN_FLIGHT
                    ? Optional.of("'" + NAME + "' has too many pending requests")
                    : memory.add(topicRequest.envelopeLength() * MEMORY_PER_BYTE)
                            .map(HttpProblem::detail);
            if (busyReason.isPresent()) {
                release.run();
                sendResponse(
                        topicRequest, RpcErrorCode.BUSY.toResponse("null", busyReason.get() + "; nothing was changed"));
                return;
            }
            Json arguments = params.at("arguments");
            execute(topicRequest, sepOperation.get(), arguments.isPresent() ? arguments : Json.object(), release);
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the sender gets a response either way
        private void execute(TopicRequest topicRequest, SepOperation sepOperation, Json arguments, Runnable release) {
            try {
                service.execute(
                                new SepCaller(topicRequest.from(), rolesOf.apply(topicRequest.from())),
                                sepOperation,
                                arguments)
                        .whenComplete((sepResult, failure) -> {
                            release.run();
                            if (failure == null) {
                                sendResponse(
                                        topicRequest,
                                        new RpcMessage.ResultResponse(
                                                "null",
                                                SepMcpTools.result(sepOperation, sepResult)
                                                        .raw()),
                                        sepOperation.isMutating() && sepResult instanceof SepResult.Success);
                            } else {
                                respondFailure(topicRequest, failure);
                            }
                        });
            } catch (RuntimeException e) {
                release.run();
                respondFailure(topicRequest, e);
            }
        }

        private void respondFailure(TopicRequest topicRequest, Throwable failure) {
            log.error("{}: '{}' failed", NAME, topicRequest.method(), failure);
            sendResponse(topicRequest, RpcErrorCode.INTERNAL.toResponse("null", "internal error; see the server log"));
        }

        private Json empty(String list) {
            return Json.write(json -> {
                json.writeStartObject();
                json.writeArrayPropertyStart(list);
                json.writeEndArray();
                json.writeEndObject();
            });
        }

        private void respond(TopicRequest topicRequest, Json result) {
            sendResponse(topicRequest, new RpcMessage.ResultResponse("null", result.raw()));
        }

        private void sendResponse(TopicRequest topicRequest, RpcMessage.Response response) {
            sendResponse(topicRequest, response, false);
        }

        private void sendResponse(TopicRequest topicRequest, RpcMessage.Response response, boolean mutated) {
            byte[] envelope = topicRequest.responseEnvelope(response);
            // Check the size here, because the gateway would refuse the envelope without notifying the client.
            if (reader.read(envelope) instanceof EnvelopeRefusal refusal) {
                send(topicRequest.responseEnvelope(RpcErrorCode.UNSENDABLE.toResponse(
                        "null",
                        mutated
                                ? "the operation succeeded, but the response cannot be sent: " + refusal.message()
                                : "the response is too long; use the HTTP API or the command line")));
            } else {
                send(envelope);
            }
        }

        private void send(byte[] envelope) {
            TopicConnector.TopicSession session = topicSession;
            if (session != null) {
                session.send(envelope, TopicConnector.DeliveryMode.DURABLE, reason -> {});
            }
        }
    }
}
