package dev.gavel.web.console.admin;

import dev.gavel.gateway.call.CallStreamLayout;
import dev.gavel.gateway.proposal.MemberNames;
import dev.gavel.gateway.store.ToolBaselineStore;
import dev.gavel.ledger.audit.AuditFinding;
import dev.gavel.ledger.audit.StreamAuditResult;
import dev.gavel.ledger.audit.TrustedHead;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.sep.store.SepStreamNames;
import dev.gavel.web.console.page.PageLayoutData;
import dev.gavel.web.registry.RegistrySnapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Builds the ledger page from the ledger's contents and its last verification. Stateless. */
final class LedgerPageBuilder {
    /** Further findings are only counted, as on the command line. */
    private static final int MAX_FINDINGS = 100;

    private static final int MAX_DETAIL_LENGTH = 300;

    private LedgerPageBuilder() {}

    static LedgerPage build(
            PageLayoutData frame,
            LedgerInspector ledger,
            LedgerInspector.LedgerContents ledgerContents,
            MemberNames names) {
        return new LedgerPage(
                frame,
                SafeText.line(ledger.location()),
                statusBadge(ledger.writable()),
                ledgerContents.bytes(),
                ledgerContents.streams().stream()
                        .map(streamExtent -> new LedgerPage.StreamRow(
                                SafeText.line(streamExtent.stream()),
                                describeStream(streamExtent.stream(), frame.terms()),
                                streamExtent.retainedStreamRange().first(),
                                streamExtent.retainedStreamRange().last()))
                        .toList(),
                ledger.lastVerification().map(verification -> verificationView(verification, ledger.file(), names)));
    }

    static StatusBadge statusBadge(boolean writable) {
        return writable ? StatusBadge.good("writable") : StatusBadge.bad("not writable");
    }

    private static String describeStream(String stream, ProposalTerms terms) {
        return switch (stream) {
            case RegistrySnapshot.STREAM -> "changes to identities and members";
            case SepStreamNames.SEPS -> "events of " + terms.plural();
            case SepStreamNames.DOCUMENTS -> "documents of " + terms.plural();
            case SepStreamNames.PROCESS -> "process of " + terms.plural();
            case SepStreamNames.WEBHOOK_CURSORS -> "webhook deliveries";
            default -> {
                if (CallStreamLayout.isCallStream(stream)) {
                    yield "calls in a topic";
                }
                yield ToolBaselineStore.ownsStream(stream) ? "definitions of a topic's tools" : "proposals of a topic";
            }
        };
    }

    private static LedgerPage.VerificationView verificationView(
            LedgerVerificationStatus verification, Optional<Path> file, MemberNames names) {
        List<LedgerPage.HeadRow> headRows = verification.streamAuditResults().stream()
                .map(streamAuditResult -> new LedgerPage.HeadRow(
                        SafeText.line(streamAuditResult.stream()),
                        streamAuditResult.events(),
                        streamAuditResult.prunedEvents(),
                        head(streamAuditResult)))
                .toList();
        List<LedgerPage.FindingRow> findingRows = new ArrayList<>();
        if (verification.lostStreams() > 0) {
            findingRows.add(new LedgerPage.FindingRow(
                    "–", "missing", "Missing streams: " + verification.lostStreams() + ". Their names are not known."));
        }
        verification.streamAuditResults().stream()
                .flatMap(streamAuditResult -> streamAuditResult.findings().stream())
                .limit(MAX_FINDINGS)
                .map(LedgerPageBuilder::finding)
                .forEach(findingRows::add);
        long all = verification.streamAuditResults().stream()
                .mapToLong(streamAuditResult -> streamAuditResult.findings().size() + streamAuditResult.moreFindings())
                .sum();
        return new LedgerPage.VerificationView(
                SafeText.line(names.of(verification.by())),
                verification.startedAt(),
                verification.endedAt(),
                verification.events(),
                verification.totalEvents(),
                verification.failure().map(SafeText::line),
                headRows,
                findingRows,
                Math.max(0, all - MAX_FINDINGS),
                command(headRows, file));
    }

    private static String head(StreamAuditResult streamAuditResult) {
        return Optional.ofNullable(streamAuditResult.head())
                .filter(hash -> streamAuditResult.lastSeq() > 0)
                .map(hash -> SafeText.line(
                        new TrustedHead(streamAuditResult.stream(), streamAuditResult.lastSeq(), hash).toString()))
                .orElse("");
    }

    private static LedgerPage.FindingRow finding(AuditFinding finding) {
        String subject = finding.subject();
        return new LedgerPage.FindingRow(
                SafeText.line(finding.stream()) + " " + finding.seq()
                        + (subject == null ? "" : ", " + SafeText.brief(subject, 80)),
                finding.kind().name().toLowerCase(Locale.ROOT),
                SafeText.brief(finding.detail(), MAX_DETAIL_LENGTH));
    }

    private static String command(List<LedgerPage.HeadRow> headRows, Optional<Path> file) {
        StringBuilder text = new StringBuilder(
                        // Set by the script that starts the program.
                        Objects.requireNonNullElse(System.getenv("GAVEL_COMMAND"), "gavel"))
                .append(" ledger verify");
        file.map(Path::toAbsolutePath)
                .map(it -> Objects.requireNonNullElse(it.getParent(), it))
                .ifPresent(data -> text.append(" --data ").append(quote(data.toString())));
        headRows.stream()
                .map(LedgerPage.HeadRow::head)
                .filter(head -> !head.isEmpty())
                .forEach(head -> text.append(" \\\n  --head ").append(quote(head)));
        return text.toString();
    }

    private static String quote(String word) {
        String safe = SafeText.line(word);
        return safe.matches("[A-Za-z0-9_./:=@%+,-]+") ? safe : "'" + safe.replace("'", "'\\''") + "'";
    }
}
