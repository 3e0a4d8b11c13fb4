// Example Notes: a small third-party service with accounts, a consent page and an API. It is not a part of Holdpoint.
// Its people need no password: every visitor is alice.

import { generateKeyPairSync, randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type AdapterPayload, type Configuration, Provider } from "oidc-provider"

export interface Notes {
  readonly issuer: string
  readonly client: { readonly clientId: string; readonly clientSecret: string }
  /** Registers a redirect URI, which a developer does once on the service's site. */
  allowRedirect(uri: string): Promise<void>
  /** Revokes the access of every program, which a person does in the service's settings. */
  forgetPrograms(): void
  close(): Promise<void>
}

const account = "alice"
const notes = ["Water the plants", "Call Bob about the boat", "Buy a new lamp"]
const client = { clientId: "note-taker", clientSecret: randomBytes(24).toString("base64url") }

export async function startNotes(): Promise<Notes> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const memory = new Map<string, AdapterPayload>()
  const provider = new Provider(issuer, toConfiguration(issuer, memory))
  const authorize = provider.callback()

  server.on("request", (request, response) => {
    const path = request.url ?? "/"
    const failed = (): void => void response.writeHead(500).end()
    if (path === "/notes") sendNotes(provider, request, response).catch(failed)
    else if (path.startsWith("/allow/")) askThem(provider, request, response).catch(failed)
    else authorize(request, response)
  })
  return {
    issuer,
    client,
    async allowRedirect(uri) {
      memory.set(`Client:${client.clientId}`, {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        client_name: "Note taker",
        redirect_uris: [uri],
        grant_types: ["authorization_code", "refresh_token"],
      })
    },
    forgetPrograms() {
      for (const key of memory.keys()) if (/^(AccessToken|RefreshToken|Grant|Session):/.test(key)) memory.delete(key)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The API: the notes of the token's owner. */
async function sendNotes(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, bearer = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? []
  const token = await provider.AccessToken.find(bearer)
  const status = token === undefined ? 401 : token.scope?.split(" ").includes("notes.read") ? 200 : 403
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(status === 200 ? { account: token?.accountId, notes } : {}))
}

/** The consent page. */
async function askThem(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response)
  if (request.method !== "POST") {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    response.end(`<!doctype html><title>Example Notes</title><h1>Example Notes</h1>
<p>You are ${account}. May “Note taker” read your notes?</p>
<form method="post"><button name="say" value="yes">Yes</button> <button name="say" value="no">No</button></form>`)
    return
  }
  let body = ""
  for await (const chunk of request) body += chunk
  if (new URLSearchParams(body).get("say") !== "yes")
    return provider.interactionFinished(request, response, { error: "access_denied" })
  const grant = new provider.Grant({ accountId: account, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  const grantId = await grant.save()
  return provider.interactionFinished(request, response, { login: { accountId: account }, consent: { grantId } })
}

function toConfiguration(issuer: string, memory: Map<string, AdapterPayload>): Configuration {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  return {
    adapter: (model) => ({
      upsert: async (id, payload) => void memory.set(`${model}:${id}`, payload),
      find: async (id) => memory.get(`${model}:${id}`),
      findByUid: async (uid) => [...memory.values()].find((payload) => payload.uid === uid),
      findByUserCode: async () => undefined,
      consume: async (id) => void Object.assign(memory.get(`${model}:${id}`) ?? {}, { consumed: 1 }),
      destroy: async (id) => void memory.delete(`${model}:${id}`),
      async revokeByGrantId(grantId) {
        for (const [key, payload] of memory) if (payload.grantId === grantId) memory.delete(key)
      },
    }),
    clientDefaults: { id_token_signed_response_alg: "ES256" },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "ES256" }] },
    cookies: {
      keys: [randomBytes(24).toString("base64url")],
      names: { session: "notes_session", interaction: "notes_interaction", resume: "notes_resume" },
    },
    scopes: ["openid", "offline_access", "notes.read"],
    claims: { openid: ["sub"], email: ["email"] },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@notes.example` }),
    }),
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, { clientId }, token) => token.clientId === clientId },
    },
    interactions: { url: (_context, { uid }) => `${issuer}/allow/${uid}` },
    issueRefreshToken: async (_context, _client, code) => code.scopes.has("offline_access"),
    ttl: {
      ...{ AccessToken: 3600, IdToken: 3600, RefreshToken: 86_400, Grant: 86_400 },
      ...{ AuthorizationCode: 60, Interaction: 900, Session: 900 },
    },
  }
}
