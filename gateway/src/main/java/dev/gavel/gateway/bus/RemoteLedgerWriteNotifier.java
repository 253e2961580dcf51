package dev.gavel.gateway.bus;

import dev.gavel.ledger.AppendedRange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Notifies this process's followers of a ledger stream when another process has written to it, announced over the bus
 * or found by polling. Thread-safe.
 */
public final class RemoteLedgerWriteNotifier {
    private final Map<String, List<StreamListener>> listeners = new ConcurrentHashMap<>();

    /** Who follows a stream. Called on any thread, which it must not hold up. */
    public interface StreamListener {
        /** Another process says that it wrote these; whatever it sent before has been heard. */
        void onWritten(long first, long last);

        /** Somebody looked, and there were events up to here; they may be old news. */
        void onHead(long last);
    }

    /** Follows a stream from now on. */
    public void subscribe(String stream, StreamListener streamListener) {
        listeners.computeIfAbsent(stream, name -> new CopyOnWriteArrayList<>()).add(streamListener);
    }

    /** Another process says that it wrote. */
    public void notifyWritten(AppendedRange appendedRange) {
        listeners
                .getOrDefault(appendedRange.stream(), List.of())
                .forEach(streamListener -> streamListener.onWritten(appendedRange.first(), appendedRange.last()));
    }

    /** Somebody looked how far each stream reaches. */
    public void notifyHeads(Map<String, Long> heads) {
        heads.forEach((stream, last) ->
                listeners.getOrDefault(stream, List.of()).forEach(streamListener -> streamListener.onHead(last)));
    }
}
