package dev.gavel.sep.notification;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.actor.Person;
import dev.gavel.lifecycle.actor.PersonOrGroup;
import dev.gavel.lifecycle.history.LifecycleEvent;
import dev.gavel.lifecycle.history.LifecycleHistory;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.DeclaredSepRelations;
import dev.gavel.sep.document.DocumentMetadata;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Sample SEPs and notifications for notification tests. */
final class NotificationFixtures {
    static final LifecycleEngine PROCESS = read("../processes/sep-1286.yaml");
    static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

    static final ExternalFacts PEOPLE = ExternalFacts.none()
            .withMembers("maintainer", "mo", "sam")
            .withMembers("core-maintainer", "cora", "carl")
            .withFact("titled")
            .withFact("abstract")
            .withFact("motivation")
            .withFact("complete");

    private NotificationFixtures() {}

    static Sep sep(int number, String title, LifecycleHistory history) {
        return new Sep(
                number,
                history,
                new DocumentMetadata(
                        OptionalInt.of(number),
                        title,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Set.of(),
                        DeclaredSepRelations.NONE,
                        title),
                "0".repeat(64));
    }

    /** Returns a SEP submitted by an author on the first day. */
    static Sep proposal(int number, String title, String author) {
        return sep(
                number,
                title,
                LifecycleHistory.of(List.of(new LifecycleEvent.Submitted(
                        START,
                        Actor.of(author),
                        "proposal",
                        "author",
                        List.of(new Person(author)),
                        Map.of("title", title)))));
    }

    static SepNotification notice(String title, String text, PersonOrGroup... recipients) {
        return new SepNotification(
                12,
                "SEP-12",
                title,
                List.of(recipients),
                SepNotification.Kind.PING,
                text,
                Optional.of(URI.create("https://gavel.example/seps/12")),
                START);
    }

    static LifecycleEngine read(String file) {
        try {
            return switch (ProcessFileParser.parse(file, Files.readString(Path.of(file)))) {
                case ProcessParseResult.Valid valid -> new LifecycleEngine(valid.processDefinition());
                case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
            };
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
