package dev.gavel.web.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsoleAssetsTest {
    @ParameterizedTest
    @ValueSource(strings = {"console.css", "console.js", "htmx.js", "icon.svg"})
    void aFileIsAtItsAddressAndNowhereElse(String name) {
        String[] parts = ConsoleAssets.path(name).split("/", -1);
        assertThat(ConsoleAssets.find(parts[3], name))
                .hasValueSatisfying(asset -> assertThat(asset.text()).isNotEmpty());
        assertThat(ConsoleAssets.find("0" + parts[3], name)).isEmpty();
        assertThat(ConsoleAssets.find(null, name)).isEmpty();
    }

    @Test
    void nothingElseIsServed() {
        assertThat(ConsoleAssets.find("0", "../Pages.class")).isEmpty();
        assertThat(ConsoleAssets.find("0", null)).isEmpty();
    }
}
