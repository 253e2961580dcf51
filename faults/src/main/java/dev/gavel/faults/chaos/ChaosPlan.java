package dev.gavel.faults.chaos;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** The faults of a chaos run and their times, generated from a seed. Immutable. */
public record ChaosPlan(long seed, List<PlannedFault> faults) {
    private static final int INITIAL_DELAY_MILLIS = 1_000;
    /** How long a gateway is left undisturbed after a start. */
    private static final int RECOVERY_MILLIS = 3_000;

    public ChaosPlan {
        faults = List.copyOf(faults);
    }

    /** The kinds of faults. */
    public enum FaultType {
        KILL("kill -9 a gateway", 500, 2_000, true),
        DRAIN("send SIGTERM to a gateway", 500, 1_500, true),
        PAUSE("send SIGSTOP to a gateway", 500, 7_000, true),
        CUT("cut the NATS connection of a gateway", 500, 6_000, true),
        STALL("stall the NATS connection of a gateway", 500, 7_000, true),
        BUS("kill -9 NATS", 200, 4_000, false),
        SESSIONS("end database sessions", 0, 0, false),
        DATABASE("restart the database", 0, 0, false),
        HOP("open a second connection of a participant", 0, 0, false);

        private final String description;
        private final int minMillis;
        private final int maxMillis;
        private final boolean targetsGateway;

        FaultType(String words, int least, int most, boolean toGateway) {
            this.description = words;
            this.minMillis = least;
            this.maxMillis = most;
            this.targetsGateway = toGateway;
        }

        String description() {
            return description;
        }

        boolean targetsGateway() {
            return targetsGateway;
        }
    }

    /**
     * One fault.
     *
     * @param atMillis its start, in milliseconds
     * @param target the number of a gateway or participant, depending on the type
     * @param durationMillis how long it lasts until it is repaired, in milliseconds
     * @param randomValue a number from 0 to 1 for other random choices
     */
    public record PlannedFault(FaultType type, int atMillis, int target, int durationMillis, double randomValue) {
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%6.2f s  %s", atMillis / 1e3, type.description())
                    + (type.targetsGateway()
                            ? " (gateway-" + target + ")"
                            : type == FaultType.HOP ? " (" + target + ")" : "")
                    + (durationMillis > 0 ? String.format(Locale.ROOT, ", for %.2f s", durationMillis / 1e3) : "");
        }
    }

    /**
     * Generates a plan of this length.
     *
     * @param shared whether there are a database and a bus
     */
    static ChaosPlan of(long seed, int millis, int gateways, boolean shared) {
        return of(
                seed,
                millis,
                gateways,
                shared
                        ? Arrays.asList(FaultType.values())
                        : List.of(FaultType.KILL, FaultType.DRAIN, FaultType.PAUSE, FaultType.HOP));
    }

    /** Generates a plan of this length with faults of these types. A type that is listed twice is twice as frequent. */
    public static ChaosPlan of(long seed, int millis, int gateways, List<FaultType> types) {
        Random random = new Random(seed);
        List<FaultType> possible = new ArrayList<>(types);
        List<PlannedFault> plannedFaults = new ArrayList<>();
        int[] free = new int[gateways];
        int busFree = 0;
        List<FaultType> round = List.of();
        int next = 0;
        for (int at = INITIAL_DELAY_MILLIS; at < millis; at += 400 + random.nextInt(2_200)) {
            if (next == round.size()) {
                // Each type once, in random order, before any is repeated.
                round = new ArrayList<>(possible);
                Collections.shuffle(round, random);
                // Once is enough: for seconds nothing can be decided.
                possible.remove(FaultType.DATABASE);
                next = 0;
            }
            FaultType faultType = round.get(next++);
            int length = faultType.minMillis + random.nextInt(Math.max(1, faultType.maxMillis - faultType.minMillis));
            int target = random.nextInt(faultType.targetsGateway() ? gateways : 1_000);
            double chance = random.nextDouble();
            if (faultType.targetsGateway()) {
                if (free[target] > at) {
                    target = (target + 1) % gateways;
                }
                if (free[target] > at) {
                    continue;
                }
                free[target] = at + length + RECOVERY_MILLIS;
            } else if (faultType == FaultType.BUS) {
                if (busFree > at) {
                    continue;
                }
                busFree = at + length + RECOVERY_MILLIS;
            }
            plannedFaults.add(
                    new PlannedFault(faultType, at, target, Math.min(length, Math.max(500, millis - at)), chance));
        }
        plannedFaults.sort(Comparator.comparingInt(PlannedFault::atMillis));
        return new ChaosPlan(seed, plannedFaults);
    }
}
