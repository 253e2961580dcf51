package dev.gavel.gateway;

import dev.gavel.gateway.docket.Archive;
import dev.gavel.gateway.docket.Message;
import dev.gavel.gateway.docket.Replayed;
import dev.gavel.mcpx.Spelling;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Those who ask again and again what happened to proposals, instead of keeping a connection. Whoever asks is a
 * participant from then on until they have not asked for a while. Confined to the topic's loop, but for {@link #ask}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class Polls {
    /** Whoever asked takes part for so long after the answer. */
    private static final long PARTICIPANT_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Archive archive;
    private final EventExecutor loop;
    private final Surroundings surroundings;
    private final Door door;
    private final LongSupplier present;
    private final Set<Poll> waiting = new LinkedHashSet<>();
    private final Map<Coming, Guest> guests = new HashMap<>();
    private boolean draining;

    /** Where those who ask come in and go out. */
    interface Door {
        /** Somebody asks, and takes part. */
        void enter(Membership member);

        /** Somebody asked long ago. */
        void exit(Membership member);
    }

    /** Who asks, and what they came with. */
    private record Coming(Membership membership, Warrant warrant) {}

    Polls(Archive archive, EventExecutor loop, Surroundings surroundings, Door door, LongSupplier present) {
        this.archive = archive;
        this.loop = loop;
        this.surroundings = surroundings;
        this.door = door;
        this.present = present;
    }

    /** One question; the answer is a future that the asker may cancel. */
    private static final class Poll {
        final Coming coming;
        final Connection.Wish wish;
        final Spelling spelling;
        final CompletableFuture<Polled> answer = new CompletableFuture<>();
        long position;
        boolean patient;

        @Nullable
        Future<?> patience;

        Poll(Coming coming, Connection.Wish wish, Spelling spelling) {
            this.coming = coming;
            this.wish = wish;
            this.spelling = spelling;
        }

        boolean wants(Message message) {
            return wish.mode() == Mode.ALL
                    || message.concerns(coming.membership().id());
        }
    }

    /** Asks what happened, and waits for something to happen for so long. Thread-safe. */
    CompletableFuture<Polled> ask(
            Membership membership, Warrant warrant, Connection.Wish wish, Spelling spelling, Duration wait) {
        Poll poll = new Poll(new Coming(membership, warrant), wish, spelling);
        loop.execute(() -> begin(poll, wait));
        return poll.answer;
    }

    /** How many wait for something to happen. */
    int waiting() {
        return waiting.size();
    }

    private void begin(Poll poll, Duration wait) {
        if (!poll.coming.warrant().holds()) {
            poll.answer.complete(new Polled.Revoked());
            return;
        }
        if (poll.coming.membership().over()) {
            poll.answer.complete(new Polled.Removed());
            return;
        }
        enter(poll);
        poll.position = poll.wish.since().orElse(present.getAsLong());
        poll.patient = wait.isPositive() && !draining;
        if (poll.patient) {
            poll.patience = loop.schedule(() -> losePatience(poll), wait.toMillis(), TimeUnit.MILLISECONDS);
        }
        poll.answer.whenComplete((answer, failure) -> loop.execute(() -> end(poll)));
        read(poll);
    }

    private void losePatience(Poll poll) {
        poll.patient = false;
        if (waiting.remove(poll)) {
            answer(poll, List.of(), present.getAsLong());
        }
    }

    private void read(Poll poll) {
        long from = poll.position;
        surroundings.reading().execute(() -> {
            try {
                Replayed replayed = archive.after(from);
                loop.execute(() -> consider(poll, replayed));
            } catch (RuntimeException e) {
                poll.answer.completeExceptionally(e);
            }
        });
    }

    private void consider(Poll poll, Replayed replayed) {
        if (poll.answer.isDone()) {
            // Whoever asked gave up meanwhile.
            return;
        }
        switch (replayed) {
            case Replayed.Resync resync ->
                answer(
                        poll,
                        List.of(surroundings
                                .notices()
                                .resync(
                                        poll.coming.membership().member(),
                                        resync,
                                        surroundings.clock().instant())
                                .in(poll.spelling)),
                        resync.last());
            case Replayed.Messages(List<Message> messages, long upTo) -> {
                List<byte[]> wanted = messages.stream()
                        .filter(poll::wants)
                        .map(message -> message.encode(poll.spelling))
                        .toList();
                boolean nothingNew = upTo == poll.position;
                poll.position = upTo;
                if (!wanted.isEmpty()) {
                    answer(poll, wanted, upTo);
                } else if (!nothingNew || upTo < present.getAsLong()) {
                    read(poll);
                } else if (poll.patient && !draining) {
                    waiting.add(poll);
                } else {
                    answer(poll, List.of(), upTo);
                }
            }
        }
    }

    private static void answer(Poll poll, List<byte[]> envelopes, long seq) {
        poll.answer.complete(new Polled.Brought(envelopes, seq));
    }

    /** Something happened: those it concerns need not wait any longer. */
    void wake(List<Message> messages) {
        if (waiting.isEmpty()) {
            return;
        }
        List<Poll> woken = waiting.stream()
                .filter(poll -> messages.stream().anyMatch(poll::wants))
                .toList();
        woken.forEach(waiting::remove);
        woken.forEach(this::read);
    }

    /** Answered, or given up by whoever asked. */
    private void end(Poll poll) {
        waiting.remove(poll);
        if (poll.patience != null) {
            poll.patience.cancel(false);
        }
        Guest guest = guests.get(poll.coming);
        if (guest != null && guest.asking.remove(poll)) {
            guest.askedAt = System.nanoTime();
        }
    }

    private void enter(Poll poll) {
        Guest guest = guests.get(poll.coming);
        if (guest == null) {
            guest = new Guest(poll.coming);
            guests.put(poll.coming, guest);
            door.enter(poll.coming.membership());
            expect(guest, PARTICIPANT_NANOS);
            poll.coming.warrant().hold(guest.revocation);
        }
        guest.asking.add(poll);
    }

    private void expect(Guest guest, long nanos) {
        loop.schedule(() -> look(guest), nanos, TimeUnit.NANOSECONDS);
    }

    /** Lets somebody go who has not asked for a while; else looks again when that may be so. */
    private void look(Guest guest) {
        if (guest.gone) {
            return;
        }
        long rest =
                !guest.asking.isEmpty() ? PARTICIPANT_NANOS : PARTICIPANT_NANOS - (System.nanoTime() - guest.askedAt);
        if (rest > 0) {
            expect(guest, rest);
        } else {
            dismiss(guest, new Polled.Brought(List.of(), present.getAsLong()));
        }
    }

    /** A member was taken out of the topic: they are answered so, and take part no more. */
    void remove(Membership membership) {
        List<Guest> theirs = guests.values().stream()
                .filter(guest -> guest.coming.membership().equals(membership))
                .toList();
        theirs.forEach(guest -> dismiss(guest, new Polled.Removed()));
    }

    /** Lets somebody go, and answers what they still ask. */
    private void dismiss(Guest guest, Polled answer) {
        if (guest.gone) {
            return;
        }
        guest.gone = true;
        guests.remove(guest.coming);
        guest.coming.warrant().release(guest.revocation);
        guest.asking.forEach(poll -> poll.answer.complete(answer));
        door.exit(guest.coming.membership());
    }

    /** A member who takes part because they ask. */
    private final class Guest {
        final Coming coming;
        final Set<Poll> asking = new LinkedHashSet<>();

        /** When what they came with is no longer good they are not here any more, whether they ask just now or not. */
        final Runnable revocation;

        long askedAt;
        boolean gone;

        Guest(Coming coming) {
            this.coming = coming;
            this.revocation = this::revoke;
        }

        private void revoke() {
            loop.execute(() -> dismiss(this, new Polled.Revoked()));
        }
    }

    /** Lets nobody wait any longer, because the process ends. */
    void drain() {
        draining = true;
        List<Poll> all = new ArrayList<>(waiting);
        waiting.clear();
        all.forEach(poll -> answer(poll, List.of(), poll.position));
    }
}
