package dev.gavel.app.client.examples;

import dev.gavel.client.*;
import java.time.Duration;

/** Proposes a call that it is not allowed to make itself, and waits for the result. */
public final class Agent {
    public static void main(String[] args) {
        try (Participant agent =
                Gavel.at(args[0]).token(Token.env("HELPER_TOKEN")).topic("main").connect()) {
            Pending pending = agent.propose(Call.tool("delete_file").argument("path", "notes.txt"))
                    .ttl(Duration.ofMinutes(5))
                    .onGuidance(guidance -> System.out.println(guidance.status()))
                    .send();
            System.out.println(
                    switch (pending.await()) {
                        case End.Succeeded end -> "done: " + end.text();
                        case End.Failed end -> "failed: " + end.text();
                        case End.Unknown end -> "result unknown: " + end.why();
                        case End.Rejected end -> "rejected: " + end.reasons();
                        case End.Withdrawn _ -> "withdrawn";
                        case End.Expired _ -> "no reviewer decided in time";
                        case End.Refused end -> "refused: " + end.problem().detail();
                    });
        }
    }
}
