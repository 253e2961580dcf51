package dev.gavel.web.console.sep.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.lifecycle.process.ProcessDefinition;
import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.sep.render.SafeHtml;
import dev.gavel.sep.service.SepOperation;
import dev.gavel.sep.service.SepResult;
import dev.gavel.web.console.sep.action.SepFormField.Control;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SepActionFormBuilderTest {
    private static final ProcessDefinition PROCESS = BuiltInProcesses.defaultProcess();

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static SepActionFormBuilder forms(String moves) {
        return new SepActionFormBuilder(
                json("{'number':7,'title':'Pa<g>ing','status':'in-review','tally':{'says':'1 yes'}}"),
                json("{'moves':[" + moves
                        + "],'youMayAttach':[{'kind':'prototype','is':'link','says':'a link to code'}]}"),
                json("{'maintainers':[{'id':'bob','name':'Bob','roles':['maintainer'],'load':2}]}"),
                PROCESS);
    }

    private static String move(String to, String requirements) {
        return "{'to':'" + to + "','youMay':true,'end':false,'verb':'move','requirements':[" + requirements + "]}";
    }

    private static String needs(String says, String kinds) {
        return "{'says':'" + says + "','met':false,'accepts':'x','kinds':[" + kinds + "]}";
    }

    private static List<SepFormField> fields(SepActionForm form) {
        return form.groups().stream().flatMap(group -> group.fields().stream()).toList();
    }

    @Test
    void whatAMoveNeedsIsAskedForByKind() {
        SepActionForm form = forms(move(
                        "deferred",
                        needs("the reason", "'reason'") + ","
                                + needs("a date or a trigger", "'revisit','trigger'") + ","
                                + "{'says':'a prototype','met':true,'accepts':'https://example.org','kinds':['prototype']},"
                                + needs("every section is present", "")))
                .build(SepOperation.MOVE, "deferred", "", Map.of());
        assertThat(fields(form))
                .extracting(SepFormField::name)
                .containsExactly("evidence.reason", "evidence.revisit", "evidence.trigger");
        assertThat(fields(form))
                .extracting(SepFormField::control)
                .containsExactly(Control.AREA, Control.DATE, Control.AREA);
        assertThat(form.groups().get(1).legend()).isEqualTo("A date or a trigger");
        assertThat(form.requirements())
                .extracting(SepActionForm.RequirementStatus::met)
                .containsExactly(true, false);
        assertThat(form.button()).contains("Move to deferred");
        assertThat(form.danger()).isFalse();
    }

    @Test
    void whereAReasonWouldDoOneFieldAsksForItAsWhatItIsCalled() {
        SepActionForm form = forms(move("rejected", needs("feedback to the author", "'feedback','reason'")))
                .build(SepOperation.MOVE, "rejected", "", Map.of("evidence.reason", "too <wide>"));
        assertThat(fields(form)).singleElement().satisfies(field -> {
            assertThat(field.label()).isEqualTo("Feedback to the author");
            assertThat(field.value()).isEqualTo("too <wide>");
        });
        assertThat(SepActionPageRenderer.form(form, "c"))
                .contains("too &lt;wide&gt;")
                .doesNotContain("<wide>");
    }

    @Test
    void evidenceThatAnotherPersonMustConfirmIsNotAskedForWithTheMove() {
        SepActionForm form = forms(move(
                        "accepted",
                        needs("a carried vote or the recorded decision", "'decision'") + ","
                                + needs("a link to working code", "'prototype'")))
                .build(SepOperation.MOVE, "accepted", "", Map.of());
        assertThat(fields(form)).extracting(SepFormField::name).doesNotContain("evidence.decision");
        assertThat(form.requirements()).singleElement().satisfies(status -> {
            assertThat(status.met()).isFalse();
            assertThat(status.detail()).endsWith("attached first and then confirmed by a core maintainer");
        });
    }

    @Test
    void aMoveThatIsNotTheReadersHasNoButton() {
        String move =
                "{'to':'final','youMay':false,'says':'Only bob can move this proposal to `final`.','requirements':[]}";
        SepActionForm form = forms(move).build(SepOperation.MOVE, "final", "", Map.of());
        assertThat(form.button()).isEmpty();
        assertThat(form.explanation()).isEqualTo("Only bob can move this proposal to `final`.");
        assertThat(forms("").build(SepOperation.MOVE, "<nowhere>", "", Map.of()).button())
                .isEmpty();
    }

    @Test
    void whatEndsASepIsDangerous() {
        assertThat(forms("").build(SepOperation.WITHDRAW, "", "", Map.of()).danger())
                .isTrue();
        assertThat(forms("").build(SepOperation.SUPERSEDE, "", "", Map.of()).danger())
                .isTrue();
        assertThat(forms("").build(SepOperation.COMMENT, "", "", Map.of()).danger())
                .isFalse();
        String end = "{'to':'rejected','youMay':true,'end':true,'requirements':[]}";
        assertThat(forms(end).build(SepOperation.MOVE, "rejected", "", Map.of()).danger())
                .isTrue();
    }

    @Test
    void whatIsStillEmptyIsSaidBesideIt() {
        SepActionForm form = forms("").build(SepOperation.VOTE, "", "", Map.of("reason", "because"));
        SepActionForm incomplete = SepFormErrorMarker.findMissing(form).orElseThrow();
        assertThat(incomplete.complaint().orElseThrow()).contains("Your vote");
        assertThat(fields(incomplete)).extracting(SepFormField::error).containsExactly("This field is required.", "");
        assertThat(fields(incomplete)).extracting(SepFormField::value).containsExactly("", "because");
        assertThat(SepFormErrorMarker.findMissing(forms("").build(SepOperation.VOTE, "", "", Map.of("ballot", "yes"))))
                .isEmpty();
    }

    @Test
    void aRefusalIsToldInFullAndBesideTheFieldItIsAbout() {
        SepActionForm form = forms(move("prototyping", needs("a link to working code", "'prototype'")))
                .build(SepOperation.MOVE, "prototyping", "", Map.of("evidence.prototype", "nowhere"));
        Json more = json("{'missing':[{'says':'a link','met':false,'accepts':'a link','kinds':['prototype']}]}");
        SepActionForm refused = SepFormErrorMarker.withRefusal(
                form, new SepResult.Refused("bad-evidence", "'nowhere' is not valid for 'prototype'.", more));
        assertThat(refused.complaint()).contains("'nowhere' is not valid for 'prototype'.");
        assertThat(fields(refused).getFirst().error())
                .isEqualTo("Expected: a link that starts with https:// or http://.");
        assertThat(fields(refused).getFirst().value()).isEqualTo("nowhere");
    }

    @Test
    void aConcernWithoutAReasonIsToldAtTheReasonAndAStrangerAtTheName() {
        SepActionForm vote = forms("").build(SepOperation.VOTE, "", "", Map.of("ballot", "concern"));
        SepActionForm refused = SepFormErrorMarker.withRefusal(
                vote,
                new SepResult.Refused(
                        "missing", "Give a reason for the concern, so that it can be resolved.", Json.object()));
        assertThat(fields(refused)).extracting(SepFormField::error).containsExactly("", "Enter a reason.");

        SepActionForm ask = forms("").build(SepOperation.ASK, "", "", Map.of("whom", "bop"));
        SepActionForm wrong = SepFormErrorMarker.withRefusal(
                ask, new SepResult.InvalidRequest("there is no person 'bop'. Did you mean 'bob'?"));
        assertThat(wrong.complaint()).contains("There is no person 'bop'. Did you mean 'bob'?");
        assertThat(fields(wrong).getFirst().error()).contains("Did you mean");
        assertThat(fields(wrong).getFirst().choices().getFirst().label()).isEqualTo("Bob, maintainer, sponsors 2 SEPs");
    }

    @Test
    void whatIsTypedBecomesTheArgumentsOfTheVerb() {
        assertThat(SepFormArgumentsMapper.toArguments(
                        SepOperation.MOVE,
                        7,
                        "deferred",
                        "3f2a",
                        Map.of(
                                "evidence.revisit",
                                "2027-01-31",
                                "evidence.trigger",
                                " ",
                                "reason",
                                "later",
                                "csrf",
                                "c")))
                .isEqualTo(
                        json(
                                "{'number':7,'document':'3f2a','to':'deferred','reason':'later','evidence':{'revisit':'2027-01-31'}}"));
        assertThat(SepFormArgumentsMapper.toArguments(SepOperation.SUPERSEDE, 7, "", "3f2a", Map.of("by", "SEP-012")))
                .isEqualTo(json("{'number':7,'by':12}"));
        assertThat(SepFormArgumentsMapper.toArguments(SepOperation.SUPERSEDE, 7, "", "3f2a", Map.of("by", "that one")))
                .isEqualTo(json("{'number':7,'by':'that one'}"));
        assertThat(SepFormArgumentsMapper.toArguments(
                        SepOperation.TRANSFER, 7, "", "", Map.of("to", "bob", "leave", "yes")))
                .isEqualTo(json("{'number':7,'to':'bob','leave':true}"));
        assertThat(SepFormArgumentsMapper.toArguments(
                        SepOperation.ATTACH, 7, "", "", Map.of("kind", "prototype", "value", "https://example.org")))
                .isEqualTo(json("{'number':7,'evidence':{'prototype':'https://example.org'}}"));
    }

    @Test
    void findingsComeWithTheWorstFirst() {
        Json answer = json("{'findings':[{'severity':'note','line':1,'code':'a','message':'m','help':'h'},"
                + "{'severity':'error','line':9,'code':'b','message':'m','help':''},"
                + "{'severity':'error','line':3,'code':'c','message':'m','help':''}]}");
        SepDocumentCheckView sepDocumentCheckView = new SepDocumentCheckView(
                SepDocumentCheckView.findings(answer),
                java.util.Optional.empty(),
                List.of(),
                new SafeHtml(""),
                false,
                ProposalTerms.DEFAULT);
        assertThat(sepDocumentCheckView.findings())
                .extracting(SepDocumentCheckView.Finding::line)
                .containsExactly(3L, 9L, 1L);
        assertThat(sepDocumentCheckView.summary()).isEqualTo("2 errors, 1 note");
    }

    @Test
    void aVoteIsForTheDocumentThatThePageShowed() {
        SepActionForm form = forms("").build(SepOperation.VOTE, "", "3f2a", Map.of());
        assertThat(form.path()).isEqualTo("/console/seps/7/act/vote?document=3f2a");
        assertThat(forms("").build(SepOperation.COMMENT, "", "3f2a", Map.of()).path())
                .isEqualTo("/console/seps/7/act/comment");
        assertThat(SepFormArgumentsMapper.toArguments(SepOperation.VOTE, 7, "", "3f2a", Map.of("ballot", "yes")))
                .isEqualTo(json("{'number':7,'document':'3f2a','ballot':'yes'}"));
    }
}
