package dev.gavel.console.sep.act;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.console.sep.act.Field.Control;
import dev.gavel.lifecycle.process.Process;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.desk.Reply;
import dev.gavel.sep.desk.Verb;
import dev.gavel.sep.process.Processes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActFormsTest {
    private static final Process PROCESS = Processes.usual();

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static ActForms forms(String moves) {
        return new ActForms(
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

    private static List<Field> fields(ActForm form) {
        return form.groups().stream().flatMap(group -> group.fields().stream()).toList();
    }

    @Test
    void whatAMoveNeedsIsAskedForByKind() {
        ActForm form = forms(move(
                        "deferred",
                        needs("the reason", "'reason'") + ","
                                + needs("a date or a trigger", "'revisit','trigger'") + ","
                                + "{'says':'a prototype','met':true,'accepts':'https://example.org','kinds':['prototype']},"
                                + needs("every section is present", "")))
                .form(Verb.MOVE, "deferred", Map.of());
        assertThat(fields(form))
                .extracting(Field::name)
                .containsExactly("evidence.reason", "evidence.revisit", "evidence.trigger");
        assertThat(fields(form)).extracting(Field::control).containsExactly(Control.AREA, Control.DATE, Control.AREA);
        assertThat(form.groups().get(1).legend()).isEqualTo("A date or a trigger");
        assertThat(form.ticks()).extracting(ActForm.Tick::met).containsExactly(true, false);
        assertThat(form.button()).contains("Move to deferred");
        assertThat(form.danger()).isFalse();
    }

    @Test
    void whereAReasonWouldDoOneFieldAsksForItAsWhatItIsCalled() {
        ActForm form = forms(move("rejected", needs("feedback to the author", "'feedback','reason'")))
                .form(Verb.MOVE, "rejected", Map.of("evidence.reason", "too <wide>"));
        assertThat(fields(form)).singleElement().satisfies(field -> {
            assertThat(field.label()).isEqualTo("Feedback to the author");
            assertThat(field.value()).isEqualTo("too <wide>");
        });
        assertThat(ActPages.form(form, "c")).contains("too &lt;wide&gt;").doesNotContain("<wide>");
    }

    @Test
    void aMoveThatIsNotTheReadersHasNoButton() {
        String move = "{'to':'final','youMay':false,'says':'Only bob may move it to final.','requirements':[]}";
        ActForm form = forms(move).form(Verb.MOVE, "final", Map.of());
        assertThat(form.button()).isEmpty();
        assertThat(form.says()).isEqualTo("Only bob may move it to final.");
        assertThat(forms("").form(Verb.MOVE, "<nowhere>", Map.of()).button()).isEmpty();
    }

    @Test
    void whatEndsASepIsDangerous() {
        assertThat(forms("").form(Verb.WITHDRAW, "", Map.of()).danger()).isTrue();
        assertThat(forms("").form(Verb.SUPERSEDE, "", Map.of()).danger()).isTrue();
        assertThat(forms("").form(Verb.COMMENT, "", Map.of()).danger()).isFalse();
        String end = "{'to':'rejected','youMay':true,'end':true,'requirements':[]}";
        assertThat(forms(end).form(Verb.MOVE, "rejected", Map.of()).danger()).isTrue();
    }

    @Test
    void whatIsStillEmptyIsSaidBesideIt() {
        ActForm form = forms("").form(Verb.VOTE, "", Map.of("reason", "because"));
        ActForm incomplete = Answered.incomplete(form).orElseThrow();
        assertThat(incomplete.complaint().orElseThrow()).contains("Your vote");
        assertThat(fields(incomplete)).extracting(Field::error).containsExactly("This is needed.", "");
        assertThat(fields(incomplete)).extracting(Field::value).containsExactly("", "because");
        assertThat(Answered.incomplete(forms("").form(Verb.VOTE, "", Map.of("ballot", "yes"))))
                .isEmpty();
    }

    @Test
    void aRefusalIsToldInFullAndBesideTheFieldItIsAbout() {
        ActForm form = forms(move("prototyping", needs("a link to working code", "'prototype'")))
                .form(Verb.MOVE, "prototyping", Map.of("evidence.prototype", "nowhere"));
        Json more = json("{'missing':[{'says':'a link','met':false,'accepts':'a link','kinds':['prototype']}]}");
        ActForm refused = Answered.refused(form, new Reply.Refused("bad-evidence", "'nowhere' will not do.", more));
        assertThat(refused.complaint()).contains("'nowhere' will not do.");
        assertThat(fields(refused).getFirst().error())
                .isEqualTo("It must be a link that begins with https:// or http://.");
        assertThat(fields(refused).getFirst().value()).isEqualTo("nowhere");
    }

    @Test
    void aConcernWithoutAReasonIsToldAtTheReasonAndAStrangerAtTheName() {
        ActForm vote = forms("").form(Verb.VOTE, "", Map.of("ballot", "concern"));
        ActForm refused =
                Answered.refused(vote, new Reply.Refused("missing", "A concern needs its reason.", Json.object()));
        assertThat(fields(refused)).extracting(Field::error).containsExactly("", "Say why.");

        ActForm ask = forms("").form(Verb.ASK, "", Map.of("whom", "bop"));
        ActForm wrong = Answered.refused(ask, new Reply.Wrong("nobody here is called 'bop'; did you mean 'bob'?"));
        assertThat(wrong.complaint()).contains("Nobody here is called 'bop'; did you mean 'bob'?");
        assertThat(fields(wrong).getFirst().error()).contains("did you mean");
        assertThat(fields(wrong).getFirst().choices().getFirst().label()).isEqualTo("Bob, maintainer, sponsors 2");
    }

    @Test
    void whatIsTypedBecomesTheArgumentsOfTheVerb() {
        assertThat(Typed.arguments(
                        Verb.MOVE,
                        7,
                        "deferred",
                        Map.of(
                                "evidence.revisit",
                                "2027-01-31",
                                "evidence.trigger",
                                " ",
                                "reason",
                                "later",
                                "csrf",
                                "c")))
                .isEqualTo(json("{'number':7,'to':'deferred','reason':'later','evidence':{'revisit':'2027-01-31'}}"));
        assertThat(Typed.arguments(Verb.SUPERSEDE, 7, "", Map.of("by", "SEP-012")))
                .isEqualTo(json("{'number':7,'by':12}"));
        assertThat(Typed.arguments(Verb.SUPERSEDE, 7, "", Map.of("by", "that one")))
                .isEqualTo(json("{'number':7,'by':'that one'}"));
        assertThat(Typed.arguments(Verb.TRANSFER, 7, "", Map.of("to", "bob", "leave", "yes")))
                .isEqualTo(json("{'number':7,'to':'bob','leave':true}"));
        assertThat(Typed.arguments(Verb.ATTACH, 7, "", Map.of("kind", "prototype", "value", "https://example.org")))
                .isEqualTo(json("{'number':7,'evidence':{'prototype':'https://example.org'}}"));
    }

    @Test
    void findingsComeWithTheWorstFirst() {
        Json answer = json("{'findings':[{'severity':'note','line':1,'code':'a','message':'m','help':'h'},"
                + "{'severity':'error','line':9,'code':'b','message':'m','help':''},"
                + "{'severity':'error','line':3,'code':'c','message':'m','help':''}]}");
        Checked checked = new Checked(
                Checked.findings(answer), java.util.Optional.empty(), List.of(), Checked.NOTHING.preview(), false);
        assertThat(checked.findings()).extracting(Checked.Finding::line).containsExactly(3L, 9L, 1L);
        assertThat(checked.count()).isEqualTo("2 errors, 1 note");
    }
}
