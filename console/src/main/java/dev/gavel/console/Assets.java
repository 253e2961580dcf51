package dev.gavel.console;

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
 * The files that pages come with, from the jar. Each has its hash in its address, so that a browser may keep it for good
 * and never uses an old one. Thread-safe.
 */
public final class Assets {
    /** Where they are served. */
    public static final String PATH = "/console/assets";

    private static final Map<String, String> TYPES =
            Map.of("css", "text/css; charset=utf-8", "js", "text/javascript; charset=utf-8", "svg", "image/svg+xml");

    private static final String OURS = "/dev/gavel/console/";

    /** Those of the parts of the console are loaded with every page: they are small, and kept. */
    private static final List<String> FILES = List.of(
            "console.css",
            "inbox.css",
            "topic.css",
            "sep.css",
            "sepact.css",
            "admin.css",
            "console.js",
            "inbox.js",
            "topic.js",
            "sep.js",
            "sepact.js",
            "admin.js",
            "icon.svg");

    private static final Map<String, String> PLACES = places();

    private static final Map<String, Asset> READ = new ConcurrentHashMap<>();

    private Assets() {}

    private static Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        FILES.forEach(name -> places.put(name, OURS + name));
        places.put("htmx.js", "/META-INF/resources/webjars/htmx.org/" + htmxVersion() + "/dist/htmx.min.js");
        return places;
    }

    /** A file as it is. */
    static String text(String name) {
        return READ.computeIfAbsent(name, Assets::read).text();
    }

    /** The addresses of all files of ours of a kind, in the order they are to be loaded in. */
    public static List<String> all(String kind) {
        return FILES.stream()
                .filter(name -> name.endsWith("." + kind))
                .map(Assets::path)
                .toList();
    }

    /** A file, and how it is served. */
    public record Asset(String path, String type, String text) {}

    /** The address of a file that is there. */
    public static String path(String name) {
        return READ.computeIfAbsent(name, Assets::read).path();
    }

    /** What is at an address: nothing where the name is unknown or the hash another. */
    public static Optional<Asset> at(@Nullable String hash, @Nullable String name) {
        if (hash == null || name == null || !PLACES.containsKey(name)) {
            return Optional.empty();
        }
        Asset asset = READ.computeIfAbsent(name, Assets::read);
        return Optional.of(asset).filter(it -> it.path().equals(PATH + "/" + hash + "/" + name));
    }

    private static Asset read(String name) {
        String place = PLACES.get(name);
        if (place == null) {
            throw new IllegalArgumentException("no page comes with '" + name + "'");
        }
        try (InputStream in = Assets.class.getResourceAsStream(place)) {
            if (in == null) {
                throw new IllegalStateException(place + " is not on the class path: build the project anew");
            }
            byte[] bytes = in.readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return new Asset(
                    PATH + "/" + hash(bytes) + "/" + name, Objects.requireNonNull(type), new String(bytes, UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + place, e);
        }
    }

    private static String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** WebJars carry their version in every path; the build knows which it took. */
    private static String htmxVersion() {
        try (InputStream in = Assets.class.getResourceAsStream("/dev/gavel/console/htmx.version")) {
            if (in == null) {
                throw new IllegalStateException("htmx.version is not on the class path: build the project anew");
            }
            return new String(in.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read htmx.version", e);
        }
    }
}
