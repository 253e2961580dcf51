package dev.gavel.bench.suite;

import dev.gavel.bench.BenchTopic;
import dev.gavel.bench.Comparison;
import dev.gavel.bench.Load;
import dev.gavel.bench.LoadFailure;
import dev.gavel.bench.Pace;
import dev.gavel.bench.Participant;
import dev.gavel.bench.Round;
import dev.gavel.bench.Workbench;
import dev.gavel.bench.suite.Servers.Running;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What readers that stop reading a topic at full speed cost the others: rounds with and without them take turns. They are
 * dropped once 8 MiB wait for them, so every round has its own. Used by one thread.
 */
final class SlowReadersPart implements Part {
    private static final int RECEIVERS = 50;
    private static final int STOPPED = 5;
    private static final int ROUNDS = 12;
    /** Not much longer than it takes until they are dropped. */
    private static final Duration TIME = Duration.ofMillis(700);

    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final String DROPPED = "gavel_dropped_connections_total";
    private static final String TOO_SLOW = "reason=\"too_slow\"";

    @Override
    public String name() {
        return "slow readers";
    }

    @Override
    public Duration limit() {
        return Duration.ofMinutes(2);
    }

    @Override
    public void run(Workbench workbench, Sheet sheet) throws IOException, InterruptedException {
        BenchTopic topic = new BenchTopic(1, RECEIVERS + STOPPED, new SecureRandom());
        Running gavel = Servers.gavel(workbench, topic.configuration());
        List<Participant> slow = topic.participants(0, RECEIVERS + STOPPED).subList(RECEIVERS, RECEIVERS + STOPPED);
        List<Round> without = new ArrayList<>();
        List<Round> with = new ArrayList<>();
        try (Load load = Load.connect(gavel.address(), BenchTopic.PATH, topic.participants(1, RECEIVERS), 1, true)) {
            load.send(new Pace.Saturating(), WARM_UP);
            for (int i = 0; i < ROUNDS; i++) {
                without.add(round(gavel, load));
                // A load reads while it connects, and then when it sends, which this one never does.
                try (Load _ = Load.connect(gavel.address(), BenchTopic.PATH, slow, 0, true)) {
                    with.add(round(gavel, load));
                }
            }
        }
        Comparison comparison = new Comparison(without, with);
        sheet.ratio(
                RECEIVERS + " receivers, saturating, beside " + STOPPED
                        + " that stop reading: deliveries to those without",
                comparison.ratio(Round::perSecond),
                Target.atLeast(0.9),
                String.format(
                        Locale.ROOT,
                        "%.2f to %.2f M/s; %d of %d stopped readers were dropped as too slow",
                        comparison.ofSubject(Round::perSecond) / 1e6,
                        comparison.ofReference(Round::perSecond) / 1e6,
                        dropped(gavel.address()),
                        ROUNDS * STOPPED));
    }

    private static Round round(Running gavel, Load load) {
        return Round.of(gavel.process(), () -> load.send(new Pace.Saturating(), TIME));
    }

    /** How many connections the server counts as dropped since they did not read. */
    private static int dropped(InetSocketAddress server) throws IOException, InterruptedException {
        URI metrics = URI.create("http://" + server.getHostString() + ":" + server.getPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new LoadFailure(metrics + " answers " + answer.statusCode());
            }
            return answer.body()
                    .lines()
                    .filter(line -> line.startsWith(DROPPED) && line.contains(TOO_SLOW))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                    .sum();
        }
    }
}
