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
    @ValueSource(
            strings = {
                "paypa\u04CF.com", // Cyrillic palochka
                "g\u0585\u0585gle.com", // Armenian oh
                "\u2CA3aypal", // Coptic ro
                "\u13AApple.com", // Cherokee go
                "\uA4D0ank of", // Lisu
                "\uFF47oogle.com", // fullwidth g
                "\uD835\uDDC0oogle.com", // mathematical sans-serif g
                "\uD835\uDDC0\uD835\uDDC8", // only mathematical letters
                "g\u0131thub.com", // dotless i
                "\u0262ithub.com", // small capital g
                "me@g\u0131thub",
                "https://example.org/@g\u0131thub.io",
            })
    void lettersThatImitateAsciiAreFound(String text) {
        assertThat(LookalikeWordFinder.find(text)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "admin",
                "Привет, Alice",
                "10 kΩ",
                "Δt and λx",
                "α and beta",
                "Grüße",
                "Die Straße führt übers Gelände; Öl kostet 3 €/l, siehe README.md und größe.txt.",
                "Η εφαρμογή στέλνει ένα email στο info@example.gr με θέμα «Καλημέρα».",
                "Откройте USB-порт и запустите Python 3.14 на сервере example.ru через SSH.",
                "APIを呼び出す前に、ＣＤ-ROMとPDFファイルを確認してください。ｺﾝﾋﾟｭｰﾀ ＡＰＩ",
                "把PDF文件发送给admin，然后打开https://example.cn/。",
                "PDF를 열고 API를 호출합니다.",
                "פתחו את הPDF ואת הAPI",
                "افتح ملفPDF الآن",
                "Kapıyı açın. Işık kapalı, yazıyı kaydedin.",
                "Việt Nam, Łódź, Århus, naïve café, Mª José, ﬁle",
                "for (int i = 0; i < n; i++) { sum += µ[i] * x_1; } // ∑ 𝑥 ∈ ℝ",
                "const π = Math.PI; let Δx = x₁ - x₀;",
                "Yerevan Երևան, Tbilisi თბილისი, PDFის",
            })
    void ordinaryTextsAreNotFound(String text) {
        assertThat(LookalikeWordFinder.find(text)).isEmpty();
    }
}
