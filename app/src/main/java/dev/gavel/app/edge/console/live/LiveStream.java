package dev.gavel.app.edge.console.live;

import dev.gavel.app.edge.console.live.Newsroom.News;
import dev.gavel.app.edge.console.session.Visitor;
import dev.gavel.gateway.Connection;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Seat;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.delivery.Closing;
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
 * Tells one open page what happens. Whoever looks at it takes part in their topics for as long: they are there to decide.
 * Confined to the request's context.
 */
final class LiveStream<T> {
    /** News come in flocks; what comes within this time is told together. */
    private static final long GATHERING_MILLIS = 40;

    /** News that come in flocks and cost much are told no more often than this. */
    private static final long SOON_MILLIS = 500;

    /** After a failure. */
    private static final long AGAIN_MILLIS = 2_000;

    private static final long BEAT_MILLIS = 15_000;

    /** How long somebody counts as there after they left a page. */
    private static final long LINGERS_MILLIS = 5_000;

    /** More than these at once, and the page is better made anew. */
    private static final int MOST_AT_ONCE = 200;

    private final Gateway gateway;
    private final Newsroom newsroom;
    private final Visitor visitor;
    private final ContextInternal here;
    private final HttpServerResponse response;
    private final Teller<T> teller;
    private final Consumer<News> reader = this::hear;
    private final List<Seat> seats = new ArrayList<>();

    /** What is to be told, and how far it goes. */
    private Set<T> pending = new LinkedHashSet<>();

    /** What is told about in a while. */
    private final Set<T> later = new LinkedHashSet<>();

    private long upTo;
    private boolean reload;
    private boolean telling;
    private boolean ended;

    /** A stream that has not begun. */
    LiveStream(
            Gateway gateway,
            Newsroom newsroom,
            Visitor visitor,
            ContextInternal here,
            HttpServerResponse response,
            Teller<T> teller) {
        this.gateway = gateway;
        this.newsroom = newsroom;
        this.visitor = visitor;
        this.here = here;
        this.response = response;
        this.teller = teller;
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
        Optional<List<News>> missed = newsroom.subscribe(mark, reader);
        missed.ifPresentOrElse(news -> news.forEach(this::note), () -> reload = true);
        sit();
        int counted = seats.isEmpty() ? 0 : 1;
        seated.addAndGet(counted);
        long beats = here.owner().setPeriodic(BEAT_MILLIS, id -> beat());
        Runnable over = once(() -> {
            ended = true;
            here.owner().cancelTimer(beats);
            newsroom.unsubscribe(reader);
            linger();
            seated.addAndGet(-counted);
            afterwards.run();
        });
        // The one where the reader goes, the other where we end it.
        response.closeHandler(closed -> over.run());
        response.endHandler(done -> over.run());
        tell();
    }

    /** Whoever goes to another page is still there; only who does not come back has left. */
    private void linger() {
        List<Seat> left = List.copyOf(seats);
        here.owner().setTimer(LINGERS_MILLIS, id -> left.forEach(Seat::close));
    }

    private static Runnable once(Runnable act) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                act.run();
            }
        };
    }

    private void sit() {
        for (Topic topic : gateway.topics()) {
            topic.membership(visitor.id())
                    .ifPresent(membership -> seats.add(gateway.seat(
                            topic,
                            membership,
                            visitor.warrant(),
                            new Connection.Wish(teller.listensTo(topic), OptionalLong.empty()),
                            new Seat.Guest() {
                                @Override
                                public void heard(byte[] envelope) {
                                    teller.overhear(topic, envelope)
                                            .ifPresent(subject -> here.runOnContext(now -> overheard(subject)));
                                }

                                @Override
                                public void closed(Closing why) {
                                    here.runOnContext(now -> lost(why));
                                }
                            })));
        }
    }

    /** A seat is lost: with the token everything ends, with one topic only what waits there. */
    private void lost(Closing why) {
        if (ended) {
            return;
        }
        if (!visitor.signedIn()) {
            end("signed-out");
        } else if (why == Closing.REVOKED) {
            reload = true;
            tell();
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

    private void beat() {
        if (ended) {
            return;
        }
        if (visitor.signedIn()) {
            response.write(":\n\n");
        } else {
            end("signed-out");
        }
    }

    /** On whatever thread. */
    private void hear(News news) {
        here.runOnContext(now -> {
            note(news);
            tell();
        });
    }

    private void overheard(T subject) {
        add(subject);
        tell();
    }

    private void note(News news) {
        upTo = Math.max(upTo, news.number());
        switch (teller.hear(news)) {
            case Teller.Reaction.Ignore<T> _ -> {}
            case Teller.Reaction.Tell<T>(T subject) -> add(subject);
            case Teller.Reaction.TellSoon<T>(T subject) -> soon(subject);
            case Teller.Reaction.Renew<T> _ -> reload = true;
        }
    }

    private void add(T subject) {
        pending.add(subject);
        if (pending.size() > MOST_AT_ONCE) {
            pending.clear();
            reload = true;
        }
    }

    private void soon(T subject) {
        later.add(subject);
        if (later.size() == 1) {
            here.owner()
                    .setTimer(
                            SOON_MILLIS,
                            id -> here.runOnContext(now -> {
                                later.forEach(this::add);
                                later.clear();
                                tell();
                            }));
        }
    }

    /** Tells what there is to tell, after a moment; one thing after the other. */
    private void tell() {
        if (telling || ended || (pending.isEmpty() && !reload)) {
            return;
        }
        telling = true;
        here.owner()
                .setTimer(
                        GATHERING_MILLIS,
                        id -> here.runOnContext(now -> {
                            Deque<T> taken = new ArrayDeque<>(pending);
                            pending = new LinkedHashSet<>();
                            long known = upTo;
                            if (reload) {
                                reload = false;
                                taken.clear();
                                send("reload", "-", newsroom.mark(known));
                            }
                            next(taken, known);
                        }));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // whichever way it ends, the next is seen to
    private void next(Deque<T> taken, long known) {
        if (ended) {
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(drained -> next(taken, known));
            return;
        }
        @Nullable T subject = taken.poll();
        if (subject == null) {
            if (known > 0) {
                send("mark", "-", newsroom.mark(known));
            }
            telling = false;
            tell();
            return;
        }
        teller.tell(subject)
                .whenComplete((messages, failure) -> here.runOnContext(now -> {
                    if (failure == null) {
                        messages.forEach(message -> send(message.event(), message.data(), ""));
                        next(taken, known);
                    } else {
                        again();
                    }
                }));
    }

    /** The ledger could not be read, so how far the page knows stays as it was; a while later it is made anew. */
    private void again() {
        reload = true;
        here.owner()
                .setTimer(
                        AGAIN_MILLIS,
                        id -> here.runOnContext(now -> {
                            telling = false;
                            tell();
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
