package dev.gavel.web.console.sep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import dev.gavel.sep.process.BuiltInProcesses;
import dev.gavel.web.console.page.PageLayoutData;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the views that SEP pages build from the SEP service's answers. */
class SepViewsTest {
    private static final Instant NOW = Instant.parse("2026-05-10T12:00:00Z");
    private static final SepPageContext CAROL =
            new SepPageContext(BuiltInProcesses.defaultProcess(), "carol", Set.of(), NOW);
    private static final SepPageContext BOB =
            new SepPageContext(BuiltInProcesses.defaultProcess(), "bob", Set.of("maintainer"), NOW);
    private static final SepPageContext ALICE =
            new SepPageContext(BuiltInProcesses.defaultProcess(), "alice", Set.of("core-maintainer"), NOW);

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
        assertThat(SepCard.of(line(MAINTAINERS), BOB).isReadersTurn()).isTrue();
        assertThat(SepCard.of(line(MAINTAINERS), ALICE).isReadersTurn()).isTrue();
        assertThat(SepCard.of(line(MAINTAINERS), CAROL).isReadersTurn()).isFalse();
        assertThat(SepCard.of(line(MAINTAINERS), CAROL).requiredActorsText()).isEqualTo("a maintainer");
        assertThat(SepCard.of(line(MAINTAINERS), BOB).requiredActorsText()).isEqualTo("you, as a maintainer");
    }

    @Test
    void theMoveOfAPersonIsTheirsAlone() {
        Json line = line("[{'who':'bob','as':'sponsor','since':'2026-05-01T00:00:00Z'}]");

        assertThat(SepCard.of(line, BOB).isReadersTurn()).isTrue();
        assertThat(SepCard.of(line, ALICE).isReadersTurn()).isFalse();
        assertThat(SepCard.of(line, ALICE).requiredActorsText()).isEqualTo("bob");
        assertThat(SepCard.of(line, ALICE).requiredActors().getFirst().role()).isEqualTo("the sponsor");
    }

    @Test
    void somebodyCalledLikeARoleIsNotEverybodyWhoHasIt() {
        Json line = line("[{'who':'maintainer','as':'sponsor','since':'2026-05-01T00:00:00Z'}]");

        assertThat(SepCard.of(line, BOB).isReadersTurn()).isFalse();
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
        SepGuidanceView sepGuidanceView = SepGuidanceView.of(
                json("{'says':'proposal since 2026-05-01: it waits for a sponsor.','mustAct':" + MAINTAINERS
                        + ",'waitingOn':['author','dave'],'nextStep':'Ask somebody.',"
                        + "'expectedBy':{'date':'2026-10-28','then':'it goes dormant'}}"),
                CAROL);

        assertThat(sepGuidanceView.isReadersTurn()).isFalse();
        assertThat(sepGuidanceView.status()).startsWith("Proposal since");
        assertThat(sepGuidanceView.waitingOn()).containsExactly("the author", "dave");
        assertThat(sepGuidanceView.expectedDate())
                .contains(new SepGuidanceView.ExpectedDate(LocalDate.parse("2026-10-28"), "it goes dormant."));
        assertThat(SepGuidanceView.of(
                                json("{'says':'final.','mustAct':[],'nextStep':'Nothing to do.','expectedBy':null}"),
                                BOB)
                        .isSettled())
                .isTrue();
    }

    @Test
    void whoeverIsRemindedIsYouToThemselves() {
        Json next = json("{'says':'draft.','mustAct':[],'nextStep':'Nothing for you to do now: it is up to bob.',"
                + "'expectedBy':{'date':'2026-10-28','then':'carol and carolina will be reminded'}}");

        assertThat(SepGuidanceView.of(next, CAROL).expectedDate().orElseThrow().consequence())
                .isEqualTo("you and carolina will be reminded.");
        assertThat(SepGuidanceView.of(next, BOB).expectedDate().orElseThrow().consequence())
                .isEqualTo("carol and carolina will be reminded.");
        assertThat(SepGuidanceView.of(next, CAROL).hasNextStep()).isFalse();
    }

    @Test
    void evidenceIsCalledByItsLabelAndAVoteSaysWhatItNeedsFirst() {
        assertThat(RequirementTextFormatter.describe(
                        json("{'says':'a link to working code','met':false,'kinds':['prototype'],"
                                + "'accepts':'prototype: a link that begins with http:// or https://'}"),
                        BuiltInProcesses.defaultProcess()))
                .isEqualTo("a link");
        assertThat(RequirementTextFormatter.describeTally("0 yes, 0 no, 0 abstaining; 0 voted, 1 needed"))
                .isEqualTo("1 vote needed, none cast");
        assertThat(RequirementTextFormatter.describeTally(
                        "1 yes, 0 no, 0 abstaining; 1 voted, 2 needed; the text has changed"))
                .isEqualTo("2 votes needed, 1 cast (1 yes, 0 no, 0 abstaining); the text has changed");
    }

    @Test
    void onlyWhatWaitsForSomebodyByNameIsTheirs() {
        assertThat(SepCard.of(line(MAINTAINERS), BOB).namesReader()).isFalse();
        assertThat(SepCard.of(line("[{'who':'bob','as':'sponsor','since':'2026-05-01T00:00:00Z'}]"), BOB)
                        .namesReader())
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
        SepMovesView sepMovesView = SepMovesView.of(MOVES, "draft", BOB);

        assertThat(sepMovesView.forward()).extracting(SepMoveView::to).containsExactly("provisional", "accepted");
        assertThat(sepMovesView.others()).extracting(SepMoveView::to).containsExactly("rejected", "dormant");
    }

    @Test
    void everyMoveSaysWhetherTheReaderMayAndOtherwiseWhy() {
        SepMovesView sepMovesView = SepMovesView.of(MOVES, "draft", BOB);

        assertThat(sepMovesView.forward().get(0).permissionText()).isEqualTo("Only the sponsor can make this move.");
        assertThat(sepMovesView.forward().get(0).missingCount()).isEqualTo(1);
        assertThat(sepMovesView.forward().get(1).permissionText()).isEqualTo("You can make this move now.");
        assertThat(sepMovesView.others().get(0).permissionText())
                .isEqualTo("You can make this move when the missing requirement is met.");
        assertThat(sepMovesView.others().get(1).permissionText()).isEqualTo("The decision is on hold.");
    }

    @Test
    void theWayIsWhatHappenedAndThenWhatCan() {
        Json history = json("{'events':["
                + "{'type':'submitted','at':'2026-01-01T00:00:00Z','says':'','detail':{'state':'proposal'}},"
                + "{'type':'commented','at':'2026-01-02T00:00:00Z','says':'','detail':{'text':'x'}},"
                + "{'type':'moved','at':'2026-01-03T00:00:00Z','says':'','detail':{'from':'proposal','to':'draft'}}]}");

        SepProgressView sepProgressView = SepProgressView.of(history, SepMovesView.of(MOVES, "draft", BOB), BOB);

        assertThat(sepProgressView.reached())
                .extracting(SepProgressView.ProgressStep::state)
                .containsExactly("proposal", "draft");
        assertThat(sepProgressView.reached())
                .extracting(SepProgressView.ProgressStep::current)
                .containsExactly(false, true);
        assertThat(sepProgressView.reached().getFirst().at()).contains(Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(sepProgressView.ahead())
                .extracting(SepProgressView.ProgressStep::state)
                .containsExactly("provisional", "accepted");
        assertThat(sepProgressView.otherStates()).containsExactly("rejected", "dormant");
    }

    @Test
    void aLongWayIsCutAtItsBeginning() {
        StringBuilder events = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            events.append(i == 0 ? "" : ",")
                    .append("{'type':'moved','at':'2026-01-03T00:00:00Z','detail':{'to':'draft'}}");
        }
        SepProgressView sepProgressView =
                SepProgressView.of(json("{'events':[" + events + "]}"), SepMovesView.of(MOVES, "draft", BOB), BOB);

        assertThat(sepProgressView.skipped() + sepProgressView.reached().size()).isEqualTo(20);
        assertThat(sepProgressView.skipped()).isPositive();
        assertThat(sepProgressView.reached().getLast().current()).isTrue();
    }

    @Test
    void whatIsLookedForIsCarriedOnToTheListOfAState() {
        SepFilter filter = SepFilter.of(name -> name.equals("text") ? Optional.of(" a&b ") : Optional.empty());

        assertThat(filter.isActive()).isTrue();
        assertThat(filter.path("in-review")).isEqualTo("/console/seps?text=a%26b&state=in-review");
        assertThat(filter.arguments().raw()).isEqualTo("{\"text\":\"a&b\"}");
        assertThat(SepFilter.NONE.isActive()).isFalse();
        assertThat(SepFilter.boardPath("author", "@x y")).isEqualTo("/console/seps?author=%40x+y");
    }

    @Test
    void onlyAddressesOfPagesBecomeLinks() {
        assertThat(List.of("https://example.org/a?b=c", "http://x.y")).allMatch(SepEvidenceRow::isLink);
        assertThat(List.of(
                        "javascript:alert(1)", "https://a b", "data:text/html,x", "//example.org", "see https://x.y"))
                .noneMatch(SepEvidenceRow::isLink);
    }

    @Test
    void whoHasMostComesFirstAndIsMarkedWhereItIsTooMuch() {
        SepSponsorsPage sepSponsorsPage = SepSponsorsPage.of(
                PageLayoutData.anonymous("Sponsors"),
                json(
                        "{'maintainers':["
                                + "{'id':'bob','name':'Bob','roles':['maintainer'],'sponsors':[1],'limit':2,'over':false},"
                                + "{'id':'dan','name':'Dan','roles':['maintainer'],'sponsors':[2,3,4],'limit':2,'over':true}]}"),
                BOB);

        assertThat(sepSponsorsPage.rows())
                .extracting(SepSponsorsPage.SponsorRow::name)
                .containsExactly("Dan", "Bob");
        assertThat(sepSponsorsPage.rows())
                .extracting(SepSponsorsPage.SponsorRow::overLimit)
                .containsExactly(true, false);
        assertThat(sepSponsorsPage.rows())
                .extracting(SepSponsorsPage.SponsorRow::you)
                .containsExactly(false, true);
        assertThat(sepSponsorsPage.share(3)).isEqualTo(100);
        assertThat(sepSponsorsPage.share(sepSponsorsPage.limit())).isEqualTo(67);
    }

    @Test
    void aVoteShowsItsBallotsAndWhatIsInTheWay() {
        assertThat(SepVotesView.of(json("{'number':1}"), CAROL)).isEmpty();

        SepVotesView sepVotesView = SepVotesView.of(
                        json("{'tally':{'yes':1,'no':0,'abstain':0,'concerns':['dave'],'needed':2,"
                                + "'carried':false,'says':'1 yes','votes':[{'by':'carol','ballot':'yes','reason':''}]},"
                                + "'hold':{'since':'2026-05-01T00:00:00Z','reason':'the author is away'}}"),
                        CAROL)
                .orElseThrow();

        assertThat(sepVotesView.needed()).contains(2L);
        assertThat(sepVotesView.concerns()).containsExactly("dave");
        assertThat(sepVotesView.votes().getFirst().tone()).isEqualTo("good");
        assertThat(sepVotesView.hold().orElseThrow().reason()).isEqualTo("the author is away");
    }

    @Test
    void contentsAreTheHeadingsBelowTheTitle() {
        SepDocumentView sepDocumentView = SepDocumentView.of("# Title\n\n## One\n\n### Two\n\n#### Three\n");

        assertThat(sepDocumentView.headings())
                .containsExactly(
                        new SepDocumentView.Heading(2, "One", "sep-text-one"),
                        new SepDocumentView.Heading(3, "Two", "sep-text-two"));
    }

    @Test
    void linksOfSepsAreNamedInBothDirections() {
        assertThat(RelatedSepsRow.of(json("{'links':{'supersedes':[],'requires':[3],'supersededBy':[9]}}")))
                .containsExactly(
                        new RelatedSepsRow("Requires", List.of(3)), new RelatedSepsRow("Superseded by", List.of(9)));
    }
}
