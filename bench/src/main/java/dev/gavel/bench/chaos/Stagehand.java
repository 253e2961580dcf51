package dev.gavel.bench.chaos;

import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.chaos.Plan.Act;
import dev.gavel.bench.chaos.Plan.Deed;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Does to a fleet what a plan says, each act on a thread of its own, and makes it good again. Used by one thread. */
final class Stagehand {
    private final Fleet fleet;
    private final Supplier<List<RawParticipant>> sockets;
    private final long start;
    private final Queue<String> diary = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();
    private final Map<Deed, Integer> done = new ConcurrentHashMap<>();
    private final ReentrantLock database = new ReentrantLock();

    /**
     * One that has done nothing yet.
     *
     * @param sockets those who take part on bare sockets
     * @param start when the run began, as {@link System#nanoTime} has it
     */
    Stagehand(Fleet fleet, Supplier<List<RawParticipant>> sockets, long start) {
        this.fleet = fleet;
        this.sockets = sockets;
        this.start = start;
    }

    /** Carries out a plan, and returns when everything is made good; or is interrupted, and does nothing any more. */
    void perform(Plan plan) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        try {
            long begin = System.nanoTime();
            for (Act act : plan.acts()) {
                long wait = act.at() - (System.nanoTime() - begin) / 1_000_000;
                if (wait > 0) {
                    Thread.sleep(wait);
                }
                threads.add(Thread.ofVirtual().start(() -> attempt(act)));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } finally {
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        if (!failures.isEmpty()) {
            throw new LoadFailure(String.join("\n", failures));
        }
    }

    /** What was done and when, for people to read. */
    List<String> diary() {
        return List.copyOf(diary);
    }

    /** What gateways did that they must not when something is done to them. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** How often each was done, from its beginning to its end. */
    Map<Deed, Integer> done() {
        return Map.copyOf(done);
    }

    private void note(String line) {
        diary.add(Journal.seconds(System.nanoTime() - start) + " " + line);
    }

    private void attempt(Act act) {
        try {
            perform(act);
        } catch (InterruptedException _) {
            note(act + " left off");
        } catch (IOException | SQLException | RuntimeException e) {
            note(act + " failed: " + e);
            failures.add(act + ": " + e);
        }
    }

    private void perform(Act act) throws IOException, InterruptedException, SQLException {
        if (act.deed().isToGateway()) {
            Node node = fleet.nodes().get(act.target());
            if (!node.isUp()) {
                note(act + ": left out, it is down");
                return;
            }
            note("begin " + act);
            toGateway(act, node);
        } else {
            note("begin " + act);
            toOthers(act);
        }
        note("done  " + act);
        done.merge(act.deed(), 1, Integer::sum);
    }

    private void toGateway(Act act, Node node) throws IOException, InterruptedException {
        switch (act.deed()) {
            case KILL -> {
                node.kill();
                Thread.sleep(act.length());
                node.start();
            }
            case DRAIN -> {
                OptionalInt code = node.drain();
                if (code.isEmpty()) {
                    complaints.add(node + " did not end by itself when asked to (" + act + ")");
                } else if (code.getAsInt() != 0) {
                    complaints.add(node + " ended with " + code.getAsInt() + " when asked to (" + act + ")");
                }
                Thread.sleep(act.length());
                node.start();
            }
            case PAUSE -> {
                node.pause();
                try {
                    Thread.sleep(act.length());
                } finally {
                    node.resume();
                }
            }
            case CUT -> {
                Link link = fleet.link(act.target());
                link.cut();
                try {
                    Thread.sleep(act.length());
                } finally {
                    link.mend();
                }
            }
            case STALL -> {
                Link link = fleet.link(act.target());
                link.stall();
                try {
                    Thread.sleep(act.length());
                } finally {
                    link.mend();
                }
            }
            default -> throw new IllegalArgumentException(act.toString());
        }
    }

    private void toOthers(Act act) throws IOException, InterruptedException, SQLException {
        switch (act.deed()) {
            case BUS -> {
                BusServer bus = fleet.bus().orElseThrow();
                bus.kill();
                Thread.sleep(act.length());
                bus.start();
            }
            case SESSIONS ->
                toDatabase(() ->
                        note("ended " + fleet.database().orElseThrow().terminate(0.2 + 0.8 * act.chance(), act.chance())
                                + " sessions"));
            case DATABASE -> toDatabase(() -> fleet.database().orElseThrow().restart());
            case HOP -> {
                List<RawParticipant> all = sockets.get();
                RawParticipant who = all.get(act.target() % all.size());
                note(who.name() + " connects again");
                who.hop();
            }
            default -> throw new IllegalArgumentException(act.toString());
        }
    }

    /** Something that the database's server takes part in. */
    @FunctionalInterface
    private interface Doing {
        void run() throws IOException, SQLException;
    }

    private void toDatabase(Doing doing) throws IOException, SQLException {
        database.lock();
        try {
            doing.run();
        } finally {
            database.unlock();
        }
    }
}
