package dev.gavel.sep.service;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.document.DocumentPath;
import dev.gavel.sep.document.SideFileText;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * What the caller states about a document that is imported. Immutable.
 *
 * @param path the path of the document in the directory that is imported
 * @param created when the document was added to its repository; used if the document states no date
 * @param changed when the document was last changed; the clocks of the SEP start then
 * @param assignsNumber whether a document without a number gets the next one; otherwise it is refused
 */
record ImportOptions(
        Optional<DocumentPath> path, Optional<Instant> created, Optional<Instant> changed, boolean assignsNumber) {
    private static final String PATH = "path";
    private static final String SIDE = "side";
    private static final String CREATED = "created";
    private static final String CHANGED = "changed";
    private static final String ASSIGN = "assign";

    static ImportOptions of(Json arguments) {
        return new ImportOptions(
                path(arguments),
                arguments.at(CREATED).asText().flatMap(ImportOptions::parseTime),
                arguments.at(CHANGED).asText().flatMap(ImportOptions::parseTime),
                !arguments.at(ASSIGN).isPresent() || arguments.at(ASSIGN).isTrue());
    }

    private static Optional<DocumentPath> path(Json arguments) {
        Optional<DocumentPath> path = arguments.at(PATH).asText().flatMap(DocumentPath::parse);
        Optional<String> side = arguments.at(SIDE).asText();
        return side.isPresent() ? path.flatMap(document -> document.withSideFile(side.get())) : path;
    }

    /** Returns why the arguments are invalid; empty if they are valid. */
    static Optional<String> validate(Json arguments) {
        if (arguments.at(PATH).isPresent()
                && DocumentPath.parse(arguments.at(PATH).text()).isEmpty()) {
            return Optional.of("'path' must be the relative path of a text document, such as seps/42-paging.md,"
                    + " without parts that begin with a dot");
        }
        if (arguments.at(SIDE).isPresent()
                && (path(arguments).isEmpty()
                        || SideFileText.split(arguments.at("document").text()).isEmpty())) {
            return Optional.of("'side' must be the name of a YAML file beside the document, such as kep.yaml; it needs"
                    + " 'path', and 'document' must begin with the content of that file as front matter");
        }
        for (String name : new String[] {CREATED, CHANGED}) {
            if (arguments.at(name).isPresent()
                    && parseTime(arguments.at(name).text()).isEmpty()) {
                return Optional.of(
                        "'" + name + "' must be a date such as 2027-01-31, or a time such as 2027-01-31T09:00:00Z");
            }
        }
        return Optional.empty();
    }

    /** Returns when the imported SEP enters its state: the last change of its document, or else the import. */
    Instant enteredAt(Instant now) {
        return changed.filter(time -> time.isBefore(now)).orElse(now);
    }

    /** Returns when the SEP was submitted: as its document says, or else when the document was added, or else imported. */
    Instant submittedAt(Optional<LocalDate> statedDate, Instant now) {
        return statedDate
                .map(date -> date.atStartOfDay(ZoneOffset.UTC).toInstant())
                .filter(time -> !time.isAfter(now))
                .or(() -> created.filter(time -> !time.isAfter(now)))
                .orElseGet(() -> enteredAt(now));
    }

    private static Optional<Instant> parseTime(String text) {
        String word = text.strip();
        try {
            return Optional.of(
                    word.length() == 10
                            ? LocalDate.parse(word).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : OffsetDateTime.parse(word).toInstant());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
