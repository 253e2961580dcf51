package dev.gavel.app.cli;

import dev.gavel.app.terminal.FullScreen;
import dev.gavel.app.terminal.KeyDecoder;
import dev.gavel.client.http.RemoteException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import picocli.CommandLine.Command;

/** Decides a topic's proposals one after the other, by single keys. */
@Command(
        name = "review",
        description = "Decide a topic's open proposals one by one, at a terminal.",
        footer = {
            "  gavel review main",
            "  EDITOR='code --wait' gavel review main",
            "",
            "Shows the open proposal that expires first, of those you could decide, in full:",
            "a approves, e edits its arguments in your editor, r rejects, s skips,",
            "? explains all keys, q quits. Whatever happens meanwhile is shown as it happens.",
            "Scripts use 'gavel proposals', 'gavel approve' and 'gavel reject' instead.",
        })
final class ReviewCommand extends InTopicCommand {
    @Override
    protected int run(Client client) throws RemoteException, InterruptedException {
        if (client.screen().json()) {
            throw new Complaint(
                    ExitCode.USAGE,
                    "review is for people and prints no JSON; use 'gavel proposals " + topic()
                            + " --state open --json', then 'gavel approve' or 'gavel reject'");
        }
        if (!client.here().terminal()) {
            throw noTerminal();
        }
        BlockingQueue<ReviewEvent> events = new LinkedBlockingQueue<>();
        ReviewDesk desk = new ReviewDesk(client.gateway(), topic());
        // First the stream, then the list: what happens between is told twice, not never.
        try (ReviewFeed _ = ReviewFeed.open(client.gateway(), topic(), events)) {
            review(client, desk, events);
        } finally {
            desk.decided().forEach(client.screen()::line);
        }
        if (desk.decided().isEmpty()) {
            client.screen().line("nothing decided");
        }
        return ExitCode.DONE;
    }

    private static void stopped(FullScreen screen, ReviewDesk desk, Screen after) {
        screen.close();
        desk.decided().forEach(after::line);
    }

    private void review(Client client, ReviewDesk desk, BlockingQueue<ReviewEvent> events)
            throws RemoteException, InterruptedException {
        BlockingQueue<Boolean> taken = new LinkedBlockingQueue<>();
        try (FullScreen screen = FullScreen.open(out()).orElseThrow(this::noTerminal);
                OnInterrupt _ = new OnInterrupt(() -> stopped(screen, desk, client.screen()))) {
            Thread.ofPlatform().daemon().name("keys").start(() -> readKeys(System.in, events, taken));
            new Review(client, screen, desk, events).run(taken::add);
        }
    }

    private Complaint noTerminal() {
        return new Complaint(
                ExitCode.USAGE,
                "review needs a terminal; without one use 'gavel proposals " + topic()
                        + " --state open', then 'gavel approve' or 'gavel reject'");
    }

    /** Reads on only when what was read is dealt with, so that an editor has the keys to itself. */
    private static void readKeys(InputStream in, BlockingQueue<ReviewEvent> events, BlockingQueue<Boolean> taken) {
        KeyDecoder decoder = new KeyDecoder();
        byte[] bytes = new byte[4096];
        try {
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
                events.put(new ReviewEvent.Pressed(decoder.keys(Arrays.copyOf(bytes, read))));
                if (taken.take()) {
                    in.skipNBytes(in.available());
                }
            }
            events.put(new ReviewEvent.HungUp());
        } catch (IOException e) {
            events.add(new ReviewEvent.HungUp());
        } catch (InterruptedException e) {
            // The review is over.
        }
    }
}
