/**
 * The HTTP server. {@link dev.gavel.web.WebServer} listens on every event loop and routes requests to the API,
 * WebSockets, MCP and the console.
 */
@NullMarked
package dev.gavel.web;

import org.jspecify.annotations.NullMarked;
