package dev.gavel.web.http;

import io.vertx.ext.web.Router;

/**
 * A group of HTTP routes, such as the console's, that adds itself to the server's router and counts its open long-lived
 * connections.
 */
public interface RouteGroup {
    /** Adds the routes. */
    void mount(Router router);

    /** How many long-lived connections are open now; at shutdown the process waits briefly for them to close. */
    default int openConnectionCount() {
        return 0;
    }
}
