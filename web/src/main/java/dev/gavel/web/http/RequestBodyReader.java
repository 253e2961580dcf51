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
    public static void read(RoutingContext context, int longest, Consumer<byte[]> then) {
        HttpServerRequest request = context.request();
        context.put(MAX_BYTES_KEY, longest);
        String announced = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (announced != null && (announced.length() > 10 || Long.parseLong(announced) > longest)) {
            context.fail(413);
            return;
        }
        Buffer body = Buffer.buffer();
        request.handler(chunk -> {
            if (body.length() + chunk.length() <= longest) {
                body.appendBuffer(chunk);
            } else if (!context.failed()) {
                // The rest is read and discarded, so that a connection reset does not lose the response.
                context.fail(413);
            }
        });
        request.endHandler(end -> {
            if (!context.failed()) {
                then.accept(body.getBytes());
            }
        });
    }
}
