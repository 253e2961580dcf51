package dev.gavel.web.console.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gavel.mcpx.json.Json;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JsonDiffTest {
    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"')).orElseThrow();
    }

    private static List<String> shown(String before, String after) {
        return JsonDiff.between(json(before), json(after)).changes().stream()
                .flatMap(change -> Stream.concat(
                        Stream.of(change.path() + " " + change.type().text()),
                        change.lines().stream().map(line -> line.sign().mark() + line.text())))
                .toList();
    }

    @Test
    void whatIsTheSameInOtherLettersIsNoDifference() {
        assertThat(shown("{'a':1,'b':[true]}", "{ 'b' : [ true ], 'a' : 1 }")).isEmpty();
    }

    @Test
    void aChangedTextIsShownWithWhatItWas() {
        assertThat(shown("{'path':'a.txt','depth':2}", "{'path':'b.txt','depth':2}"))
                .containsExactly("path changed", "−a.txt", "+b.txt");
    }

    @Test
    void anotherTypeWithTheSameLettersIsTold() {
        assertThat(shown("{'n':'1'}", "{'n':1}")).containsExactly("n changed", "−\"1\"", "+1");
    }

    @Test
    void whatWasAddedAndRemovedIsNamedByItsPath() {
        assertThat(shown("{'o':{'x':1},'l':[1,2]}", "{'o':{'y':2},'l':[1]}"))
                .containsExactly("o.x removed", "−1", "o.y added", "+2", "l[1] removed", "−2");
    }

    @Test
    void ofALongTextOnlyTheLinesAroundAChangeAreShown() {
        List<String> lines = IntStream.range(0, 20).mapToObj(i -> "line " + i).toList();
        String before = String.join("\\n", lines);
        assertThat(shown("{'t':'" + before + "'}", "{'t':'" + before.replace("line 10", "other") + "'}"))
                .containsExactly(
                        "t changed", "…", " line 8", " line 9", "−line 10", "+other", " line 11", " line 12", "…");
    }

    @Test
    void charactersThatCannotBeSeenAre() {
        assertThat(shown("{'p':'a'}", "{'p':'a\\u202eb'}")).containsExactly("p changed", "−a", "+a\\u202eb");
    }
}
