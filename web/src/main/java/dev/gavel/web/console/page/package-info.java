/** What all console pages share: layout data, template rendering, static files, the icon and time formatting. */
@NullMarked
package dev.gavel.web.console.page;

import org.jspecify.annotations.NullMarked;
