package dev.gavel.sep.document;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentPathTest {
    @Test
    void thePathOfADocumentIsKept() {
        assertThat(DocumentPath.parse("text/0042-Über paging_(v2).md"))
                .hasValueSatisfying(path -> assertThat(path.text()).isEqualTo("text/0042-Über paging_(v2).md"));
        assertThat(DocumentPath.parse("./peps\\pep-0001.rst"))
                .hasValueSatisfying(path -> assertThat(path.text()).isEqualTo("peps/pep-0001.rst"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/etc/motd.md",
                "C:/motd.md",
                "../motd.md",
                "seps/../../motd.md",
                "seps\\..\\..\\motd.md",
                ".github/motd.md",
                ".md",
                "seps//motd.md",
                "seps./motd.md",
                "seps /motd.md",
                "motd.md/",
                "motd.sh",
                "motd",
                "a\nb.md",
                "a\u202eb.md",
                "a:b.md",
            })
    void aPathThatLeadsElsewhereOrNamesNoDocumentIsNone(String text) {
        assertThat(DocumentPath.parse(text)).isEmpty();
    }

    @Test
    void aPathIsBounded() {
        assertThat(DocumentPath.parse("a/".repeat(19) + "b.md")).isPresent();
        assertThat(DocumentPath.parse("a/".repeat(20) + "b.md")).isEmpty();
        assertThat(DocumentPath.parse("a".repeat(201) + ".md")).isEmpty();
        assertThat(DocumentPath.parse(("a".repeat(100) + "/").repeat(6) + "b.md"))
                .isEmpty();
    }
}
