// Runs oidc-provider, a certified OpenID provider, on a free port of the loopback address.
//
//   node issuer.mjs CLIENT...
//
// Each client gets access tokens with the grant client_credentials; its secret is its name and "-secret". A token is a
// JWT for the resource that the client names (RFC 8707), and its subject is the name of the client. Prints the URL of
// the issuer as a line of JSON.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer();
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const provider = new Provider(issuer, {
  clients: process.argv.slice(2).map((name) => ({
    client_id: name,
    client_secret: `${name}-secret`,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  })),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'test', use: 'sig' }] },
  ttl: { ClientCredentials: 600 },
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      getResourceServerInfo: (_context, resource) => ({
        scope: '',
        audience: resource,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'RS256' } },
      }),
    },
  },
});

server.on('request', provider.callback());
process.stdout.write(JSON.stringify({ issuer }) + '\n');
process.stdin.resume().on('end', () => process.exit());
