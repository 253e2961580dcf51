/** Tests of access tokens against an issuer over HTTP. */
@NullMarked
package dev.gavel.web.oauth;

import org.jspecify.annotations.NullMarked;
