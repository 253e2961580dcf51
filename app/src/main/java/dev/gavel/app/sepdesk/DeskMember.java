package dev.gavel.app.sepdesk;

import dev.gavel.app.identity.Identity;
import dev.gavel.mcp.bridge.Asked;
import dev.gavel.mcp.bridge.Inbox;
import dev.gavel.mcp.bridge.Venue;
import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.Envelope;
import dev.gavel.mcpx.EnvelopeReader;
import dev.gavel.mcpx.KindRule;
import dev.gavel.mcpx.Limits;
import dev.gavel.mcpx.Refusal;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Caller;
import dev.gavel.sep.desk.Desk;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
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
 * The SEP desk as a member of a topic, whose tools are the desk's verbs. Whatever is called is done in the name of who sent
 * the request, with the roles they have at that moment: for a fulfilled proposal that is who approved it. Thread-safe.
 */
public final class DeskMember implements AutoCloseable {
    /** What the topic calls it. */
    public static final String NAME = Identity.DESK;

    private static final Logger log = LoggerFactory.getLogger(DeskMember.class);

    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    /** What is asked and not answered yet; the desk answers in the order it is asked, so more would only wait longer. */
    private static final int MOST_UNDER_WAY = 1000;

    private static final String CALL = "tools/call";
    private static final String NOTIFICATIONS = "notifications/";

    private final Venue venue;
    private final Desk desk;
    private final Function<String, Set<String>> roles;
    private final EnvelopeReader reader;
    private final Pause pause;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean closed;
    private @Nullable Thread supervisor;

    /**
     * One that is yet to come.
     *
     * @param roles what somebody has as of now, by their id
     * @param limits what the gateway takes
     */
    public DeskMember(Venue venue, Desk desk, Function<String, Set<String>> roles, Limits limits) {
        this(venue, desk, roles, limits, new Pause() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void waitFor(Duration time) throws InterruptedException {
                Thread.sleep(time);
            }
        });
    }

    DeskMember(Venue venue, Desk desk, Function<String, Set<String>> roles, Limits limits, Pause pause) {
        this.venue = venue;
        this.desk = desk;
        this.roles = roles;
        this.reader = new EnvelopeReader(limits);
        this.pause = pause;
    }

    /** How time passes between two stays. */
    interface Pause {
        /** Counts on, from anywhere. */
        long nanos();

        void waitFor(Duration time) throws InterruptedException;
    }

    /** Comes into the topic and stays; once. */
    public synchronized void start() {
        if (supervisor != null) {
            throw new IllegalStateException("'" + NAME + "' was started before");
        }
        supervisor = Thread.ofVirtual().name(NAME).start(this::supervise);
    }

    /** Leaves. What was asked is still done, but nobody is told. */
    @Override
    public synchronized void close() {
        closed = true;
        if (supervisor != null) {
            supervisor.interrupt();
        }
    }

    private void supervise() {
        Duration wait = AGAIN;
        try {
            while (!closed) {
                long came = pause.nanos();
                String why;
                try {
                    why = stay();
                } catch (RuntimeException e) {
                    log.error("{} had to leave its topic and comes back", NAME, e);
                    why = String.valueOf(e.getMessage());
                }
                log.debug("{} is out of its topic: {}", NAME, why);
                // Who is thrown out as soon as they come must not come all the time.
                boolean good = pause.nanos() - came >= LONGEST_WAIT.toNanos();
                wait = good ? AGAIN : wait;
                pause.waitFor(wait);
                wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) < 0 ? wait.multipliedBy(2) : LONGEST_WAIT;
            }
        } catch (InterruptedException e) {
            log.debug("{} has left", NAME);
        }
    }

    /** Is in the topic until it cannot be, and gives why. */
    private String stay() throws InterruptedException {
        Optional<String> shut = venue.closed();
        if (shut.isPresent()) {
            return shut.get();
        }
        Stay stay = new Stay();
        try {
            stay.begin();
            return stay.over.get();
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            stay.end();
        }
    }

    /** One stay in the topic. */
    private final class Stay implements Venue.Occupant {
        private final CompletableFuture<String> over = new CompletableFuture<>();
        private final Inbox inbox = new Inbox(NAME, this::read);
        private volatile Venue.@Nullable Place place;

        void begin() throws IOException {
            place = venue.join(this);
            inbox.open();
        }

        void end() {
            Venue.Place from = place;
            if (from != null) {
                from.close();
            }
        }

        @Override
        public void heard(byte[] envelope) {
            if (!inbox.offer(envelope) && reader.read(envelope) instanceof Envelope request && isRequest(request)) {
                answer(Asked.of(request), RpcError.BUSY.failure("null", "far too much waits for '" + NAME + "'"));
            }
        }

        @Override
        public void returned() {
            // Nothing of it was missed: who asked while the way was interrupted asks again.
        }

        @Override
        public void expelled(String why, boolean forGood) {
            over.complete(why);
        }

        private void read(byte[] bytes) {
            try {
                // A broadcast is for nobody in particular, so nothing is done for it.
                if (reader.read(bytes) instanceof Envelope envelope && isRequest(envelope)) {
                    asked(Asked.of(envelope));
                }
            } catch (RuntimeException e) {
                log.error("{}: an envelope could not be dealt with", NAME, e);
            }
        }

        private boolean isRequest(Envelope envelope) {
            return envelope.rule() == KindRule.REQUEST && envelope.to().contains(NAME);
        }

        private void asked(Asked asked) {
            switch (asked.method()) {
                case "tools/list" -> done(asked, DeskTools.list());
                case "prompts/list" -> done(asked, empty("prompts"));
                case "resources/list" -> done(asked, empty("resources"));
                case "resources/templates/list" -> done(asked, empty("resourceTemplates"));
                case "ping" -> done(asked, Json.object());
                case CALL -> call(asked);
                default -> {
                    if (!asked.method().startsWith(NOTIFICATIONS)) {
                        answer(
                                asked,
                                RpcError.METHOD_NOT_FOUND.failure(
                                        "null", "'" + NAME + "' has tools, and no method '" + asked.method() + "'"));
                    }
                }
            }
        }

        private void call(Asked asked) {
            if (!venue.ours()) {
                // Whoever took our place may be at it, and theirs is the answer.
                log.warn("{}: a call was not made, since another process has taken its place", NAME);
                over.complete("another process has taken its place");
                return;
            }
            Json params = asked.params().flatMap(Json::parse).orElseGet(Json::object);
            String tool = params.at("name").text();
            Optional<Verb> verb = DeskTools.named(tool);
            if (verb.isEmpty()) {
                answer(asked, RpcError.INVALID_PARAMS.failure("null", "there is no tool '" + tool + "' here"));
                return;
            }
            if (underWay.incrementAndGet() > MOST_UNDER_WAY) {
                underWay.decrementAndGet();
                answer(asked, RpcError.BUSY.failure("null", "far too much waits for '" + NAME + "'; nothing was done"));
                return;
            }
            Json arguments = params.at("arguments");
            ask(asked, verb.get(), arguments.there() ? arguments : Json.object());
        }

        @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, who asked is told
        private void ask(Asked asked, Verb verb, Json arguments) {
            try {
                desk.ask(new Caller(asked.from(), roles.apply(asked.from())), verb, arguments)
                        .whenComplete((reply, failure) -> {
                            underWay.decrementAndGet();
                            if (failure == null) {
                                answer(
                                        asked,
                                        new Message.Response(
                                                "null",
                                                DeskTools.result(verb, reply).raw()),
                                        verb.changes() && reply instanceof Reply.Done);
                            } else {
                                failed(asked, failure);
                            }
                        });
            } catch (RuntimeException e) {
                underWay.decrementAndGet();
                failed(asked, e);
            }
        }

        private void failed(Asked asked, Throwable failure) {
            log.error("{}: '{}' failed", NAME, asked.method(), failure);
            answer(asked, RpcError.INTERNAL.failure("null", "something went wrong here; the log says what"));
        }

        private Json empty(String list) {
            return Json.write(json -> {
                json.writeStartObject();
                json.writeArrayPropertyStart(list);
                json.writeEndArray();
                json.writeEndObject();
            });
        }

        private void done(Asked asked, Json result) {
            answer(asked, new Message.Response("null", result.raw()));
        }

        private void answer(Asked asked, Message.Answer answer) {
            answer(asked, answer, false);
        }

        private void answer(Asked asked, Message.Answer answer, boolean changed) {
            byte[] envelope = asked.answered(answer);
            // Asked here, because nobody would hear of it there.
            if (reader.read(envelope) instanceof Refusal refusal) {
                send(asked.answered(RpcError.UNSENDABLE.failure(
                        "null",
                        changed
                                ? "it is done, but the answer cannot be sent: " + refusal.message()
                                : "the answer is too long; ask over HTTP or the command line")));
            } else {
                send(envelope);
            }
        }

        private void send(byte[] envelope) {
            Venue.Place to = place;
            if (to != null) {
                to.send(envelope, Venue.Worth.KEPT, why -> {});
            }
        }
    }
}
