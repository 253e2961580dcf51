package dev.gavel.sep.text;

import dev.gavel.lifecycle.process.ProposalTerms;
import dev.gavel.mcpx.json.Json;
import dev.gavel.mcpx.text.SafeText;

/** Reads from a result of the SEP service how texts name the proposals. Stateless. */
public final class ProposalTermsReader {
    private static final int MAX_NAME_LENGTH = 20;
    private static final int MAX_LABEL_LENGTH = 60;

    private ProposalTermsReader() {}

    /** Returns the terms in a result; the default terms if it has none. The texts are safe to print. */
    public static ProposalTerms read(Json result) {
        Json terms = result.at("terms");
        String name = SafeText.brief(terms.at("name").text(), MAX_NAME_LENGTH);
        String label = SafeText.brief(terms.at("label").text(), MAX_LABEL_LENGTH);
        return name.isBlank() || label.isBlank() ? ProposalTerms.DEFAULT : new ProposalTerms(name, label);
    }
}
