package dev.gavel.gateway.topic;

import dev.gavel.gateway.admission.AdmissionResult;
import dev.gavel.mcpx.Envelope;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * Holds the envelopes received from a connection until the connection has been sent its welcome and earlier envelopes
 * are durable. Envelopes about proposals need not wait for each other, since the ledger preserves their order. Confined
 * to the topic's loop.
 */
final class ConnectionInboundQueue {
    private static final int MAX_ENVELOPES = 1024;
    private static final int MAX_BYTES = 4 * 1024 * 1024;

    private final Predicate<AdmissionResult> needsLedger;
    private final Queue<AdmissionResult> queue = new ArrayDeque<>(0);
    private final Queue<Integer> submittedSizes = new ArrayDeque<>(0);
    private boolean holding = true;
    private boolean recordingCall;
    private int unsettledBytes;

    /**
     * Creates an empty queue, which holds every envelope until {@link #startProcessing}.
     *
     * @param needsLedger whether the ledger decides an envelope; such an envelope need not wait until the ledger has
     *     decided the earlier ones
     */
    ConnectionInboundQueue(Predicate<AdmissionResult> needsLedger) {
        this.needsLedger = needsLedger;
    }

    /** Stops holding envelopes: from now on {@link #poll} returns the queued envelopes that can be processed. */
    void startProcessing() {
        holding = false;
    }

    /** Whether an envelope that has just arrived can be processed at once. */
    boolean canProcess(AdmissionResult admissionResult) {
        return queue.isEmpty() && isReady(admissionResult) && hasRoomFor(admissionResult);
    }

    /** The number of queued envelopes. */
    int queuedCount() {
        return queue.size();
    }

    /** Queues an envelope. Returns false if there is no room for it. */
    boolean offer(AdmissionResult admissionResult) {
        if (!hasRoomFor(admissionResult)) {
            return false;
        }
        unsettledBytes += size(admissionResult);
        return queue.add(admissionResult);
    }

    /** Removes and returns the next envelope that can be processed now. */
    Optional<AdmissionResult> poll() {
        AdmissionResult head = queue.peek();
        if (head == null || !isReady(head)) {
            return Optional.empty();
        }
        queue.remove();
        unsettledBytes -= size(head);
        return Optional.of(head);
    }

    /** Counts an envelope that was submitted to the ledger. */
    void onSubmitted(AdmissionResult admissionResult) {
        submittedSizes.add(size(admissionResult));
        unsettledBytes += size(admissionResult);
    }

    /** Counts a call that is made only when the ledger has recorded it. All later envelopes wait for it. */
    void onRecordingCall(AdmissionResult admissionResult) {
        recordingCall = true;
        onSubmitted(admissionResult);
    }

    /** The ledger has decided on a submitted envelope, or recorded a call. */
    void onSettled() {
        recordingCall = false;
        unsettledBytes -= submittedSizes.remove();
    }

    private boolean isReady(AdmissionResult admissionResult) {
        return !holding && !recordingCall && (submittedSizes.isEmpty() || needsLedger.test(admissionResult));
    }

    private boolean hasRoomFor(AdmissionResult admissionResult) {
        return submittedSizes.size() + queue.size() < MAX_ENVELOPES
                && unsettledBytes + size(admissionResult) <= Math.max(MAX_BYTES, size(admissionResult));
    }

    private static int size(AdmissionResult admissionResult) {
        return admissionResult instanceof AdmissionResult.Admitted(Envelope envelope) ? envelope.length() : 0;
    }
}
