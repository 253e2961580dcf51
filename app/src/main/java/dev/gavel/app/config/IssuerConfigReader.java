package dev.gavel.app.config;

import dev.gavel.mcpx.ValueParseResult;
import dev.gavel.web.oauth.TrustedIssuer;
import dev.gavel.yaml.ProblemCollector;
import dev.gavel.yaml.YamlMappingReader;
import dev.gavel.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the configuration's section {@code issuers}. Stateless. */
final class IssuerConfigReader {
    private IssuerConfigReader() {}

    /** Reads the issuers, and reports mistakes. Leaves out an issuer without a valid URL. */
    static List<TrustedIssuer> read(YamlMappingReader top, ProblemCollector problemCollector) {
        List<TrustedIssuer> issuers = new ArrayList<>();
        for (YamlNode item : top.items("issuers")) {
            YamlMappingReader issuer = YamlMappingReader.of(item, problemCollector);
            Optional<String> audience = nonEmpty(issuer, "audience", problemCollector);
            Optional<String> identityClaim = nonEmpty(issuer, "identity", problemCollector);
            Optional<String> url = url(issuer, problemCollector);
            issuer.reportUnknownKeys();
            if (url.isEmpty()) {
                continue;
            }
            if (issuers.stream().anyMatch(other -> other.url().equals(url.get()))) {
                problemCollector.add(issuer.position("url"), "the issuer '" + url.get() + "' is listed twice");
            }
            issuers.add(
                    new TrustedIssuer(url.get(), audience, identityClaim.orElse(TrustedIssuer.DEFAULT_IDENTITY_CLAIM)));
        }
        return issuers;
    }

    private static Optional<String> url(YamlMappingReader issuer, ProblemCollector problemCollector) {
        return issuer.requiredString("url").flatMap(text -> switch (TrustedIssuer.parseUrl(text)) {
            case ValueParseResult.Valid<String>(String url) -> Optional.of(url);
            case ValueParseResult.Invalid<String>(String problem) -> {
                problemCollector.add(issuer.position("url"), "'url' of an issuer " + problem);
                yield Optional.empty();
            }
        });
    }

    private static Optional<String> nonEmpty(YamlMappingReader issuer, String key, ProblemCollector problemCollector) {
        Optional<String> text = issuer.string(key);
        if (text.filter(String::isBlank).isPresent()) {
            problemCollector.add(issuer.position(key), "'" + key + "' of an issuer must not be empty");
        }
        return text;
    }
}
