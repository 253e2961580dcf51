package dev.gavel.cli.build;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Reads the version that the build wrote into {@code gavel.properties}. Stateless. */
public final class BuildInfo {
    private BuildInfo() {}

    /** The version, such as {@code 0.1.0}. */
    public static String version() {
        Properties build = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/gavel.properties")) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return build.getProperty("version", "(not built)");
    }
}
