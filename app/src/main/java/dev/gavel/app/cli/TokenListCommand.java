package dev.gavel.app.cli;

import dev.gavel.client.http.RemoteException;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the tokens there are. */
@Command(
        name = "list",
        description = "List the tokens there are; their secrets nobody knows.",
        footer = {
            "  gavel token list",
            "  gavel token list --all      those that are revoked or expired too",
        })
final class TokenListCommand extends ClientCommand {
    @Option(names = "--all", description = "Those that are revoked or expired too.")
    private boolean all;

    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        List<Json> tokens = client.gateway().tokens().at("tokens").elements();
        List<Json> shown = tokens.stream()
                .filter(token -> all || token.at("state").text().equals("active"))
                .toList();
        Screen screen = client.screen();
        screen.document(Json.write(json -> {
                    json.writeStartObject();
                    json.writeArrayPropertyStart("tokens");
                    shown.forEach(token -> json.writeRawValue(token.raw()));
                    json.writeEndArray();
                    json.writeEndObject();
                })
                .raw());
        Table table = new Table(List.of("NAME", "STATE", "ID", "ROLES", "TOPICS", "MADE", "EXPIRES"), 4);
        Instant now = Instant.now();
        shown.forEach(token -> table.row(style(token), cells(token, now)));
        table.print(screen);
        if (shown.size() < tokens.size()) {
            screen.line((tokens.size() - shown.size()) + " revoked or expired; see them with --all");
        }
        return ExitCode.DONE;
    }

    private static Style style(Json token) {
        return switch (token.at("state").text()) {
            case "active" -> Style.GOOD;
            case "revoked" -> Style.BAD;
            default -> Style.FAINT;
        };
    }

    private static List<String> cells(Json token, Instant now) {
        return List.of(
                SafeText.line(token.at("name").text()),
                SafeText.line(token.at("state").text()),
                SafeText.line(token.at("id").text()),
                names(token.at("roles")),
                names(token.at("topics")),
                ProposalText.time(token.at("createdAt"))
                                .map(at -> Durations.brief(Duration.between(at, now)) + " ago")
                                .orElse("-")
                        + token.at("createdBy")
                                .ifText()
                                .map(by -> " by " + SafeText.line(by))
                                .orElse(""),
                expiry(token, now));
    }

    private static String names(Json names) {
        return names.texts().isEmpty() ? "-" : SafeText.line(String.join(", ", names.texts()));
    }

    private static String expiry(Json token, Instant now) {
        if (token.at("state").text().equals("revoked")) {
            return "-";
        }
        Optional<Instant> expires = ProposalText.time(token.at("expiresAt"));
        return expires.map(at -> at.isAfter(now)
                        ? "in " + Durations.left(Duration.between(now, at))
                        : Durations.brief(Duration.between(at, now)) + " ago")
                .orElse("never");
    }
}
