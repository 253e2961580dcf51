package dev.gavel.app.client.examples;

import dev.gavel.client.*;

/** Approves harmless calls, rejects harmful ones, and leaves the rest to other reviewers. */
public final class ReviewDesk {
    public static void main(String[] args) {
        try (Participant alice =
                Gavel.at(args[0]).token(Token.env("ALICE_TOKEN")).topic("main").connect()) {
            alice.review(proposal -> {
                Call call = proposal.call();
                String path = call.arguments().at("path").text();
                System.out.println(proposal.from() + " proposes " + call.tool().orElse(call.method()) + " " + path);
                if (path.contains("..")) {
                    return Decision.reject("unsafe").note("the path must not contain ..");
                }
                return path.endsWith(".txt")
                        ? Decision.approve(call.argument("path", "old/" + path)).runBy("files")
                        : Decision.leave();
            });
            System.out.println(alice.awaitOver().getMessage());
        }
    }
}
