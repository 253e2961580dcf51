package dev.gavel.bench.reliability;

import dev.gavel.bench.Load;
import dev.gavel.bench.Pace;
import dev.gavel.bench.Participant;
import dev.gavel.bench.Workbench;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Readers that stop reading a fast topic, by socket and by event stream: they are dropped, and nobody else notices. */
final class StoppedReaders implements Trial {
    private static final String TOPIC = "fast";
    private static final int RECEIVERS = 20;
    private static final int ROUNDS = 10;
    private static final int STOPPED = 5;
    /** Several times what the server needs, and less than what all those readers had waiting. */
    private static final long MOST_HEAP = 48 * 1024 * 1024;

    private static final Duration ROUND = Duration.ofMillis(1500);
    private static final Duration MOMENT = Duration.ofMillis(200);
    private static final Duration SOON = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "stopped";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(4);
    }

    @Override
    public void run(Workbench workbench, Findings findings) throws Exception {
        Setting setting = new Setting().topic(TOPIC, "    ledger: off\n");
        List<Participant> participants = new ArrayList<>();
        for (int i = 0; i <= RECEIVERS; i++) {
            setting.watcher(TOPIC, "w" + i);
            participants.add(new Participant("w" + i, Setting.token("w" + i)));
        }
        for (int i = 0; i < STOPPED; i++) {
            setting.watcher(TOPIC, "socket" + i).watcher(TOPIC, "stream" + i);
        }
        Gavel gavel = new Gavel(workbench, "stopped", setting);
        gavel.start();
        try (Load load = Load.connect(gavel.address(), "/ws?topic=" + TOPIC, participants, 1, true)) {
            load.send(new Pace.Saturating(), ROUND.multipliedBy(2));
            Rounds rounds = new Rounds(gavel, load);
            for (int i = 0; i < ROUNDS; i++) {
                rounds.undisturbed();
                rounds.disturbed();
            }
            int readers = ROUNDS * STOPPED;
            findings.count("sockets that stopped reading and were closed with 4008", readers, rounds.told);
            findings.count("event streams that stopped reading and were ended", readers, rounds.ended);
            findings.ratio("others' deliveries, to a round without them", rounds.ratio());
            findings.figure("resident memory after rounds 1, " + ROUNDS / 2 + " and " + ROUNDS, rounds.residents());
            long heap = gavel.heap();
            findings.holds("nothing is kept of them", heap < MOST_HEAP, Findings.size(heap) + " of heap in use");
        }
    }

    /** Rounds with and without readers that stop, in turn. */
    private static final class Rounds {
        final Gavel gavel;
        final Load load;
        final List<Double> ratios = new ArrayList<>();
        double without;
        final List<Long> residents = new ArrayList<>();
        int told;
        int ended;

        Rounds(Gavel gavel, Load load) {
            this.gavel = gavel;
            this.load = load;
        }

        void undisturbed() {
            without = perSecond();
        }

        void disturbed() throws IOException, InterruptedException {
            List<Client> sockets = new ArrayList<>();
            List<Client> streams = new ArrayList<>();
            for (int i = 0; i < STOPPED; i++) {
                sockets.add(gavel.join("socket" + i, TOPIC, heard -> {}));
                Client stream = gavel.stream("stream" + i, TOPIC, "", heard -> {});
                var _ = Patience.need("welcome", SOON, stream.welcome());
                streams.add(stream);
            }
            sockets.forEach(client -> client.reading().stop());
            streams.forEach(client -> client.reading().stop());
            Thread watching = Thread.ofVirtual().start(() -> wake(sockets));
            ratios.add(perSecond() / without);
            // On a slow machine a round may not be enough to fall behind in.
            long end = System.nanoTime() + SOON.toNanos();
            while ((watching.isAlive() || !areOut("stream")) && System.nanoTime() < end) {
                load.send(new Pace.Saturating(), MOMENT);
            }
            watching.join();
            streams.forEach(client -> client.reading().goOn());
            for (Client socket : sockets) {
                told += Patience.need("end of a stopped socket", SOON, socket.ended()) == 4008 ? 1 : 0;
                socket.close();
            }
            for (Client stream : streams) {
                ended += Patience.need("end of a stopped stream", SOON, stream.ended()) == Client.BROKEN ? 1 : 0;
                stream.close();
            }
            residents.add(gavel.resident());
        }

        /** Lets the stopped read again as soon as the server counts them out: then they can still learn why. */
        private void wake(List<Client> sockets) {
            try {
                Patience.until(SOON, () -> areOut("socket"));
                sockets.forEach(client -> client.reading().goOn());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }

        /** Whether the server counts nobody of such a name any more. */
        private boolean areOut(String name) {
            try {
                return !gavel.get("w0", "/topics/" + TOPIC).body().contains("\"" + name);
            } catch (IOException _) {
                return false;
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return true;
            }
        }

        private double perSecond() {
            var delivered = load.send(new Pace.Saturating(), ROUND);
            return delivered.deliveries() * 1e9 / delivered.nanos();
        }

        double ratio() {
            List<Double> sorted = new ArrayList<>(ratios);
            Collections.sort(sorted);
            return sorted.get(sorted.size() / 2);
        }

        String residents() {
            return Findings.size(residents.getFirst()) + ", " + Findings.size(residents.get(ROUNDS / 2 - 1)) + ", "
                    + Findings.size(residents.getLast());
        }
    }
}
