package dev.gavel.app.register;

import dev.gavel.app.identity.Identity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Says how what was changed at run time about somebody who is, or was, configured differs from the configuration. */
record Differences(Register register, String name, Entry entry) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        Optional<Identity> configured = register.configured(name);
        if (configured.isEmpty()) {
            return entry.places().isEmpty()
                    ? lines
                    : List.of("'" + name + "' is in the configuration no more, so what was set for it has no effect");
        }
        configured
                .flatMap(Identity::token)
                .map(entry.refused()::get)
                .ifPresent(act -> lines.add("the configured token of '" + name + "' is refused: revoked by " + said(act)
                        + "; configure another one"));
        entry.roles()
                .filter(set -> !set.roles().equals(configured.get().roles()))
                .ifPresent(
                        set -> lines.add("the roles of '" + name + "' are " + new TreeSet<>(set.roles()) + ", set by "
                                + said(set.act()) + "; the configuration says "
                                + new TreeSet<>(configured.get().roles())));
        entry.places().forEach((topic, place) -> place(topic, place).ifPresent(lines::add));
        return lines;
    }

    private Optional<String> place(String topic, Entry.Place place) {
        if (!register.hasTopic(topic)) {
            return Optional.of("what '" + name + "' may send in '" + topic + "' was set by " + said(place.act())
                    + ", and has no effect: there is no such topic");
        }
        if (place.capabilities().equals(register.configuredIn(topic, name))) {
            return Optional.empty();
        }
        String what = place.capabilities().isPresent()
                ? "what '" + name + "' may send in '" + topic + "' was set by "
                : "'" + name + "' was taken out of '" + topic + "' by ";
        return Optional.of(what + said(place.act())
                + ", whatever the configuration says; to go back: gavel member reset " + topic + " " + name);
    }

    private static String said(Act act) {
        return act.by() + " at " + act.at();
    }
}
