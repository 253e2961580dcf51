package dev.gavel.gateway.proposal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.gavel.gateway.tool.ToolDefinition;
import dev.gavel.mcpx.Kind;
import dev.gavel.mcpx.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallRiskAssessorTest {
    private static final String READS = "{'readOnlyHint':true}";
    private static final String ADDS = "{'destructiveHint':false}";

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static ToolDefinition claim(String participant, String annotations) {
        return ToolDefinition.of(participant, "x", json("{'annotations':" + annotations + "}"));
    }

    private static CallRisk tool(String params, ToolDefinition... claims) {
        return tool(params, params, claims);
    }

    private static CallRisk tool(String params, String shownParams, ToolDefinition... claims) {
        return CallRiskAssessor.assess(
                Kind.of("mcp.request.tools/call"), json(params), json(shownParams), "p-1", List.of(claims));
    }

    private static List<String> warnings(String path, String annotations) {
        return tool("{'name':'x','arguments':{'path':'" + path + "'}}", claim("files", annotations))
                .warnings();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                               | DESTRUCTIVE | true
            {'title':'Harmless'}                             | DESTRUCTIVE | true
            {'readOnlyHint':false}                           | DESTRUCTIVE | true
            {'readOnlyHint':'true'}                          | DESTRUCTIVE | true
            {'destructiveHint':true}                         | DESTRUCTIVE | true
            {'destructiveHint':null}                         | DESTRUCTIVE | true
            {'destructiveHint':'false'}                      | DESTRUCTIVE | true
            {'destructiveHint':false}                        | ADDITIVE    | false
            {'readOnlyHint':true}                            | READ_ONLY   | false
            {'readOnlyHint':true,'destructiveHint':true}     | DESTRUCTIVE | true
            {'readOnlyHint':true,'destructiveHint':false}    | READ_ONLY   | false
            """)
    void missingHintsMeanDestructive(String annotations, CallEffect effect, boolean careful) {
        CallRisk risk = tool("{'name':'x','arguments':{}}", claim("files", annotations));
        assertThat(risk.effect()).isEqualTo(effect);
        assertThat(risk.careful()).isEqualTo(careful);
        assertThat(risk.effectText()).startsWith("files ");
    }

    @Test
    void aToolThatNoParticipantListsIsUnknownAndNeedsCare() {
        CallRisk risk = tool("{'name':'x','arguments':{}}");
        assertThat(risk.effect()).isEqualTo(CallEffect.UNKNOWN);
        assertThat(risk.careful()).isTrue();
        assertThat(risk.effectText())
                .isEqualTo("No connected participant lists this tool, so what it does is unknown.");
    }

    @Test
    void theWorstClaimCounts() {
        assertThat(tool("{'name':'x'}", claim("a", READS), claim("b", "{}"), claim("c", ADDS))
                        .effectText())
                .isEqualTo("b does not say what this tool can do, so assume that it can delete or overwrite data.");
        assertThat(tool("{'name':'x'}", claim("a", READS), claim("b", READS)).effectText())
                .isEqualTo("a and b claim that this tool changes nothing.");
    }

    @Test
    void methodsThatOnlyReadAreCalmAndOthersAreUnknown() {
        assertThat(CallRiskAssessor.assess(
                                Kind.of("mcp.request.resources/read"),
                                json("{'uri':'file:///x'}"),
                                json("{'uri':'file:///x'}"),
                                "p-1",
                                List.of())
                        .careful())
                .isFalse();
        assertThat(CallRiskAssessor.assess(Kind.of("mcp.request.custom/run"), json("{}"), json("{}"), "p-1", List.of())
                        .effect())
                .isEqualTo(CallEffect.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ../../etc/passwd | path leaves its folder with ".."
            a/../b           | path leaves its folder with ".."
            notes/*          | path can match many files with "*"
            *.txt            | path can match many files with "*"
            /                | path is a whole disk or home folder
            ~                | path is a whole disk or home folder
            C:\\\\             | path is a whole disk or home folder
            """)
    void aPathThatReachesFarIsReported(String path, String warning) {
        assertThat(warnings(path, ADDS)).containsExactly(warning);
        assertThat(tool("{'name':'x','arguments':{'path':'" + path + "'}}", claim("files", ADDS))
                        .careful())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/srv/project/notes.txt",
                "C:\\\\Users\\\\alice\\\\notes.txt",
                "file:///srv/notes.txt",
                "~/project/notes.txt",
                "notes/todo.txt",
                "a .. b",
                "5 * 3",
                "and/or",
                "**Done**",
                "select * from users",
                "import a from `../b`;",
                "https://example.org/a",
                "Grüße aus Köln, 世界 👩‍💻"
            })
    void ordinaryArgumentsGiveNoWarning(String text) {
        assertThat(warnings(text, ADDS)).isEmpty();
    }

    @Test
    void namesOfArgumentsThatLookLikeOthersGiveAWarning() {
        assertThat(tool("{'name':'x','arguments':{'':'a','path ':'b','path':'c'}}", claim("files", READS))
                        .warnings())
                .containsExactly(
                        "The name of an argument is empty", "The name of an argument begins or ends with a space");
    }

    @ParameterizedTest
    @ValueSource(strings = {"**/*.java", "*.txt", "/"})
    void aPatternIsOrdinaryForAToolThatOnlyReads(String pattern) {
        assertThat(warnings(pattern, READS)).isEmpty();
    }

    @Test
    void hiddenCharactersAreCountedWhereverTheyAre() {
        assertThat(tool(
                                "{'name':'x\u200b','arguments':{'a\u202e':['b\u00a0\u3000']},'_meta':{'k':'\ue000'}}",
                                claim("files", READS))
                        .warnings())
                .containsExactly(
                        "The name of the tool, prompt or resource contains 1 hidden character or unusual space, shown as an escape",
                        "The name of an argument contains 1 hidden character or unusual space, shown as an escape",
                        "a\\u202e[0] contains 2 hidden characters or unusual spaces, shown as escapes",
                        "The metadata contains 1 hidden character or unusual space, shown as an escape");
    }

    @Test
    void lettersThatLookAlikeAreReported() {
        assertThat(tool("{'name':'x','arguments':{'host':'pаypal.com'}}", claim("web", READS))
                        .warnings())
                .containsExactly("host mixes letters of different alphabets that look alike, in \"pаypal\"");
    }

    @Test
    void aSecretArgumentIsAssessedWithoutRevealingIt() {
        CallRisk risk = tool(
                "{'name':'x','arguments':{'user':'a','password':'../../etc/passwd\u200b\u202e pаypal','keys':{'../k':'/'}}}",
                "{'name':'x','arguments':{'user':'a','password':{'dev.gavel/redacted':'secret'},"
                        + "'keys':{'dev.gavel/redacted':'secret'}}}",
                claim("files", ADDS));
        assertThat(risk.warnings())
                .containsExactly(
                        "password (secret) leaves its folder with \"..\"",
                        "password (secret) contains hidden characters or unusual spaces",
                        "password (secret) mixes letters of different alphabets that look alike",
                        "keys (secret) is a whole disk or home folder");
        assertThat(risk.careful()).isTrue();
    }

    @Test
    void warningsThatAreLeftOutAreCounted() {
        String list = IntStream.range(0, 9).mapToObj(i -> "'../x'").collect(Collectors.joining(","));
        CallRisk risk = tool("{'name':'x','arguments':{'paths':[" + list + "]}}", claim("files", READS));
        assertThat(risk.warnings()).hasSize(6);
        assertThat(risk.omittedWarnings()).isEqualTo(3);
    }

    @Test
    void aCallInTheReviewersNameNeedsCareAlsoAfterAnEdit() {
        CallRisk risk = tool(
                "{'name':'x','arguments':{'ballot':'yes'}}",
                claim("desk", "{'destructiveHint':false,'callerIdentityHint':true}"));
        assertThat(risk.careful()).isTrue();
        assertThat(risk.warnings()).singleElement().asString().contains("recorded as your vote");
        assertThat(CallRiskAssessor.reassess(
                        risk, "tools/call", json("{'name':'x','arguments':{'ballot':'no'}}"), "p-1"))
                .isEqualTo(risk);
    }

    @Test
    void aNameThatAResourceDoesNotHaveIsAWarning() {
        Json params = json("{'uri':'file:///etc/shadow','name':'readme.txt'}");
        CallRisk risk =
                CallRiskAssessor.assess(Kind.of("mcp.request.resources/read"), params, params, "p-1", List.of());
        assertThat(risk.careful()).isTrue();
        assertThat(risk.warnings())
                .containsExactly("The call has a parameter \"name\", but resources/read uses only the URI");
    }

    @Test
    void otherArgumentsAreAssessedAgain() {
        CallRisk risk = tool("{'name':'x','arguments':{'path':'../x'}}", claim("files", READS));
        assertThat(risk.careful()).isTrue();
        assertThat(CallRiskAssessor.reassess(risk, "tools/call", json("{'name':'x','arguments':{'path':'x'}}"), "p-1")
                        .careful())
                .isFalse();
    }

    @Test
    void textsMadeToTakeLongAreScannedAllTheSame() {
        String text = "a" + "/".repeat(132) + "*".repeat(132) + "b".repeat(132) + " x";
        String list = IntStream.range(0, 2_000).mapToObj(i -> "'" + text + "'").collect(Collectors.joining(","));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(tool("{'name':'rm','arguments':{'paths':[" + list + "]}}", claim("files", ADDS))
                                .warnings())
                        .isEmpty());
    }
}
