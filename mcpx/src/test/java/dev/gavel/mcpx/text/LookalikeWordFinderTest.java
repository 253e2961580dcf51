package dev.gavel.mcpx.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LookalikeWordFinderTest {
    @Test
    void aWordOfTwoAlphabetsIsFound() {
        assertThat(LookalikeWordFinder.find("send it to pаypal.com")).contains("pаypal");
        assertThat(LookalikeWordFinder.find("Αdmin")).contains("Αdmin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "admin", "Привет, Alice", "10 kΩ", "Δt and λx", "α and beta", "Grüße"})
    void wordsOfOneAlphabetAreNotFound(String text) {
        assertThat(LookalikeWordFinder.find(text)).isEmpty();
    }
}
