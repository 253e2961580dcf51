package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SideFileTextTest {
    private static final List<String> PARTS = List.of("---", "...", "\n", "\r\n", " ", "a: b", "# A");

    @Test
    void theSideFileIsTheFrontMatter() {
        assertThat(SideFileText.join("title: Sails\n", "# Sails\n")).contains("---\ntitle: Sails\n---\n# Sails\n");
        assertThat(SideFileText.join("title: Sails", "# Sails")).contains("---\ntitle: Sails\n...\n# Sails");
    }

    @Test
    void bothTextsAreRestoredUnlessTheSideFileEndsTheFrontMatter() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            String side = text(random);
            String document = text(random);
            SideFileText.join(side, document)
                    .ifPresentOrElse(
                            joined -> assertThat(SideFileText.split(joined))
                                    .contains(new SideFileText.Parts(side, document)),
                            () -> assertThat(side).containsPattern("(?m)^(---|\\.\\.\\.) *$"));
        }
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(PARTS.get(random.nextInt(PARTS.size())));
        }
        return text.toString();
    }

    @Test
    void otherTextIsNotSplit() {
        assertThat(SideFileText.split("# Sails\n")).isEmpty();
        assertThat(SideFileText.split("---\ntitle: Sails\n")).isEmpty();
    }
}
