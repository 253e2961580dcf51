package dev.gavel.mcpx.text;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the JSON-RPC response of a called tool as plain text for people. Stateless. */
public final class ToolResultTextRenderer {
    private ToolResultTextRenderer() {}

    /** The text of a JSON-RPC response; empty if it contains none. */
    public static String render(Json response) {
        Json error = response.at("error");
        if (error.isPresent()) {
            String data = error.at("data").isPresent()
                    ? "\n" + SafeText.json(error.at("data").pretty())
                    : "";
            return "error " + SafeText.line(error.at("code").text()) + ": "
                    + SafeText.lines(error.at("message").text()) + data;
        }
        Json result = response.at("result");
        List<Json> content = result.at("content").elements();
        return content.isEmpty()
                ? SafeText.json(result.pretty())
                : content.stream().map(ToolResultTextRenderer::item).collect(Collectors.joining("\n"));
    }

    private static String item(Json item) {
        return switch (item.at("type").text()) {
            case "text" -> SafeText.lines(item.at("text").text().stripTrailing());
            case "resource" ->
                item.at("resource")
                        .at("text")
                        .asText()
                        .map(SafeText::lines)
                        .orElseGet(() -> "["
                                + SafeText.line(item.at("resource").at("uri").text()) + "]");
            case "resource_link" -> SafeText.line(item.at("uri").text());
            // Images and audio have no text; --json prints them.
            default ->
                "[" + SafeText.line(item.at("type").text()) + " "
                        + SafeText.line(item.at("mimeType").text()) + "]";
        };
    }
}
