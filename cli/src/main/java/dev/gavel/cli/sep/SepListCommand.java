package dev.gavel.cli.sep;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.sep.service.SepOperation;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The {@code gavel sep list} command: lists SEPs, optionally only those with a given state, author, sponsor or type.
 */
@Command(
        name = "list",
        description = "List specification proposals, newest first.",
        footer = {
            "  gavel sep list --open",
            "  gavel sep list --state in-review",
            "  gavel sep list --sponsor alice --json | jq '.seps[].number'",
        })
final class SepListCommand extends SepClientCommand {
    @Option(names = "--state", paramLabel = "STATE", description = "Only proposals in this state.")
    private @Nullable String state;

    @Option(names = "--author", paramLabel = "PERSON", description = "Only proposals of this author.")
    private @Nullable String author;

    @Option(names = "--sponsor", paramLabel = "PERSON", description = "Only proposals with this sponsor.")
    private @Nullable String sponsor;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only proposals of this type.")
    private @Nullable String type;

    @Option(names = "--text", paramLabel = "WORDS", description = "Only proposals with these words in the title.")
    private @Nullable String text;

    @ArgGroup
    private @Nullable OpenOrFinished openOrFinished;

    @Option(names = "--limit", paramLabel = "COUNT", description = "Maximum number of results.")
    private @Nullable Integer limit;

    @Option(names = "--cursor", paramLabel = "CURSOR", description = "Cursor that the previous page returned.")
    private @Nullable String cursor;

    /** The options {@code --open} and {@code --finished}, of which at most one may be given. */
    static final class OpenOrFinished {
        @Option(names = "--open", description = "Only proposals that require an action.")
        private boolean open;

        @Option(names = "--finished", description = "Only proposals that require no more actions.")
        private boolean finished;
    }

    SepListCommand() {
        super(SepOperation.LIST);
    }

    @Override
    SepApiRequest newRequest(ClientCommandContext clientCommandContext) {
        return openOrFinished == null
                ? filterRequest()
                : filterRequest().with("open", openOrFinished.open && !openOrFinished.finished);
    }

    private SepApiRequest filterRequest() {
        return newRequest()
                .with("state", state)
                .with("author", author)
                .with("sponsor", sponsor)
                .with("type", type)
                .with("text", text)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
