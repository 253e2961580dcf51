package dev.gavel.app.cli.sep;

import java.util.List;

/** Finds proposals like one that is about to be written. */
@FunctionalInterface
interface Similar {
    /** Where there is nobody to ask. */
    Similar NOBODY = title -> List.of();

    /** Lines that each name one, the most alike first; none where there is none, or nobody can be asked. */
    List<String> to(String title);
}
