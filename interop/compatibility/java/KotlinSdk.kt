import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.plugins.sse.SSE
import io.modelcontextprotocol.kotlin.sdk.client.Client
import io.modelcontextprotocol.kotlin.sdk.client.StreamableHttpClientTransport
import io.modelcontextprotocol.kotlin.sdk.shared.RequestOptions
import io.modelcontextprotocol.kotlin.sdk.types.ContentBlock
import io.modelcontextprotocol.kotlin.sdk.types.ImageContent
import io.modelcontextprotocol.kotlin.sdk.types.Implementation
import io.modelcontextprotocol.kotlin.sdk.types.TextContent
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.runBlocking

/** The official Kotlin SDK with Ktor. */
object KotlinSdk {
    @JvmStatic
    fun main(args: Array<String>) = Driver.run(::connect)

    private fun connect(): Driver.Client = runBlocking {
        val http = HttpClient(CIO) {
            install(SSE)
            // The engine has a limit of its own, which is shorter than that of the SDK.
            Driver.timeout().ifPresent { engine { requestTimeout = it } }
        }
        val client = Client(Implementation("kotlin-sdk", "1.0.0"))
        client.connect(
            StreamableHttpClientTransport(http, Driver.url()) { headers.append("Authorization", "Bearer " + Driver.token()) },
        )
        val options = Driver.timeout().map { RequestOptions(timeout = it.milliseconds) }.orElse(null)
        object : Driver.Client {
            override fun tools() = runBlocking { client.listTools().tools.map { it.name } }

            override fun call(tool: String, arguments: Map<String, Any>) = runBlocking {
                val result = client.callTool(name = tool, arguments = arguments, options = options)
                Driver.Result(result.isError == true, result.content.map(::part))
            }
        }
    }

    private fun part(content: ContentBlock) = when (content) {
        is TextContent -> Driver.text(content.text)
        is ImageContent -> Driver.image(content.data)
        else -> Driver.text(content.toString())
    }
}
