package dev.gavel.cli.topic;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Formats an envelope as one line: time, sender, recipients, kind and content.
 *
 * @param zone the time zone for the time
 * @param names the display names of members, by id
 */
record EnvelopeLineFormatter(CommandOutput commandOutput, ZoneId zone, Json envelope, Json names) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
    private static final int MAX_CONTENT = 100;
    private static final int MAX_ID = 48;

    String format() {
        String time = ProposalTextFormatter.parseTime(envelope.at("ts"))
                .map(at -> TIME.format(at.atZone(zone)))
                .orElse("--:--:--");
        List<String> to = envelope.at("to").texts();
        String kind = envelope.at("kind").text();
        String route = name(envelope.at("from").text()) + " → "
                + (to.isEmpty() ? "all" : to.stream().map(this::name).collect(Collectors.joining(", ")));
        return commandOutput.paint(TerminalStyle.FAINT, time) + "  " + SafeText.line(route) + "  "
                + commandOutput.paint(style(kind), SafeText.word(kind)) + "  "
                + SafeText.brief(
                        (subjectText(kind) + " " + content(kind, envelope.at("payload"))).strip(),
                        availableWidth(time, route, kind));
    }

    private String name(String id) {
        return MemberNameFormatter.nameWithId(names, id);
    }

    private int availableWidth(String time, String route, String kind) {
        return commandOutput.isTerminal()
                ? Math.max(20, commandOutput.width() - time.length() - route.length() - kind.length() - 7)
                : MAX_CONTENT;
    }

    private static TerminalStyle style(String kind) {
        String operation = kind.split("[.:]", 3).length > 1 ? kind.split("[.:]", 3)[1] : "";
        return switch (kind.split("[./:]", 2)[0]) {
            case "chat" -> TerminalStyle.TALK;
            case "system" -> kind.equals("system.error") ? TerminalStyle.BAD : TerminalStyle.FAINT;
            case "mcpx" -> operation.equals("reject") ? TerminalStyle.BAD : TerminalStyle.OPEN;
            case "mcp" ->
                switch (operation) {
                    case "proposal" -> TerminalStyle.OPEN;
                    case "response" -> TerminalStyle.GOOD;
                    default -> TerminalStyle.CALL;
                };
            default -> TerminalStyle.PLAIN;
        };
    }

    /** The id of the subject: for a proposal its own id, for a later envelope the ids it refers to. */
    private String subject(String kind) {
        return kind.startsWith("mcp.proposal.")
                ? envelope.at("id").text()
                : String.join(", ", envelope.at("correlationId").texts());
    }

    /** The subject as text: its sender chooses an id freely, so it must not look like the content or displace it. */
    private String subjectText(String kind) {
        return kind.startsWith("mcp.proposal.")
                ? idText(envelope.at("id").text())
                : envelope.at("correlationId").texts().stream()
                        .map(EnvelopeLineFormatter::idText)
                        .collect(Collectors.joining(", "));
    }

    private static String idText(String id) {
        return SafeText.word(SafeText.brief(id, MAX_ID));
    }

    private String content(String kind, Json payload) {
        if (kind.startsWith("mcp.proposal.") || kind.startsWith("mcp.request.")) {
            String proposal = subject(kind);
            return ProposalTextFormatter.describeCall(
                    payload, proposal.isEmpty() ? envelope.at("id").text() : proposal);
        }
        if (kind.startsWith("mcp.response.")) {
            return ToolResultTextRenderer.render(payload);
        }
        if (kind.equals("system.presence")) {
            String participant = payload.at("participant").at("id").text();
            return switch (payload.at("event").text()) {
                case "join" -> name(participant) + " joined";
                case "leave" -> name(participant) + " left";
                default -> payload.at("event").text() + " " + name(participant);
            };
        }
        if (kind.equals("system.welcome")) {
            String others = payload.at("participants").elements().stream()
                    .map(each -> name(each.at("id").text()))
                    .collect(Collectors.joining(", "));
            return "you are " + name(payload.at("you").at("id").text()) + "; "
                    + (others.isEmpty() ? "no other member is connected" : "connected: " + others);
        }
        return plainText(payload).orElseGet(payload::compact);
    }

    /** Joins the payload's text fields that people wrote; empty if it has none. */
    private static Optional<String> plainText(Json payload) {
        String joined = List.of("text", "status", "reason", "note", "message").stream()
                .flatMap(name -> payload.at(name).asText().stream())
                .collect(Collectors.joining(": "));
        return Optional.of(joined).filter(text -> !text.isEmpty());
    }
}
