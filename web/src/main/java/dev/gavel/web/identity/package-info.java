/** Identities, the tokens that prove them, and the files and keys in which secrets are stored. */
@NullMarked
package dev.gavel.web.identity;

import org.jspecify.annotations.NullMarked;
