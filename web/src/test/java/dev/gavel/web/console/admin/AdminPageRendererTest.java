package dev.gavel.web.console.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.web.console.admin.IdentityRow.TokenCounts;
import dev.gavel.web.console.admin.LedgerPage.FindingRow;
import dev.gavel.web.console.admin.LedgerPage.HeadRow;
import dev.gavel.web.console.admin.LedgerPage.VerificationView;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdminPageRendererTest {
    private static final Instant NOW = Instant.parse("2026-01-05T10:00:00Z");
    private static final PageLayoutData FRAME = new PageLayoutData(
            "A page",
            PageLayoutData.Section.ADMIN,
            Optional.of(new PageLayoutData.User("Alice", true, "proof")),
            Optional.empty(),
            ProposalTerms.DEFAULT);

    private static LedgerPage ledger(long bytes, Optional<VerificationView> verificationView) {
        return new LedgerPage(
                FRAME, "/data/ledger.db", StatusBadge.good("writable"), bytes, List.of(), verificationView);
    }

    private static VerificationView check(Optional<Instant> ended, long events, long of, FindingRow... findingRows) {
        return new VerificationView(
                "alice",
                NOW,
                ended,
                events,
                of,
                Optional.empty(),
                List.of(new HeadRow("ops", 4, 0, "ops=4:abc"), new HeadRow("lab", 0, 0, "")),
                List.of(findingRows),
                0,
                "gavel ledger verify");
    }

    @Test
    void tokensAreCountedInWords() {
        assertThat(new TokenCounts(0, 0, 0).summary()).isEqualTo("none");
        assertThat(new TokenCounts(2, 0, 1).summary()).isEqualTo("2 valid, 1 revoked");
        assertThat(new TokenCounts(0, 3, 0).summary()).isEqualTo("3 expired");
    }

    @Test
    void namesAreFitForAddresses() {
        assertThat(AdminPaths.identity("a@b.c")).isEqualTo("/console/admin/identities/a%40b.c");
        assertThat(AdminPaths.member("ops", "new")).isEqualTo("/console/admin/topics/ops/members/new");
        assertThat(AdminPaths.revoke("bob", "k-1&x=2"))
                .isEqualTo("/console/admin/identities/bob/revoke?token=k-1%26x%3D2");
    }

    @Test
    void aFormMeansThePresetThatIsChosenOrWhatIsWritten() {
        TokenForm form = new TokenForm("x", Set.of(), "", "ops", "runs", "chat.*", Optional.empty(), Map.of());
        assertThat(form.capabilities()).contains(CapabilityPreset.RUNS.capabilities());
        assertThat(TokenForm.empty(TokenForm.KEEP).capabilities()).isEmpty();
        assertThat(new TokenForm("x", Set.of(), "", "", "own", "chat.*", Optional.empty(), Map.of()).capabilities())
                .contains("chat.*");
    }

    @Test
    void sizesAreReadAtAGlance() {
        assertThat(ledger(999, Optional.empty()).size()).isEqualTo("999 bytes");
        assertThat(ledger(1_400, Optional.empty()).size()).isEqualTo("1.4 kB");
        assertThat(ledger(12_340_000, Optional.empty()).size()).isEqualTo("12.3 MB");
        assertThat(ledger(5_000_000_000L, Optional.empty()).size()).isEqualTo("5.0 GB");
    }

    @Test
    void aVerificationThatRunsSaysHowFarItIsAndOffersNoOther() {
        String page = AdminPageRenderer.ledger(ledger(1, Optional.of(check(Optional.empty(), 30, 120))), NOW);
        assertThat(page).contains("30 of 120 events, 25 %").doesNotContain("Verify again", "Heads to store");
        assertThat(check(Optional.empty(), 200, 120).percent()).isEqualTo(100);
        assertThat(check(Optional.empty(), 0, 0).percent()).isZero();
    }

    @Test
    void findingsAreShownAsText() {
        String page = AdminPageRenderer.ledger(
                ledger(1, Optional.of(check(Optional.of(NOW), 4, 4, new FindingRow("ops 3", "edited", "<b>by</b>")))),
                NOW);
        assertThat(page).contains("1 finding.", "&lt;b&gt;by", "ops=4:abc").doesNotContain("<b>by");
    }

    @Test
    void aSecretIsOnItsPageAndNotInWhatIsPrintedOfIt() {
        TokenSecretPage page = new TokenSecretPage(
                FRAME,
                "bob",
                "Bob",
                "k-1",
                "gvl_secret",
                Optional.empty(),
                true,
                false,
                List.of("ops"),
                "http://localhost/");
        assertThat(AdminPageRenderer.secret(page, NOW)).containsOnlyOnce("gvl_secret");
        assertThat(page.toString()).doesNotContain("gvl_secret");
    }

    @Test
    void whatStandsInAFormIsAsHighAsItNeeds() {
        MemberCapabilitiesPage page = new MemberCapabilitiesPage(
                FRAME, "ops", "bob", "Bob", true, false, Optional.empty(), "a\n".repeat(10), List.of());
        assertThat(page.rows()).isEqualTo(12);
        assertThat(AdminPageRenderer.member(page, NOW)).contains("rows=\"12\"");
    }
}
