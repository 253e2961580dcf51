package dev.gavel.sep.sweep;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.History;
import dev.gavel.lifecycle.people.Actor;
import dev.gavel.lifecycle.people.Party;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Links;
import dev.gavel.sep.document.Outline;
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

/** Proposals and notices the tests are about. */
final class Samples {
    static final Lifecycle PROCESS = read("../processes/sep-1286.yaml");
    static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

    static final Circumstances PEOPLE = Circumstances.unknown()
            .withMembers("maintainer", "mo", "sam")
            .withMembers("core-maintainer", "cora", "carl")
            .withFact("titled")
            .withFact("abstract")
            .withFact("motivation")
            .withFact("complete");

    private Samples() {}

    static Sep sep(int number, String title, History history) {
        return new Sep(
                number,
                history,
                new Outline(
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
                        Links.NONE,
                        title),
                "0".repeat(64));
    }

    /** A proposal of somebody's from the first day. */
    static Sep proposal(int number, String title, String author) {
        return sep(
                number,
                title,
                History.of(List.of(new Event.Submitted(
                        START,
                        Actor.of(author),
                        "proposal",
                        "author",
                        List.of(new Person(author)),
                        Map.of("title", title)))));
    }

    static Notice notice(String title, String text, Party... whom) {
        return new Notice(
                12,
                title,
                List.of(whom),
                Notice.Kind.PING,
                text,
                Optional.of(URI.create("https://gavel.example/seps/12")),
                START);
    }

    static Lifecycle read(String file) {
        try {
            return switch (ProcessFile.read(file, Files.readString(Path.of(file)))) {
                case Reading.Sound sound -> new Lifecycle(sound.process());
                case Reading.Unsound unsound -> throw new AssertionError(unsound.problems());
            };
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
