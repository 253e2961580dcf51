package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.OptionalLong;

/**
 * One envelope from an event stream.
 *
 * @param seq its place in the topic's ledger, if it is kept there
 */
public record RemoteEvent(Json envelope, OptionalLong seq) {}
