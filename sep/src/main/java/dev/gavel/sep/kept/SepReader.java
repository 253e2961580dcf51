package dev.gavel.sep.kept;

import dev.gavel.lifecycle.history.Event;
import dev.gavel.lifecycle.history.History;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.Sep;
import dev.gavel.sep.document.Links;
import dev.gavel.sep.document.Outline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts proposals together from what is kept of them. Thread-safe. */
public record SepReader(EventCodec codec) {
    private static final Outline NOTHING = new Outline(
            OptionalInt.empty(),
            "",
            Optional.empty(),
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Set.of(),
            Links.NONE,
            "");

    /** The proposal that these events, all of one, come to; none where there are none. */
    public Optional<Sep> read(List<dev.gavel.ledger.Event> kept) {
        return kept.isEmpty() ? Optional.empty() : Optional.of(plus(null, kept));
    }

    /**
     * A proposal with more events after it; from its beginning where it is not known yet.
     *
     * @throws Unreadable where the events make no sense
     */
    public Sep plus(@Nullable Sep before, List<dev.gavel.ledger.Event> more) {
        try {
            return together(before, more);
        } catch (Unreadable e) {
            throw e;
        } catch (RuntimeException e) {
            // Whatever is wrong with one proposal must be known to be that one's alone.
            throw new Unreadable("SEP " + more.getFirst().subject() + " cannot be put together: " + e.getMessage(), e);
        }
    }

    private Sep together(@Nullable Sep before, List<dev.gavel.ledger.Event> more) {
        List<Event> events = new ArrayList<>(more.size());
        Outline outline = before == null ? NOTHING : before.outline();
        String document = before == null ? "" : before.document();
        for (dev.gavel.ledger.Event each : more) {
            Json body = EventCodec.bodyOf(each);
            events.add(codec.read(each, body));
            if (body.at("document").there()) {
                document = body.at("document").text();
                outline = OutlineCodec.read(body.at("outline"));
            }
        }
        int number = before == null ? number(more.getFirst().subject()) : before.number();
        History history = (before == null ? History.empty() : before.history()).plus(events);
        return new Sep(number, history, outline, document);
    }

    /** The number a subject of the ledger is. */
    static int number(String subject) {
        return Integer.parseInt(subject);
    }
}
