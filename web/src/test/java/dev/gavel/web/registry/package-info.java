/** What can be changed at run time about identities: the rules alone, without a server. */
@NullMarked
package dev.gavel.web.registry;

import org.jspecify.annotations.NullMarked;
