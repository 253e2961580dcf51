package dev.gavel.gateway;

import dev.gavel.gateway.delivery.Closing;
import io.netty.util.concurrent.EventExecutor;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Changes who is a member of a topic, and what members may send there, while it runs. Thread-safe. */
final class Enrolment {
    /** How long whoever changes something waits for the open proposals to be held against it. */
    private static final long LONGEST_WAIT_MILLIS = 1_000;

    private final Roll roll;
    private final EventExecutor loop;
    private final Attendance attendance;
    private final Consumer<Connection> leave;
    private final Consumer<Member> announce;
    private final Topic topic;
    private final Listener listener;
    private final @Nullable Proceedings proceedings;

    /**
     * The enrolment of a topic.
     *
     * @param leave takes a connection out of the topic
     * @param announce tells everybody what somebody may send from now on
     * @param listener is told of it
     * @param proceedings null where the topic has no ledger
     */
    Enrolment(
            Roll roll,
            EventExecutor loop,
            Attendance attendance,
            Consumer<Connection> leave,
            Consumer<Member> announce,
            Topic topic,
            Listener listener,
            @Nullable Proceedings proceedings) {
        this.roll = roll;
        this.loop = loop;
        this.attendance = attendance;
        this.leave = leave;
        this.announce = announce;
        this.topic = topic;
        this.listener = listener;
        this.proceedings = proceedings;
    }

    CompletionStage<Void> enrol(Member member) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            if (!roll.enter(member)) {
                done.complete(null);
                return;
            }
            if (attendance.isHere(member.id())) {
                roll.of(member.id()).ifPresent(attendance::changed);
                announce.accept(member);
            }
            listener.changed(topic, member);
            changed(done);
        });
        return done;
    }

    CompletionStage<Void> expel(String id) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> roll.strike(id).ifPresentOrElse(struck -> expel(struck, done), () -> done.complete(null)));
        return done;
    }

    private void expel(Membership struck, CompletableFuture<Void> done) {
        List<Connection> theirs = attendance.of(struck.id());
        theirs.forEach(leave);
        listener.expelled(topic, struck.member());
        if (proceedings != null) {
            proceedings.polls().remove(struck);
        }
        changed(done);
        // Last, since closing a connection comes back to the topic as its leaving.
        theirs.forEach(connection -> connection.close(Closing.REVOKED));
    }

    /** By now it is in effect. That open proposals follow is waited for, but where there are many, not to the end. */
    @SuppressWarnings("FutureReturnValueIgnored") // it completes what may be complete by then
    private void changed(CompletableFuture<Void> done) {
        if (proceedings == null) {
            done.complete(null);
        } else {
            proceedings.changed(roll.forProposals(), () -> done.complete(null));
            loop.schedule(() -> done.complete(null), LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
