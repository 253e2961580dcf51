package dev.gavel.sep.document;

import dev.gavel.sep.process.BuiltInProcesses;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;

/** Loads and varies the sample documents that tests read. */
public final class DocumentFixtures {
    private DocumentFixtures() {}

    /** Reads a document in the default format. */
    public static Document read(String text) {
        return Document.read(text, BuiltInProcesses.defaultProcess().documentFormat());
    }

    /** Returns the section names of the default format. */
    public static SectionNames sectionNames() {
        return SectionNames.of(BuiltInProcesses.defaultProcess().documentFormat());
    }

    public static String text(String name) {
        try (InputStream stream = DocumentFixtures.class.getResourceAsStream("/documents/" + name + ".md")) {
            if (stream == null) {
                throw new IllegalArgumentException("there is no document " + name);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a document with these preamble lines and without other lint findings. */
    public static String withFields(String... fields) {
        String text = text("bullets");
        for (String field : fields) {
            String label = field.substring(0, field.indexOf("**", 4));
            String replaced = text.replaceAll("(?m)^\\Q" + label + "\\E\\*\\*.*$", Matcher.quoteReplacement(field));
            text = replaced.contains(field)
                    ? replaced
                    : text.replaceFirst("\n- ", Matcher.quoteReplacement("\n" + field + "\n- "));
        }
        return text;
    }
}
