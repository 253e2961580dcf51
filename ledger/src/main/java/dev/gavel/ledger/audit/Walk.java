package dev.gavel.ledger.audit;

import dev.gavel.ledger.Chain;
import dev.gavel.ledger.ChainPage;
import dev.gavel.ledger.Event;
import dev.gavel.ledger.Hash;
import dev.gavel.ledger.Link;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Follows one stream's chain from its beginning, link by link. Pure but for what it gathers; not thread-safe. */
final class Walk {
    private final String stream;
    private final Findings findings;
    private final Suspects suspects;
    private final List<Noted> toCompare;
    private final List<Noted.Checked> compared = new ArrayList<>();

    /** The seq up to which everything is accounted for. */
    private long position;

    /** The hash at that seq; null where nothing says what it was. */
    private @Nullable Hash before = Chain.START;

    /** The event at that seq, where it does not follow from what stands before it. */
    private @Nullable Suspect suspect;

    /** Whether the event at that seq was found wrong in another way. */
    private boolean fault;

    /** The last seq and its hash, where the stream's own record says that it ends. */
    private @Nullable End end;

    private record End(long seq, @Nullable Hash hash) {}

    private long events;
    private long forgotten;

    Walk(String stream, List<Noted> toCompare) {
        this.stream = stream;
        this.findings = new Findings(stream);
        this.suspects = new Suspects(findings);
        this.toCompare = new ArrayList<>(toCompare);
    }

    /** The seq up to which everything is accounted for. */
    long position() {
        return position;
    }

    void see(ChainPage page, Runnable eachEvent) {
        for (Link link : page.links()) {
            if (end == null && link.seq() > page.extent().last()) {
                end(page);
            }
            switch (link) {
                case Link.Kept kept -> {
                    see(kept);
                    events++;
                    eachEvent.run();
                }
                case Link.Forgotten run -> see(run);
                case Link.Unreadable wrong -> see(wrong);
            }
        }
        if (page.next() == null && end == null) {
            end(page);
        }
    }

    private void see(Link.Kept kept) {
        Event event = kept.event();
        if (event.seq() <= position) {
            findings.add(
                    event.seq(),
                    event.subject(),
                    Finding.Kind.INSERTED,
                    "it stands among events that retention has forgotten, or beside another of the same seq");
            return;
        }
        if (end == null) {
            skipTo(event.seq());
        }
        Hash digest = Chain.digest(event);
        Judgement judgement = judge(kept, digest);
        if (end != null && judgement == Judgement.RIGHT) {
            findings.add(
                    event.seq(), event.subject(), Finding.Kind.HEAD, "it stands behind what the topic says is its end");
        }
        @Nullable Suspect found = null;
        switch (judgement) {
            case RIGHT -> {}
            case EDITED ->
                findings.add(
                        event.seq(),
                        event.subject(),
                        Finding.Kind.EDITED,
                        "it does not say what was written; it now says '%s' by '%s'"
                                .formatted(event.type(), event.actor()));
            case OTHER_DIGEST ->
                findings.add(
                        event.seq(),
                        event.subject(),
                        Finding.Kind.EDITED,
                        "its digest was changed; the event itself is as it was written");
            case ONE_EARLIER -> out(event, event.seq() - 1);
            case ONE_LATER -> out(event, event.seq() + 1);
            case NO_HASH ->
                findings.add(
                        event.seq(),
                        event.subject(),
                        Finding.Kind.EDITED,
                        "its hash was destroyed, and what stands before it is missing");
            case DOES_NOT_FOLLOW -> {
                Hash known = before == null ? Chain.START : before;
                found = new Suspect(
                        event.seq(),
                        event.subject(),
                        digest,
                        kept.hash(),
                        known,
                        Chain.next(known, event.seq(), digest),
                        suspects.isFull() ? null : suspect);
                found.afterFault = fault;
                if (end != null) {
                    found.behind = Suspect.Behind.DOES_NOT_FOLLOW;
                }
                suspects.add(found);
            }
        }
        Hash follows = kept.hash() == null && before != null ? Chain.next(before, event.seq(), digest) : kept.hash();
        pass(event.seq(), event.seq(), kept.hash());
        position = event.seq();
        before = follows;
        suspect = found;
        fault = judgement != Judgement.RIGHT && judgement != Judgement.DOES_NOT_FOLLOW;
    }

    private enum Judgement {
        RIGHT,
        EDITED,
        OTHER_DIGEST,
        ONE_EARLIER,
        ONE_LATER,
        NO_HASH,
        DOES_NOT_FOLLOW
    }

    /** Judges an event by what stands before it, and what stood before it by the event. */
    private Judgement judge(Link.Kept kept, Hash digest) {
        long seq = kept.seq();
        boolean says = digest.equals(kept.digest());
        @Nullable Hash hash = kept.hash();
        if (end != null && seq != position + 1) {
            return Judgement.DOES_NOT_FOLLOW;
        }
        if (before == null) {
            return !says ? Judgement.EDITED : hash == null ? Judgement.NO_HASH : Judgement.RIGHT;
        }
        if (Chain.next(before, seq, digest).equals(hash)) {
            behind(Suspect.Behind.FOLLOWS);
            return says ? Judgement.RIGHT : Judgement.OTHER_DIGEST;
        }
        if (kept.digest() != null && !says) {
            boolean inPlace = Chain.next(before, seq, kept.digest()).equals(hash);
            behind(inPlace ? Suspect.Behind.FOLLOWS : Suspect.Behind.DOES_NOT_FOLLOW);
            return Judgement.EDITED;
        }
        if (suspect != null && Chain.next(suspect.shouldBe, seq, digest).equals(hash)) {
            behind(Suspect.Behind.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE);
            return says ? Judgement.RIGHT : Judgement.OTHER_DIGEST;
        }
        // Where one was put in or taken out and the rest moved up, all the rest is one place off.
        if (Chain.next(before, seq - 1, digest).equals(hash)) {
            behind(Suspect.Behind.FOLLOWS);
            return Judgement.ONE_EARLIER;
        }
        if (Chain.next(before, seq + 1, digest).equals(hash)) {
            behind(Suspect.Behind.FOLLOWS);
            return Judgement.ONE_LATER;
        }
        behind(Suspect.Behind.DOES_NOT_FOLLOW);
        return Judgement.DOES_NOT_FOLLOW;
    }

    private void behind(Suspect.Behind behind) {
        if (suspect != null) {
            // Where its hash is destroyed, what it should be was gone on with.
            suspect.behind = behind == Suspect.Behind.FOLLOWS && suspect.hash == null
                    ? Suspect.Behind.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE
                    : behind;
        }
    }

    private void out(Event event, long place) {
        findings.add(event.seq(), event.subject(), Finding.Kind.REORDERED, "it was written as seq " + place);
    }

    private void see(Link.Forgotten run) {
        if (run.last() <= position) {
            return;
        }
        if (end == null) {
            skipTo(run.seq());
        } else {
            findings.add(
                    run.seq(), null, Finding.Kind.HEAD, "events are forgotten behind what the topic says is its end");
        }
        // It may begin before: what was seen already can have been forgotten since.
        forgotten += run.last() - Math.max(run.seq() - 1, position);
        if (run.hash() == null) {
            findings.add(run.last(), null, Finding.Kind.EDITED, "it is forgotten, and its hash was destroyed");
        }
        pass(position + 1, run.last(), run.hash());
        position = run.last();
        before = run.hash();
        suspect = null;
        fault = false;
    }

    private void see(Link.Unreadable wrong) {
        if (end == null && wrong.seq() > position) {
            skipTo(wrong.seq());
            position = wrong.seq();
            before = null;
            suspect = null;
            fault = true;
        }
        findings.add(wrong.seq(), null, wrong.seq() < 1 ? Finding.Kind.INSERTED : Finding.Kind.EDITED, wrong.reason());
    }

    /** What is not there before this seq is missing. */
    private void skipTo(long seq) {
        long first = position + 1;
        if (seq <= first) {
            return;
        }
        suspects.missing(first, seq - 1, before);
        position = seq - 1;
        before = null;
        suspect = null;
        fault = false;
    }

    /** Compares the ends noted earlier that lie between two seqs with the hash at the second. */
    private void pass(long first, long last, @Nullable Hash hash) {
        for (Noted noted : List.copyOf(toCompare)) {
            if (noted.seq() >= first && noted.seq() <= last) {
                compared(
                        noted,
                        noted.seq() < last
                                ? Noted.Result.FORGOTTEN
                                : noted.hash().equals(hash) ? Noted.Result.RIGHT : Noted.Result.WRONG);
            }
        }
    }

    private void compared(Noted noted, Noted.Result result) {
        toCompare.remove(noted);
        compared.add(new Noted.Checked(noted, result));
        if (result == Noted.Result.WRONG) {
            findings.add(
                    noted.seq(),
                    null,
                    Finding.Kind.HEAD,
                    "the hash noted for it was %s: what is kept up to here is not what was written then"
                            .formatted(noted.hash()));
        }
    }

    /** Compares with what the stream's own record says. */
    private void end(ChainPage page) {
        skipTo(Math.min(page.extent().last(), Long.MAX_VALUE - 1) + 1);
        end = new End(position, before);
        if (before != null) {
            compareHead(page.head(), before);
        }
        if (page.extent().first() != page.forgottenUpTo() + 1) {
            findings.add(
                    page.extent().first(),
                    null,
                    Finding.Kind.HEAD,
                    "the topic says that this is the first seq from which all events are kept, but that is %d"
                            .formatted(page.forgottenUpTo() + 1));
        }
    }

    private void compareHead(@Nullable Hash head, Hash hash) {
        if (suspect != null) {
            behind(
                    hash.equals(head)
                            ? Suspect.Behind.FOLLOWS
                            : suspect.shouldBe.equals(head)
                                    ? Suspect.Behind.FOLLOWS_WHAT_ITS_HASH_SHOULD_BE
                                    : Suspect.Behind.DOES_NOT_FOLLOW);
        } else if (!hash.equals(head)) {
            findings.add(
                    position,
                    null,
                    Finding.Kind.HEAD,
                    "the topic says that the hash of its last event is %s, but that is %s".formatted(head, hash));
        }
    }

    /** What came of it. */
    Audited result() {
        for (Noted noted : List.copyOf(toCompare)) {
            compared(noted, Noted.Result.WRONG);
        }
        suspects.resolve();
        End reached = end == null ? new End(position, before) : end;
        return new Audited(
                stream, events, forgotten, reached.seq, reached.hash, findings.sorted(), findings.more(), compared);
    }
}
