package dev.gavel.console.sep;

import dev.gavel.console.Frame;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;
import java.util.Comparator;
import java.util.List;

/**
 * Who can look after SEPs or decide on them, and how much each has to do; those who have most first.
 *
 * @param limit how many one should look after at most
 * @param longest what a bar is long that goes from end to end
 */
public record Sponsors(Frame frame, long limit, long longest, List<Load> loads) {
    public Sponsors {
        loads = List.copyOf(loads);
    }

    /**
     * What somebody has to do.
     *
     * @param you whether it is the reader
     * @param sponsors the numbers of what they look after
     * @param over whether that is more than they should
     */
    public record Load(String id, String name, boolean you, List<String> roles, List<Integer> sponsors, boolean over) {
        public Load {
            roles = List.copyOf(roles);
            sponsors = List.copyOf(sponsors);
        }
    }

    /** What the desk says. */
    public static Sponsors of(Frame frame, Json maintainers, Viewer viewer) {
        List<Json> all = maintainers.at("maintainers").elements();
        List<Load> loads = all.stream()
                .map(each -> new Load(
                        SafeText.line(each.at("id").text()),
                        SafeText.line(each.at("name").text()),
                        each.at("id").text().equals(viewer.id()),
                        each.at("roles").texts(),
                        each.at("sponsors").elements().stream()
                                .map(number -> (int) number.number(0))
                                .toList(),
                        each.at("over").isTrue()))
                .sorted(Comparator.comparingInt((Load load) -> -load.sponsors().size())
                        .thenComparing(Load::id))
                .toList();
        long limit = all.isEmpty() ? 0 : all.getFirst().at("limit").number(0);
        long most =
                loads.stream().mapToLong(load -> load.sponsors().size()).max().orElse(0);
        return new Sponsors(frame, limit, Math.max(1, Math.max(limit, most)), loads);
    }

    /** How long a bar is, of a hundred. */
    public long share(long count) {
        return Math.round(100.0 * count / longest);
    }
}
