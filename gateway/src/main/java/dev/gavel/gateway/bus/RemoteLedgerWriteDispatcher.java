package dev.gavel.gateway.bus;

import dev.gavel.ledger.AppendedRange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Tells listeners in this process that another process wrote to a ledger stream, as announced over the bus or found by
 * polling. Thread-safe.
 */
public final class RemoteLedgerWriteDispatcher {
    private final Map<String, List<StreamListener>> listeners = new ConcurrentHashMap<>();

    /** Receives the writes of other processes to one stream. Called on any thread, which it must not block. */
    public interface StreamListener {
        /** Another process announces that it wrote these events. All messages that it sent before have arrived. */
        void onWritten(long first, long last);

        /** A poll found events up to this seq. They may already be known. */
        void onPolledHead(long last);
    }

    /** Adds a listener to a stream. */
    public void subscribe(String stream, StreamListener streamListener) {
        listeners.computeIfAbsent(stream, name -> new CopyOnWriteArrayList<>()).add(streamListener);
    }

    /** Notifies the stream's listeners that another process announced a write. */
    public void notifyWritten(AppendedRange appendedRange) {
        listeners
                .getOrDefault(appendedRange.stream(), List.of())
                .forEach(streamListener -> streamListener.onWritten(appendedRange.firstSeq(), appendedRange.lastSeq()));
    }

    /** Notifies the listeners of the last seq that a poll found in each stream. */
    public void notifyHeads(Map<String, Long> heads) {
        heads.forEach((stream, last) ->
                listeners.getOrDefault(stream, List.of()).forEach(streamListener -> streamListener.onPolledHead(last)));
    }
}
