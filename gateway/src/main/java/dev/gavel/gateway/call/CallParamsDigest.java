package dev.gavel.gateway.call;

import dev.gavel.mcpx.RawPayload;
import dev.gavel.mcpx.json.CanonicalJsonWriter;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.Sha256;
import java.util.HashMap;
import java.util.Map;

/**
 * Computes the digest by which a call record identifies the parameters of a call without containing them. It is the
 * SHA-256 of the parameters without {@code _meta}, in the canonical form of RFC 8785, except that numbers stay as they
 * were sent: so large numbers that differ have different digests. The caller replaces secret values by markers first.
 * Stateless.
 */
public final class CallParamsDigest {
    private static final String META = "_meta";

    private CallParamsDigest() {}

    /** Returns the digest of a request's parameters, in hexadecimal. */
    static String of(RawPayload request) {
        return of(Json.parse(request.toString()).orElseGet(Json::object).at("params"));
    }

    /** Returns the digest of parameters, in hexadecimal. */
    public static String of(Json params) {
        Map<String, Json> members = new HashMap<>(params.members());
        members.remove(META);
        return Sha256.hex(CanonicalJsonWriter.writeWithNumbersAsSent(members));
    }
}
