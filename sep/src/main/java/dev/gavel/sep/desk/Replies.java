package dev.gavel.sep.desk;

import dev.gavel.ledger.LedgerFailure;
import dev.gavel.lifecycle.answer.Refusal;
import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.people.Person;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.kept.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonGenerator;

/** Tells whoever asked what came of it: what happened, what had better be otherwise, and what they should do next. */
record Replies(Enquiries enquiries) {
    private static final Logger log = LoggerFactory.getLogger(Replies.class);

    Reply to(Ruling ruling) {
        return to(ruling, List.of(), json -> {});
    }

    /**
     * The answer.
     *
     * @param advice what else there is to say
     * @param more what else to write where it was made
     */
    Reply to(Ruling ruling, List<String> advice, Consumer<JsonGenerator> more) {
        return switch (ruling) {
            case Ruling.Made made -> made(made, advice, more);
            case Ruling.Refused(Refusal refusal) ->
                new Reply.Refused(
                        refusal.code(), refusal.message(), Enquiries.object(json -> Views.refusal(json, refusal)));
            case Ruling.Wrong(String message) -> new Reply.Wrong(message);
            case Ruling.Unknown(int number) -> Enquiries.unknown(number);
        };
    }

    private Reply made(Ruling.Made made, List<String> besides, Consumer<JsonGenerator> more) {
        Sep sep = made.sep();
        List<String> advice = new ArrayList<>(made.advice());
        advice.addAll(besides);
        advice.addAll(load(made));
        Consumer<JsonGenerator> kept = json -> {
            Views.line(json, Line.of(sep, process()));
            Views.texts(json, "did", made.events().stream().map(Sayings::of).toList());
            Views.texts(json, "advice", advice);
        };
        try {
            return new Reply.Done(Enquiries.object(json -> {
                kept.accept(json);
                more.accept(json);
                json.writeObjectPropertyStart("next");
                enquiries.next(json, sep);
                json.writeEndObject();
            }));
        } catch (LedgerFailure e) {
            // It is kept, and that is the answer, whatever cannot be read besides.
            log.error("SEP {} was changed, but not all about it can be read: {}", sep.number(), e.getMessage());
            return new Reply.Done(Enquiries.object(kept));
        }
    }

    private Process process() {
        return enquiries.lifecycle().process();
    }

    /** Whoever has taken on more than they should is told so. */
    private List<String> load(Ruling.Made made) {
        List<String> said = new ArrayList<>();
        for (Event event : made.events()) {
            if (event instanceof Event.RoleTaken taken && isSponsor(taken.role())) {
                Person person = taken.person();
                int load = enquiries
                        .shelf()
                        .held(taken.role())
                        .getOrDefault(person, Set.of())
                        .size();
                if (load > enquiries.wip()) {
                    said.add(person.login() + " looks after " + load + " proposals now, and the limit is "
                            + enquiries.wip() + ".");
                }
            }
        }
        return said;
    }

    private boolean isSponsor(String role) {
        return Line.sponsorRole(process())
                .filter(held -> held.name().equals(role))
                .isPresent();
    }

    /** What concerns the whole desk is for a few. */
    Reply notSteward(String what) {
        List<String> who = new ArrayList<>();
        process().votes().values().forEach(vote -> who.add(process().title(vote.who())));
        who.add("an " + LedgerDesk.ADMIN);
        return new Reply.Refused(
                "not-allowed",
                "Only " + String.join(" or ", who.stream().distinct().toList()) + " may " + what + ".",
                Json.object());
    }

    /** Whether whoever asks decides votes, or administers the server. */
    boolean isSteward() {
        Set<String> roles = enquiries.caller().roles();
        List<String> brought = process().brought(List.copyOf(roles));
        return roles.contains(LedgerDesk.ADMIN)
                || process().votes().values().stream().anyMatch(vote -> brought.contains(vote.who()));
    }
}
