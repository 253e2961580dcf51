package dev.gavel.client.link;

import dev.gavel.client.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What is to be sent, and what was sent and is not known to be kept. The latter is sent again, in the order it was given
 * in, by every new connection: the gateway does not do the same id twice. Bounded. Takes the time as an argument and does
 * no I/O. Not thread-safe.
 */
final class Outbox {
    static final int MOST = 1024;
    static final int MOST_CHARACTERS = 16 * 1024 * 1024;

    /** How many may be on their way at once; well below what a gateway lets wait for its ledger. */
    static final int WINDOW = 256;

    static final int MOST_ATTEMPTS = 20;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final TreeMap<Long, Slot> waiting = new TreeMap<>();

    /** By id; only what will be echoed. */
    private final Map<String, Slot> sent = new LinkedHashMap<>();

    private long count;
    private int characters;
    private Instant pause = Instant.MIN;

    /** The largest that was sent on this connection and will not be echoed. */
    private Optional<Large> largestOther = Optional.empty();

    private record Large(int bytes, Consumer<Receipt> then) {}

    private static final class Slot {
        final long number;
        final Letter letter;
        int attempts;
        boolean doubted;

        Slot(long number, Letter letter) {
            this.number = number;
            this.letter = letter;
        }
    }

    /** Whether so much more may be added. */
    boolean hasRoomFor(int size) {
        return waiting.size() + sent.size() < MOST && (characters == 0 || characters + size <= MOST_CHARACTERS);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && sent.isEmpty();
    }

    /** Whether something of that id will be echoed, and has not been yet. */
    boolean has(String id) {
        return sent.containsKey(id)
                || waiting.values().stream()
                        .anyMatch(slot ->
                                slot.letter.durable() && slot.letter.id().equals(id));
    }

    void add(Letter letter) {
        characters += letter.size();
        put(new Slot(count++, letter));
    }

    private void put(Slot slot) {
        waiting.put(slot.number, slot);
    }

    /** Takes what is to be sent now, if anything is. */
    Optional<Letter> next(Instant now) {
        if (waiting.isEmpty() || sent.size() >= WINDOW || now.isBefore(pause)) {
            return Optional.empty();
        }
        Slot slot = waiting.pollFirstEntry().getValue();
        if (slot.letter.durable()) {
            sent.put(slot.letter.id(), slot);
        } else {
            characters -= slot.letter.size();
            if (slot.letter.bytes() > largestOther.map(Large::bytes).orElse(0)) {
                largestOther = Optional.of(new Large(slot.letter.bytes(), slot.letter.then()));
            }
        }
        return Optional.of(slot.letter);
    }

    /** When to look again though nothing happened, if ever. */
    Optional<Instant> lookAgain(Instant now) {
        return now.isBefore(pause) && !waiting.isEmpty() ? Optional.of(pause) : Optional.empty();
    }

    /** The connection is gone: what was sent and not echoed is to be sent again. */
    void disconnected() {
        sent.values().forEach(this::put);
        sent.clear();
        pause = Instant.MIN;
        largestOther = Optional.empty();
    }

    /** An envelope of ours came back: it is kept. */
    Optional<Letter> echoed(String id) {
        return remove(id);
    }

    private Optional<Letter> remove(String id) {
        Slot slot = sent.remove(id);
        if (slot == null) {
            slot = waiting.values().stream()
                    .filter(each -> each.letter.durable() && each.letter.id().equals(id))
                    .findFirst()
                    .orElse(null);
        }
        if (slot == null) {
            return Optional.empty();
        }
        waiting.remove(slot.number);
        characters -= slot.letter.size();
        return Optional.of(slot.letter);
    }

    /**
     * An envelope of ours was refused.
     *
     * @param id empty where the gateway did not read which: then it may have been any of them
     * @return the letter, where trying again would not help
     */
    Optional<Letter> refused(Optional<String> id, Problem problem, Instant now) {
        if (id.isEmpty()) {
            sent.values().forEach(this::put);
            sent.clear();
            pause(now, problem.retryAfterMillis(), 1);
            return Optional.empty();
        }
        Slot slot = sent.get(id.get());
        if (slot == null) {
            return Optional.empty();
        }
        if (!mayPass(slot, problem)) {
            return remove(id.get());
        }
        sent.remove(id.get());
        slot.attempts++;
        put(slot);
        if (!slot.doubted) {
            pause(now, problem.retryAfterMillis(), slot.attempts);
        }
        return Optional.empty();
    }

    private static boolean mayPass(Slot slot, Problem problem) {
        return switch (problem.code()) {
            case "unavailable" -> slot.attempts < MOST_ATTEMPTS;
            case "rate_limited" -> problem.retryAfterMillis() > 0 && slot.attempts < MOST_ATTEMPTS;
            // Said too of an envelope that was taken, where only some of its recipients are unknown. Sent again, it
            // is echoed then, and refused once more otherwise.
            case "unknown_recipient" -> {
                boolean first = !slot.doubted && slot.letter.recipients() > 1;
                slot.doubted = true;
                yield first;
            }
            default -> false;
        };
    }

    private void pause(Instant now, long retryAfterMillis, int attempts) {
        Duration own = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, 10));
        Duration asked = Duration.ofMillis(retryAfterMillis);
        Duration longer = own.compareTo(asked) > 0 ? own : asked;
        Instant until = now.plus(longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
        pause = until.isAfter(pause) ? until : pause;
    }

    /**
     * The gateway closed the connection because a frame was too large. The largest of all that may have been it is over
     * the limit for certain: sent again, it would end every connection. What is echoed never is sent once only, so that
     * nothing else has to be given up where it was the largest.
     *
     * @return who is to hear that it was too large
     */
    Optional<Consumer<Receipt>> tooLarge() {
        Optional<Letter> largest = sent.values().stream()
                .map(slot -> slot.letter)
                .max((one, other) -> Integer.compare(one.bytes(), other.bytes()));
        int others = largestOther.map(Large::bytes).orElse(0);
        return largest.filter(letter -> letter.bytes() > others).isPresent()
                ? largest.flatMap(letter -> remove(letter.id())).map(Letter::then)
                : largestOther.map(Large::then);
    }

    /** Takes out everything. */
    List<Letter> clear() {
        List<Letter> all = Stream.concat(sent.values().stream(), waiting.values().stream())
                .map(slot -> slot.letter)
                .toList();
        sent.clear();
        waiting.clear();
        characters = 0;
        return all;
    }
}
