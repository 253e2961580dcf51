/**
 * Who somebody is: identities, and the tokens that prove them. A token is kept only as its hash, wherever it came from.
 */
@NullMarked
package dev.gavel.app.identity;

import org.jspecify.annotations.NullMarked;
