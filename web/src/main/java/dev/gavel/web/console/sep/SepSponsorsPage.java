package dev.gavel.web.console.sep;

import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import dev.gavel.web.console.page.PageLayoutData;
import java.util.Comparator;
import java.util.List;

/**
 * The page that lists sponsors and deciders with the number of SEPs each sponsors.
 *
 * @param limit the number of SEPs that a person should sponsor at most
 * @param maxBar the number of SEPs that a bar of full length represents
 */
public record SepSponsorsPage(PageLayoutData frame, long limit, long maxBar, List<SponsorRow> rows) {
    public SepSponsorsPage {
        rows = List.copyOf(rows);
    }

    /**
     * A person with the SEPs that they sponsor.
     *
     * @param you whether the person is the reader
     * @param sponsors the numbers of the SEPs that the person sponsors
     * @param overLimit whether these are more than the limit
     */
    public record SponsorRow(
            String id, String name, boolean you, List<String> roles, List<Integer> sponsors, boolean overLimit) {
        public SponsorRow {
            roles = List.copyOf(roles);
            sponsors = List.copyOf(sponsors);
        }
    }

    /** Creates the page from the SEP service's answer. */
    public static SepSponsorsPage of(PageLayoutData frame, Json maintainers, SepPageContext sepPageContext) {
        List<Json> all = maintainers.at("maintainers").elements();
        List<SponsorRow> sponsorRows = all.stream()
                .map(each -> new SponsorRow(
                        SafeText.line(each.at("id").text()),
                        SafeText.line(each.at("name").text()),
                        each.at("id").text().equals(sepPageContext.id()),
                        each.at("roles").texts(),
                        each.at("sponsors").elements().stream()
                                .map(number -> (int) number.asLong(0))
                                .toList(),
                        each.at("over").isTrue()))
                .sorted(Comparator.comparingInt((SponsorRow sponsorRow) ->
                                -sponsorRow.sponsors().size())
                        .thenComparing(SponsorRow::id))
                .toList();
        long limit = all.isEmpty() ? 0 : all.getFirst().at("limit").asLong(0);
        long most = sponsorRows.stream()
                .mapToLong(sponsorRow -> sponsorRow.sponsors().size())
                .max()
                .orElse(0);
        return new SepSponsorsPage(frame, limit, Math.max(1, Math.max(limit, most)), sponsorRows);
    }

    /** Returns the length of a bar in percent. */
    public long share(long count) {
        return Math.round(100.0 * count / maxBar);
    }
}
