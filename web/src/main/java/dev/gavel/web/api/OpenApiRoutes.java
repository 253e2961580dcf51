package dev.gavel.web.api;

import dev.gavel.web.http.ResponseBodies;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Serves the OpenAPI description of the HTTP API at /openapi.json. Thread-safe. */
public final class OpenApiRoutes {
    private static final String FILE = "/openapi.json";

    private OpenApiRoutes() {}

    /** Holds the document, which is read at the first request, so that it does not delay the start. */
    private static final class DocumentHolder {
        static final Buffer JSON = read();

        private static Buffer read() {
            try (InputStream in = OpenApiRoutes.class.getResourceAsStream(FILE)) {
                if (in == null) {
                    throw new IOException(FILE + " is not on the class path");
                }
                return Buffer.buffer(in.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public static void mount(Router router) {
        router.get(FILE).handler(context -> {
            context.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
            ResponseBodies.end(context.request(), DocumentHolder.JSON.copy());
        });
    }
}
