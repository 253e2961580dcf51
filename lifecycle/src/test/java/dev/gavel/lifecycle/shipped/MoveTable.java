package dev.gavel.lifecycle.shipped;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Test fixture: parses the expected moves of a process from a table of from, to, roles and requirements. */
record MoveTable(List<String> states, List<Row> rows) {
    static final List<String> ROLES =
            List.of("author", "sponsor", "maintainer", "core-maintainer", "successor-sponsor", "system", "anyone");
    static final List<String> TYPES = List.of("Standards Track", "Extensions Track", "Informational", "Process");

    private static final Pattern NEED = Pattern.compile("([^(]+?)\\s*(?:\\(([^)]*)\\))?");

    /** A row of the table. */
    record Row(Set<String> from, String to, List<String> who, List<Need> needs) {
        /** Whether a person with a role may make the move; a core maintainer is a maintainer too. */
        boolean allows(String role) {
            return who.contains(role) || (role.equals("core-maintainer") && who.contains("maintainer"));
        }

        List<Need> needs(String type) {
            return needs.stream().filter(need -> need.types().contains(type)).toList();
        }
    }

    /** A requirement for SEPs of some types, met by any one of several alternatives. */
    record Need(List<String> choices, List<String> types) {}

    static MoveTable of(String states, String text) {
        return new MoveTable(list(states), text.lines().map(MoveTable::row).toList());
    }

    Optional<Row> row(String from, String to) {
        List<Row> found = rows.stream()
                .filter(row -> row.from().contains(from) && row.to().equals(to))
                .toList();
        if (found.size() > 1) {
            throw new AssertionError("two rows from " + from + " to " + to);
        }
        return found.stream().findFirst();
    }

    Set<String> targets(String from) {
        Set<String> targets = new TreeSet<>();
        rows.stream().filter(row -> row.from().contains(from)).forEach(row -> targets.add(row.to()));
        return targets;
    }

    private static Row row(String line) {
        String[] cells = line.split("\\|", -1);
        return new Row(
                Set.copyOf(list(cells[0])),
                cells[1].strip(),
                list(cells[2]),
                Arrays.stream(cells[3].split(";"))
                        .map(String::strip)
                        .filter(need -> !need.isEmpty())
                        .map(MoveTable::need)
                        .toList());
    }

    private static Need need(String text) {
        Matcher matcher = NEED.matcher(text);
        if (!matcher.matches()) {
            throw new AssertionError(text);
        }
        return new Need(
                Arrays.stream(matcher.group(1).split("/")).map(String::strip).toList(),
                matcher.group(2) == null ? TYPES : list(matcher.group(2)));
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",")).map(String::strip).toList();
    }
}
