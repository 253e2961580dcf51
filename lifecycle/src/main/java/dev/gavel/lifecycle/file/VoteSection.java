package dev.gavel.lifecycle.file;

import dev.gavel.lifecycle.process.Share;
import dev.gavel.lifecycle.process.Text;
import dev.gavel.lifecycle.process.VoteRule;
import dev.gavel.lifecycle.process.VoteRule.Quorum;
import dev.gavel.yaml.Fields;
import dev.gavel.yaml.Node;
import dev.gavel.yaml.Problems;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code votes}. */
record VoteSection(Names names, Problems problems) {
    private static final Share HALF = new Share(1, 2);
    private static final Pattern SHARE = Pattern.compile("(\\d{1,4})/(\\d{1,4})");
    private static final Pattern COUNT = Pattern.compile("\\d{1,4}");

    Map<String, VoteRule> read(Fields top) {
        Map<String, VoteRule> votes = new LinkedHashMap<>();
        for (Node.Entry entry : top.entries("votes")) {
            Optional<String> state = names.find(Names.Sort.STATE, entry.key());
            Fields fields = Fields.of(entry.value(), problems);
            fields.required("who");
            Optional<String> who = fields.scalar("who").flatMap(role -> names.find(Names.Sort.ROLE, role));
            Quorum quorum = fields.parsed("quorum", "a number or a share such as 1/2", VoteSection::quorum)
                    .orElse(new Quorum.Part(HALF));
            Share majority = fields.parsed("majority", "a share such as 1/2", VoteSection::share)
                    .orElse(HALF);
            boolean block = fields.parsed("concerns", "'block' or 'note'", text -> switch (text) {
                        case "block" -> Optional.of(true);
                        case "note" -> Optional.of(false);
                        default -> Optional.empty();
                    })
                    .orElse(true);
            fields.required("decides");
            List<String> decides = names.findAll(Names.Sort.STATE, fields.scalars("decides"));
            List<String> hold = names.findAll(Names.Sort.ROLE, fields.scalars("hold"));
            Optional<Text> voted = fields.scalar("voted").flatMap(names::text);
            Optional<Text> carries = fields.scalar("carries").flatMap(names::text);
            fields.done();
            if (state.isPresent() && who.isPresent()) {
                votes.put(
                        state.get(),
                        new VoteRule(
                                who.get(),
                                quorum,
                                majority,
                                block,
                                new LinkedHashSet<>(decides),
                                hold.isEmpty() ? List.of(who.get()) : hold,
                                voted,
                                carries));
            }
        }
        return votes;
    }

    private static Optional<Quorum> quorum(String text) {
        if (COUNT.matcher(text).matches()) {
            int number = Integer.parseInt(text);
            return number < 1 ? Optional.empty() : Optional.of(new Quorum.Count(number));
        }
        return share(text).map(Quorum.Part::new);
    }

    private static Optional<Share> share(String text) {
        Matcher matcher = SHARE.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        int part = Integer.parseInt(matcher.group(1));
        int whole = Integer.parseInt(matcher.group(2));
        return whole < 1 || part > whole ? Optional.empty() : Optional.of(new Share(part, whole));
    }
}
