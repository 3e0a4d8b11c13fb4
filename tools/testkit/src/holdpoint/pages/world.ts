// The running system: the server with its pages, a real identity provider, a real provider to connect, and people with a
// browser each.

import { createHash, randomBytes } from "node:crypto"
import type { Principal, Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { Need, Provider } from "@holdpoint/hub/internal"
import { toOwner } from "@holdpoint/hub/internal"
import type { KeyRing, Sealer } from "@holdpoint/hub/sealing"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { type Server, type ServerOptions, startServer } from "holdpoint/serve"
import { type Oidc, oidcClient, startOidc } from "../../accounts/vault/providers/oidc.ts"
import { hearStorage } from "../../canaries/databases.ts"
import { hear, noteCanary } from "../../canaries/note.ts"
import { type JarBrowser, openJarBrowser, type Visited } from "./browser.ts"

export interface World {
  readonly server: Server
  readonly storage: Storage
  readonly sealer: Sealer
  readonly keys: KeyRing
  /** The identity provider. */
  readonly people: Oidc
  /** The provider that people connect. */
  readonly notes: Oidc
  readonly problems: string[]
  person(subject: string): Principal
  /** A browser in which this person is signed in. */
  signIn(subject: string, browser?: JarBrowser): Promise<JarBrowser>
  need(subject: string, more?: Partial<Need>): Need
  close(): Promise<void>
}

export interface WorldOptions extends Partial<Omit<ServerOptions, "providers">> {
  readonly providers?: (at: { readonly notes: Oidc }) => readonly Provider[]
  readonly notes?: Parameters<typeof startOidc>[0]
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { providers = ({ notes }) => [notesProvider(notes)], notes: notesOptions, ...serverOptions } = options
  const [people, notes] = await Promise.all([
    startOidc(),
    startOidc({ scopes: ["notes.read", "notes.write"], ...notesOptions }),
  ])
  const ring = withNewKey()
  for (const key of ring.keys.values()) noteCanary("key", Buffer.from(key).toString("base64url"))
  const sealer = createSealer(ring)
  const raw = createMemoryStorage()
  const problems: string[] = []
  const server = await startServer({
    storage: raw,
    keys: ring,
    people: {
      from: "providers",
      providers: [
        {
          id: "people",
          name: "People",
          issuer: people.issuer,
          client: { id: oidcClient.id, secret: oidcClient.secret },
          tenant: "acme",
        },
      ],
    },
    providers: providers({ notes }),
    host: "127.0.0.1",
    port: 0,
    network: { allowLoopback: true },
    vaultTimes: { gatherMs: 0 },
    report: (doing, error) => {
      problems.push(`${doing}: ${error}`)
      hear("report", "a server of the tests", `${doing}: ${error}`)
    },
    ...serverOptions,
  })
  const { publicUrl } = server
  people.allowRedirect(`${publicUrl}/signin/callback`)
  for (const path of redirectPaths) notes.allowRedirect(`${publicUrl}${path}`)
  const person = (subject: string): Principal => ({ tenant: "acme", issuer: people.issuer, subject })
  return {
    ...{ server, storage: raw, sealer, keys: ring, people, notes, problems, person },
    async signIn(subject, browser = openJarBrowser()) {
      people.settings.user = subject
      const signedIn = await browser.open(`${server.publicUrl}/signin?to=inbox`)
      if (signedIn.status !== 200 || signedIn.url.pathname !== "/inbox") throw new Error(describe(signedIn))
      return browser
    },
    need: (subject, more = {}) => ({
      owner: toOwner(person(subject)),
      provider: "notes",
      scopes: ["notes.read"],
      requester: { id: askerOf(more.message), name: "Note taker" },
      ...more,
    }),
    async close() {
      await server.close()
      await hearStorage(raw, "acme")
      await raw.close()
      await Promise.all([people.close(), notes.close()])
    },
  }
}

export function notesProvider(notes: Oidc, more: Partial<Extract<Provider, { kind: "oauth" }>> = {}): Provider {
  return {
    kind: "oauth",
    id: "notes",
    name: "Example Notes",
    api: [notes.issuer],
    issuer: notes.issuer,
    discovery: "oidc",
    client: { id: oidcClient.id, authentication: { method: "basic", secret: oidcClient.secret } },
    pkce: "S256",
    baseScopes: ["openid", "offline_access"],
    authorizationParameters: { prompt: "consent" },
    redirect: "context",
    scopeWords: { "notes.read": "Read your notes", "notes.write": "Change your notes" },
    identity: { from: "id_token", id: "sub", name: ["sub"] },
    revocation: { by: "rfc7009" },
    ...more,
  }
}

/** The needs of one asker for one account become one question, so tests that want several use several askers. */
const askerOf = (message = ""): string =>
  message === "" ? "note-taker" : `note-taker-${createHash("sha256").update(message).digest("hex").slice(0, 8)}`

/** The redirect addresses of the test provider. */
const redirectPaths = ["/oauth/callback/notes", "/oauth/callback/files", "/oauth/callback", "/oauth/callback-nextcloud"]

export const describe = ({ status, hops, text }: Visited): string => `${status} after ${hops.join(" → ")}\n${text}`

export const newSecret = (): Uint8Array => randomBytes(32)
