package dev.gavel.web.console.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Loads the console's style sheets, scripts and icon from the jar and addresses them by content hash. Because of the
 * hash in the address, a browser may cache a file forever and never uses an outdated one. Thread-safe.
 */
public final class ConsoleAssets {
    /** The URL path under which the files are served. */
    public static final String PATH = "/console/assets";

    private static final Map<String, String> TYPES =
            Map.of("css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8", "svg", "image/svg+xml");

    private static final String RESOURCE_FOLDER = "/dev/gavel/web/console/";

    /** Every page loads the files of all sections: they are small, and browsers cache them. */
    private static final List<String> FILES = List.of(
            "console.css",
            "inbox.css",
            "topic.css",
            "sep.css",
            "sepact.css",
            "admin.css",
            "console.js",
            "drafts.js",
            "inbox.js",
            "topic.js",
            "sep.js",
            "sepact.js",
            "admin.js",
            "icon.svg");

    private static final Map<String, String> RESOURCE_PATHS = resourcePaths();

    private static final Map<String, Asset> CACHE = new ConcurrentHashMap<>();

    private ConsoleAssets() {}

    private static Map<String, String> resourcePaths() {
        Map<String, String> paths = new LinkedHashMap<>();
        FILES.forEach(name -> paths.put(name, RESOURCE_FOLDER + name));
        paths.put("htmx.js", "/META-INF/resources/webjars/htmx.org/" + htmxVersion() + "/dist/htmx.min.js");
        return paths;
    }

    /** Returns the content of a file. */
    static String text(String name) {
        return CACHE.computeIfAbsent(name, ConsoleAssets::read).text();
    }

    /** Returns the URL paths of the console's own files with this extension, in loading order. */
    public static List<String> all(String kind) {
        return FILES.stream()
                .filter(name -> name.endsWith("." + kind))
                .map(ConsoleAssets::path)
                .toList();
    }

    /** A file with its URL path and content type. */
    public record Asset(String path, String type, String text) {}

    /** Returns the URL path of a file. The name must be known. */
    public static String path(String name) {
        return CACHE.computeIfAbsent(name, ConsoleAssets::read).path();
    }

    /** Returns the file at an address; empty if the name is unknown or the hash is another. */
    public static Optional<Asset> find(@Nullable String hash, @Nullable String name) {
        if (hash == null || name == null || !RESOURCE_PATHS.containsKey(name)) {
            return Optional.empty();
        }
        Asset asset = CACHE.computeIfAbsent(name, ConsoleAssets::read);
        return Optional.of(asset).filter(it -> it.path().equals(PATH + "/" + hash + "/" + name));
    }

    private static Asset read(String name) {
        String resourcePath = RESOURCE_PATHS.get(name);
        if (resourcePath == null) {
            throw new IllegalArgumentException("unknown console asset '" + name + "'");
        }
        try (InputStream in = ConsoleAssets.class.getResourceAsStream(resourcePath)) {
            if (in == null) {
                throw new IllegalStateException(resourcePath + " is not on the class path: build the project again");
            }
            byte[] bytes = in.readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new Asset(
                    PATH + "/" + hash(bytes) + "/" + name, Objects.requireNonNull(type), new String(bytes, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + resourcePath, e);
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** WebJars contain their version in every path; the build writes the version to {@code htmx.version}. */
    private static String htmxVersion() {
        try (InputStream in = ConsoleAssets.class.getResourceAsStream("/dev/gavel/web/console/htmx.version")) {
            if (in == null) {
                throw new IllegalStateException("htmx.version is not on the class path: build the project again");
            }
            return new String(in.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read htmx.version", e);
        }
    }
}
