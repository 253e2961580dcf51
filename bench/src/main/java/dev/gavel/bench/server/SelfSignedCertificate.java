package dev.gavel.bench.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Generates a self-signed certificate for 127.0.0.1 with the JDK's keytool, for a server and its clients. Immutable.
 */
public final class SelfSignedCertificate {
    private static final String ALIAS = "gavel";
    private static final String PASSWORD = "password";

    private final Path directory;
    private final SSLContext context;

    private SelfSignedCertificate(Path directory, SSLContext context) {
        this.directory = directory;
        this.context = context;
    }

    /** Generates a certificate, with its files in a directory. */
    public static SelfSignedCertificate generate(Path directory) throws IOException, InterruptedException {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool did not create a certificate");
        }
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, PASSWORD.toCharArray());
            writePem(
                    directory.resolve("certificate.pem"),
                    "CERTIFICATE",
                    keys.getCertificate(ALIAS).getEncoded());
            writePem(
                    directory.resolve("key.pem"),
                    "PRIVATE KEY",
                    keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            return new SelfSignedCertificate(directory, sslContext(keys));
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate cannot be used: " + e.getMessage(), e);
        }
    }

    private static SSLContext sslContext(KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** The configuration line that makes Gavel use it. */
    public String configuration() {
        return "tls: {certificate: '" + directory.resolve("certificate.pem") + "', key: '"
                + directory.resolve("key.pem") + "'}\n";
    }

    /** A TLS context with it, for server or client. */
    public SSLContext sslContext() {
        return context;
    }

    private static void writePem(Path file, String type, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
