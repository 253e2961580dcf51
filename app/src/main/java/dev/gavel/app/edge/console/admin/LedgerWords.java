package dev.gavel.app.edge.console.admin;

import dev.gavel.app.register.Register;
import dev.gavel.console.Frame;
import dev.gavel.console.admin.Condition;
import dev.gavel.console.admin.LedgerPage;
import dev.gavel.ledger.audit.Audited;
import dev.gavel.ledger.audit.Finding;
import dev.gavel.ledger.audit.Noted;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.kept.Streams;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** The ledger, and what came of verifying it, as pages show them. Stateless. */
final class LedgerWords {
    /** More findings are only counted, as on the command line. */
    private static final int SHOWN = 100;

    private static final int LONGEST_DETAIL = 300;

    private LedgerWords() {}

    static LedgerPage page(Frame frame, Auditor ledger, Auditor.Holdings holdings) {
        return new LedgerPage(
                frame,
                SafeText.line(ledger.place()),
                condition(ledger.writable()),
                holdings.bytes(),
                holdings.streams().stream()
                        .map(kept -> new LedgerPage.Stream(
                                SafeText.line(kept.stream()),
                                what(kept.stream()),
                                kept.extent().first(),
                                kept.extent().last()))
                        .toList(),
                ledger.last().map(verification -> check(verification, ledger.file())));
    }

    static Condition condition(boolean writable) {
        return writable ? Condition.good("working") : Condition.bad("cannot be written to");
    }

    private static String what(String stream) {
        return switch (stream) {
            case Register.STREAM -> "who may do what, as it was changed";
            case Streams.SEPS -> "what happened to SEPs";
            case Streams.DOCUMENTS -> "the documents of SEPs";
            case Streams.PROCESS -> "the process of SEPs";
            case Streams.NOTICES -> "who was told of SEPs";
            default -> "the proposals of a topic";
        };
    }

    private static LedgerPage.Check check(Verification verification, Optional<Path> file) {
        List<LedgerPage.Head> heads = verification.audited().stream()
                .map(audited -> new LedgerPage.Head(
                        SafeText.line(audited.stream()), audited.events(), audited.forgotten(), head(audited)))
                .toList();
        List<LedgerPage.Finding> findings = new ArrayList<>();
        if (verification.lost() > 0) {
            findings.add(new LedgerPage.Finding(
                    "–", "missing", "Whole chains are gone: " + verification.lost() + ". Nothing says which."));
        }
        verification.audited().stream()
                .flatMap(audited -> audited.findings().stream())
                .limit(SHOWN)
                .map(LedgerWords::finding)
                .forEach(findings::add);
        long all = verification.audited().stream()
                .mapToLong(audited -> audited.findings().size() + audited.more())
                .sum();
        return new LedgerPage.Check(
                SafeText.line(verification.by()),
                verification.began(),
                verification.ended(),
                verification.events(),
                verification.of(),
                verification.failure().map(SafeText::line),
                heads,
                findings,
                Math.max(0, all - SHOWN),
                command(heads, file));
    }

    private static String head(Audited audited) {
        return Optional.ofNullable(audited.head())
                .filter(hash -> audited.last() > 0)
                .map(hash -> SafeText.line(new Noted(audited.stream(), audited.last(), hash).toString()))
                .orElse("");
    }

    private static LedgerPage.Finding finding(Finding finding) {
        String subject = finding.subject();
        return new LedgerPage.Finding(
                SafeText.line(finding.stream()) + " " + finding.seq()
                        + (subject == null ? "" : ", " + SafeText.brief(subject, 80)),
                finding.kind().name().toLowerCase(Locale.ROOT),
                SafeText.brief(finding.detail(), LONGEST_DETAIL));
    }

    private static String command(List<LedgerPage.Head> heads, Optional<Path> file) {
        StringBuilder text = new StringBuilder(
                        // Set by the script that starts the program.
                        Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"))
                .append(" ledger verify");
        file.map(Path::toAbsolutePath)
                .map(it -> Objects.requireNonNullElse(it.getParent(), it))
                .ifPresent(data -> text.append(" --data ").append(quoted(data.toString())));
        heads.stream()
                .map(LedgerPage.Head::head)
                .filter(head -> !head.isEmpty())
                .forEach(head -> text.append(" \\\n  --head ").append(quoted(head)));
        return text.toString();
    }

    private static String quoted(String word) {
        String safe = SafeText.line(word);
        return safe.matches("[A-Za-z0-9_./:=@%+,-]+") ? safe : "'" + safe.replace("'", "'\\''") + "'";
    }
}
