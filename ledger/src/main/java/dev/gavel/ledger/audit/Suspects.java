package dev.gavel.ledger.audit;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.Hash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what happened to events that do not follow from what stands before them. An event's hash says where it was
 * written: it comes out again only from the right seq and the right hash before. Those are tried that are near the
 * breaks, so two events that changed places are both named. Not thread-safe.
 */
final class Suspects {
    /** Trying takes the third power of it; a ledger with more breaks than this is not puzzled together again. */
    private static final int MOST = 48;

    private static final String BROKEN =
            "it does not follow from what stands before it: one of the two was replaced together with its hashes";

    private final Findings findings;
    private final List<Suspect> suspects = new ArrayList<>();
    private final Set<Hash> before = new LinkedHashSet<>();
    private final Set<Long> places = new LinkedHashSet<>();
    private final List<Gap> gaps = new ArrayList<>();

    private record Gap(long first, long last) {}

    Suspects(Findings findings) {
        this.findings = findings;
    }

    void add(Suspect suspect) {
        if (isFull()) {
            name(suspect, Finding.Kind.BROKEN, BROKEN);
            return;
        }
        suspects.add(suspect);
        before.add(suspect.before);
        if (suspect.hash != null) {
            before.add(suspect.hash);
        }
        places.add(suspect.seq);
        places.add(suspect.seq - 1);
    }

    /** Whether no more are looked into: they are only breaks. */
    boolean isFull() {
        return suspects.size() == MOST;
    }

    /** Something is missing, which may turn up elsewhere. */
    void missing(long first, long last, @Nullable Hash hashBefore) {
        if (gaps.size() == MOST) {
            report(new Gap(first, last));
            return;
        }
        gaps.add(new Gap(first, last));
        places.add(first);
        if (hashBefore != null) {
            before.add(hashBefore);
        }
    }

    /** Names what can be named. */
    void resolve() {
        Set<Long> turnedUp = new HashSet<>();
        for (Suspect suspect : suspects) {
            resolve(suspect, turnedUp);
        }
        for (Gap gap : gaps) {
            if (gap.first < gap.last || !turnedUp.contains(gap.first)) {
                report(gap);
            }
        }
    }

    private void report(Gap gap) {
        findings.add(
                gap.first,
                null,
                Finding.Kind.MISSING,
                gap.first == gap.last
                        ? "there is no such event any more, and retention has not forgotten it"
                        : "there are no events %d to %d any more, and retention has not forgotten them"
                                .formatted(gap.first, gap.last));
    }

    private void resolve(Suspect suspect, Set<Long> turnedUp) {
        Long written = writtenAt(suspect);
        if (written != null) {
            turnedUp.add(written);
        }
        if (written != null && written != suspect.seq) {
            name(suspect, Finding.Kind.REORDERED, "it was written as seq " + written);
        } else if (written != null && isFault(suspect.predecessor, suspect.afterFault)) {
            return; // It stands where it was written; what stands before it does not, and has been named.
        } else if (suspect.behind == Suspect.Behind.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE) {
            name(suspect, Finding.Kind.EDITED, "its hash was changed; the event itself is as it was written");
        } else if (suspect.behind == Suspect.Behind.DOES_NOT_FOLLOW) {
            name(
                    suspect,
                    Finding.Kind.INSERTED,
                    "it follows from nothing that stands before it, and nothing follows from it");
        } else if (suspect.predecessor == null || suspect.predecessor.named != Finding.Kind.INSERTED) {
            name(suspect, Finding.Kind.BROKEN, BROKEN);
        }
    }

    private static boolean isFault(@Nullable Suspect predecessor, boolean otherwise) {
        return predecessor == null ? otherwise : predecessor.named != null;
    }

    private void name(Suspect suspect, Finding.Kind kind, String detail) {
        suspect.named = kind;
        findings.add(suspect.seq, suspect.subject, kind, detail);
    }

    private @Nullable Long writtenAt(Suspect suspect) {
        if (suspect.hash == null) {
            return null;
        }
        for (Hash hash : before) {
            for (long place : places) {
                if (Chain.next(hash, place, suspect.digest).equals(suspect.hash)) {
                    return place;
                }
            }
        }
        return null;
    }
}
