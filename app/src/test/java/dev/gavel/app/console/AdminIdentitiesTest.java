package dev.gavel.app.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.gavel.app.console.BrowserWindows.button;
import static dev.gavel.app.console.BrowserWindows.heading;
import static dev.gavel.app.console.BrowserWindows.link;
import static dev.gavel.app.console.BrowserWindows.title;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Response;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests identities, tokens and roles in a real browser. */
class AdminIdentitiesTest extends BrowserTest {
    private static void choose(Page page, String pill) {
        page.getByRole(AriaRole.RADIO, new Page.GetByRoleOptions().setName(pill).setExact(true))
                .check();
    }

    /** Creates an identity and returns the secret that the page shows. */
    private static String make(Page page, String name) {
        link(page, "New identity").click();
        page.getByLabel("Name").fill(name);
        page.getByLabel("Topic").selectOption("ops");
        choose(page, "Proposer");
        button(page, "Create identity").click();
        assertThat(title(page)).hasText("Token for " + name);
        return page.getByLabel("Token", new Page.GetByLabelOptions().setExact(true))
                .and(page.locator("input"))
                .inputValue();
    }

    private Locator tokens(Page page) {
        return page.locator("#tokens");
    }

    private String createIdentity(String name) throws IOException, InterruptedException {
        return ConsoleTestServer.JSON
                .readTree(consoleTestServer
                        .call("POST", "alice", "/tokens", "{\"name\":\"" + name + "\"}")
                        .body())
                .path("token")
                .asString();
    }

    @Test
    void anAdminMakesAnIdentityWhoseTokenIsGoodAtOnceAndShownOnce() throws Exception {
        Page page = windows.inboxOf("alice");
        link(page, "Administration").click();
        assertThat(title(page)).hasText("Overview");
        link(page, "Identities").click();
        Response[] answer = new Response[1];
        page.onResponse(response -> {
            if (response.request().method().equals("POST")) {
                answer[0] = response;
            }
        });
        String secret = make(page, "robot");

        assertThat(secret).startsWith("gvl_");
        assertThat(page.url()).doesNotContain(secret).endsWith("/console/admin/new-identity");
        assertThat(answer[0].status()).isEqualTo(201);
        assertThat(answer[0].allHeaders().get("cache-control")).isEqualTo("no-store");
        assertThat(consoleTestServer.callWith(secret, "GET", "/topics", "").body())
                .contains("\"ops\"");

        link(page, "Done").click();
        assertThat(title(page)).containsText("robot");
        assertThat(tokens(page)).containsText("by Alice");
        assertThat(page.locator("body")).containsText("mcp.proposal.*");
        assertThat(page.content()).doesNotContain(secret);
        windows.go(page, "/console/admin/new-identity");
        assertThat(page.content()).doesNotContain(secret);
        windows.go(page, "/console/admin/identities/robot/tokens");
        assertThat(page.url()).isEqualTo(consoleTestServer.url("/console/admin/identities/robot"));
        assertThat(page.content()).doesNotContain(secret);
    }

    @Test
    void whatIsWrongWithANewIdentityIsSaidWhereItIsAndWhatWasWrittenStays() {
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/new-identity");
        page.getByLabel("Name").fill("no spaces please");
        page.getByLabel("maintainer", new Page.GetByLabelOptions().setExact(true))
                .check();
        button(page, "Create identity").click();
        assertThat(page.locator("#name-error")).containsText("must be 1 to 64 letters");
        assertThat(page.getByLabel("Name")).hasValue("no spaces please");
        assertThat(page.getByLabel("maintainer", new Page.GetByLabelOptions().setExact(true)))
                .isChecked();

        page.getByLabel("Name").fill("bob");
        button(page, "Create identity").click();
        assertThat(page.locator("#name-error")).containsText("An identity with this name already exists");

        page.getByLabel("Name").fill("robot");
        page.getByLabel("Topic").selectOption("quiet");
        choose(page, "Custom");
        page.getByLabel("Capabilities").fill("chat.*\nchat hello");
        button(page, "Create identity").click();
        assertThat(page.locator("#own-error")).containsText("Line 2");
        assertThat(page.getByLabel("Capabilities")).hasValue("chat.*\nchat hello");

        page.getByLabel("Capabilities").fill("chat.*");
        button(page, "Create identity").click();
        assertThat(title(page)).hasText("Token for robot");
        assertThat(page.locator(".secret")).containsText("member of quiet");
    }

    @Test
    void revokingATokenSignsItsOwnerOutAtOnce() {
        Page bob = windows.inboxOf("bob");
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/identities/bob");
        tokens(page).getByText("Revoke…").click();
        assertThat(heading(page)).hasText("Revoke the configured token of Bob?");
        link(page, "Cancel").click();
        assertThat(tokens(page)).containsText("valid");
        tokens(page).getByText("Revoke…").click();
        button(page, "Revoke").click();

        assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("Token revoked");
        assertThat(tokens(page)).containsText("by Alice");
        assertThat(heading(bob)).hasText("Sign in");
    }

    @Test
    void whoTakesTheirOwnRightsAwayIsWarnedAndAskedFirst() throws Exception {
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/identities/alice");
        tokens(page).getByText("Revoke…").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Your own session ends");
        button(page, "Revoke").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("Nothing was revoked");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("first create such a token for another admin");

        consoleTestServer.call("PUT", "alice", "/tokens/bob/roles", "{\"roles\":[\"admin\"]}");
        Locator admin = page.getByLabel("admin", new Page.GetByLabelOptions().setExact(true));
        admin.uncheck();
        button(page, "Save roles").click();
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("You can no longer open the administration pages");
        link(page, "Cancel").click();
        assertThat(admin).isChecked();
        admin.uncheck();
        button(page, "Save roles").click();
        button(page, "Remove role").click();
        assertThat(heading(page)).containsText("Waiting for you");
        assertThat(link(page, "Administration")).hasCount(0);
        assertThat(consoleTestServer.call("GET", "alice", "/tokens", "").statusCode())
                .isEqualTo(403);

        Page bob = windows.go(windows.signedInAs("bob"), "/console/admin/identities/bob");
        bob.getByLabel("Token expires").selectOption("");
        button(bob, "Create token").click();
        link(bob, "Done").click();
        tokens(bob)
                .getByRole(AriaRole.LISTITEM)
                .filter(new Locator.FilterOptions().setHasText("your current session"))
                .getByText("Revoke…")
                .click();
        button(bob, "Revoke").click();
        assertThat(heading(bob)).hasText("Sign in");
    }

    @Test
    void rolesCountFromThenOn() throws Exception {
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/identities/carol");
        page.getByLabel("maintainer", new Page.GetByLabelOptions().setExact(true))
                .check();
        button(page, "Save roles").click();
        assertThat(page.getByRole(AriaRole.STATUS).first()).containsText("Roles saved");
        assertThat(page.getByLabel("maintainer", new Page.GetByLabelOptions().setExact(true)))
                .isChecked();
        assertThat(consoleTestServer.call("GET", "alice", "/tokens", "").body())
                .contains(
                        "\"name\":\"carol\",\"state\":\"active\",\"source\":\"configuration\",\"roles\":[\"maintainer\"]");
    }

    @Test
    void somebodyIsFoundByNameRoleOrTopic() throws Exception {
        for (int i = 0; i < 6; i++) {
            createIdentity("agent-" + i);
        }
        Page page = windows.go(windows.signedInAs("alice"), "/console/admin/identities");
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(14);
        page.getByLabel("Name, role or topic").fill("agent-3");
        button(page, "Search").click();
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(2);
        windows.go(page, "/console/admin/identities?q=core-maintainer");
        assertThat(page.getByRole(AriaRole.ROW)).hasCount(3);
        assertThat(page.locator("#identities")).containsText("alice");
        assertThat(page.locator("#identities")).containsText("dana");
    }

    @Test
    void nobodyElseComesInHere() {
        Page page = windows.inboxOf("bob");
        assertThat(link(page, "Topics")).isVisible();
        assertThat(link(page, "Administration")).hasCount(0);
        for (String path : List.of(
                "",
                "/identities",
                "/identities/bob",
                "/identities/bob/tokens",
                "/identities/bob/revoke",
                "/new-identity",
                "/topics",
                "/topics/ops",
                "/topics/ops/members?name=bob",
                "/topics/ops/members/bob",
                "/topics/ops/members/bob/remove",
                "/topics/ops/members/bob/reset",
                "/bridges",
                "/ledger")) {
            Response answer = page.navigate(consoleTestServer.url("/console/admin" + path));
            assertThat(answer.status()).as(path).isEqualTo(403);
            assertThat(heading(page)).hasText("Admins only");
        }
        windows.go(page, "/");
        for (String path : List.of(
                "/new-identity",
                "/identities/bob/roles",
                "/identities/bob/tokens",
                "/identities/alice/revoke",
                "/topics/ops/members/bob",
                "/topics/ops/members/bob/remove",
                "/topics/ops/members/bob/reset",
                "/ledger/verify")) {
            Object status = page.evaluate("""
                    async (path) => (await fetch(path, {
                      method: "POST",
                      headers: {"Content-Type": "application/x-www-form-urlencoded"},
                      body: new URLSearchParams({
                        csrf: document.querySelector("[name=csrf]").value,
                        name: "evil", roles: "admin", capabilities: "*", sure: "yes"}),
                    })).status""", "/console/admin" + path);
            assertThat(status).as(path).isEqualTo(403);
        }
    }

    @Test
    void aFormThatIsNotOurOwnIsRefused() {
        Page page = windows.inboxOf("alice");
        Object status = page.evaluate("""
                async () => (await fetch("/console/admin/identities/bob/revoke", {
                  method: "POST",
                  headers: {"Content-Type": "application/x-www-form-urlencoded"},
                  body: "csrf=guessed&sure=yes"})).status""");
        assertThat(status).isEqualTo(403);
        windows.go(page, "/console/admin/identities/bob");
        assertThat(tokens(page)).containsText("valid");
    }

    @Test
    void allOfItWorksWithoutScripts() throws Exception {
        Page page = windows.withoutScripts("alice");
        link(page, "Administration").click();
        link(page, "Identities").click();
        String secret = make(page, "robot");
        assertThat(button(page, "Copy")).isHidden();
        assertThat(consoleTestServer.callWith(secret, "GET", "/topics", "").statusCode())
                .isEqualTo(200);
        link(page, "Done").click();
        tokens(page).getByText("Revoke…").click();
        button(page, "Revoke").click();
        assertThat(tokens(page)).containsText("revoked");
        assertThat(consoleTestServer.callWith(secret, "GET", "/topics", "").statusCode())
                .isEqualTo(401);
    }
}
