package dev.gavel.lifecycle.shipped;

import dev.gavel.lifecycle.ExternalFacts;
import dev.gavel.lifecycle.LifecycleEngine;
import dev.gavel.lifecycle.actor.Actor;
import dev.gavel.lifecycle.history.Evidence;
import dev.gavel.lifecycle.parser.ProcessFileParser;
import dev.gavel.lifecycle.parser.ProcessParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Test fixture: loads the process files shipped with the program and defines the actors and facts for their tests. */
final class ShippedProcessFixtures {
    static final LifecycleEngine SEP_1286 = read("../processes/sep-1286.yaml");
    static final LifecycleEngine MCP_2026 = read("../processes/mcp-2026.yaml");

    static final Actor ADA = Actor.of("ada");
    static final Actor SAM = Actor.of("sam", "maintainer");
    static final Actor MO = Actor.of("mo", "maintainer");
    static final Actor CORA = Actor.of("cora", "core-maintainer");
    static final Actor CARL = Actor.of("carl", "core-maintainer");
    static final Actor CLEO = Actor.of("cleo", "core-maintainer");
    static final Actor CHET = Actor.of("chet", "core-maintainer");
    static final Actor LEA = Actor.of("lea", "lead-maintainer");
    static final Actor EVE = Actor.of("eve");

    /** The members of each role are known; no fact holds. */
    static final ExternalFacts MEMBERS_ONLY = ExternalFacts.none()
            .withMembers("maintainer", "sam", "mo")
            .withMembers("core-maintainer", "cora", "carl", "cleo", "chet");

    /** The members of each role are known, and the document meets every fact that a move requires. */
    static final ExternalFacts ALL_FACTS_HOLD = MEMBERS_ONLY
            .withFact("titled")
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

    private ShippedProcessFixtures() {}

    static Instant day(long number) {
        return START.plus(Duration.ofDays(number));
    }

    static Evidence textEvidence(String kind) {
        return new Evidence(kind, "words of " + kind);
    }

    static Evidence decision(String to) {
        return new Evidence("decision", to + ": words of decision");
    }

    static Evidence linkEvidence(String kind) {
        return new Evidence(kind, "https://example.org/" + kind);
    }

    static LifecycleEngine read(String file) {
        try {
            return switch (ProcessFileParser.parse(file, Files.readString(Path.of(file)))) {
                case ProcessParseResult.Valid valid -> new LifecycleEngine(valid.processDefinition());
                case ProcessParseResult.Invalid invalid -> throw new AssertionError(invalid.problems());
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
