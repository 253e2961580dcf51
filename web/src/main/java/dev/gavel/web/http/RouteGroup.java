package dev.gavel.web.http;

import io.vertx.ext.web.Router;

/** Routes that another package brings to the server. */
public interface RouteGroup {
    /** Adds them. */
    void mount(Router router);

    /** How many long-lived connections are open there now; the process waits a moment for them when it ends. */
    default int connections() {
        return 0;
    }
}
