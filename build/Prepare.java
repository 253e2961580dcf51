import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Prepares the libraries of a built program for a fast start. The build runs it on the program's directory, before it
 * creates the AOT cache (docs/decisions/0042-start-up-time.md).
 *
 * <ul>
 *   <li>Picocli's classes are in the format of Java 5. The AOT cache accepts neither these classes nor our subclasses of
 *       them. They are rewritten in the format of Java 8; their behaviour does not change.
 *   <li>SQLite's native library is unpacked, which its driver would otherwise do at each start.
 * </ul>
 */
final class Prepare {
    private static final int ENOUGH = ClassFile.JAVA_8_VERSION;

    private Prepare() {}

    public static void main(String[] arguments) throws IOException {
        Path library = Path.of(arguments[0], "lib");
        renew(only(library, "picocli-"));
        unpack(only(library, "sqlite-jdbc-"), Path.of(arguments[0], "native"));
    }

    private static Path only(Path directory, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> found = files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .toList();
            if (found.size() != 1) {
                throw new IOException("one " + prefix + "*.jar is expected in " + directory + ", not " + found);
            }
            return found.getFirst();
        }
    }

    private static void renew(Path file) throws IOException {
        ByteArrayOutputStream renewed = new ByteArrayOutputStream();
        try (JarFile jar = new JarFile(file.toFile());
                ZipOutputStream zip = new ZipOutputStream(renewed)) {
            zip.setComment("Written by Gavel's build in the class file format of Java 8; otherwise as it was published.");
            // A new constant pool makes the library rewrite each method, and so generate the stack maps it needs.
            ClassFile classes = ClassFile.of(
                    ClassFile.ConstantPoolSharingOption.NEW_POOL,
                    ClassFile.StackMapsOption.GENERATE_STACK_MAPS,
                    ClassFile.ClassHierarchyResolverOption.of(
                            ClassHierarchyResolver.ofResourceParsing(name -> content(jar, name))));
            for (ZipEntry entry : Collections.list(jar.entries())) {
                byte[] content = bytes(jar, entry);
                ZipEntry copy = new ZipEntry(entry.getName());
                // The time is part of the file, and the same library must produce the same file.
                copy.setTimeLocal(entry.getTimeLocal());
                zip.putNextEntry(copy);
                zip.write(entry.getName().endsWith(".class") ? renewed(classes, content) : content);
            }
        }
        Files.write(file, renewed.toByteArray());
    }

    private static byte[] renewed(ClassFile classes, byte[] content) {
        var before = classes.parse(content);
        if (before.majorVersion() >= ENOUGH) {
            return content;
        }
        byte[] after = classes.transformClass(before, (builder, part) -> {
            if (part instanceof ClassFileVersion) {
                builder.withVersion(ENOUGH, 0);
            } else {
                builder.with(part);
            }
        });
        // The JVM would detect errors too, but only when it loads the class.
        List<VerifyError> errors = classes.verify(after);
        if (!errors.isEmpty()) {
            throw new IllegalStateException(before.thisClass().asInternalName() + ": " + errors);
        }
        return after;
    }

    private static InputStream content(JarFile jar, ClassDesc name) {
        String descriptor = name.descriptorString();
        String path = descriptor.substring(1, descriptor.length() - 1) + ".class";
        ZipEntry entry = jar.getEntry(path);
        try {
            return entry == null ? ClassLoader.getSystemResourceAsStream(path) : jar.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unpacks the library for this machine; if there is none, the driver works as if nothing were unpacked. */
    private static void unpack(Path file, Path directory) throws IOException {
        String name = System.mapLibraryName("sqlitejdbc");
        try (JarFile jar = new JarFile(file.toFile())) {
            ZipEntry entry = jar.getEntry("org/sqlite/native/" + machine() + "/" + name);
            if (entry != null) {
                Files.createDirectories(directory);
                try (InputStream content = jar.getInputStream(entry)) {
                    Files.copy(content, directory.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static String machine() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        return (system.startsWith("mac") ? "Mac" : system.startsWith("linux") ? "Linux" : system)
                + "/" + (processor.equals("amd64") ? "x86_64" : processor);
    }

    private static byte[] bytes(JarFile jar, ZipEntry entry) throws IOException {
        try (InputStream content = jar.getInputStream(entry)) {
            return content.readAllBytes();
        }
    }
}
