package dev.gavel.web.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request body up to a maximum size and rejects a longer one with status 413. Rejects a body for which the
 * server has no memory now with 429 or 503, and closes the connection. Confined to the event loop of the connection.
 */
public final class RequestBodyReader {
    private static final String MAX_BYTES_KEY = "longest body";
    private static final String READER_KEY = "body reader";

    private final RoutingContext context;
    private final int maxBytes;
    private final MemoryQuota.Reservation reservation;

    /** Null if the body was rejected or passed on. */
    private @Nullable Buffer body = Buffer.buffer();

    private boolean refused;

    /** The request, and the work that it has started: each of them holds the content of the body. */
    private int holders = 1;

    private RequestBodyReader(RoutingContext context, int maxBytes, MemoryQuota.Reservation reservation) {
        this.context = context;
        this.maxBytes = maxBytes;
        this.reservation = reservation;
    }

    /** The size limit that applied to the request's body, for the error message; 0 if none was set. */
    public static int maxBytes(RoutingContext context) {
        return context.get(MAX_BYTES_KEY, 0);
    }

    /** Passes the whole body to the consumer, or rejects it. Must be called as soon as the request arrives. */
    public static void read(RoutingContext context, int maxBytes, Consumer<byte[]> consumer) {
        HttpServerRequest request = context.request();
        context.put(MAX_BYTES_KEY, maxBytes);
        String contentLength = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (contentLength != null && (contentLength.length() > 10 || Long.parseLong(contentLength) > maxBytes)) {
            context.fail(413);
            return;
        }
        RequestBodyReader reader =
                new RequestBodyReader(context, maxBytes, ConnectionLimiter.reserveBody(context.request()));
        context.put(READER_KEY, reader);
        context.addEndHandler(ended -> {
            reader.body = null;
            reader.release();
        });
        request.handler(reader::append);
        request.endHandler(end -> reader.finish(consumer));
    }

    /** Adds a chunk. Discards the rest of a rejected body, so that a connection reset does not lose the response. */
    private void append(Buffer chunk) {
        if (body == null) {
            return;
        }
        if (body.length() + chunk.length() > maxBytes) {
            body = null;
            context.fail(413);
            return;
        }
        Optional<HttpProblem> problem = reservation.add(chunk.length());
        if (problem.isPresent()) {
            body = null;
            refused = true;
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            problem.get().send(context.response());
        } else {
            body.appendBuffer(chunk);
        }
    }

    /**
     * Counts the request's body until this work has ended, even if the client disconnects before. Without this, a client
     * could send one body after the other and disconnect, and the waiting work would use up the memory.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    static void holdDuring(RoutingContext context, CompletionStage<?> work) {
        RequestBodyReader reader = context.get(READER_KEY);
        if (reader != null) {
            reader.holders++;
            ContextInternal requestContext = ContextInternal.current();
            work.whenComplete((value, failure) -> requestContext.runOnContext(ignored -> reader.release()));
        }
    }

    /** Ends the counting when neither the request nor its work holds the body any more. */
    private void release() {
        holders--;
        if (holders == 0) {
            reservation.release();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a connection that cannot be closed has ended already
    private void finish(Consumer<byte[]> consumer) {
        if (refused) {
            context.request().connection().close();
        } else if (body != null) {
            byte[] content = body.getBytes();
            body = null;
            consumer.accept(content);
        }
    }
}
