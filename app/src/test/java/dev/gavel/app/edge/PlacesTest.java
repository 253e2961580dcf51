package dev.gavel.app.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacesTest {
    private final Places places = new Places(150);
    private final List<Places.Place> taken = new ArrayList<>();

    private int take(String identity, int most) {
        int count = 0;
        for (Optional<Places.Place> place = places.take(identity);
                place.isPresent() && count < most;
                place = places.take(identity)) {
            taken.add(place.get());
            count++;
        }
        return count;
    }

    @Test
    void nobodyTakesAllPlaces() {
        assertThat(take("agent", 1000)).isEqualTo(100);
        assertThat(take("alice", 1000)).isEqualTo(50);
        assertThat(places.taken()).isEqualTo(150);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        take("agent", 1000);
        taken.getFirst().leave();
        taken.getFirst().leave();
        assertThat(places.taken()).isEqualTo(99);
        assertThat(places.take("agent")).isPresent();
        assertThat(places.take("agent")).isEmpty();
    }
}
