package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.OptionalLong;

/**
 * An envelope received from a gateway's event stream, with its ledger seq where it has one.
 *
 * @param seq its place in the topic's ledger, if it is kept there
 */
public record RemoteEvent(Json envelope, OptionalLong seq) {}
