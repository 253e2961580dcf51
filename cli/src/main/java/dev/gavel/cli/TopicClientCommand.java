package dev.gavel.cli;

import dev.gavel.mcpx.TopicName;
import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.mcpx.text.SafeText;
import picocli.CommandLine.Parameters;

/** Base class of client commands whose first parameter is a topic. */
public abstract class TopicClientCommand extends ClientCommand {
    @Parameters(index = "0", paramLabel = "TOPIC", description = "The topic's name.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String topic;

    public String topic() {
        return topic;
    }

    @Override
    protected void validate() {
        if (TopicName.parse(topic) instanceof ValueParseResult.Invalid<TopicName>(String problem)) {
            throw new CommandException(ExitCode.USAGE, SafeText.line(problem));
        }
    }
}
