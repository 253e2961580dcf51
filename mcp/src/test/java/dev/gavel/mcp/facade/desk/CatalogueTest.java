package dev.gavel.mcp.facade.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcp.directory.Assortment;
import dev.gavel.mcp.directory.Listed;
import dev.gavel.mcp.directory.Offer;
import dev.gavel.mcp.facade.call.Caller;
import dev.gavel.mcp.facade.call.Target;
import dev.gavel.mcpx.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static Caller caller(String capabilities) {
        return Callers.of("caller", capabilities);
    }

    private static Offer offer(String participant, Listed what, String... names) {
        return Offer.none(participant)
                .with(
                        what,
                        Arrays.stream(names)
                                .map(name -> Json.object()
                                        .with(what.key(), Json.ofText(name))
                                        .with("outputSchema", Json.object()))
                                .toList());
    }

    private static Catalogue of(Offer... offers) {
        return new Catalogue(new Assortment(List.of(offers)), caller("['*']"), Set.of("gavel_status"));
    }

    private static String who(Catalogue catalogue, String tool) {
        return catalogue
                .named(Listed.TOOLS, "tools/call", tool)
                .map(target -> target.participant() + " " + target.name())
                .orElse("nobody");
    }

    private static String whose(Catalogue catalogue, String uri) {
        return catalogue
                .resource("resources/read", uri)
                .map(Target::participant)
                .orElse("nobody");
    }

    @Test
    void nobodyTakesTheNameUnderWhichAnothersToolIsKnown() {
        Catalogue catalogue = of(
                offer("evil", Listed.TOOLS, "files__read", "read", "git_log"),
                offer("files", Listed.TOOLS, "read", "gavel_status"));
        assertThat(who(catalogue, "files__read")).isEqualTo("files read");
        assertThat(who(catalogue, "evil__files__read")).isEqualTo("evil files__read");
        assertThat(who(catalogue, "evil__read")).isEqualTo("evil read");
        assertThat(who(catalogue, "git_log")).isEqualTo("evil git_log");
        assertThat(who(catalogue, "files__gavel_status")).isEqualTo("files gavel_status");
        assertThat(who(catalogue, "read")).isEqualTo("nobody");
    }

    @Test
    void anIdThatBeginsLikeAnotherDoesNotHelpEither() {
        Catalogue catalogue =
                of(offer("a", Listed.TOOLS, "b__c", "c"), offer("a__b", Listed.TOOLS, "c"), offer("b", Listed.TOOLS));
        assertThat(who(catalogue, "a__b__c")).isEqualTo("a__b c");
        assertThat(who(catalogue, "a__b__c_")).isEqualTo("a b__c");
    }

    @Test
    void whoeverHasTheTemplateThatSaysMostHasTheResource() {
        Catalogue catalogue = of(
                offer("all", Listed.TEMPLATES, "{x}"),
                offer("files", Listed.TEMPLATES, "file:///{path}"),
                offer("logs", Listed.TEMPLATES, "file:///logs/{day}"));
        assertThat(whose(catalogue, "file:///logs/1")).isEqualTo("logs");
        assertThat(whose(catalogue, "file:///a")).isEqualTo("files");
        assertThat(whose(catalogue, "file:///{path}")).isEqualTo("files");
        assertThat(whose(catalogue, "db://a")).isEqualTo("all");
        assertThat(whose(of(offer("files", Listed.TEMPLATES, "file:///{path}")), "db://a"))
                .isEqualTo("nobody");
    }

    @Test
    void namesAreWorkedOutOncePerAssortment() {
        Assortment offers = new Assortment(List.of(offer("a", Listed.TOOLS, "x")));
        assertThat(offers.names(Listed.TOOLS, Set.of("y"))).isSameAs(offers.names(Listed.TOOLS, Set.of("y")));
    }

    @Test
    void aResultsFormIsPromisedOnlyWhereEveryCallMayBeMade() {
        Assortment offers = new Assortment(List.of(offer("a", Listed.TOOLS, "x")));
        String some = "[{'kind':'mcp.request.tools/call:x','payload':{'params':{'arguments':{'dry':'true'}}}},"
                + "'mcp.proposal.*']";
        Json narrow = new Catalogue(offers, caller(some), Set.of())
                .named(Listed.TOOLS, "tools/call")
                .getFirst();
        assertThat(narrow.at("outputSchema").there()).isFalse();
        assertThat(narrow.at("_meta").at("dev.gavel/needsApproval").isTrue()).isTrue();
        Json wide = new Catalogue(offers, caller("['mcp.request.tools/call:x']"), Set.of())
                .named(Listed.TOOLS, "tools/call")
                .getFirst();
        assertThat(wide.at("outputSchema").there()).isTrue();
        assertThat(wide.at("_meta").there()).isFalse();
    }
}
