package dev.gavel.cli.review;

import dev.gavel.cli.ClientCommandContext;
import dev.gavel.cli.CommandException;
import dev.gavel.cli.CommandOutput;
import dev.gavel.cli.ExitCode;
import dev.gavel.cli.ShutdownAction;
import dev.gavel.cli.TokenSourcePolicy;
import dev.gavel.cli.TopicClientCommand;
import dev.gavel.cli.terminal.FullScreenTerminal;
import dev.gavel.cli.terminal.KeyDecoder;
import dev.gavel.client.http.RemoteGatewayException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;

/** The {@code gavel review} command: lets a reviewer decide a topic's open proposals one by one at a terminal. */
@Command(
        name = "review",
        description = "Review a topic's open proposals one by one in the terminal.",
        footer = {
            "  gavel review main",
            "  EDITOR='code --wait' gavel review main",
            "",
            "The command shows the open proposals that you can decide, one at a time. It",
            "starts with the proposal that expires first. Keys: a approves, e edits the",
            "arguments in your editor, r rejects, s skips, ? shows all keys, q quits. The",
            "screen shows decisions of other reviewers and new proposals automatically.",
            "In scripts, use 'gavel proposals', 'gavel approve' and 'gavel reject' instead.",
        })
public final class ReviewCommand extends TopicClientCommand {
    @Override
    protected TokenSourcePolicy tokenPolicy() {
        return TokenSourcePolicy.LOGIN_REQUIRED;
    }

    @Override
    protected int run(ClientCommandContext clientCommandContext) throws RemoteGatewayException, InterruptedException {
        if (clientCommandContext.output().isJson()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "'gavel review' is interactive and prints no JSON. Use 'gavel proposals " + topic()
                            + " --state open --json', then 'gavel approve' or 'gavel reject'.");
        }
        if (!clientCommandContext.environment().terminal()) {
            throw noTerminal();
        }
        BlockingQueue<ReviewSessionEvent> events = new LinkedBlockingQueue<>();
        ReviewQueue queue = new ReviewQueue(clientCommandContext.gateway(), topic());
        // Open the stream before loading the list: a change between the two is then seen twice instead of never.
        try (ReviewFeed _ = ReviewFeed.open(clientCommandContext.gateway(), topic(), events)) {
            review(clientCommandContext, queue, events);
        } finally {
            queue.decisions().forEach(clientCommandContext.output()::printLine);
        }
        if (queue.decisions().isEmpty()) {
            clientCommandContext.output().printLine("nothing decided");
        }
        return ExitCode.SUCCESS;
    }

    private static void onInterrupt(FullScreenTerminal screen, ReviewQueue queue, CommandOutput output) {
        screen.close();
        queue.decisions().forEach(output::printLine);
    }

    private void review(
            ClientCommandContext clientCommandContext, ReviewQueue queue, BlockingQueue<ReviewSessionEvent> events)
            throws RemoteGatewayException, InterruptedException {
        BlockingQueue<Boolean> handledKeys = new LinkedBlockingQueue<>();
        try (FullScreenTerminal screen = FullScreenTerminal.open(out()).orElseThrow(this::noTerminal);
                ShutdownAction _ =
                        new ShutdownAction(() -> onInterrupt(screen, queue, clientCommandContext.output()))) {
            Thread.ofPlatform().daemon().name("keys").start(() -> readKeys(System.in, events, handledKeys));
            new ReviewSession(clientCommandContext, screen, queue, events).run(handledKeys::add);
        }
    }

    private CommandException noTerminal() {
        return new CommandException(
                ExitCode.USAGE,
                "'gavel review' needs a terminal. Without one, use 'gavel proposals " + topic()
                        + " --state open', then 'gavel approve' or 'gavel reject'.");
    }

    /** Reads more keys only after the session has handled the last ones, so that an editor has the keys to itself. */
    private static void readKeys(
            InputStream in, BlockingQueue<ReviewSessionEvent> events, BlockingQueue<Boolean> handledKeys) {
        KeyDecoder decoder = new KeyDecoder();
        byte[] bytes = new byte[4096];
        try {
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                events.put(new ReviewSessionEvent.KeysPressed(decoder.decode(Arrays.copyOf(bytes, read))));
                if (handledKeys.take()) {
                    in.skipNBytes(in.available());
                }
            }
            events.put(new ReviewSessionEvent.TerminalClosed());
        } catch (IOException e) {
            events.add(new ReviewSessionEvent.TerminalClosed());
        } catch (InterruptedException e) {
            // The review is over.
        }
    }
}
