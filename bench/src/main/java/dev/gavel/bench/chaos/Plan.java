package dev.gavel.bench.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** What is done to the fleet, and when: all of it follows from a seed. Immutable. */
record Plan(long seed, List<Act> acts) {
    private static final int CALM_MILLIS = 1_000;
    /** So long after a start a gateway is left alone. */
    private static final int RECOVERY_MILLIS = 3_000;

    Plan {
        acts = List.copyOf(acts);
    }

    /** What can be done. */
    enum Deed {
        KILL("kill -9 of a gateway", 500, 2_000, true),
        DRAIN("SIGTERM to a gateway", 500, 1_500, true),
        PAUSE("SIGSTOP of a gateway", 500, 7_000, true),
        CUT("cut between a gateway and NATS", 500, 6_000, true),
        STALL("stall between a gateway and NATS", 500, 7_000, true),
        BUS("kill -9 of NATS", 200, 4_000, false),
        SESSIONS("end of database sessions", 0, 0, false),
        DATABASE("restart of the database", 0, 0, false),
        HOP("second connection of a participant", 0, 0, false);

        private final String words;
        private final int least;
        private final int most;
        private final boolean toGateway;

        Deed(String words, int least, int most, boolean toGateway) {
            this.words = words;
            this.least = least;
            this.most = most;
            this.toGateway = toGateway;
        }

        String words() {
            return words;
        }

        boolean isToGateway() {
            return toGateway;
        }
    }

    /**
     * One deed.
     *
     * @param at when it begins, in milliseconds
     * @param target which gateway or participant; what it means is the deed's
     * @param length how long it lasts until it is made good, in milliseconds
     * @param chance a number from 0 to 1 for whatever else is left to chance
     */
    record Act(Deed deed, int at, int target, int length, double chance) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%6.2f s  %s", at / 1e3, deed.words())
                    + (deed.isToGateway() ? " gateway-" + target : deed == Deed.HOP ? " " + target : "")
                    + (length > 0 ? String.format(Locale.ROOT, ", for %.2f s", length / 1e3) : "");
        }
    }

    /**
     * A plan for so long.
     *
     * @param shared whether there are a database and a bus
     */
    static Plan of(long seed, int millis, int gateways, boolean shared) {
        Random random = new Random(seed);
        List<Deed> possible = new ArrayList<>(
                shared ? Arrays.asList(Deed.values()) : List.of(Deed.KILL, Deed.DRAIN, Deed.PAUSE, Deed.HOP));
        List<Act> acts = new ArrayList<>();
        int[] free = new int[gateways];
        int busFree = 0;
        List<Deed> round = List.of();
        int next = 0;
        for (int at = CALM_MILLIS; at < millis; at += 400 + random.nextInt(2_200)) {
            if (next == round.size()) {
                // Each once, in any order, before any comes again.
                round = new ArrayList<>(possible);
                Collections.shuffle(round, random);
                // Once is enough: it takes seconds in which nothing can be decided.
                possible.remove(Deed.DATABASE);
                next = 0;
            }
            Deed deed = round.get(next++);
            int length = deed.least + random.nextInt(Math.max(1, deed.most - deed.least));
            int target = random.nextInt(deed.isToGateway() ? gateways : 1_000);
            double chance = random.nextDouble();
            if (deed.isToGateway()) {
                if (free[target] > at) {
                    target = (target + 1) % gateways;
                }
                if (free[target] > at) {
                    continue;
                }
                free[target] = at + length + RECOVERY_MILLIS;
            } else if (deed == Deed.BUS) {
                if (busFree > at) {
                    continue;
                }
                busFree = at + length + RECOVERY_MILLIS;
            }
            acts.add(new Act(deed, at, target, Math.min(length, Math.max(500, millis - at)), chance));
        }
        acts.sort(Comparator.comparingInt(Act::at));
        return new Plan(seed, acts);
    }
}
