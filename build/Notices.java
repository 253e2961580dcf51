import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes THIRD-PARTY-NOTICES.txt into a built program: each library of sbom.cdx.json with its license and its source,
 * and the license texts and notices that the libraries contain. The build runs it on the program's directory, with the
 * program's libraries as the class path.
 */
final class Notices {
    private static final Pattern LEGAL_FILE = Pattern.compile("(?i)(.*/)?(licen[cs]e|notice|copying)([.-][^/]*)?");

    private final Path directory;
    // Each text once, with its number.
    private final Map<String, Integer> texts = new LinkedHashMap<>();

    private Notices(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        Files.writeString(directory.resolve("THIRD-PARTY-NOTICES.txt"), new Notices(directory).text());
    }

    private String text() throws IOException {
        StringBuilder all = new StringBuilder("""
                Third-party software in Gavel

                Gavel itself has the license Apache-2.0. It contains the following libraries. The file sbom.cdx.json
                lists the same libraries for programs, with their hashes. The classes of picocli were converted to
                the class file format of Java 8; the other libraries are unchanged.

                """);
        JsonNode sbom =
                JsonMapper.shared().readTree(directory.resolve("sbom.cdx.json").toFile());
        for (JsonNode component : sbom.path("components")) {
            if (!component.path("group").asString().equals("dev.gavel")) {
                append(all, component);
            }
        }
        texts.forEach((text, number) -> all.append("=".repeat(78))
                .append("\nText ")
                .append(number)
                .append("\n\n")
                .append(text)
                .append("\n\n"));
        return all.toString();
    }

    private void append(StringBuilder all, JsonNode component) throws IOException {
        String name = component.path("name").asString();
        String version = component.path("version").asString();
        all.append(name).append(' ').append(version).append('\n');
        for (JsonNode each : component.path("licenses")) {
            JsonNode license = each.path("license");
            String title = license.path("id")
                    .asString(license.path("name")
                            .asString(each.path("expression").asString("")));
            String url = license.path("url").asString("");
            all.append("  License: ")
                    .append(title)
                    .append(url.isEmpty() ? "" : ", " + url)
                    .append('\n');
        }
        for (JsonNode reference : component.path("externalReferences")) {
            if (reference.path("type").asString().equals("vcs")) {
                all.append("  Source:  ")
                        .append(reference.path("url").asString())
                        .append('\n');
            }
        }
        List<Integer> numbers = legalTexts(directory.resolve("lib").resolve(name + "-" + version + ".jar")).stream()
                .map(text -> texts.computeIfAbsent(text, added -> texts.size() + 1))
                .distinct()
                .toList();
        if (!numbers.isEmpty()) {
            all.append("  Texts:   ")
                    .append(numbers.toString().replaceAll("[\\[\\]]", ""))
                    .append('\n');
        }
        all.append('\n');
    }

    private static List<String> legalTexts(Path jar) throws IOException {
        List<String> found = new ArrayList<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                if (!entry.isDirectory() && LEGAL_FILE.matcher(entry.getName()).matches()) {
                    found.add(new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8).strip());
                }
            }
        }
        return found;
    }
}
