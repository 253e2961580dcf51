package dev.gavel.web.console.live;

import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.delivery.ConnectionCloseReason;
import dev.gavel.gateway.topic.InProcessConnection;
import dev.gavel.gateway.topic.Topic;
import dev.gavel.gateway.topic.TopicConnection;
import dev.gavel.web.console.live.ChangeFeed.FeedEntry;
import dev.gavel.web.console.session.ConsoleUser;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends updates to one open page as server-sent events, and shows the page's user as present while the page is open. A
 * present user counts as available to decide proposals. Confined to the request's context.
 */
final class LiveUpdateStream<T> {
    /** Changes come in bursts; changes within this time are sent together. */
    private static final long BATCH_MILLIS = 40;

    /** Throttled updates are sent no more often than this. */
    private static final long THROTTLE_MILLIS = 500;

    /** The delay before the page is reloaded after a failure. */
    private static final long RETRY_MILLIS = 2_000;

    private static final long HEARTBEAT_MILLIS = 15_000;

    /** How often the stream checks that its user is still signed in. */
    private static final long SIGN_IN_CHECK_MILLIS = 1_000;

    /** How long a user still counts as present after closing a page. */
    private static final long LEAVE_DELAY_MILLIS = 5_000;

    /** If more subjects than this are pending, the page is reloaded instead. */
    private static final int MAX_BATCH = 200;

    private final Gateway gateway;
    private final ChangeFeed changeFeed;
    private final ConsoleUser consoleUser;
    private final ContextInternal context;
    private final HttpServerResponse response;
    private final LiveUpdateSource<T> liveUpdateSource;
    private final Consumer<FeedEntry> subscriber = this::onChange;
    private final List<InProcessConnection> presences = new ArrayList<>();

    /** The subjects to send with the next batch. */
    private Set<T> pending = new LinkedHashSet<>();

    /** The subjects to send when the throttle timer fires. */
    private final Set<T> throttled = new LinkedHashSet<>();

    private long lastNumber;

    /** The number of the first change with a subject that is still throttled. */
    private long firstThrottled = Long.MAX_VALUE;

    private boolean reload;
    private boolean flushing;
    private boolean ended;

    LiveUpdateStream(
            Gateway gateway,
            ChangeFeed changeFeed,
            ConsoleUser consoleUser,
            ContextInternal requestContext,
            HttpServerResponse response,
            LiveUpdateSource<T> liveUpdateSource) {
        this.gateway = gateway;
        this.changeFeed = changeFeed;
        this.consoleUser = consoleUser;
        this.context = requestContext;
        this.response = response;
        this.liveUpdateSource = liveUpdateSource;
    }

    /**
     * Starts the stream.
     *
     * @param mark the last change that the page knows
     * @param presentStreams counts the streams that hold topic connections, and therefore end by themselves when the process
     *     stops
     * @param onEnd runs once when the stream has ended, for whatever reason
     */
    void start(String mark, AtomicInteger presentStreams, Runnable onEnd) {
        response.setChunked(true).exceptionHandler(failure -> {
            // The reader disconnected; the close handler cleans up.
        });
        response.write("retry: 2000\n\n");
        Optional<List<FeedEntry>> missed = changeFeed.subscribe(mark, subscriber);
        missed.ifPresentOrElse(feedEntry -> feedEntry.forEach(this::queueChange), () -> reload = true);
        joinTopics();
        int counted = presences.isEmpty() ? 0 : 1;
        presentStreams.addAndGet(counted);
        long heartbeatTimer = context.owner().setPeriodic(HEARTBEAT_MILLIS, id -> sendHeartbeat());
        long signInCheckTimer = context.owner().setPeriodic(SIGN_IN_CHECK_MILLIS, id -> checkSignedIn());
        Runnable cleanup = runOnce(() -> {
            ended = true;
            context.owner().cancelTimer(heartbeatTimer);
            context.owner().cancelTimer(signInCheckTimer);
            changeFeed.unsubscribe(subscriber);
            leaveTopicsLater();
            presentStreams.addAndGet(-counted);
            onEnd.run();
        });
        // The first runs when the reader disconnects, the second when the server ends the stream.
        response.closeHandler(closed -> cleanup.run());
        response.endHandler(done -> cleanup.run());
        flush();
    }

    /**
     * Closes the topic connections after a delay. A user who opens another page stays present; only a user who does not
     * return leaves.
     */
    private void leaveTopicsLater() {
        List<InProcessConnection> connections = List.copyOf(presences);
        context.owner().setTimer(LEAVE_DELAY_MILLIS, id -> connections.forEach(InProcessConnection::close));
    }

    private static Runnable runOnce(Runnable act) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                act.run();
            }
        };
    }

    private void joinTopics() {
        for (Topic topic : gateway.topics()) {
            topic.membership(consoleUser.id())
                    .ifPresent(membership -> presences.add(gateway.connectInProcess(
                            topic,
                            membership,
                            consoleUser.accessGrant(),
                            new TopicConnection.SubscribeOptions(
                                    liveUpdateSource.deliveryMode(topic), OptionalLong.empty()),
                            new InProcessConnection.Listener() {
                                @Override
                                public void onEnvelope(byte[] envelope) {
                                    liveUpdateSource
                                            .onEnvelope(topic, envelope)
                                            .ifPresent(
                                                    subject -> context.runOnContext(now -> onEnvelopeSubject(subject)));
                                }

                                @Override
                                public void onClose(ConnectionCloseReason closeReason) {
                                    context.runOnContext(now -> onPresenceClosed(closeReason));
                                }
                            })));
        }
    }

    /**
     * Called when a topic connection closes. If the user is no longer signed in, the stream ends. If only the
     * membership of one topic was revoked, the page is reloaded. In all other cases the stream ends and the page
     * reconnects.
     */
    private void onPresenceClosed(ConnectionCloseReason closeReason) {
        if (ended) {
            return;
        }
        if (!consoleUser.isSignedIn()) {
            end("signed-out");
        } else if (closeReason == ConnectionCloseReason.REVOKED) {
            reload = true;
            flush();
        } else {
            end("mark");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the stream has ended either way
    private void end(String event) {
        ended = true;
        response.write("event: " + event + "\ndata: -\n\n");
        response.end();
    }

    private void sendHeartbeat() {
        if (!ended) {
            response.write(":\n\n");
        }
    }

    /** Also covers a user without topics, who has no topic connection that closes when the token is revoked. */
    private void checkSignedIn() {
        if (!ended && !consoleUser.isSignedIn()) {
            end("signed-out");
        }
    }

    /** Called on any thread. */
    private void onChange(FeedEntry feedEntry) {
        context.runOnContext(now -> {
            queueChange(feedEntry);
            flush();
        });
    }

    private void onEnvelopeSubject(T subject) {
        queueSubject(subject);
        flush();
    }

    private void queueChange(FeedEntry feedEntry) {
        lastNumber = Math.max(lastNumber, feedEntry.number());
        switch (liveUpdateSource.onChange(feedEntry)) {
            case LiveUpdateSource.Reaction.Ignore<T> _ -> {}
            case LiveUpdateSource.Reaction.Send<T>(T subject) -> queueSubject(subject);
            case LiveUpdateSource.Reaction.SendThrottled<T>(T subject) -> queueThrottled(subject, feedEntry.number());
            case LiveUpdateSource.Reaction.Reload<T> _ -> reload = true;
        }
    }

    private void queueSubject(T subject) {
        pending.add(subject);
        if (pending.size() > MAX_BATCH) {
            pending.clear();
            reload = true;
        }
    }

    private void queueThrottled(T subject, long number) {
        boolean first = throttled.isEmpty();
        throttled.add(subject);
        if (first) {
            firstThrottled = number;
            context.owner()
                    .setTimer(
                            THROTTLE_MILLIS,
                            id -> context.runOnContext(now -> {
                                throttled.forEach(this::queueSubject);
                                throttled.clear();
                                firstThrottled = Long.MAX_VALUE;
                                flush();
                            }));
        }
    }

    /** Sends the pending updates after {@link #BATCH_MILLIS}, one batch at a time. */
    private void flush() {
        if (flushing || ended || (pending.isEmpty() && !reload)) {
            return;
        }
        flushing = true;
        context.owner()
                .setTimer(
                        BATCH_MILLIS,
                        id -> context.runOnContext(now -> {
                            Deque<T> batch = new ArrayDeque<>(pending);
                            pending = new LinkedHashSet<>();
                            // The mark stays before the first throttled change, so that a page that reconnects does not
                            // miss that change.
                            long known = Math.min(lastNumber, firstThrottled - 1);
                            if (reload) {
                                reload = false;
                                batch.clear();
                                send("reload", "-", changeFeed.mark(known));
                            }
                            sendNext(batch, known);
                        }));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whenComplete handles success and failure
    private void sendNext(Deque<T> batch, long known) {
        checkSignedIn();
        if (ended) {
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(drained -> sendNext(batch, known));
            return;
        }
        @Nullable T subject = batch.poll();
        if (subject == null) {
            if (known > 0) {
                send("mark", "-", changeFeed.mark(known));
            }
            flushing = false;
            flush();
            return;
        }
        liveUpdateSource
                .render(subject)
                .whenComplete((pageEvents, failure) -> context.runOnContext(now -> {
                    if (failure == null) {
                        pageEvents.forEach(pageEvent -> send(pageEvent.event(), pageEvent.data(), ""));
                        sendNext(batch, known);
                    } else {
                        retryLater();
                    }
                }));
    }

    /** Reloads the page after a delay. The ledger could not be read, so the page's mark stays as it was. */
    private void retryLater() {
        reload = true;
        context.owner()
                .setTimer(
                        RETRY_MILLIS,
                        id -> context.runOnContext(now -> {
                            flushing = false;
                            flush();
                        }));
    }

    private void send(String event, String data, String mark) {
        if (ended) {
            return;
        }
        StringBuilder text = new StringBuilder();
        if (!mark.isEmpty()) {
            text.append("id: ").append(mark).append('\n');
        }
        text.append("event: ").append(event).append('\n');
        // A carriage return also ends a line in an event stream; displayed text contains none.
        data.replace("\r", "")
                .lines()
                .forEach(line -> text.append("data: ").append(line).append('\n'));
        response.write(text.append('\n').toString());
    }
}
