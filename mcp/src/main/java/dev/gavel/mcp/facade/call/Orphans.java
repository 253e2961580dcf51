package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.SystemMessage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Looks, once after the start, for proposals whose callers waited at a process that is no more: their connections broke with
 * it. Nothing is to run for nobody, so they are withdrawn, unless their callers will call again. Confined to the topic's
 * loop.
 */
public final class Orphans {
    /** What the ids of proposals begin with that were made for clients who wait. */
    static final char LETTER = 'm';

    private static final Pattern ID = Pattern.compile(LETTER + "-[0-9a-f]{22}");

    /** Clients that come back are given as long as any other whose connection broke, and the time to notice. */
    private static final long GRACE_MILLIS = 20_000;

    private static final int PAGE = 200;

    private static final Member GATEWAY =
            new Member(SystemMessage.GATEWAY, Capabilities.compile(List.of()).orThrow());

    private final Room room;
    private final Predicate<String> keeps;

    /**
     * The orphans of a topic.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public Orphans(Room room, Predicate<String> keeps) {
        this.room = room;
        this.keeps = keeps;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    public void lookLater() {
        room.records()
                .ifPresent(records ->
                        room.topic().loop().schedule(() -> look(records, null), GRACE_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void look(Records records, @Nullable String cursor) {
        room.onLoop(
                records.list(
                        GATEWAY, Optional.of(ProposalState.OPEN), Optional.empty(), Optional.ofNullable(cursor), PAGE),
                found -> found.ifPresent(listing -> see(records, listing)),
                failure -> room.log("proposals that nobody waits for could not be looked for", failure));
    }

    private void see(Records records, Listing listing) {
        listing.proposals().stream().filter(this::isOrphan).forEach(this::withdraw);
        listing.next().ifPresent(next -> look(records, next));
    }

    private boolean isOrphan(ProposalView view) {
        return ID.matcher(view.id()).matches()
                && !room.follows(view.id())
                && !keeps.test(view.from())
                && !Words.saysWillCallAgain(view);
    }

    private void withdraw(ProposalView view) {
        room.withdraw(
                new Member(
                        view.from(),
                        Capabilities.compile(List.of("mcpx.withdraw.proposal")).orThrow()),
                view.id(),
                "the gateway was started anew, and the caller has not come back");
    }
}
