package dev.gavel.web.http;

import io.vertx.ext.web.Router;

/** Adds a group of HTTP routes to the server's router and counts its open long-lived connections. */
public interface RouteGroup {
    /** Adds them. */
    void mount(Router router);

    /** How many long-lived connections are open there now; the process waits a moment for them when it ends. */
    default int connections() {
        return 0;
    }
}
