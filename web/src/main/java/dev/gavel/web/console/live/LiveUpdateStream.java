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
 * Sends updates to one open page as server-sent events, and keeps its user present in the user's topics meanwhile.
 * Whoever looks at it takes part in their topics for as long: they are there to decide. Confined to the request's
 * context.
 */
final class LiveUpdateStream<T> {
    /** News come in flocks; what comes within this time is told together. */
    private static final long BATCH_MILLIS = 40;

    /** News that come in flocks and cost much are told no more often than this. */
    private static final long THROTTLE_MILLIS = 500;

    /** After a failure. */
    private static final long RETRY_MILLIS = 2_000;

    private static final long HEARTBEAT_MILLIS = 15_000;

    /** How often it is seen whether its reader is still signed in. */
    private static final long SIGN_IN_CHECK_MILLIS = 1_000;

    /** How long somebody counts as there after they left a page. */
    private static final long LEAVE_DELAY_MILLIS = 5_000;

    /** More than these at once, and the page is better made anew. */
    private static final int MAX_BATCH = 200;

    private final Gateway gateway;
    private final ChangeFeed changeFeed;
    private final ConsoleUser consoleUser;
    private final ContextInternal context;
    private final HttpServerResponse response;
    private final LiveUpdateSource<T> liveUpdateSource;
    private final Consumer<FeedEntry> subscriber = this::onChange;
    private final List<InProcessConnection> presences = new ArrayList<>();

    /** What is to be told, and how far it goes. */
    private Set<T> pending = new LinkedHashSet<>();

    /** What is told about in a while. */
    private final Set<T> throttled = new LinkedHashSet<>();

    private long lastNumber;

    /** The first news of which something is told only in a while. */
    private long firstThrottled = Long.MAX_VALUE;

    private boolean reload;
    private boolean flushing;
    private boolean ended;

    /** A stream that has not begun. */
    LiveUpdateStream(
            Gateway gateway,
            ChangeFeed changeFeed,
            ConsoleUser consoleUser,
            ContextInternal here,
            HttpServerResponse response,
            LiveUpdateSource<T> liveUpdateSource) {
        this.gateway = gateway;
        this.changeFeed = changeFeed;
        this.consoleUser = consoleUser;
        this.context = here;
        this.response = response;
        this.liveUpdateSource = liveUpdateSource;
    }

    /**
     * Begins.
     *
     * @param mark how far the page knows already
     * @param seated counts those that end by themselves when the process does
     * @param afterwards is done when it has ended, however it does
     */
    void start(String mark, AtomicInteger seated, Runnable afterwards) {
        response.setChunked(true).exceptionHandler(failure -> {
            // The reader went away; the close handler sees to it.
        });
        response.write("retry: 2000\n\n");
        Optional<List<FeedEntry>> missed = changeFeed.subscribe(mark, subscriber);
        missed.ifPresentOrElse(feedEntry -> feedEntry.forEach(this::queueChange), () -> reload = true);
        joinTopics();
        int counted = presences.isEmpty() ? 0 : 1;
        seated.addAndGet(counted);
        long beats = context.owner().setPeriodic(HEARTBEAT_MILLIS, id -> sendHeartbeat());
        long looks = context.owner().setPeriodic(SIGN_IN_CHECK_MILLIS, id -> checkSignedIn());
        Runnable over = once(() -> {
            ended = true;
            context.owner().cancelTimer(beats);
            context.owner().cancelTimer(looks);
            changeFeed.unsubscribe(subscriber);
            leaveTopicsLater();
            seated.addAndGet(-counted);
            afterwards.run();
        });
        // The one where the reader goes, the other where we end it.
        response.closeHandler(closed -> over.run());
        response.endHandler(done -> over.run());
        flush();
    }

    /** Whoever goes to another page is still there; only who does not come back has left. */
    private void leaveTopicsLater() {
        List<InProcessConnection> left = List.copyOf(presences);
        context.owner().setTimer(LEAVE_DELAY_MILLIS, id -> left.forEach(InProcessConnection::close));
    }

    private static Runnable once(Runnable act) {
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
                                public void onClose(ConnectionCloseReason why) {
                                    context.runOnContext(now -> onPresenceClosed(why));
                                }
                            })));
        }
    }

    /** A seat is lost: with the token everything ends, with one topic only what waits there. */
    private void onPresenceClosed(ConnectionCloseReason why) {
        if (ended) {
            return;
        }
        if (!consoleUser.isSignedIn()) {
            end("signed-out");
        } else if (why == ConnectionCloseReason.REVOKED) {
            reload = true;
            flush();
        } else {
            end("mark");
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it is over either way
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

    /** Also of somebody who sits in no topic, and loses no seat with their token. */
    private void checkSignedIn() {
        if (!ended && !consoleUser.isSignedIn()) {
            end("signed-out");
        }
    }

    /** On whatever thread. */
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

    /** Tells what there is to tell, after a moment; one thing after the other. */
    private void flush() {
        if (flushing || ended || (pending.isEmpty() && !reload)) {
            return;
        }
        flushing = true;
        context.owner()
                .setTimer(
                        BATCH_MILLIS,
                        id -> context.runOnContext(now -> {
                            Deque<T> taken = new ArrayDeque<>(pending);
                            pending = new LinkedHashSet<>();
                            // No further than what is told by then: what is told later must not be missed.
                            long known = Math.min(lastNumber, firstThrottled - 1);
                            if (reload) {
                                reload = false;
                                taken.clear();
                                send("reload", "-", changeFeed.mark(known));
                            }
                            sendNext(taken, known);
                        }));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, the next is seen to
    private void sendNext(Deque<T> taken, long known) {
        checkSignedIn();
        if (ended) {
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(drained -> sendNext(taken, known));
            return;
        }
        @Nullable T subject = taken.poll();
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
                        sendNext(taken, known);
                    } else {
                        retryLater();
                    }
                }));
    }

    /** The ledger could not be read, so how far the page knows stays as it was; a while later it is made anew. */
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
        // A carriage return ends a line there too, and what is shown has none.
        data.replace("\r", "")
                .lines()
                .forEach(line -> text.append("data: ").append(line).append('\n'));
        response.write(text.append('\n').toString());
    }
}
