package dev.gavel.mcp.facade.legacy;

import dev.gavel.mcp.facade.call.Gathering;
import dev.gavel.mcp.facade.call.Room;
import dev.gavel.mcp.facade.port.Sink;
import dev.gavel.mcp.rpc.Message;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is sent to one client: a stream for each of its requests, and one for what belongs to none. Confined to the loop. */
final class Streams {
    /** How long what was sent last is kept for a client that was cut off. */
    private static final long KEPT_MILLIS = 30_000;

    private static final String GENERAL = "g";
    private static final Pattern EVENT = Pattern.compile("([a-z0-9]{1,20})_(\\d{1,15})");

    private final Room room;
    private final Consumer<String> lost;
    private final Map<String, Outflow> open = new HashMap<>();
    private final Map<Sink, Outflow> readers = new HashMap<>();
    private final Outflow general = new Outflow(GENERAL, () -> {});
    private final Gathering changes;
    private boolean listened;
    private long requests;

    /**
     * No streams yet.
     *
     * @param lost told the name of a stream that nobody reads any more
     */
    Streams(Room room, Consumer<String> lost) {
        this.room = room;
        this.lost = lost;
        this.changes = new Gathering(room, each -> tell(new Message.Notification(each, Optional.empty()).line()));
    }

    /** Whether anybody listens for what belongs to no request. */
    boolean listenedTo() {
        return general.read();
    }

    /** The stream of a new request, read there. */
    Outflow begin(Sink sink) {
        String name = "r" + requests++;
        Outflow out = new Outflow(name, () -> lost.accept(name));
        open.put(name, out);
        attach(out, sink, 0);
        return out;
    }

    private void attach(Outflow out, Sink sink, long after) {
        unread(out);
        readers.put(sink, out);
        out.attach(sink, after);
    }

    private void unread(Outflow out) {
        Sink reader = out.reader();
        if (reader != null) {
            readers.remove(reader);
        }
    }

    /** A stream is over; what may still be fetched is kept for a moment, and then looked at. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is not fetched by then is forgotten
    void over(Outflow out, Runnable forgotten) {
        Runnable forget = () -> {
            open.remove(out.name());
            unread(out);
            forgotten.run();
        };
        if (out.resumable()) {
            room.topic().loop().schedule(forget, KEPT_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            forget.run();
        }
    }

    /** A reader has gone away. */
    void detach(Sink sink) {
        Outflow out = readers.remove(sink);
        if (out != null) {
            out.detach(sink);
        }
    }

    /** Whether what follows an event is still there; nothing need be there where no event is named. */
    boolean keeps(@Nullable String lastEvent) {
        return lastEvent == null || after(lastEvent).isPresent();
    }

    private record After(Outflow out, long event) {}

    private Optional<After> after(String lastEvent) {
        Matcher id = EVENT.matcher(lastEvent);
        if (!id.matches()) {
            return Optional.empty();
        }
        Outflow out = id.group(1).equals(GENERAL) ? general : open.get(id.group(1));
        return Optional.ofNullable(out).map(found -> new After(found, Long.parseLong(id.group(2))));
    }

    /** Has somebody listen for what belongs to no request, or take up what was cut off after an event. */
    void listen(@Nullable String lastEvent, Sink sink) {
        After from =
                Optional.ofNullable(lastEvent).flatMap(this::after).orElseGet(() -> new After(general, general.sent()));
        listened |= from.out().equals(general);
        from.out().begin();
        attach(from.out(), sink, from.event());
    }

    /** Sends what belongs to no request; nobody who never listened wants it. */
    void tell(String line) {
        if (listened) {
            general.send(line);
        }
    }

    /** Has the client told that something has changed; nobody who never listened wants it. */
    void tellChanged(String notification) {
        if (listened) {
            changes.add(notification);
        }
    }

    void end() {
        general.end();
    }
}
