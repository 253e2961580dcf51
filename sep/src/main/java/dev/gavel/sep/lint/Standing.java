package dev.gavel.sep.lint;

import dev.gavel.lifecycle.process.Process;
import dev.gavel.lifecycle.process.State;
import dev.gavel.sep.document.Document;
import dev.gavel.sep.document.Key;
import dev.gavel.sep.document.Outline;
import java.util.Optional;

/** Where a proposal stands, by the ledger or else by its document. Immutable. */
final class Standing {
    private final Outline outline;
    private final LintContext context;

    Standing(Document document, LintContext context) {
        this.outline = document.outline();
        this.context = context;
    }

    /** The state the document's status means; empty where it has none or means nothing. */
    Optional<String> said() {
        return outline.status().flatMap(word -> process().stateMeant(word, this::held));
    }

    /** The state it is in. */
    String state() {
        return context.kept()
                .map(LintContext.Kept::state)
                .or(this::said)
                .orElse(process().start().to());
    }

    /** Whether somebody must yet act on it. */
    boolean open() {
        State state = process().states().get(state());
        return state != null && state.open();
    }

    /** Its type, as the process spells it; where it says none or another, the one the process takes it for. */
    String type() {
        return Optional.ofNullable(process().attributes().get("type"))
                .flatMap(
                        attribute -> outline.type().flatMap(attribute::spelling).or(attribute::otherwise))
                .or(outline::type)
                .orElse("");
    }

    /** Documents name the holders of roles in fields of the same names. */
    private boolean held(String role) {
        if (context.kept().isPresent()) {
            return context.kept().get().held().test(role);
        }
        return role.equalsIgnoreCase(Key.SPONSOR.word())
                ? outline.sponsor().isPresent()
                : role.equals(process().proposer().name()) && !outline.authors().isEmpty();
    }

    private Process process() {
        return context.process();
    }
}
