/** Verifies the access tokens of configured issuers: discovery, keys, signatures and claims. */
@NullMarked
package dev.gavel.web.oauth;

import org.jspecify.annotations.NullMarked;
