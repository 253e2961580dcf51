package dev.gavel.cli;

import dev.gavel.client.http.GatewayEndpoint;
import dev.gavel.client.http.RemoteGateway;
import dev.gavel.client.http.RemoteGatewayException;
import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.yaml.WordSuggester;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** Base class of client commands whose first parameter is a topic. */
public abstract class TopicClientCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    public String topic() {
        return topic;
    }

    /** Names the command that lists what the user mistyped. */
    @Override
    protected Optional<String> hint(String code, GatewayEndpoint endpoint) throws InterruptedException {
        return switch (code) {
            case "unknown_proposal" -> Optional.of(listProposalsHint(topic));
            case "no_such_topic", "not_a_member" -> Optional.of(topicHint(endpoint));
            default -> super.hint(code, endpoint);
        };
    }

    /** Names the command that lists the proposals of a topic. */
    public static String listProposalsHint(String topic) {
        return "'gavel proposals " + SafeText.line(topic) + "' lists the proposals.";
    }

    private String topicHint(GatewayEndpoint endpoint) throws InterruptedException {
        try (RemoteGateway gateway = new RemoteGateway(endpoint)) {
            List<String> names = gateway.topics().at("topics").elements().stream()
                    .map(each -> each.at("name").text())
                    .toList();
            Optional<String> near = WordSuggester.suggest(topic, names).filter(name -> !name.equals(topic));
            if (near.isPresent()) {
                return "Did you mean '" + SafeText.line(near.get()) + "'?";
            }
        } catch (RemoteGatewayException e) {
            // The refusal stays without a suggestion.
        }
        return "'gavel topic list' lists your topics.";
    }

    @Override
    protected void validate() {
        if (TopicName.parse(topic) instanceof ValueParseResult.Invalid<TopicName>(String problem)) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(problem));
        }
    }
}
