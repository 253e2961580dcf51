package dev.gavel.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.client.json.Json;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Ends as the gateway shows them; those that envelopes tell are tried against a running server. */
class CourseTest {
    private final Course course = new Course("p");

    private Optional<End> look(String view) {
        return course.look(Json.parse(view.replace('\'', '"')).orElseThrow());
    }

    @Test
    void anOpenProposalHasNoEnd() {
        assertThat(look("{'state':'open','timeline':[{'event':'proposed'}]}")).isEmpty();
        assertThat(course.request()).isEmpty();
    }

    @Test
    void whatWasApprovedAwaitsItsAnswer() {
        assertThat(look("{'state':'fulfilled','outcome':'pending','timeline':["
                        + "{'event':'fulfilled','by':'alice','envelope':'r','to':['files']}]}"))
                .isEmpty();
        assertThat(course.request()).contains("r");
        assertThat(course.awaits("files")).isTrue();
        assertThat(course.awaits("alice")).isFalse();
    }

    @Test
    void theAnswerIsItsEnd() {
        String view = "{'state':'fulfilled','outcome':'%s','timeline':["
                + "{'event':'fulfilled','by':'alice','envelope':'r','to':['files']},{'event':'answered','result':%s}]}";
        assertThat(look(view.formatted("succeeded", "{'result':{'content':[{'type':'text','text':'done'}]}}")))
                .get()
                .isInstanceOfSatisfying(End.Succeeded.class, end -> {
                    assertThat(end.text()).isEqualTo("done");
                    assertThat(end.approvedBy()).isEqualTo("alice");
                });
        assertThat(look(view.formatted("failed", "{'error':{'code':1,'message':'no'}}")))
                .get()
                .isInstanceOfSatisfying(
                        End.Failed.class, end -> assertThat(end.text()).isEqualTo("no"));
    }

    @Test
    void anAnswerThatNobodyExpectsAnyMoreIsUnknown() {
        assertThat(look("{'state':'fulfilled','outcome':'unknown','timeline':["
                        + "{'event':'outcome_unknown','why':'addressee_left'}]}"))
                .contains(new End.Unknown("p", "addressee left"));
    }

    @Test
    void theOtherEndsCarryTheirReasons() {
        assertThat(look("{'state':'rejected','reasons':[{'from':'alice','reason':'unsafe'}]}"))
                .contains(new End.Rejected("p", List.of(new Rejection("alice", "unsafe", Optional.empty()))));
        assertThat(look("{'state':'withdrawn','timeline':[{'event':'withdrawn','reason':'no'}]}"))
                .contains(new End.Withdrawn("p", Optional.of("no")));
        assertThat(look("{'state':'expired'}")).contains(new End.Expired("p"));
    }
}
