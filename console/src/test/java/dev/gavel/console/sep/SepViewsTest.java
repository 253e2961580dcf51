package dev.gavel.console.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.Processes;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What pages say of what the desk answers. */
class SepViewsTest {
    private static final Instant NOW = Instant.parse("2026-05-10T12:00:00Z");
    private static final Viewer CAROL = new Viewer(Processes.usual(), "carol", Set.of(), NOW);
    private static final Viewer BOB = new Viewer(Processes.usual(), "bob", Set.of("maintainer"), NOW);
    private static final Viewer ALICE = new Viewer(Processes.usual(), "alice", Set.of("core-maintainer"), NOW);

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static Json line(String mustAct) {
        return json("{'number':7,'title':'Paging','status':'proposal','type':'Process','authors':['carol'],"
                + "'sponsor':null,'since':'2026-05-01T00:00:00Z','mustAct':" + mustAct + "}");
    }

    private static final String MAINTAINERS = "[{'who':'maintainer','as':'maintainer','since':'2026-05-01T00:00:00Z'}]";

    @Test
    void theMoveOfARoleIsThatOfEverybodyWhoHasIt() {
        assertThat(SepCard.of(line(MAINTAINERS), BOB).mine()).isTrue();
        assertThat(SepCard.of(line(MAINTAINERS), ALICE).mine()).isTrue();
        assertThat(SepCard.of(line(MAINTAINERS), CAROL).mine()).isFalse();
        assertThat(SepCard.of(line(MAINTAINERS), CAROL).whose()).isEqualTo("a maintainer");
        assertThat(SepCard.of(line(MAINTAINERS), BOB).whose()).isEqualTo("you, as a maintainer");
    }

    @Test
    void theMoveOfAPersonIsTheirsAlone() {
        Json line = line("[{'who':'bob','as':'sponsor','since':'2026-05-01T00:00:00Z'}]");

        assertThat(SepCard.of(line, BOB).mine()).isTrue();
        assertThat(SepCard.of(line, ALICE).mine()).isFalse();
        assertThat(SepCard.of(line, ALICE).whose()).isEqualTo("bob");
        assertThat(SepCard.of(line, ALICE).move().getFirst().as()).isEqualTo("the sponsor");
    }

    @Test
    void somebodyCalledLikeARoleIsNotEverybodyWhoHasIt() {
        Json line = line("[{'who':'maintainer','as':'sponsor','since':'2026-05-01T00:00:00Z'}]");

        assertThat(SepCard.of(line, BOB).mine()).isFalse();
    }

    @Test
    void whatWouldHideInATitleIsShown() {
        Json line = line("[]").with("title", Json.ofText("a\u202Eb"));

        assertThat(SepCard.of(line, BOB).title()).isEqualTo("a\\u202eb");
        assertThat(SepCard.of(line("[]").with("title", Json.ofText(" ")), BOB).title())
                .isEqualTo("Untitled");
    }

    @Test
    void statesHaveTheColourOfWhatCanHappenThere() {
        assertThat(List.of("proposal", "final", "dormant", "rejected", "unheard of"))
                .extracting(BOB::tone)
                .containsExactly("info", "good", "warn", "", "");
    }

    @Test
    void guidanceSaysWhoMustActAndByWhen() {
        Guide guide = Guide.of(
                json("{'says':'proposal since 2026-05-01: it waits for a sponsor.','mustAct':" + MAINTAINERS
                        + ",'waitingOn':['author','dave'],'nextStep':'Ask somebody.',"
                        + "'expectedBy':{'date':'2026-10-28','then':'it goes dormant'}}"),
                CAROL);

        assertThat(guide.mine()).isFalse();
        assertThat(guide.status()).startsWith("Proposal since");
        assertThat(guide.waitingOn()).containsExactly("the author", "dave");
        assertThat(guide.expected()).contains(new Guide.Expected(LocalDate.parse("2026-10-28"), "it goes dormant."));
        assertThat(Guide.of(json("{'says':'final.','mustAct':[],'nextStep':'Nothing to do.','expectedBy':null}"), BOB)
                        .atRest())
                .isTrue();
    }

    @Test
    void whoeverIsRemindedIsYouToThemselves() {
        Json next = json("{'says':'draft.','mustAct':[],'nextStep':'Nothing for you to do now: it is up to bob.',"
                + "'expectedBy':{'date':'2026-10-28','then':'carol and carolina will be reminded'}}");

        assertThat(Guide.of(next, CAROL).expected().orElseThrow().then())
                .isEqualTo("you and carolina will be reminded.");
        assertThat(Guide.of(next, BOB).expected().orElseThrow().then())
                .isEqualTo("carol and carolina will be reminded.");
        assertThat(Guide.of(next, CAROL).asks()).isFalse();
    }

    @Test
    void evidenceIsCalledByItsLabelAndAVoteSaysWhatItNeedsFirst() {
        assertThat(Accepted.words(
                        json("{'says':'a link to working code','met':false,'kinds':['prototype'],"
                                + "'accepts':'prototype: a link that begins with http:// or https://'}"),
                        Processes.usual()))
                .isEqualTo("a link");
        assertThat(Accepted.tally("0 yes, 0 no, 0 abstaining; 0 voted, 1 needed"))
                .isEqualTo("1 vote is needed; none so far");
        assertThat(Accepted.tally("1 yes, 0 no, 0 abstaining; 1 voted, 2 needed; the text has changed"))
                .isEqualTo("2 votes are needed; 1 so far (1 yes, 0 no, 0 abstaining); the text has changed");
    }

    @Test
    void onlyWhatWaitsForSomebodyByNameIsTheirs() {
        assertThat(SepCard.of(line(MAINTAINERS), BOB).named()).isFalse();
        assertThat(SepCard.of(line("[{'who':'bob','as':'sponsor','since':'2026-05-01T00:00:00Z'}]"), BOB)
                        .named())
                .isTrue();
    }

    private static final Json MOVES = json("{'moves':["
            + "{'to':'provisional','who':'the sponsor','youMay':false,'possible':false,'requirements':"
            + "[{'says':'minutes','met':true,'accepts':'agreed'},{'says':'a review','met':false,'accepts':'a link'}]},"
            + "{'to':'rejected','who':'a core maintainer','youMay':true,'possible':false,'requirements':"
            + "[{'says':'feedback','met':false,'accepts':'text'}]},"
            + "{'to':'accepted','who':'a core maintainer','youMay':true,'possible':true,'requirements':[]},"
            + "{'to':'dormant','who':'nobody','youMay':false,'possible':false,'requirements':[],"
            + "'barred':'the decision is on hold'}]}");

    @Test
    void movesThatGoOnStandBeforeThoseThatEnd() {
        Outlook outlook = Outlook.of(MOVES, "draft", BOB);

        assertThat(outlook.on()).extracting(MoveView::to).containsExactly("provisional", "accepted");
        assertThat(outlook.others()).extracting(MoveView::to).containsExactly("rejected", "dormant");
    }

    @Test
    void everyMoveSaysWhetherTheReaderMayAndOtherwiseWhy() {
        Outlook outlook = Outlook.of(MOVES, "draft", BOB);

        assertThat(outlook.on().get(0).verdict()).isEqualTo("Only the sponsor may do this.");
        assertThat(outlook.on().get(0).missing()).isEqualTo(1);
        assertThat(outlook.on().get(1).verdict()).isEqualTo("You may do this now.");
        assertThat(outlook.others().get(0).verdict()).isEqualTo("You may do this once what is missing is there.");
        assertThat(outlook.others().get(1).verdict()).isEqualTo("The decision is on hold.");
    }

    @Test
    void theWayIsWhatHappenedAndThenWhatCan() {
        Json history = json("{'events':["
                + "{'type':'submitted','at':'2026-01-01T00:00:00Z','says':'','detail':{'state':'proposal'}},"
                + "{'type':'commented','at':'2026-01-02T00:00:00Z','says':'','detail':{'text':'x'}},"
                + "{'type':'moved','at':'2026-01-03T00:00:00Z','says':'','detail':{'from':'proposal','to':'draft'}}]}");

        Rail rail = Rail.of(history, Outlook.of(MOVES, "draft", BOB), BOB);

        assertThat(rail.reached()).extracting(Rail.Stop::state).containsExactly("proposal", "draft");
        assertThat(rail.reached()).extracting(Rail.Stop::here).containsExactly(false, true);
        assertThat(rail.reached().getFirst().at()).contains(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(rail.ahead()).extracting(Rail.Stop::state).containsExactly("provisional", "accepted");
        assertThat(rail.elsewhere()).containsExactly("rejected", "dormant");
    }

    @Test
    void aLongWayIsCutAtItsBeginning() {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            events.append(i == 0 ? "" : ",")
                    .append("{'type':'moved','at':'2026-01-03T00:00:00Z','detail':{'to':'draft'}}");
        }
        Rail rail = Rail.of(json("{'events':[" + events + "]}"), Outlook.of(MOVES, "draft", BOB), BOB);

        assertThat(rail.skipped() + rail.reached().size()).isEqualTo(20);
        assertThat(rail.skipped()).isPositive();
        assertThat(rail.reached().getLast().here()).isTrue();
    }

    @Test
    void whatIsLookedForIsCarriedOnToTheListOfAState() {
        Filter filter = Filter.of(name -> name.equals("text") ? Optional.of(" a&b ") : Optional.empty());

        assertThat(filter.any()).isTrue();
        assertThat(filter.path("in-review")).isEqualTo("/console/seps?text=a%26b&state=in-review");
        assertThat(filter.arguments().raw()).isEqualTo("{\"text\":\"a&b\"}");
        assertThat(Filter.NONE.any()).isFalse();
        assertThat(Filter.by("author", "@x y")).isEqualTo("/console/seps?author=%40x+y");
    }

    @Test
    void onlyAddressesOfPagesBecomeLinks() {
        assertThat(List.of("https://example.org/a?b=c", "http://x.y")).allMatch(Given::isLink);
        assertThat(List.of(
                        "javascript:alert(1)", "https://a b", "data:text/html,x", "//example.org", "see https://x.y"))
                .noneMatch(Given::isLink);
    }

    @Test
    void whoHasMostComesFirstAndIsMarkedWhereItIsTooMuch() {
        Sponsors sponsors = Sponsors.of(
                Frame.plain("Sponsors"),
                json(
                        "{'maintainers':["
                                + "{'id':'bob','name':'Bob','roles':['maintainer'],'sponsors':[1],'limit':2,'over':false},"
                                + "{'id':'dan','name':'Dan','roles':['maintainer'],'sponsors':[2,3,4],'limit':2,'over':true}]}"),
                BOB);

        assertThat(sponsors.loads()).extracting(Sponsors.Load::name).containsExactly("Dan", "Bob");
        assertThat(sponsors.loads()).extracting(Sponsors.Load::over).containsExactly(true, false);
        assertThat(sponsors.loads()).extracting(Sponsors.Load::you).containsExactly(false, true);
        assertThat(sponsors.share(3)).isEqualTo(100);
        assertThat(sponsors.share(sponsors.limit())).isEqualTo(67);
    }

    @Test
    void aVoteShowsItsBallotsAndWhatIsInTheWay() {
        assertThat(Votes.of(json("{'number':1}"))).isEmpty();

        Votes votes = Votes.of(json("{'tally':{'yes':1,'no':0,'abstain':0,'concerns':['dave'],'needed':2,"
                        + "'carried':false,'says':'1 yes','votes':[{'by':'carol','ballot':'yes','reason':''}]},"
                        + "'hold':{'since':'2026-05-01T00:00:00Z','reason':'the author is away'}}"))
                .orElseThrow();

        assertThat(votes.needed()).contains(2L);
        assertThat(votes.concerns()).containsExactly("dave");
        assertThat(votes.cast().getFirst().tone()).isEqualTo("good");
        assertThat(votes.hold().orElseThrow().reason()).isEqualTo("the author is away");
    }

    @Test
    void contentsAreTheHeadingsBelowTheTitle() {
        Paper paper = Paper.of("# Title\n\n## One\n\n### Two\n\n#### Three\n");

        assertThat(paper.contents())
                .containsExactly(
                        new Paper.Heading(2, "One", "sep-text-one"), new Paper.Heading(3, "Two", "sep-text-two"));
    }

    @Test
    void linksOfSepsAreNamedInBothDirections() {
        assertThat(Related.of(json("{'links':{'supersedes':[],'requires':[3],'supersededBy':[9]}}")))
                .containsExactly(new Related("Requires", List.of(3)), new Related("Superseded by", List.of(9)));
    }
}
