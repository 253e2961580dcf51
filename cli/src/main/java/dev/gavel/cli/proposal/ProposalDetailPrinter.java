package dev.gavel.cli.proposal;

import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ShellQuoting;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.mcpx.SystemMessage;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.proposal.CallParameters;
import dev.gavel.mcpx.proposal.RejectionReason;
import dev.gavel.mcpx.text.JsonTextLayout;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.mcpx.text.ToolResultTextRenderer;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Prints everything about one proposal: call, arguments, status, next steps and timeline.
 *
 * @param zone the time zone for printed times
 * @param metadata how to print what the client added to the call as {@code _meta}
 */
public record ProposalDetailPrinter(
        CommandOutput commandOutput, ZoneId zone, Instant now, String topic, Json proposal, MetadataDisplay metadata) {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final String INDENT = "              ";

    /** How the metadata of a call is printed. Most clients add some to each call, so that it is not always shown. */
    public enum MetadataDisplay {
        FULL,
        HINT_AT_JSON_OPTION,
        HINT_AT_KEY;

        private String text(Json metadata) {
            int fields = metadata.members().size();
            String size = (fields == 1 ? "1 field, " : fields + " fields, ")
                    + String.format(Locale.ROOT, "%,d", metadata.compact().length()) + " characters from the client";
            return switch (this) {
                case FULL -> JsonTextLayout.lines(metadata);
                case HINT_AT_JSON_OPTION -> size + "; --json shows them";
                case HINT_AT_KEY -> size + "; press m to see them";
            };
        }
    }

    /** Prints everything, including the commands that the reader may run. */
    public void print() {
        printHead(digest -> "--definition " + digest);
        printField("waiting for", ProposalTextFormatter.nextActors(proposal));
        if (!canDecide()) {
            printField("next", ProposalTextFormatter.nextStep(proposal));
        }
        printDeadline();
        printRunners();
        printCommands();
        printTimeline();
    }

    /**
     * Prints everything except whose move it is and the commands, for a review session, where the reviewer presses
     * keys.
     */
    public void printForReview() {
        printHead(_ -> "press d");
        printDeadline();
        printRunners();
        printTimeline();
    }

    private void printHead(UnaryOperator<String> approvalHint) {
        commandOutput.printLine(commandOutput.paint(TerminalStyle.BOLD, ProposalTextFormatter.id(proposal)) + "  "
                + commandOutput.paint(ProposalTextFormatter.style(proposal), ProposalTextFormatter.state(proposal)));
        Json payload = ProposalTextFormatter.effectivePayload(proposal);
        // The reviewer must see every parameter that an approval sends on.
        CallParameters parameters = CallParameters.ofMethod(
                payload.at("method").text(),
                payload.at("params"),
                proposal.at("id").text());
        printField(
                "call",
                ProposalTextFormatter.describeTarget(payload)
                        + (ProposalTextFormatter.isEdited(proposal)
                                ? " (edited by the reviewer; the timeline shows the changes)"
                                : ""));
        Json arguments = parameters.arguments();
        if (arguments.isPresent() && !arguments.raw().matches("\\{\\s*}")) {
            printField("arguments", JsonTextLayout.lines(arguments));
        }
        if (proposal.at("redacted").isTrue()) {
            printField(
                    "secrets",
                    "hidden"
                            + (proposal.at("youMayReveal").isTrue()
                                    ? "; to see them: " + command("show", " --reveal")
                                            + " (the ledger records that you saw them)"
                                    : ""));
        }
        if (!parameters.others().members().isEmpty()) {
            printField("parameters", JsonTextLayout.lines(parameters.others()));
        }
        if (parameters.metadata().isPresent()) {
            printField("metadata", metadata.text(parameters.metadata()));
        }
        if (proposal.at("state").text().equals("open")) {
            printRisk();
        }
        List<String> to = proposal.at("to").texts();
        printField(
                "from",
                ProposalTextFormatter.nameWithId(proposal, proposal.at("from").text())
                        + (to.isEmpty() ? "" : ", to " + String.join(", ", to)));
        printField("status", ProposalTextFormatter.status(proposal));
        new ToolDefinitionChangeFormatter(proposal.at("tools"))
                .lines(approvalHint)
                .forEach(line -> printField("tool", line));
    }

    private void printRisk() {
        boolean careful = ProposalTextFormatter.isCareful(proposal);
        printField("effect", careful ? TerminalStyle.BAD : TerminalStyle.PLAIN, ProposalTextFormatter.effect(proposal));
        List<String> warnings = ProposalTextFormatter.warnings(proposal);
        if (!warnings.isEmpty()) {
            printField("check", TerminalStyle.BAD, String.join("\n", warnings));
        }
    }

    private void printRunners() {
        List<String> couldRun = proposal.at("couldRun").texts();
        if (!couldRun.isEmpty()) {
            printField("can run on", String.join(", ", couldRun));
        }
        List<String> instead = proposal.at("couldRunInstead").texts();
        if (!instead.isEmpty()) {
            printField(
                    "can run on", TerminalStyle.BAD, "no addressee; instead, with --to: " + String.join(", ", instead));
        }
    }

    private void printTimeline() {
        commandOutput.printLine("");
        commandOutput.printLine(commandOutput.paint(TerminalStyle.BOLD, "timeline")
                + commandOutput.paint(TerminalStyle.FAINT, " (" + zone + ")"));
        proposal.at("timeline").elements().forEach(this::printStep);
    }

    private void printField(String name, String text) {
        printField(name, TerminalStyle.PLAIN, text);
    }

    private void printField(String name, TerminalStyle style, String text) {
        String label = String.format(Locale.ROOT, "  %-12s", name);
        commandOutput.printLine(commandOutput.paint(TerminalStyle.FAINT, label)
                + SafeText.lines(text)
                        .lines()
                        .map(line -> commandOutput.paint(style, line))
                        .collect(Collectors.joining("\n" + INDENT)));
    }

    private void printDeadline() {
        Optional<Instant> until =
                ProposalTextFormatter.parseTime(proposal.at("guidance").at("until"));
        until.ifPresent(at -> printField(
                "until",
                formatTime(at)
                        + (at.isAfter(now) ? " (in " + DurationTextFormat.format(Duration.between(now, at)) + ")" : "")
                        + ", then " + proposal.at("guidance").at("then").text()));
    }

    /** Whether the reader is a reviewer. The next step then names envelopes, but commands are easier to use here. */
    private boolean canDecide() {
        return proposal.at("guidance").at("toAdvance").elements().stream()
                .anyMatch(move -> move.at("youMay").isTrue()
                        && Set.of("fulfilled", "rejected")
                                .contains(move.at("to").text()));
    }

    /** Prints the commands that the reader may run. */
    private void printCommands() {
        List<String> commands = new ArrayList<>();
        for (Json move : proposal.at("guidance").at("toAdvance").elements()) {
            if (move.at("youMay").isTrue()) {
                switch (move.at("to").text()) {
                    case "fulfilled" -> commands.add(command("approve", ""));
                    case "rejected" -> commands.add(command("reject", " --reason REASON"));
                    case "withdrawn" -> commands.add(command("withdraw", ""));
                    default -> {
                        // This program has no command for the move; the field "next" describes it.
                    }
                }
            }
        }
        if (!commands.isEmpty()) {
            printField("you can", String.join("\n", commands));
        }
    }

    private String command(String name, String options) {
        String id = proposal.at("id").text();
        // An id that starts with "-" must be the last word, after the options.
        return "gavel " + name + " " + topic
                + (id.startsWith("-") ? options : "")
                + " " + ShellQuoting.quoteOperand(id)
                + (id.startsWith("-") ? "" : options);
    }

    private void printStep(Json step) {
        String at = ProposalTextFormatter.parseTime(step.at("at"))
                .map(this::formatTime)
                .orElseGet(() -> SafeText.line(step.at("at").text()));
        String event = SafeText.line(describeEvent(step));
        String by = step.at("by").text();
        // The gateway itself caused the event, so no participant is named.
        commandOutput.printLine("  " + commandOutput.paint(TerminalStyle.FAINT, at) + "  " + event
                + (by.equals(SystemMessage.GATEWAY)
                        ? ""
                        : (event.equals("status") ? " from " : " by ") + ProposalTextFormatter.name(proposal, by))
                + details(step));
        if (step.at("edited").isTrue()) {
            new ArgumentDiff(step.at("proposedParams"), step.at("fulfilledParams"))
                    .lines()
                    .forEach(line -> commandOutput.printLine(INDENT + commandOutput.paint(line.style(), line.text())));
        }
        Json answer = step.at("result");
        if (answer.isPresent()) {
            commandOutput.printLine(
                    INDENT + ToolResultTextRenderer.render(answer).replace("\n", "\n" + INDENT));
        }
    }

    /**
     * The event in the words of the command line; the approval of a proposal is "fulfilled" only on the wire. A member's
     * rejection need not close the proposal, so it is not called "rejected".
     */
    private static String describeEvent(Json step) {
        String event = step.at("event").text();
        return switch (event) {
            case "fulfilled" -> "approved";
            case "approval_held" -> "held approval";
            case "caller_disconnected" -> "caller lost its connection";
            case "caller_waits" -> "caller called again";
            case "rejected" -> RejectionReason.isAbstention(step.at("reason").text()) ? "abstention" : "rejection";
            case "unreachable" -> "no reviewer connected";
            case "reachable" -> "reviewer connected";
            case "outcome_unknown" -> "result unknown";
            default -> event.replace('_', ' ');
        };
    }

    private String details(Json step) {
        StringBuilder details = new StringBuilder();
        List<String> to = step.at("to").texts();
        if (!to.isEmpty()) {
            details.append(", runs on ").append(String.join(", ", to));
        }
        if (step.at("edited").isTrue()) {
            details.append(", with edited arguments");
            switch (step.at("check").text()) {
                case "unchecked" -> details.append(" (not checked, at the reviewer's request)");
                case "no_schema" -> details.append(" (not checked, because no schema was known)");
                default -> {}
            }
        }
        if (step.at("late").isTrue()) {
            details.append(", late");
        }
        if (step.at("ignored").isTrue()) {
            details.append(", ignored because the first answer counts");
        }
        for (String name : new String[] {"outcome", "status", "reason", "why"}) {
            step.at(name).asText().ifPresent(text -> details.append(": ").append(text.replace('_', ' ')));
        }
        step.at("note")
                .asText()
                .ifPresent(note -> details.append(" (").append(note).append(")"));
        List<String> couldFulfil = step.at("couldFulfil").texts();
        if (!couldFulfil.isEmpty()) {
            details.append(": can be decided by ")
                    .append(String.join(
                            ", ",
                            couldFulfil.stream()
                                    .map(id -> ProposalTextFormatter.name(proposal, id))
                                    .toList()));
        }
        return SafeText.line(details.toString());
    }

    private String formatTime(Instant at) {
        return TIME.format(at.atZone(zone));
    }
}
