package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RawJson;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An MCP server over Streamable HTTP: every message is a POST, answers come as JSON or as a stream of events. A message says by
 * itself whether it is of the new kind or the old, and each kind is sent in its own manner, one beside the other. A request that
 * gets no answer from the server gets one from here. Thread-safe.
 */
public final class StreamableHttp implements Transport {
    static final String CANCELLED = "notifications/cancelled";

    private final HttpLine line;
    private final SessionHttp old;
    private final StatelessHttp modern;

    /** Who decides what becomes of a connection in trouble. */
    public interface Troubles {
        /**
         * The server has ended the session.
         *
         * @param refused the message it said so about, which it did not take; nothing where it was asked for news
         */
        void expelled(Optional<Message> refused);

        /** Nobody answers at the server's address. A request that was to be sent has been answered. */
        void unreachable(String why);

        /**
         * The stream of a request of the new kind broke before its answer came.
         *
         * @return whether the request is seen to; otherwise it is answered with an error
         */
        default boolean broke(Message.Request request, String why) {
            return false;
        }
    }

    /** A way that is lost when the session ends, or nobody answers. */
    StreamableHttp(String name, Endpoint endpoint) {
        this(name, endpoint, null);
    }

    /** A way whose troubles are somebody else's. */
    public StreamableHttp(String name, Endpoint endpoint, @Nullable Troubles troubles) {
        this.line = new HttpLine(name, endpoint, troubles == null ? new Losing() : troubles);
        this.old = new SessionHttp(line);
        this.modern = new StatelessHttp(line);
    }

    private final class Losing implements Troubles {
        private final AtomicBoolean lost = new AtomicBoolean();

        @Override
        public void expelled(Optional<Message> refused) {
            lose("the server has ended the session");
        }

        @Override
        public void unreachable(String why) {
            lose(why);
        }

        private void lose(String why) {
            Receiver to = line.receiver();
            if (to != null && lost.compareAndSet(false, true)) {
                to.lost(why);
            }
        }
    }

    @Override
    public void open(Receiver to) {
        line.open(to);
    }

    /** Forgets the session of the old kind; the next message of that kind must be one that begins another. */
    public void restart() {
        old.restart();
    }

    /** Whether a message is of the new kind: it says itself which version it is of. */
    public static boolean isStateless(Message.Request request) {
        return StatelessHttp.version(request).isPresent();
    }

    @Override
    public void send(Message message) throws IOException {
        if (line.isClosed()) {
            throw new IOException("the connection is closed");
        }
        if (message instanceof Message.Request request && isStateless(request)) {
            modern.ask(request);
        } else if (!isCalledOff(message)) {
            old.send(message);
        }
    }

    private boolean isCalledOff(Message message) {
        return message instanceof Message.Notification notification
                && notification.method().equals(CANCELLED)
                && notification
                        .params()
                        .flatMap(raw -> RawJson.at(raw, "requestId"))
                        .filter(modern::cancel)
                        .isPresent();
    }

    @Override
    public void close() {
        if (line.close()) {
            old.close();
            line.http.close();
        }
    }
}
