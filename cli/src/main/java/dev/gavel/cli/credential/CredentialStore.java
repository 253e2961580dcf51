package dev.gavel.cli.credential;

import dev.gavel.mcpx.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Stores the tokens of {@code gavel login}, one for each server URL, in a file of the user's configuration directory
 * that only the user may read. If two processes change the file at the same time, the last change wins. Immutable.
 *
 * @param file the file, which exists only while there is a login
 */
public record CredentialStore(Path file) {
    private static final long MAX_SIZE = 1024 * 1024;
    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    /**
     * A stored login.
     *
     * @param token the secret
     * @param name the identity that the token belonged to at the login
     */
    public record StoredCredential(String token, String name) {
        /** Hides the token from logs and messages. */
        @Override
        public String toString() {
            return "StoredCredential[" + name + "]";
        }
    }

    /**
     * Returns the store of the user: {@code gavel/credentials.json} in {@code XDG_CONFIG_HOME}, else in {@code
     * .config} of the home directory. Empty if the environment names neither.
     */
    public static Optional<CredentialStore> of(Function<String, @Nullable String> variables) {
        return absolutePath(variables.apply("XDG_CONFIG_HOME"))
                .or(() -> absolutePath(variables.apply("HOME")).map(home -> home.resolve(".config")))
                .map(directory -> new CredentialStore(directory.resolve("gavel").resolve("credentials.json")));
    }

    /** The directory of the file, which contains nothing else. It may not exist yet. */
    public Path directory() {
        return Objects.requireNonNull(file.getParent());
    }

    /** A relative directory would depend on where the command runs, and an agent may control that directory. */
    private static Optional<Path> absolutePath(@Nullable String text) {
        try {
            return Optional.ofNullable(text).map(Path::of).filter(Path::isAbsolute);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Returns the credential for these addresses of one server; empty unless each address has the same one. */
    public Optional<StoredCredential> find(List<URI> urls) throws IOException {
        Map<String, StoredCredential> stored = readAll();
        StoredCredential first = stored.get(key(urls.getFirst()));
        return Optional.ofNullable(first)
                .filter(credential -> urls.stream().allMatch(url -> credential.equals(stored.get(key(url)))));
    }

    /** Stores a credential for each of these addresses. */
    public void put(List<URI> urls, StoredCredential credential) throws IOException {
        Map<String, StoredCredential> stored = readAll();
        urls.forEach(url -> stored.put(key(url), credential));
        write(stored);
    }

    /** Removes the credentials for these addresses and returns the addresses that had one. */
    public List<String> remove(List<URI> urls) throws IOException {
        Map<String, StoredCredential> stored = readAll();
        List<String> removed = urls.stream()
                .map(CredentialStore::key)
                .distinct()
                .filter(key -> stored.remove(key) != null)
                .toList();
        if (!removed.isEmpty()) {
            write(stored);
        }
        return removed;
    }

    /** Removes all credentials and returns their addresses. */
    public List<String> removeAll() throws IOException {
        List<String> removed = List.copyOf(readAll().keySet());
        Files.deleteIfExists(file);
        return removed;
    }

    /** The same for all spellings of a URL: lower case, without the default port. */
    private static String key(URI url) {
        String scheme = url.getScheme().toLowerCase(Locale.ROOT);
        int defaultPort = scheme.equals("https") ? 443 : 80;
        String port = url.getPort() < 0 || url.getPort() == defaultPort ? "" : ":" + url.getPort();
        return scheme + "://" + url.getHost().toLowerCase(Locale.ROOT) + port
                + Objects.requireNonNullElse(url.getRawPath(), "");
    }

    private Map<String, StoredCredential> readAll() throws IOException {
        Map<String, StoredCredential> stored = new LinkedHashMap<>();
        if (!Files.exists(file)) {
            return stored;
        }
        if (isPosix() && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IOException("other users may be able to read your logins in " + file
                    + ". Run 'chmod 600' on this file, and replace the tokens if you do not trust these users.");
        }
        Json document = Files.size(file) > MAX_SIZE
                ? Json.object()
                : Json.parse(Files.readString(file, StandardCharsets.UTF_8)).orElse(Json.object());
        if (document.at("servers").type() != Json.Type.OBJECT) {
            throw new IOException(file + " is damaged. Delete it and log in again.");
        }
        document.at("servers")
                .members()
                .forEach((url, entry) -> stored.put(
                        url,
                        new StoredCredential(
                                entry.at("token").text(), entry.at("name").text())));
        return stored;
    }

    private void write(Map<String, StoredCredential> stored) throws IOException {
        Path directory = directory();
        Files.createDirectories(directory, ownerOnly("rwx------"));
        String text = Json.write(json -> {
                    json.writeStartObject();
                    json.writeObjectPropertyStart("servers");
                    stored.forEach((url, credential) -> {
                        json.writeObjectPropertyStart(url);
                        json.writeStringProperty("name", credential.name());
                        json.writeStringProperty("token", credential.token());
                        json.writeEndObject();
                    });
                    json.writeEndObject();
                    json.writeEndObject();
                })
                .pretty();
        Path temporaryFile = Files.createTempFile(directory, "credentials", ".new", ownerOnly("rw-------"));
        try {
            Files.writeString(temporaryFile, text + "\n");
            Files.move(temporaryFile, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporaryFile);
        }
    }

    private FileAttribute<?>[] ownerOnly(String permissions) {
        return isPosix()
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private boolean isPosix() {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
