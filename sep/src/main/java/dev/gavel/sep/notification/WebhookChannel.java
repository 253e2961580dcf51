package dev.gavel.sep.notification;

import dev.gavel.lifecycle.actor.Person;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Posts notifications to a webhook. Thread-safe. */
public final class WebhookChannel implements NotificationChannel {
    private final Webhook hook;
    private final Map<Person, Contact> contacts;
    private final Duration responseTimeout;
    private final HttpClient http;

    /**
     * Creates a channel.
     *
     * @param contacts the people whom a message can mention
     */
    public WebhookChannel(Webhook hook, Map<Person, Contact> contacts, Duration responseTimeout) {
        this.hook = hook;
        this.contacts = Map.copyOf(contacts);
        this.responseTimeout = responseTimeout;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(responseTimeout)
                .build();
    }

    @Override
    public String id() {
        return hook.id();
    }

    @Override
    public boolean accepts(SepNotification sepNotification) {
        return true;
    }

    /** Posts once. The response body is not read, because it may be endless. */
    @Override
    public DeliveryResult deliver(long seq, SepNotification sepNotification) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(hook.url())
                .timeout(responseTimeout)
                .header("Content-Type", "application/json")
                .header("User-Agent", "gavel")
                .POST(HttpRequest.BodyPublishers.ofString(
                        hook.body(seq, sepNotification, contacts).raw()))
                .build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            response.body().close();
            return DeliveryResult.of(response.statusCode(), response.headers().firstValue("Retry-After"));
        } catch (IOException e) {
            if (Thread.interrupted()) {
                // The sender was closed during the request.
                throw new InterruptedException();
            }
            // The exception message may contain the address, which is secret.
            return new DeliveryResult.RetryLater(e.getClass().getSimpleName(), Optional.empty());
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    @Override
    public String toString() {
        return hook.toString();
    }
}
