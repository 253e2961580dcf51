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

    /** How long a body might have been, to say so where one was longer. */
    public static int maxBytes(RoutingContext context) {
        return context.get(MAX_BYTES_KEY, 0);
    }

    /** Hands over the whole body, or refuses it with 413; to be called as soon as the request has come. */
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
                // What still comes is read and thrown away, so that the answer is not lost in a reset.
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
