package dev.gavel.web.console.sep.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.web.console.page.TemplateRenderer;
import dev.gavel.web.console.sep.SepActionPaths;
import dev.gavel.web.console.sep.SepActionSuccessMessages;
import dev.gavel.web.console.sep.action.SepActionLink.Rank;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SepActionMenuTest {
    private static final String SPONSORS = """
            {'to':'draft','youMay':true,'possible':true,'requirements':[],'verb':'sponsor','end':false,'onward':true}""";
    private static final String REJECTS = """
            {'to':'rejected','youMay':true,'possible':false,'verb':'move','end':true,'onward':false,
             'requirements':[{'says':'feedback to the author','met':false,'accepts':'','kinds':['feedback','reason']}]}""";
    private static final String NOT_MINE = """
            {'to':'withdrawn','youMay':false,'possible':false,'requirements':[],'verb':'withdraw','end':true}""";

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static Json show(String nextStep) {
        return json("{'number':7,'title':'Paging','status':'proposal','next':{'nextStep':'" + nextStep + "'}}");
    }

    private static Json explain(String moves, String also) {
        return json("{'number':7,'moves':[" + moves + "],'youMayAlso':[" + also + "],'youMayAttach':[]}");
    }

    private static String html(Json show, Json explain) {
        return TemplateRenderer.render("sep/act/slot.jte", Map.of("show", show, "explain", explain));
    }

    @Test
    void theNextStepComesFirstAndTheEndsLast() {
        SepActionMenu sepActionMenu = SepActionMenu.of(
                show("Sponsor the SEP, or comment on what is missing."),
                explain(REJECTS + "," + SPONSORS + "," + NOT_MINE, "'comment','ask','sponsor'"));
        assertThat(sepActionMenu.links())
                .extracting(SepActionLink::name)
                .containsExactly("Sponsor this SEP", "Ask for input", "Move to rejected");
        assertThat(sepActionMenu.links())
                .extracting(SepActionLink::rank)
                .containsExactly(Rank.FIRST, Rank.MORE, Rank.END);
        assertThat(sepActionMenu.links().getLast().note()).isEqualTo("Missing: feedback to the author");
        assertThat(sepActionMenu.links().getLast().path()).isEqualTo("/console/seps/7/act/move?to=rejected");
        assertThat(sepActionMenu.comment()).isTrue();
    }

    @Test
    void whereAVoteIsOpenItComesFirstUntilTheGuidanceNamesAMove() {
        String defers = """
                {'to':'deferred','youMay':true,'possible':false,'requirements':[],'verb':'move','end':false,'onward':true}""";
        String accepts = """
                {'to':'accepted','youMay':true,'possible':true,'requirements':[],'verb':'move','end':false,'onward':true}""";
        Json moves = explain(defers + "," + accepts, "'comment','vote'");
        assertThat(SepActionMenu.of(show("Vote, or raise a concern."), moves)
                        .links()
                        .getFirst()
                        .name())
                .isEqualTo("Vote");
        assertThat(SepActionMenu.of(show("The vote carries; move it to accepted."), moves)
                        .links()
                        .getFirst()
                        .name())
                .isEqualTo("Move to accepted");
        assertThat(SepActionMenu.of(show("Do not move it to accepted-later."), moves)
                        .links()
                        .getFirst()
                        .name())
                .isEqualTo("Vote");
    }

    @Test
    void evidenceIsOfferedAtOnceOnlyWhereItIsAskedFor() {
        String ends = """
                {'to':'final','youMay':false,'requirements':[{'says':'code','met':%s,'kinds':['prototype']}]}""";
        String may = "'youMayAlso':['attach'],'youMayAttach':[{'kind':'prototype','is':'link','says':'code'}]}";
        assertThat(attach("", "{'moves':[" + ends.formatted("false") + "]," + may))
                .isEqualTo(Rank.USUAL);
        assertThat(attach("", "{'moves':[" + ends.formatted("true") + "]," + may))
                .isEqualTo(Rank.MORE);
        assertThat(attach("Say so by attaching 'prototype'.", "{'moves':[]," + may))
                .isEqualTo(Rank.FIRST);
    }

    private static Rank attach(String step, String explain) {
        Json show = Json.object()
                .with("number", Json.of(7))
                .with("next", Json.object().with("nextStep", Json.ofText(step)));
        return SepActionMenu.of(show, json(explain)).links().getFirst().rank();
    }

    @Test
    void whoMayDoNothingButTalkIsToldSo() {
        String html = html(show("Say whether you need this too."), explain(NOT_MINE, "'comment'"));
        assertThat(html)
                .contains("No action is required from you, but you can <a href=\"#sep-say\">comment</a>.")
                .doesNotContain("withdraw");
        assertThat(say("'comment'"))
                .contains("action=\"/console/seps/7/act/comment\"")
                .contains("name=\"csrf\" value=\"c-1\"");
        assertThat(say("")).doesNotContain("<form");
    }

    private static String say(String also) {
        return TemplateRenderer.render(
                "sep/act/say.jte", Map.of("number", 7, "explain", explain("", also), "csrf", "c-1"));
    }

    @Test
    void whileSectionsAreMissingTheAuthorIsToWriteThem() {
        String goesOn = """
                {'to':'in-review','youMay':true,'verb':'move','end':false,'onward':true,'requirements':[
                 {'says':'every section of the SEP format','met':%s,'accepts':'not met yet','kinds':[]}]}""";
        Json author = show("Complete every section, then say that it is ready.");
        assertThat(SepActionMenu.of(author, explain(goesOn.formatted("false"), "'attach','edit'"))
                        .links())
                .first()
                .satisfies(sepActionLink -> assertThat(sepActionLink.name()).isEqualTo("Edit the document"))
                .satisfies(sepActionLink -> assertThat(sepActionLink.rank()).isEqualTo(Rank.FIRST));
        assertThat(SepActionMenu.of(author, explain(goesOn.formatted("true"), "'attach','edit'"))
                        .links())
                .first()
                .satisfies(sepActionLink -> assertThat(sepActionLink.name()).isEqualTo("Move to in-review"));
    }

    @Test
    void whatOnlyTimeCanBringIsNotOfferedAtOnce() {
        String sleeps = """
                {'to':'dormant','youMay':true,'verb':'move','end':false,'onward':true,'requirements':[
                 {'says':'180 days without activity by the author','met':false,'accepts':'2027-01-31','kinds':[]}]}""";
        SepActionMenu sepActionMenu = SepActionMenu.of(show(""), explain(sleeps, ""));
        assertThat(sepActionMenu.primaryLinks()).isEmpty();
        assertThat(sepActionMenu.moreLinks()).extracting(SepActionLink::name).containsExactly("Move to dormant");
    }

    @Test
    void whatWasDoneIsToldInOurWordsOnly() {
        assertThat(SepActionSuccessMessages.redirectPath(7, SepOperation.VOTE, Map.of("ballot", "yes")))
                .isEqualTo("/console/seps/7?did=vote-yes");
        assertThat(SepActionSuccessMessages.redirectPath(7, SepOperation.VOTE, Map.of("ballot", "x&y")))
                .isEqualTo("/console/seps/7");
        assertThat(SepActionSuccessMessages.message("vote-yes", "in-review", ProposalTerms.DEFAULT))
                .contains("You voted yes.");
        assertThat(SepActionSuccessMessages.message("move", "in-review", ProposalTerms.DEFAULT))
                .contains("You moved this SEP. Its state is now in-review.");
        assertThat(SepActionSuccessMessages.message("Your password is wanted", "draft", ProposalTerms.DEFAULT))
                .isEmpty();
        for (SepOperation sepOperation : SepOperation.values()) {
            if (sepOperation != SepOperation.VOTE
                    && SepActionPaths.parse(sepOperation.wireName()).isPresent()) {
                assertThat(SepActionSuccessMessages.redirectPath(7, sepOperation, Map.of()))
                        .endsWith("?did=" + sepOperation.wireName());
            }
        }
    }

    @Test
    void whatIsOfferedIsALinkThatWorksWithoutScripts() {
        String html = html(show(""), explain(SPONSORS, "'comment','edit'"));
        assertThat(html)
                .contains(
                        "class=\"button primary\" href=\"/console/seps/7/act/sponsor\" hx-get=\"/console/seps/7/act/sponsor\"")
                .contains("href=\"/console/seps/7/edit\"")
                .doesNotContain("hx-get=\"/console/seps/7/edit\"");
    }

    @Test
    void aBarredMoveSaysWhyAndWhatPeopleWroteIsEscaped() {
        String barred = """
                {'to':'accepted','youMay':true,'requirements':[],'verb':'move','end':false,'onward':true,
                 'barred':'The decision is on hold (<b>wait</b>)'}""";
        assertThat(html(show(""), explain(barred, "")))
                .contains("on hold (&lt;b&gt;wait&lt;/b&gt;)")
                .doesNotContain("<b>wait");
    }
}
