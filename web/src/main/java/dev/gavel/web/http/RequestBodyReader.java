package dev.gavel.web.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** Reads a request body up to a maximum size and rejects a longer one with status 413. Stateless. */
public final class RequestBodyReader {
    private static final String MAX_BYTES_KEY = "longest body";

    private RequestBodyReader() {}

    /** The size limit that applied to the request's body, for the error message; 0 if none was set. */
    public static int maxBytes(RoutingContext context) {
        return context.get(MAX_BYTES_KEY, 0);
    }

    /** Passes the whole body to the consumer, or rejects it with 413. Must be called as soon as the request arrives. */
    public static void read(RoutingContext context, int maxBytes, Consumer<byte[]> consumer) {
        HttpServerRequest request = context.request();
        context.put(MAX_BYTES_KEY, maxBytes);
        String contentLength = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (contentLength != null && (contentLength.length() > 10 || Long.parseLong(contentLength) > maxBytes)) {
            context.fail(413);
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() <= maxBytes) {
                body.appendBuffer(chunk);
            } else if (!context.failed()) {
                // The rest is read and discarded, so that a connection reset does not lose the response.
                context.fail(413);
            }
        });
        request.endHandler(end -> {
            if (!context.failed()) {
                consumer.accept(body.getBytes());
            }
        });
    }
}
