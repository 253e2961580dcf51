package dev.gavel.lifecycle.shipped;

import dev.gavel.lifecycle.Circumstances;
import dev.gavel.lifecycle.Lifecycle;
import dev.gavel.lifecycle.file.ProcessFile;
import dev.gavel.lifecycle.file.Reading;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.people.Actor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** The processes that come with the program, as their files say, and the people tests have live under them. */
final class Shipped {
    static final Lifecycle SEP_1286 = read("../processes/sep-1286.yaml");
    static final Lifecycle MCP_2026 = read("../processes/mcp-2026.yaml");

    static final Actor ADA = Actor.of("ada");
    static final Actor SAM = Actor.of("sam", "maintainer");
    static final Actor MO = Actor.of("mo", "maintainer");
    static final Actor CORA = Actor.of("cora", "core-maintainer");
    static final Actor CARL = Actor.of("carl", "core-maintainer");
    static final Actor CLEO = Actor.of("cleo", "core-maintainer");
    static final Actor CHET = Actor.of("chet", "core-maintainer");
    static final Actor EVE = Actor.of("eve");

    /** Who is who; no fact holds. */
    static final Circumstances PEOPLE = Circumstances.unknown()
            .withMembers("maintainer", "sam", "mo")
            .withMembers("core-maintainer", "cora", "carl", "cleo", "chet");

    /** Who is who, and the document has all that any move asks of it. */
    static final Circumstances ALL_THERE = PEOPLE.withFact("titled")
            .withFact("abstract")
            .withFact("motivation")
            .withFact("complete")
            .withFact("section-abstract")
            .withFact("section-motivation")
            .withFact("section-specification")
            .withFact("section-rationale")
            .withFact("section-backward-compatibility")
            .withFact("named-back");

    static final Instant START = Instant.parse("2026-01-05T09:00:00Z");

    private Shipped() {}

    static Instant day(long number) {
        return START.plus(Duration.ofDays(number));
    }

    static Evidence words(String kind) {
        return new Evidence(kind, "words of " + kind);
    }

    static Evidence link(String kind) {
        return new Evidence(kind, "https://example.org/" + kind);
    }

    static Lifecycle read(String file) {
        try {
            return switch (ProcessFile.read(file, Files.readString(Path.of(file)))) {
                case Reading.Sound sound -> new Lifecycle(sound.process());
                case Reading.Unsound unsound -> throw new AssertionError(unsound.problems());
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
