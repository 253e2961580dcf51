/**
 * Calls a running gateway over HTTP, with single requests and server-sent event streams, and knows where a server on
 * the same machine listens and stores its tokens.
 */
@NullMarked
package dev.gavel.client.http;

import org.jspecify.annotations.NullMarked;
