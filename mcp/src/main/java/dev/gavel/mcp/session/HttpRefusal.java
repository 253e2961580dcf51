package dev.gavel.mcp.session;

import dev.gavel.mcp.rpc.Message;
import dev.gavel.mcp.rpc.RpcError;
import dev.gavel.mcpx.json.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What an HTTP answer that is no success means to whoever asked. Stateless. */
final class HttpRefusal {
    /** So much of an answer's text is looked at. */
    static final int LONGEST = 64 * 1024;

    private static final int LONGEST_DETAIL = 500;

    private HttpRefusal() {}

    /** The refusal, under nobody's id. */
    static Message.Failure of(Endpoint endpoint, HttpResponse<?> response, byte[] body) {
        int status = response.statusCode();
        String where = "the server at " + endpoint.shown();
        if (status < 400) {
            return RpcError.UNAVAILABLE.failure(
                    "null",
                    where + " sends us elsewhere, to "
                            + response.headers().firstValue("Location").orElse("nowhere")
                            + "; name the right address instead");
        }
        if (status != 401 && Message.read(body) instanceof Message.Failure failure) {
            return failure;
        }
        String detail = detail(body).map(words -> ": " + words).orElse("");
        return status == 401 || status == 403
                ? RpcError.FORBIDDEN.failure(
                        "null",
                        where + " does not let us in (HTTP " + status + detail
                                + "); is the token, or the header, right?")
                : RpcError.UNAVAILABLE.failure("null", where + " answered HTTP " + status + detail);
    }

    /** What a problem document says to a person. */
    private static Optional<String> detail(byte[] body) {
        return Json.parse(new String(body, StandardCharsets.UTF_8))
                .flatMap(problem -> problem.at("detail").ifText())
                .map(words -> words.substring(0, Math.min(words.length(), LONGEST_DETAIL)));
    }
}
