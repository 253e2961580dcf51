package dev.gavel.mcp.facade.call;

import dev.gavel.gateway.Member;
import dev.gavel.gateway.Records;
import dev.gavel.gateway.bus.Bus;
import dev.gavel.gateway.docket.Listing;
import dev.gavel.gateway.proposal.ProposalState;
import dev.gavel.gateway.proposal.ProposalView;
import dev.gavel.mcpx.Capabilities;
import dev.gavel.mcpx.SystemMessage;
import io.netty.util.concurrent.EventExecutor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks, after the start and whenever another process has been gone for a while, for proposals whose callers waited at a process
 * that is no more: their connections broke with it. Nothing is to run for nobody, so they are withdrawn, unless their callers will call
 * again. Several processes may try, and the ledger lets one. Confined to the topic's loop.
 */
public final class Orphans {
    /** What the ids of proposals begin with that were made for clients who wait. */
    private static final char LETTER = 'm';

    /** The process that waits stands at the end; older ids say none. */
    private static final Pattern ID = Pattern.compile(LETTER + "-[0-9a-f]{22}(?:-([0-9A-Za-z]{1,64}))?");

    /** Clients that come back are given as long as any other whose connection broke, and the time to notice. */
    private static final long GRACE_MILLIS = 20_000;

    private static final long LOOK_MILLIS = 5_000;

    private static final int PAGE = 200;

    private static final Member GATEWAY =
            new Member(SystemMessage.GATEWAY, Capabilities.compile(List.of()).orThrow());

    private final Room room;
    private final Bus bus;
    private final Predicate<String> keeps;

    /** Other processes at which somebody waits, or did; and of those that are not there, how often that was seen in a row. */
    private final Map<String, Integer> others = new HashMap<>();

    /** Whether everything that is open was looked at once. */
    private boolean looked;

    /**
     * The orphans of a topic.
     *
     * @param keeps whether somebody's proposals stay when their connection is lost
     */
    public Orphans(Room room, Bus bus, Predicate<String> keeps) {
        this.room = room;
        this.bus = bus;
        this.keeps = keeps;
    }

    /** The id of a proposal whose caller waits here. */
    static String id(Room room) {
        return room.id(LETTER) + "-" + room.process();
    }

    /** Where the caller of a proposal waits; an empty text where nobody knows any more, nothing where nobody waits. */
    static Optional<String> process(String proposal) {
        Matcher id = ID.matcher(proposal);
        return id.matches() ? Optional.of(Optional.ofNullable(id.group(1)).orElse("")) : Optional.empty();
    }

    /**
     * Looks at what there is, and from then on whenever another process is gone. Where there can be no other, whoever
     * waited before this one began has had the time to come back when the first look is taken.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it happens, or the process ends before
    public void begin() {
        room.records().ifPresent(records -> {
            EventExecutor loop = room.topic().loop();
            if (room.shared()) {
                look(records, Set.of(), null);
                loop.scheduleWithFixedDelay(() -> watch(records), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } else {
                loop.schedule(() -> look(records, Set.of(), null), GRACE_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    /** Somebody has proposed something. */
    public void proposed(String proposal) {
        process(proposal)
                .filter(process -> !process.isEmpty() && !process.equals(bus.process()))
                .ifPresent(process -> others.putIfAbsent(process, 0));
    }

    /** Nobody is taken for gone while they cannot be heard. */
    private void watch(Records records) {
        boolean hears = bus.available();
        others.replaceAll((process, looks) -> hears && !bus.alive(process) ? looks + 1 : 0);
        Set<String> dead = others.entrySet().stream()
                .filter(other -> overdue(other.getValue()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
        others.keySet().removeAll(dead);
        if (!looked || !dead.isEmpty()) {
            look(records, dead, null);
        }
    }

    private static boolean overdue(int looks) {
        return looks * LOOK_MILLIS > GRACE_MILLIS;
    }

    /**
     * Looks through all that is open.
     *
     * @param dead the processes that have been gone for long enough
     */
    private void look(Records records, Set<String> dead, @Nullable String cursor) {
        room.onLoop(
                records.list(
                        GATEWAY, Optional.of(ProposalState.OPEN), Optional.empty(), Optional.ofNullable(cursor), PAGE),
                found -> found.ifPresent(listing -> see(records, dead, listing)),
                failure -> room.log("proposals that nobody waits for could not be looked for", failure));
    }

    private void see(Records records, Set<String> dead, Listing listing) {
        listing.proposals().stream().filter(view -> isOrphan(dead, view)).forEach(this::withdraw);
        listing.next().ifPresentOrElse(next -> look(records, dead, next), () -> looked = true);
    }

    private boolean isOrphan(Set<String> dead, ProposalView view) {
        Optional<String> waits = process(view.id());
        return waits.isPresent()
                && isGone(dead, waits.get())
                && !room.follows(view.id())
                && !keeps.test(view.from())
                && Mark.last(view.timeline(), view.from()).isEmpty();
    }

    /** One that is met for the first time is watched from then on: it may only have been away for a moment. */
    private boolean isGone(Set<String> dead, String process) {
        if (process.equals(bus.process())) {
            return false;
        }
        if (!room.shared() || dead.contains(process)) {
            return true;
        }
        others.putIfAbsent(process, 0);
        return false;
    }

    private void withdraw(ProposalView view) {
        room.remarks()
                .withdraw(
                        new Member(
                                view.from(),
                                Capabilities.compile(List.of("mcpx.withdraw.proposal"))
                                        .orThrow()),
                        view.id(),
                        "the gateway that the caller waited at has ended, and the caller has not come back");
    }
}
