package dev.gavel.client.connection;

import dev.gavel.client.http.RemoteProblem;
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
 * Queues the client's outgoing envelopes, limits how many are waiting, and resends in order those that the gateway has
 * not confirmed. Each new connection resends the unconfirmed envelopes in their original order; the gateway does not
 * process the same id twice. Takes the time as an argument and does no I/O. Not thread-safe.
 */
final class ClientSendQueue {
    static final int MAX_ENVELOPES = 1024;
    static final int MAX_CHARACTERS = 16 * 1024 * 1024;

    /** The maximum number of unconfirmed envelopes; well below the number that a gateway queues for its ledger. */
    static final int MAX_UNCONFIRMED = 256;

    static final int MAX_ATTEMPTS = 20;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final TreeMap<Long, Slot> unsent = new TreeMap<>();

    /** Sent envelopes by id; only those that the gateway echoes. */
    private final Map<String, Slot> unconfirmed = new LinkedHashMap<>();

    private long nextNumber;
    private int characters;
    private Instant pausedUntil = Instant.MIN;

    /** The largest frame that was sent on this connection and is not echoed. */
    private Optional<LargestFrame> largestUnechoed = Optional.empty();

    private record LargestFrame(int bytes, Consumer<ClientSendResult> resultCallback) {}

    private static final class Slot {
        final long number;
        final SendQueueEntry entry;
        int attempts;
        boolean recipientRetried;

        Slot(long number, SendQueueEntry sendQueueEntry) {
            this.number = number;
            this.entry = sendQueueEntry;
        }
    }

    /** Whether an envelope of this size may be added. */
    boolean hasRoomFor(int size) {
        return unsent.size() + unconfirmed.size() < MAX_ENVELOPES
                && (characters == 0 || characters + size <= MAX_CHARACTERS);
    }

    boolean isEmpty() {
        return unsent.isEmpty() && unconfirmed.isEmpty();
    }

    /** Whether an envelope with this id is queued or unconfirmed, and will be echoed. */
    boolean contains(String id) {
        return unconfirmed.containsKey(id)
                || unsent.values().stream()
                        .anyMatch(
                                slot -> slot.entry.durable() && slot.entry.id().equals(id));
    }

    void add(SendQueueEntry sendQueueEntry) {
        characters += sendQueueEntry.characters();
        put(new Slot(nextNumber++, sendQueueEntry));
    }

    private void put(Slot slot) {
        unsent.put(slot.number, slot);
    }

    /** Removes and returns the next envelope to send now, if any. */
    Optional<SendQueueEntry> next(Instant now) {
        if (unsent.isEmpty() || unconfirmed.size() >= MAX_UNCONFIRMED || now.isBefore(pausedUntil)) {
            return Optional.empty();
        }
        Slot slot = unsent.pollFirstEntry().getValue();
        if (slot.entry.durable()) {
            unconfirmed.put(slot.entry.id(), slot);
        } else {
            characters -= slot.entry.characters();
            if (slot.entry.bytes() > largestUnechoed.map(LargestFrame::bytes).orElse(0)) {
                largestUnechoed = Optional.of(new LargestFrame(slot.entry.bytes(), slot.entry.callback()));
            }
        }
        return Optional.of(slot.entry);
    }

    /** Returns when to try again even if nothing changes; empty if that is not needed. */
    Optional<Instant> nextAttemptAt(Instant now) {
        return now.isBefore(pausedUntil) && !unsent.isEmpty() ? Optional.of(pausedUntil) : Optional.empty();
    }

    /** The connection is lost: unconfirmed envelopes are queued again. */
    void onDisconnect() {
        unconfirmed.values().forEach(this::put);
        unconfirmed.clear();
        pausedUntil = Instant.MIN;
        largestUnechoed = Optional.empty();
    }

    /** The gateway echoed an envelope of this participant: it is stored. */
    Optional<SendQueueEntry> onEcho(String id) {
        return remove(id);
    }

    private Optional<SendQueueEntry> remove(String id) {
        Slot slot = unconfirmed.remove(id);
        if (slot == null) {
            slot = unsent.values().stream()
                    .filter(each -> each.entry.durable() && each.entry.id().equals(id))
                    .findFirst()
                    .orElse(null);
        }
        if (slot == null) {
            return Optional.empty();
        }
        unsent.remove(slot.number);
        characters -= slot.entry.characters();
        return Optional.of(slot.entry);
    }

    /**
     * The gateway refused an envelope of this participant.
     *
     * @param id the refused envelope; empty if the gateway could not read the id, so that it may be any unconfirmed one
     * @return the entry, if a retry would not help
     */
    Optional<SendQueueEntry> onRefused(Optional<String> id, RemoteProblem problem, Instant now) {
        if (id.isEmpty()) {
            unconfirmed.values().forEach(this::put);
            unconfirmed.clear();
            pause(now, problem.retryAfterMillis(), 1);
            return Optional.empty();
        }
        Slot slot = unconfirmed.get(id.get());
        if (slot == null) {
            return Optional.empty();
        }
        if (!isRetryable(slot, problem)) {
            return remove(id.get());
        }
        unconfirmed.remove(id.get());
        slot.attempts++;
        put(slot);
        if (!slot.recipientRetried) {
            pause(now, problem.retryAfterMillis(), slot.attempts);
        }
        return Optional.empty();
    }

    private static boolean isRetryable(Slot slot, RemoteProblem problem) {
        return switch (problem.code()) {
            case "unavailable" -> slot.attempts < MAX_ATTEMPTS;
            case "rate_limited" -> problem.retryAfterMillis() > 0 && slot.attempts < MAX_ATTEMPTS;
            // The gateway reports this also for an accepted envelope if only some of its recipients are unknown. If it
            // is sent again, an accepted envelope is echoed, and any other is refused again.
            case "unknown_recipient" -> {
                boolean first = !slot.recipientRetried && slot.entry.recipients() > 1;
                slot.recipientRetried = true;
                yield first;
            }
            default -> false;
        };
    }

    private void pause(Instant now, long retryAfterMillis, int attempts) {
        Duration backoff = FIRST_PAUSE.multipliedBy(1L << Math.min(attempts - 1, 10));
        Duration requested = Duration.ofMillis(retryAfterMillis);
        Duration longer = backoff.compareTo(requested) > 0 ? backoff : requested;
        Instant until = now.plus(longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer);
        pausedUntil = until.isAfter(pausedUntil) ? until : pausedUntil;
    }

    /**
     * The gateway closed the connection because a frame was too large. The largest candidate certainly exceeds the
     * limit; sent again, it would end every connection. If the largest candidate is an envelope that is not echoed, it
     * is not resent anyway, so no other envelope has to be dropped.
     *
     * @return the callback of the envelope that was too large
     */
    Optional<Consumer<ClientSendResult>> onTooLarge() {
        Optional<SendQueueEntry> largest = unconfirmed.values().stream()
                .map(slot -> slot.entry)
                .max((one, other) -> Integer.compare(one.bytes(), other.bytes()));
        int others = largestUnechoed.map(LargestFrame::bytes).orElse(0);
        return largest.filter(sendQueueEntry -> sendQueueEntry.bytes() > others).isPresent()
                ? largest.flatMap(sendQueueEntry -> remove(sendQueueEntry.id())).map(SendQueueEntry::callback)
                : largestUnechoed.map(LargestFrame::resultCallback);
    }

    /** Removes and returns all entries. */
    List<SendQueueEntry> clear() {
        List<SendQueueEntry> all = Stream.concat(unconfirmed.values().stream(), unsent.values().stream())
                .map(slot -> slot.entry)
                .toList();
        unconfirmed.clear();
        unsent.clear();
        characters = 0;
        return all;
    }
}
