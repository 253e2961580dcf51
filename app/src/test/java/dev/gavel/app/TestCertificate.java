package dev.gavel.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates a certificate for 127.0.0.1 with the JDK's keytool, for TLS tests. */
final class TestCertificate {
    private static final char[] PASSWORD = "password".toCharArray();

    private final KeyStore keys;
    private final Path directory;

    TestCertificate(Path directory) throws IOException, InterruptedException, GeneralSecurityException {
        this.directory = directory;
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "gavel",
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
                        new String(PASSWORD))
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool failed");
        }
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("gavel").getEncoded());
        pem("key.pem", "PRIVATE KEY", keys.getKey("gavel", PASSWORD).getEncoded());
    }

    /** The configuration section that makes a server use it. */
    String config() {
        return "tls: {certificate: '" + directory.resolve("certificate.pem") + "', key: '"
                + directory.resolve("key.pem") + "'}\n";
    }

    /** Opens a TLS socket that trusts it. */
    Socket connect(int port) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context.getSocketFactory().createSocket("127.0.0.1", port);
    }

    private void pem(String file, String type, byte[] der) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    }
}
