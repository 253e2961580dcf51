package dev.gavel.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class YamlTest {
    private final Problems problems = new Problems();

    private Fields fields(String text) {
        return Fields.of(Yaml.read("a.yaml", text, problems).orElseThrow(), problems);
    }

    private String complaints() {
        return String.join("\n", problems.list().stream().map(Problem::toString).toList());
    }

    @Test
    void valuesAreReadByTheTypeAskedFor() {
        Fields fields = fields("""
                name: alice
                port: 4285
                on: true
                roles: [admin, author]
                one: admin
                nothing:
                """);
        assertThat(fields.string("name")).contains("alice");
        assertThat(fields.integer("port")).contains(4285);
        assertThat(fields.bool("on")).contains(true);
        assertThat(fields.strings("roles")).containsExactly("admin", "author");
        assertThat(fields.strings("one")).containsExactly("admin");
        assertThat(fields.node("nothing")).isEmpty();
        fields.done();
        assertThat(problems.none()).isTrue();
    }

    @Test
    void aValueOfTheWrongTypeIsAProblemAtItsOwnLine() {
        Fields fields = fields("name: alice\nport: many\nlist:\n  key: value\n");
        assertThat(fields.integer("port")).isEmpty();
        assertThat(fields.string("list")).isEmpty();
        assertThat(complaints())
                .isEqualTo("a.yaml:2: 'port' must be a whole number, not 'many'\n"
                        + "a.yaml:4: 'list' must be a single value, not a mapping");
    }

    @Test
    void aSpanOfTimeHasANumberAndAUnit() {
        Fields fields = fields("a: 90s\nb: 15m\nc: 24h\nd: 14 d\ne: 14 fortnights\nf: 99999999999d\n");
        assertThat(fields.duration("a")).contains(Duration.ofSeconds(90));
        assertThat(fields.duration("b")).contains(Duration.ofMinutes(15));
        assertThat(fields.duration("c")).contains(Duration.ofHours(24));
        assertThat(fields.duration("d")).contains(Duration.ofDays(14));
        assertThat(fields.duration("e")).isEmpty();
        assertThat(fields.duration("f")).isEmpty();
        assertThat(complaints())
                .isEqualTo("a.yaml:5: 'e' must be a span of time such as 15m or 14d, not '14 fortnights'\n"
                        + "a.yaml:6: 'f' must be a span of time such as 15m or 14d, not '99999999999d'");
    }

    @Test
    void textsKnowWhereTheyStand() {
        Fields fields = fields("one: admin\nmany:\n  - author\n  - editor\n");
        assertThat(fields.scalar("one").map(Node.Scalar::position)).contains(new Position("a.yaml", 1, 6));
        assertThat(fields.scalars("many"))
                .extracting(scalar -> scalar.position().line())
                .containsExactly(3, 4);
    }

    @Test
    void anUnknownKeyIsAProblemThatNamesTheNearestKnownOne() {
        Fields fields = fields("lisetn: here\nelephant: grey\n");
        assertThat(fields.string("listen")).isEmpty();
        assertThat(fields.string("data")).isEmpty();
        fields.done();
        assertThat(complaints())
                .isEqualTo("a.yaml:1: unknown key 'lisetn'; did you mean 'listen'?\n"
                        + "a.yaml:2: unknown key 'elephant'; known here: listen, data");
    }

    @Test
    void aMissingKeyThatIsRequiredIsAProblem() {
        assertThat(fields("a: b").requiredString("name")).isEmpty();
        assertThat(complaints()).isEqualTo("a.yaml:1: 'name' is missing");
    }

    @Test
    void aListOrMappingOfNothingWhereOneIsRequiredIsAProblem() {
        Fields fields = fields("list: []\nmap: {}\nlist2: [a]\n");
        assertThat(fields.required("list")).isEmpty();
        assertThat(fields.required("map")).isEmpty();
        assertThat(fields.required("list2")).isPresent();
        assertThat(complaints()).isEqualTo("a.yaml:1: 'list' is empty\na.yaml:2: 'map' is empty");
    }

    @Test
    void aRepeatedKeyIsAProblem() {
        fields("a: 1\nb: 2\na: 3\n");
        assertThat(complaints()).isEqualTo("a.yaml:3: the key 'a' stands here twice");
    }

    @Test
    void aProblemIsToldOnce() {
        Fields fields = fields("port: many\n");
        assertThat(fields.integer("port")).isEmpty();
        assertThat(fields.integer("port")).isEmpty();
        assertThat(problems.list()).hasSize(1);
    }

    @Test
    void brokenSyntaxIsAProblemWithItsLine() {
        assertThat(Yaml.read("a.yaml", "a: 1\nb: [1, 2\nc: 3\n", problems)).isEmpty();
        assertThat(problems.list()).hasSize(1);
        assertThat(complaints()).startsWith("a.yaml:3: not YAML: ");
    }

    @Test
    void anchorsAreRefusedSoNoSmallFileGrowsLarge() {
        Yaml.read("a.yaml", "a: &x [1, 2]\nb: *x\n", problems);
        assertThat(complaints()).contains("a.yaml:1: anchors and aliases are not supported");
    }

    @Test
    void deepNestingIsAProblemAndNoCrash() {
        Yaml.read("a.yaml", "[".repeat(100_000), problems);
        assertThat(problems.none()).isFalse();
        Problems shallow = new Problems();
        Yaml.read("a.yaml", "[".repeat(60) + "]".repeat(60), shallow);
        assertThat(shallow.list().toString()).contains("nested deeper than");
    }

    @Test
    void aBlankFileHoldsNothing() {
        assertThat(Yaml.read("a.yaml", "# only words\n", problems)).isEqualTo(Optional.empty());
        assertThat(problems.none()).isTrue();
    }

    @Property
    void anyTextIsReadOrComplainedOf(@ForAll @StringLength(max = 200) String text) {
        Problems found = new Problems();
        Yaml.read("a.yaml", text, found);
        assertThat(found.list()).allSatisfy(p -> assertThat(p.position().line()).isPositive());
    }
}
