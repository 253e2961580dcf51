/**
 * What all HTTP routes share: access to topics, problem responses, body limits, host and origin checks, connection
 * quotas.
 */
@NullMarked
package dev.gavel.web.http;

import org.jspecify.annotations.NullMarked;
