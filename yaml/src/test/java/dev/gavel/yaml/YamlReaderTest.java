package dev.gavel.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class YamlReaderTest {
    private final ProblemCollector problemCollector = new ProblemCollector();

    private YamlMappingReader fields(String text) {
        return YamlMappingReader.of(
                YamlReader.read("a.yaml", text, problemCollector).orElseThrow(), problemCollector);
    }

    private String complaints() {
        return String.join(
                "\n",
                problemCollector.list().stream().map(FileProblem::toString).toList());
    }

    @Test
    void valuesAreReadByTheTypeAskedFor() {
        YamlMappingReader yamlMappingReader = fields("""
                name: alice
                port: 4285
                on: true
                roles: [admin, author]
                one: admin
                nothing:
                """);
        assertThat(yamlMappingReader.string("name")).contains("alice");
        assertThat(yamlMappingReader.integer("port")).contains(4285);
        assertThat(yamlMappingReader.bool("on")).contains(true);
        assertThat(yamlMappingReader.strings("roles")).containsExactly("admin", "author");
        assertThat(yamlMappingReader.strings("one")).containsExactly("admin");
        assertThat(yamlMappingReader.node("nothing")).isEmpty();
        yamlMappingReader.reportUnknownKeys();
        assertThat(problemCollector.isEmpty()).isTrue();
    }

    @Test
    void aValueOfTheWrongTypeIsAProblemAtItsOwnLine() {
        YamlMappingReader yamlMappingReader = fields("name: alice\nport: many\nlist:\n  key: value\n");
        assertThat(yamlMappingReader.integer("port")).isEmpty();
        assertThat(yamlMappingReader.string("list")).isEmpty();
        assertThat(complaints())
                .isEqualTo("a.yaml:2: 'port' must be a whole number, not 'many'\n"
                        + "a.yaml:4: 'list' must be a single value, not a mapping");
    }

    @Test
    void aSpanOfTimeHasANumberAndAUnit() {
        YamlMappingReader yamlMappingReader =
                fields("a: 90s\nb: 15m\nc: 24h\nd: 14 d\ne: 14 fortnights\nf: 99999999999d\n");
        assertThat(yamlMappingReader.duration("a")).contains(Duration.ofSeconds(90));
        assertThat(yamlMappingReader.duration("b")).contains(Duration.ofMinutes(15));
        assertThat(yamlMappingReader.duration("c")).contains(Duration.ofHours(24));
        assertThat(yamlMappingReader.duration("d")).contains(Duration.ofDays(14));
        assertThat(yamlMappingReader.duration("e")).isEmpty();
        assertThat(yamlMappingReader.duration("f")).isEmpty();
        assertThat(complaints())
                .isEqualTo("a.yaml:5: 'e' must be a duration such as 15m or 14d, not '14 fortnights'\n"
                        + "a.yaml:6: 'f' must be a duration such as 15m or 14d, not '99999999999d'");
    }

    @Test
    void textsKnowWhereTheyStand() {
        YamlMappingReader yamlMappingReader = fields("one: admin\nmany:\n  - author\n  - editor\n");
        assertThat(yamlMappingReader.scalar("one").map(YamlNode.Scalar::position))
                .contains(new SourcePosition("a.yaml", 1, 6));
        assertThat(yamlMappingReader.scalars("many"))
                .extracting(scalar -> scalar.position().line())
                .containsExactly(3, 4);
    }

    @Test
    void anUnknownKeyIsAProblemThatNamesTheNearestKnownOne() {
        YamlMappingReader yamlMappingReader = fields("lisetn: here\nelephant: grey\n");
        assertThat(yamlMappingReader.string("listen")).isEmpty();
        assertThat(yamlMappingReader.string("data")).isEmpty();
        yamlMappingReader.reportUnknownKeys();
        assertThat(complaints())
                .isEqualTo("a.yaml:1: unknown key 'lisetn'. Did you mean 'listen'?\n"
                        + "a.yaml:2: unknown key 'elephant'. Known keys: listen, data");
    }

    @Test
    void aMissingKeyThatIsRequiredIsAProblem() {
        assertThat(fields("a: b").requiredString("name")).isEmpty();
        assertThat(complaints()).isEqualTo("a.yaml:1: 'name' is missing");
    }

    @Test
    void aListOrMappingOfNothingWhereOneIsRequiredIsAProblem() {
        YamlMappingReader yamlMappingReader = fields("list: []\nmap: {}\nlist2: [a]\n");
        assertThat(yamlMappingReader.requiredNode("list")).isEmpty();
        assertThat(yamlMappingReader.requiredNode("map")).isEmpty();
        assertThat(yamlMappingReader.requiredNode("list2")).isPresent();
        assertThat(complaints()).isEqualTo("a.yaml:1: 'list' is empty\na.yaml:2: 'map' is empty");
    }

    @Test
    void aRepeatedKeyIsAProblem() {
        fields("a: 1\nb: 2\na: 3\n");
        assertThat(complaints()).isEqualTo("a.yaml:3: the key 'a' is repeated");
    }

    @Test
    void aProblemIsToldOnce() {
        YamlMappingReader yamlMappingReader = fields("port: many\n");
        assertThat(yamlMappingReader.integer("port")).isEmpty();
        assertThat(yamlMappingReader.integer("port")).isEmpty();
        assertThat(problemCollector.list()).hasSize(1);
    }

    @Test
    void brokenSyntaxIsAProblemWithItsLine() {
        assertThat(YamlReader.read("a.yaml", "a: 1\nb: [1, 2\nc: 3\n", problemCollector))
                .isEmpty();
        assertThat(problemCollector.list()).hasSize(1);
        assertThat(complaints()).startsWith("a.yaml:3: invalid YAML: ");
    }

    @Test
    void anchorsAreRefusedSoNoSmallFileGrowsLarge() {
        YamlReader.read("a.yaml", "a: &x [1, 2]\nb: *x\n", problemCollector);
        assertThat(complaints()).contains("a.yaml:1: anchors and aliases are not supported");
    }

    @Test
    void deepNestingIsAProblemAndNoCrash() {
        YamlReader.read("a.yaml", "[".repeat(100_000), problemCollector);
        assertThat(problemCollector.isEmpty()).isFalse();
        ProblemCollector shallow = new ProblemCollector();
        YamlReader.read("a.yaml", "[".repeat(60) + "]".repeat(60), shallow);
        assertThat(shallow.list().toString()).contains("nested deeper than");
    }

    @Test
    void aBlankFileHoldsNothing() {
        assertThat(YamlReader.read("a.yaml", "# only words\n", problemCollector))
                .isEqualTo(Optional.empty());
        assertThat(problemCollector.isEmpty()).isTrue();
    }

    @Property
    void anyTextIsReadOrComplainedOf(@ForAll @StringLength(max = 200) String text) {
        ProblemCollector found = new ProblemCollector();
        YamlReader.read("a.yaml", text, found);
        assertThat(found.list()).allSatisfy(p -> assertThat(p.position().line()).isPositive());
    }
}
