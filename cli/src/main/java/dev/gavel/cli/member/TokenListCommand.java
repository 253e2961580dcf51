package dev.gavel.cli.member;

import dev.gavel.cli.ClientCommand;
import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.DurationTextFormat;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.TerminalStyle;
import dev.gavel.cli.TextTable;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.proposal.MemberNameFormatter;
import dev.gavel.cli.proposal.ProposalTextFormatter;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The {@code gavel token list} command: lists the tokens of all identities, without their secrets. */
@Command(
        name = "list",
        description = "List tokens. Secrets are stored hashed and cannot be shown.",
        footer = {
            "  gavel token list",
            "  gavel token list --all      include revoked and expired tokens",
        })
final class TokenListCommand extends ClientCommand {
    @Option(names = "--all", description = "Include revoked and expired tokens.")
    private boolean all;

    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        Json answer = clientCommandContext.gateway().tokens();
        Json names = answer.at("names");
        List<Json> tokens = answer.at("tokens").elements();
        List<Json> visibleTokens = tokens.stream()
                .filter(token -> all || token.at("state").text().equals("active"))
                .toList();
        CommandOutput commandOutput = clientCommandContext.output();
        commandOutput.printJson(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("tokens");
                    visibleTokens.forEach(token -> json.writeRawValue(token.raw()));
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
        TextTable table = new TextTable(List.of("NAME", "STATE", "ID", "ROLES", "TOPICS", "CREATED", "EXPIRES"), 4);
        Instant now = Instant.now();
        visibleTokens.forEach(token -> table.addRow(style(token), cells(token, names, now)));
        table.print(commandOutput);
        if (visibleTokens.size() < tokens.size()) {
            commandOutput.printLine(
                    (tokens.size() - visibleTokens.size()) + " revoked or expired; use --all to show them");
        }
        return ExitCode.SUCCESS;
    }

    private static TerminalStyle style(Json token) {
        return switch (token.at("state").text()) {
            case "active" -> TerminalStyle.GOOD;
            case "revoked" -> TerminalStyle.BAD;
            default -> TerminalStyle.FAINT;
        };
    }

    private static List<String> cells(Json token, Json names, Instant now) {
        return List.of(
                MemberNameFormatter.nameWithId(names, token.at("name").text()),
                SafeText.line(token.at("state").text()),
                SafeText.line(token.at("id").text()),
                joined(token.at("roles")),
                joined(token.at("topics")),
                ProposalTextFormatter.parseTime(token.at("createdAt"))
                                .map(at -> DurationTextFormat.format(Duration.between(at, now)) + " ago")
                                .orElse("-")
                        + token.at("createdBy")
                                .asText()
                                .map(by -> " by " + MemberNameFormatter.nameWithId(names, by))
                                .orElse(""),
                expiry(token, now));
    }

    private static String joined(Json words) {
        return words.texts().isEmpty() ? "-" : SafeText.line(String.join(", ", words.texts()));
    }

    private static String expiry(Json token, Instant now) {
        if (token.at("state").text().equals("revoked")) {
            return "-";
        }
        Optional<Instant> expires = ProposalTextFormatter.parseTime(token.at("expiresAt"));
        return expires.map(at -> at.isAfter(now)
                        ? "in " + DurationTextFormat.formatRemaining(Duration.between(now, at))
                        : DurationTextFormat.format(Duration.between(at, now)) + " ago")
                .orElse("never");
    }
}
