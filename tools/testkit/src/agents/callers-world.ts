// A running server with agents, people who sign in, the built-in authorization server, an MCP server beside the run
// API, and callers of every kind.

import { createHash, randomBytes } from "node:crypto"
import { a2a, a2aResource } from "@holdpoint/a2a/agents"
import type { AgentsConfig, ApiKeyConfig } from "@holdpoint/agents"
import { createAgents, readAgents, runResource, scriptedModel } from "@holdpoint/agents"
import { systemRuntime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { createMcp } from "@holdpoint/mcp"
import type { Site } from "@holdpoint/server"
import { apiResource } from "@holdpoint/server/http"
import { McpServer } from "@modelcontextprotocol/server"
import { oidcClient, startOidc } from "../accounts/vault/providers/oidc.ts"
import { noteCanary } from "../canaries/note.ts"
import { type JarBrowser, openJarBrowser } from "../holdpoint/pages/browser.ts"
import { openWorld, type World } from "../holdpoint/pages/world.ts"
import { userMessage } from "./agents-server.ts"
import { withWatchedLogs } from "./watched-logs.ts"

type Headers = Readonly<Record<string, string>>

export interface CallersWorld extends World {
  /** The actions of the agent's tool. */
  readonly done: string[]
  /** The program that acts for the people. */
  readonly shop: ApiKeyConfig
  /** How far the clock of the server is ahead of the real clock. */
  readonly clock: { aheadMs: number }
  send(
    path: string,
    init?: { readonly body?: unknown; readonly headers?: Headers; readonly method?: string },
  ): Promise<Response>
  say(conversation: string, text: string, headers: Headers): Promise<Response>
  /** The headers of a page of this server in which the person is signed in. */
  session(subject: string): Promise<Headers>
  /** The headers of a program with a token of the authorization server. */
  bearer(subject: string, resource?: string): Promise<Headers>
  /** The response to a program that asks for a person's token. */
  mint(body: object, headers?: Headers): Promise<Response>
  /** The headers of a page on another site, with a token that its backend got for the person. */
  minted(subject: string, more?: object): Promise<Headers>
}

export const chatOrigin = "https://chat.example"
export const showing = { "x-supports-elicitation": "true" }
export const apiKey = `key-${randomBytes(24).toString("hex")}`
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const scopesOf: Headers = {
  "/run": "agents.run",
  "/a2a": "agents.run",
  "/mcp": "notes.read",
  "/api": "questions.answer",
}
const redirectUri = "http://127.0.0.1:43117/callback"

export async function openCallersWorld(more: Partial<AgentsConfig> = {}): Promise<CallersWorld> {
  noteCanary("entered", apiKey)
  const people = await startOidc()
  const done: string[] = []
  const clock = { aheadMs: 0 }
  const shop = { id: "shop", sha256: sha256(apiKey), actsFor: { issuer: people.issuer, tenant: "acme" } }
  const config = readAgents({ ...helper(done), origins: [chatOrigin], apiKeys: [shop], ...more } as never)
  const client = { id: oidcClient.id, secret: oidcClient.secret }
  const world = await openWorld({
    runtime: { ...systemRuntime, now: () => systemRuntime.now() + clock.aheadMs },
    people: {
      from: "providers",
      providers: [{ id: "people", name: "People", issuer: people.issuer, client, tenant: "acme" }],
    },
    authorization: {
      resources: [
        runResource,
        a2aResource,
        apiResource,
        { resource: "/mcp", name: "Notes", scopes: { "notes.read": "Read your notes" } },
      ],
      clients: [{ clientId: "desk", name: "Desk", redirectUris: ["http://127.0.0.1/callback"] }],
    },
    mounts: (site) => [
      createAgents(withWatchedLogs(site), config, { surfaces: [a2a({ version: "0.1.0" })] }),
      createNotes(site),
    ],
  })
  const { publicUrl } = world.server
  people.allowRedirect(`${publicUrl}/signin/callback`)
  const signIn: World["signIn"] = async (subject, browser = openJarBrowser()) => {
    people.settings.user = subject
    await browser.open(`${publicUrl}/signin?to=inbox`)
    return browser
  }
  const send: CallersWorld["send"] = (path, { body, headers = {}, method } = {}) =>
    fetch(`${publicUrl}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
  const mint: CallersWorld["mint"] = (body, headers = { "x-api-key": apiKey }) =>
    send("/run/api/tokens", { body, headers })
  return {
    ...world,
    ...{ people, shop, done, clock, signIn, send, mint },
    person: (subject) => ({ tenant: "acme", issuer: people.issuer, subject }),
    say: (id, text, headers) =>
      send("/run/api/chat", { body: { id, messages: [userMessage(text)] }, headers: { ...showing, ...headers } }),
    session: async (subject) => ({ ...cookieOf(await signIn(subject), publicUrl), origin: publicUrl }),
    bearer: async (subject, path = "/run") => toHeader(await authorize(publicUrl, await signIn(subject), path)),
    async minted(subject, body = {}) {
      const { token } = (await (await mint({ subject, ...body })).json()) as { readonly token: string }
      return { ...toHeader(token), origin: chatOrigin }
    },
    async close() {
      await world.close()
      await people.close()
    },
  }
}

function toHeader(token: string): Headers {
  noteCanary("access_token", token)
  return { authorization: `Bearer ${token}` }
}

export const cookieOf = (browser: JarBrowser, url: string): Headers => ({
  cookie: [...browser.cookies(url)].map(([name, value]) => `${name}=${value}`).join("; "),
})

function createNotes(site: Site): Mount {
  const server = () => new McpServer({ name: "notes", version: "1.0.0" })
  const mcp = createMcp({ ...site, name: "notes", server, callers: site.callersAt("/mcp") })
  return { handles: (path) => path === "/mcp", fetch: (request) => mcp.fetch(request), close: () => mcp.close() }
}

/** Lets the program “desk” act for the person at this resource, and returns its access token. */
async function authorize(publicUrl: string, browser: JarBrowser, path: string): Promise<string> {
  const verifier = randomBytes(32).toString("base64url")
  const challenge = createHash("sha256").update(verifier).digest("base64url")
  const asked = new URLSearchParams({
    ...{ client_id: "desk", redirect_uri: redirectUri, response_type: "code", state: "s-1" },
    ...{ scope: scopesOf[path] ?? "", resource: `${publicUrl}${path}` },
    ...{ code_challenge: challenge, code_challenge_method: "S256" },
  })
  const isBack = (url: URL): boolean => url.port === "43117"
  const page = await browser.open(`${publicUrl}/oauth/authorize?${asked}`, { stopAt: isBack })
  const back = isBack(page.url) ? page : await browser.submit(page, { do: "allow" }, { stopAt: isBack })
  const code = back.url.searchParams.get("code") ?? ""
  const body = new URLSearchParams({
    ...{ grant_type: "authorization_code", client_id: "desk", redirect_uri: redirectUri },
    ...{ code, code_verifier: verifier, resource: `${publicUrl}${path}` },
  })
  const response = await fetch(`${publicUrl}/oauth/token`, { method: "POST", body })
  const { access_token: token } = (await response.json()) as { readonly access_token?: string }
  if (token === undefined) throw new Error(`no token was issued: ${response.status}`)
  return token
}

/** An agent that asks for a destination, deletes with approval, or repeats the message. */
export function helper(done: string[]): AgentsConfig {
  const model = scriptedModel(({ message, results, step }) => {
    if (step > 0) return { text: `I heard: ${JSON.stringify(results.map(({ output }) => output))}.` }
    if (message.includes("trip")) return { calls: [{ tool: "plan_trip", input: {} }] }
    if (message.includes("delete")) return { calls: [{ tool: "delete_note", input: {} }] }
    if (message.includes("wait")) return { calls: [{ tool: "wait", input: {} }] }
    return { text: `You said: ${message}` }
  })
  const inputSchema = { type: "object", properties: {} }
  const where = { type: "object", properties: { where: { type: "string" } }, required: ["where"] } as const
  return {
    agents: {
      helper: {
        model,
        tools: {
          plan_trip: {
            ...{ description: "Plans a trip", inputSchema },
            handle: async (_input, ask) => `to ${(await ask.form("where", "Where to?", where)).where}`,
          },
          delete_note: {
            ...{ description: "Deletes a note", inputSchema },
            execute: () => {
              done.push("deleted")
              return "gone"
            },
          },
          wait: {
            ...{ description: "Works until it is stopped", inputSchema },
            execute: (_input, { signal }) =>
              new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
          },
        },
        policies: { delete_note: "ask" },
      },
    },
  }
}

/** The status of a response, and the code of its error. */
export const codeOf = async (response: Response): Promise<unknown> => [
  response.status,
  ((await response.json()) as { readonly code?: string }).code,
]

export const without = (headers: Readonly<Record<string, string>>, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name))
