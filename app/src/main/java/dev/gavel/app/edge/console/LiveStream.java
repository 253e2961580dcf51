package dev.gavel.app.edge.console;

import dev.gavel.app.edge.console.Newsroom.Matter;
import dev.gavel.app.edge.console.Newsroom.News;
import dev.gavel.console.Card;
import dev.gavel.console.Pages;
import dev.gavel.gateway.Connection;
import dev.gavel.gateway.Gateway;
import dev.gavel.gateway.Member;
import dev.gavel.gateway.Mode;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.Seat;
import dev.gavel.gateway.Topic;
import dev.gavel.gateway.delivery.Closing;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.ContextInternal;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Tells one open page what happens. Whoever looks at it takes part in their topics for as long: they are there to decide.
 * Confined to the request's context.
 */
final class LiveStream {
    /** News come in flocks; what comes within this time is told together. */
    private static final long GATHERING_MILLIS = 40;

    /** Somebody's coming and going may change every card of a topic, so it is looked at no more often than this. */
    private static final long PRESENCE_MILLIS = 500;

    /** After a failure. */
    private static final long AGAIN_MILLIS = 2_000;

    private static final long BEAT_MILLIS = 15_000;

    /** More than these at once, and the page is better made anew. */
    private static final int MOST_AT_ONCE = 200;

    private final Gateway gateway;
    private final Newsroom newsroom;
    private final Visitor visitor;
    private final InstantSource clock;
    private final ContextInternal here;
    private final HttpServerResponse response;
    private final boolean whole;
    private final Consumer<News> reader = this::hear;
    private final List<Seat> seats = new ArrayList<>();

    /** What is to be told, and how far it goes. */
    private Set<About> pending = new LinkedHashSet<>();

    /** Where somebody came or left, and it was not looked at since. */
    private final Set<Topic> restless = new LinkedHashSet<>();

    private long upTo;
    private boolean reload;
    private boolean telling;
    private boolean ended;

    /** A proposal, or all that wait in a topic. */
    private record About(Topic topic, Optional<String> proposal) {}

    /**
     * A stream that has not begun.
     *
     * @param whole whether cards show everything, however long
     */
    LiveStream(
            Gateway gateway,
            Newsroom newsroom,
            Visitor visitor,
            InstantSource clock,
            ContextInternal here,
            HttpServerResponse response,
            boolean whole) {
        this.gateway = gateway;
        this.newsroom = newsroom;
        this.visitor = visitor;
        this.clock = clock;
        this.here = here;
        this.response = response;
        this.whole = whole;
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
            seats.forEach(Seat::close);
            seated.addAndGet(-counted);
            afterwards.run();
        });
        // The one where the reader goes, the other where we end it.
        response.closeHandler(closed -> over.run());
        response.endHandler(done -> over.run());
        tell();
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
                            new Connection.Wish(Mode.DIRECTED, OptionalLong.empty()),
                            new Seat.Guest() {
                                @Override
                                public void heard(byte[] envelope) {
                                    // The newsroom tells what matters here.
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

    private void note(News news) {
        upTo = Math.max(upTo, news.number());
        if (news.topic().member(visitor.id()).isEmpty()) {
            return;
        }
        switch (news.matter()) {
            case Matter.Proposal(String id) -> pending.add(new About(news.topic(), Optional.of(id)));
            case Matter.Presence() -> stir(news.topic());
            case Matter.Rights(String identity) -> {
                if (identity.equals(visitor.id())) {
                    reload = true;
                } else {
                    stir(news.topic());
                }
            }
        }
        if (pending.size() > MOST_AT_ONCE) {
            pending.clear();
            reload = true;
        }
    }

    private void stir(Topic topic) {
        restless.add(topic);
        if (restless.size() == 1) {
            here.owner()
                    .setTimer(
                            PRESENCE_MILLIS,
                            id -> here.runOnContext(now -> {
                                restless.forEach(each -> pending.add(new About(each, Optional.empty())));
                                restless.clear();
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
                            Deque<About> taken = new ArrayDeque<>(pending);
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
    private void next(Deque<About> taken, long known) {
        if (ended) {
            return;
        }
        if (response.writeQueueFull()) {
            response.drainHandler(drained -> next(taken, known));
            return;
        }
        About about = taken.poll();
        if (about == null) {
            if (known > 0) {
                send("mark", "-", newsroom.mark(known));
            }
            telling = false;
            tell();
            return;
        }
        cards(about)
                .whenComplete((fragments, failure) -> here.runOnContext(now -> {
                    if (failure == null) {
                        fragments.forEach(html -> send("card", html, ""));
                        next(taken, known);
                    } else {
                        later();
                    }
                }));
    }

    /** The ledger could not be read, so how far the page knows stays as it was; a while later it is made anew. */
    private void later() {
        reload = true;
        here.owner()
                .setTimer(
                        AGAIN_MILLIS,
                        id -> here.runOnContext(now -> {
                            telling = false;
                            tell();
                        }));
    }

    /** The cards to be shown, as HTML; made where they are read, not on the loop. */
    private CompletableFuture<List<String>> cards(About about) {
        Optional<Member> member = about.topic().member(visitor.id());
        Optional<Records> records = about.topic().records();
        if (member.isEmpty() || records.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        CompletableFuture<List<Card>> cards = about.proposal()
                .map(id -> records.get()
                        .view(member.get(), id)
                        .thenApply(found ->
                                found
                                        .map(view -> visitor.cards(whole)
                                                .write(about.topic().name(), view))
                                        .stream()
                                        .toList()))
                .orElseGet(() -> Desk.waiting(about.topic(), member.get(), records.get(), visitor));
        return cards.thenApply(all -> all.stream()
                .map(card -> Pages.card(card, visitor.session().csrf(), clock.instant()))
                .toList());
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
