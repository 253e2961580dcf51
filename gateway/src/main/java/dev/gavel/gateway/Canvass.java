package dev.gavel.gateway;

import dev.gavel.gateway.docket.Decision;
import dev.gavel.gateway.docket.Docket;
import dev.gavel.gateway.docket.Standing;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Works out anew whom the open proposals depend on, after what members may send has changed, and has their proposers told
 * where that makes a difference. In bounded turns, one at a time. Confined to the topic's loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here does not fail, and nobody waits for it
final class Canvass {
    private final Docket docket;
    private final EventExecutor loop;
    private final Attendance attendance;
    private final Watch watch;
    private final Consumer<Decision.Made> publish;

    private final Queue<Standing> remaining = new ArrayDeque<>();

    /** Who wants to know when what changed before has been seen to. */
    private List<Runnable> next = new ArrayList<>();

    private List<Runnable> current = List.of();
    private boolean busy;
    private boolean stopped;

    Canvass(Docket docket, EventExecutor loop, Attendance attendance, Watch watch, Consumer<Decision.Made> publish) {
        this.docket = docket;
        this.loop = loop;
        this.attendance = attendance;
        this.watch = watch;
        this.publish = publish;
    }

    /**
     * The docket has been told of other members.
     *
     * @param done run when every open proposal has been looked at; or when the ledger is away, and that has to wait
     */
    void changed(Runnable done) {
        if (stopped) {
            done.run();
            return;
        }
        next.add(done);
        if (!busy) {
            begin();
        }
    }

    /** Leaves it to whoever comes after this process: they begin with the members as they are then. */
    void stop() {
        stopped = true;
        tell();
        next.forEach(Runnable::run);
        next.clear();
    }

    /** Waits for what was decided among the members as they were: it may have opened proposals. */
    private void begin() {
        busy = true;
        current = next;
        next = new ArrayList<>();
        docket.afterAll(decision -> loop.execute(() -> {
            if (decision instanceof Decision.Unavailable) {
                later();
            } else {
                remaining.clear();
                watch.all().stream().filter(Standing::open).forEach(remaining::add);
                turn();
            }
        }));
    }

    private void turn() {
        if (stopped) {
            tell();
            return;
        }
        Turn turn = new Turn();
        while (!remaining.isEmpty() && !turn.isFull()) {
            turn.add(remaining.remove());
        }
        if (turn.proposals().isEmpty()) {
            end();
            return;
        }
        docket.canvass(
                turn.proposals(),
                attendance.presence(),
                decision -> loop.execute(() -> {
                    if (decision instanceof Decision.Made made) {
                        publish.accept(made);
                        turn();
                    } else {
                        later();
                    }
                }));
    }

    private void end() {
        tell();
        busy = false;
        if (!next.isEmpty()) {
            begin();
        }
    }

    /** Nobody is kept waiting for a ledger that is away: what members may send has changed, and the rest follows. */
    private void later() {
        tell();
        if (!stopped) {
            loop.schedule(this::begin, Timekeeper.RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void tell() {
        List<Runnable> told = current;
        current = List.of();
        told.forEach(Runnable::run);
    }
}
