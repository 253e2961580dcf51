package dev.gavel.client.http;

import dev.gavel.mcpx.json.Json;
import java.util.OptionalLong;

/**
 * An envelope received from a gateway's event stream, with its sequence number in the ledger if it is stored there.
 *
 * @param seq the position in the topic's ledger; empty if the envelope is not stored there
 */
public record RemoteEvent(Json envelope, OptionalLong seq) {}
