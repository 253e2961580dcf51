package dev.gavel.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AssetsTest {
    @ParameterizedTest
    @ValueSource(strings = {"console.css", "console.js", "htmx.js", "icon.svg"})
    void aFileIsAtItsAddressAndNowhereElse(String name) {
        String[] parts = Assets.path(name).split("/", -1);
        assertThat(Assets.at(parts[3], name))
                .hasValueSatisfying(asset -> assertThat(asset.text()).isNotEmpty());
        assertThat(Assets.at("0" + parts[3], name)).isEmpty();
        assertThat(Assets.at(null, name)).isEmpty();
    }

    @Test
    void nothingElseIsServed() {
        assertThat(Assets.at("0", "../Pages.class")).isEmpty();
        assertThat(Assets.at("0", null)).isEmpty();
    }
}
