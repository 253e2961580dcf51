package dev.gavel.mcp.facade.call;

import dev.gavel.mcp.rpc.GavelMetaFields;
import dev.gavel.mcp.rpc.McpMetaFields;
import dev.gavel.mcp.rpc.RpcErrorCode;
import dev.gavel.mcpx.json.Json;

/**
 * Filters a participant's response to a call before a client gets it: removes the fields and codes that only Gavel may set, and
 * replaces tasks, and requests for input in approved calls, by errors, because the client could not continue with them.
 * Other responses stay as the participant sent them. Stateless.
 */
final class ParticipantResponseFilter {
    private ParticipantResponseFilter() {}

    /**
     * Filters a response.
     *
     * @param approved whether the call runs exactly as a reviewer approved it, so that it cannot get more input
     */
    static Json filter(Json response, boolean approved) {
        String resultType = response.at("result").at("resultType").text();
        if (resultType.equals("task")) {
            return error("The participant that ran the call returned a task, which Gavel does not support.");
        }
        if (approved && resultType.equals("input_required")) {
            return error("The call was approved, but the participant that ran it needs more input to continue, which an"
                    + " approved call cannot supply.");
        }
        Json filtered = withoutGavelFields(withoutGavelFields(response, "result", McpMetaFields.META), "error", "data");
        Json error = filtered.at("error");
        return RpcErrorCode.NOT_DONE.isCodeOf(error) || RpcErrorCode.PENDING.isCodeOf(error)
                ? filtered.with("error", withoutCode(error))
                : filtered;
    }

    /** With these codes, only Gavel reports the end of a proposal. Bridges send some of its other codes. */
    private static Json withoutCode(Json error) {
        return error.with("code", Json.of(RpcErrorCode.INTERNAL.code()))
                .with(
                        "message",
                        Json.ofText((error.at("message").text() + " (The participant's error code, "
                                        + error.at("code").raw() + ", is reserved for Gavel.)")
                                .strip()));
    }

    private static Json withoutGavelFields(Json response, String name, String member) {
        Json part = response.at(name);
        return GavelMetaFields.areIn(part, member)
                ? response.with(name, GavelMetaFields.removeFrom(part, member))
                : response;
    }

    private static Json error(String message) {
        return Json.object()
                .with(
                        "error",
                        Json.parse(RpcErrorCode.INTERNAL
                                        .toResponse("null", message)
                                        .error())
                                .orElseThrow());
    }
}
