// Connects the official TypeScript client to an MCP endpoint with an access token that it gets itself: it follows the
// 401 to the metadata of the resource, from there to the authorization server, and requests a token there.
//
//   node access-token-client.mjs URL CLIENT SECRET ISSUER TOOL
//
// Calls the tool. Prints what it found as a line of JSON.
import { discoverAuthorizationServerMetadata, discoverOAuthProtectedResourceMetadata, extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, clientId, secret, issuer, tool] = process.argv.slice(2);

const refusal = await fetch(url, { method: 'POST' });
const challenge = extractWWWAuthenticateParams(refusal);
const resource = await discoverOAuthProtectedResourceMetadata(url, {
  resourceMetadataUrl: challenge.resourceMetadataUrl,
});
const server = await discoverAuthorizationServerMetadata(resource.authorization_servers[0]);

const authProvider = new ClientCredentialsProvider({ clientId, clientSecret: secret, expectedIssuer: issuer });
const client = new Client({ name: 'gavel-interop', version: '1.0.0' }, { capabilities: {} });
await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider }));
const result = await client.callTool({ name: tool, arguments: {} });
await client.close();

process.stdout.write(
  JSON.stringify({
    status: refusal.status,
    metadataUrl: challenge.resourceMetadataUrl,
    resource,
    tokenEndpoint: server.token_endpoint,
    token: authProvider.tokens().access_token,
    result,
  }) + '\n',
);
