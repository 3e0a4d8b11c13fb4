// Accounts of an agent's tools: a foreign MCP server with its own OAuth, lost connections, missing scopes, programs
// without a person, and the cost of looking up a connected account.

import { createHash } from "node:crypto"
import { toOwner } from "@holdpoint/accounts"
import { mcpServer } from "@holdpoint/accounts/providers"
import { createMemoryStorage } from "@holdpoint/hub"
import { type GuardedMcp, mcpScopes, startGuardedMcp } from "@holdpoint/testkit/accounts/vault/providers/guarded-mcp"
import type { AgentsServer, StreamReader } from "@holdpoint/testkit/agents/agents-server"
import { answer, publicUrl, question, readStream, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { connectOnPages } from "@holdpoint/testkit/agents/connecting"
import { goodKey, startGuardedServer } from "@holdpoint/testkit/agents/guarded-server"
import { describe, expect, it, onTestFinished } from "vitest"
import type { AgentsConfig, McpServerConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"
import { countQueries } from "./counted-queries.ts"

const redirectUri = `${publicUrl}/oauth/callback/notes`
const clientId = "agents"

async function startForeign(): Promise<GuardedMcp> {
  const foreign = await startGuardedMcp({
    clients: [
      {
        ...{ client_id: clientId, redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
  })
  onTestFinished(() => foreign.close())
  return foreign
}

/** A model that connects the server if necessary, calls `list_notes` once, and replies with the results. */
const notesModel = () =>
  scriptedModel(({ results, tools }) => {
    if (results.some(({ tool }) => tool === "list_notes"))
      return { text: results.map(({ output }) => JSON.stringify(output)).join(" | ") }
    return { calls: [{ tool: tools.includes("list_notes") ? "list_notes" : "connect_notes", input: {} }] }
  })

const agentsWith = (notes: McpServerConfig): AgentsConfig => ({
  agents: { helper: { model: notesModel(), mcpServers: ["notes"], policies: { "*": "always" } } },
  mcpServers: { notes },
})

interface ForeignOptions {
  /** The scopes that are always requested; those that the server names by default. */
  readonly requested?: readonly string[]
  /** The scopes that a call needs, read with each call. */
  readonly needed?: () => readonly string[]
}

async function startWithForeign(foreign: GuardedMcp, { requested, needed = () => [] }: ForeignOptions = {}) {
  const scopes = requested === undefined ? {} : { scopes: requested }
  const provider = mcpServer({ id: "notes", url: foreign.url, client: { id: clientId }, ...scopes })
  const notes: McpServerConfig = {
    ...{ url: foreign.url, credentialScope: "user", provider: "notes", scopes: async () => needed() },
  }
  return startAgents(agentsWith(notes), { providers: [provider], network: { allowLoopback: true } })
}

/** Sends a message, connects the account when the agent asks, and returns the text of the reply. */
async function sayAndConnect(server: AgentsServer, conversation: string): Promise<string> {
  const stream = await server.say(conversation, "list my notes")
  await connectOnPages(server, (await question(stream)).elicitationId, redirectUri)
  return lastOf(stream)
}

const lastOf = async (stream: StreamReader): Promise<string> =>
  textOf(await stream.rest())
    .split(" | ")
    .at(-1) ?? ""

const notesOfAlice = '"Notes of alice"'

/** The number of requests without a token, which the server refused. */
const withoutToken = ({ presented }: GuardedMcp): number => presented.filter((token) => token === undefined).length

async function connectionOf(server: AgentsServer) {
  if (!("principal" in server.identity)) throw new Error("alice is not at this machine")
  const { principal } = server.identity
  const [connection] = (await server.vault.list(toOwner(principal))).filter(({ status }) => status === "active")
  if (connection === undefined) throw new Error("no account is connected")
  return { id: connection.id, principal }
}

/** Revokes every token of the authorization server, like its administrator. */
async function endTokens({ oidc, presented }: GuardedMcp): Promise<void> {
  const token = await oidc.provider.AccessToken.find(presented.at(-1) ?? "")
  if (token?.grantId === undefined) throw new Error("no token was presented")
  const { AccessToken, RefreshToken, Grant } = oidc.provider
  await Promise.all([AccessToken.revokeByGrantId(token.grantId), RefreshToken.revokeByGrantId(token.grantId)])
  await (await Grant.find(token.grantId))?.destroy()
}

describe("an agent with a foreign MCP server that has OAuth of its own", () => {
  it("asks with a link before the server is called, and the same reply continues with the result", async () => {
    const foreign = await startForeign()
    const server = await startWithForeign(foreign)
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(asked).toMatchObject({ mode: "url", url: `${publicUrl}/connect/${asked.elicitationId}` })
    expect(asked.context).toMatchObject({ trigger: "credential_required", toolName: "connect_notes" })
    expect(foreign.requests).toEqual([])
    await connectOnPages(server, asked.elicitationId, redirectUri)
    expect(await lastOf(stream)).toBe(notesOfAlice)
    const { data: end } = stream.seen.filter(({ type }) => type === "data-elicitation").at(-1) ?? {}
    expect(end).toMatchObject({ type: "elicitation-resolved", elicitationId: asked.elicitationId, status: "completed" })
    expect(end?.context).toEqual(asked.context)
    const { items } = (await (await server.get("/run/api/conversations/c1/timeline")).json()) as {
      readonly items: readonly { readonly kind: string; readonly elicitationId?: string }[]
    }
    const about = items.filter(({ elicitationId }) => elicitationId === asked.elicitationId).map(({ kind }) => kind)
    expect([about[0], about.at(-1)]).toEqual(["asked", "answered"])
    // The one request without a token is the discovery when the button was pressed.
    expect(withoutToken(foreign)).toBe(1)
    expect(foreign.presented[0]).toBeUndefined()
    expect(new Set(foreign.presented.slice(1)).size).toBe(1)
    expect(JSON.stringify(stream.seen)).not.toContain(foreign.presented.at(-1))
  })

  it("asks again before the server is called when the account was disconnected between two replies", async () => {
    const foreign = await startForeign()
    const server = await startWithForeign(foreign)
    await sayAndConnect(server, "c1")
    const { id, principal } = await connectionOf(server)
    await server.vault.disconnect(id, { by: principal })
    const before = foreign.requests.length
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(asked.context).toMatchObject({ trigger: "credential_required", toolName: "list_notes" })
    expect(foreign.requests.length).toBe(before)
    await connectOnPages(server, asked.elicitationId, redirectUri)
    expect(await lastOf(stream)).toBe(notesOfAlice)
    expect(withoutToken(foreign)).toBe(1)
  })

  it("asks for more before the server is called when a call needs scopes that were not granted", async () => {
    const foreign = await startForeign()
    const [read = "", write = ""] = mcpScopes
    let needed = [read]
    const server = await startWithForeign(foreign, { requested: [read], needed: () => needed })
    await sayAndConnect(server, "c1")
    needed = [read, write]
    const before = foreign.requests.length
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(foreign.requests.length).toBe(before)
    await connectOnPages(server, asked.elicitationId, redirectUri)
    expect(await lastOf(stream)).toBe(notesOfAlice)
    const token = await foreign.oidc.provider.AccessToken.find(foreign.presented.at(-1) ?? "")
    expect([...(token?.scopes ?? [])]).toEqual(expect.arrayContaining([read, write]))
  })
})

describe("an account that stops working during a call", () => {
  it("is asked for again, and the same call is made", async () => {
    const foreign = await startForeign()
    const server = await startWithForeign(foreign)
    await sayAndConnect(server, "c1")
    await endTokens(foreign)
    const stream = await server.say("c1", "list my notes")
    const asked = await question(stream)
    expect(asked.context).toMatchObject({ trigger: "credential_required", toolName: "list_notes" })
    await connectOnPages(server, asked.elicitationId, redirectUri)
    const chunks = await stream.rest()
    expect(textOf(chunks)).toBe(notesOfAlice)
    expect(chunks.filter(({ type }) => type === "tool-output-available")).toHaveLength(1)
    expect(chunks.filter(({ type }) => type === "tool-output-error")).toEqual([])
  })

  it("is not asked for a second time when the person declines", async () => {
    const foreign = await startForeign()
    const server = await startWithForeign(foreign)
    await sayAndConnect(server, "c1")
    await endTokens(foreign)
    const stream = await server.say("c1", "list my notes")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "decline" })
    expect(await lastOf(stream)).toContain("Authentication required but not provided.")
    expect(await server.hub.list({ tenant: "local", state: "open", limit: 9 })).toEqual([])
  })

  it("is reported to the model when the person cannot be asked", async () => {
    const foreign = await startForeign()
    const server = await startWithForeign(foreign)
    await sayAndConnect(server, "c1")
    await endTokens(foreign)
    expect(await lastOf(await server.say("c1", "list my notes", {}))).toContain(
      "Tool list_notes requires user authentication.",
    )
    expect(await server.hub.list({ tenant: "local", state: "open", limit: 9 })).toEqual([])
  })

  it("is asked for again by a server of the 2025 revision too", async () => {
    const notes = await startGuardedServer()
    const server = await startAgents(agentsWith({ url: notes.url, credentialScope: "user", provider: "notes" }), {
      ...{ providers: [notes.provider], network: { allowLoopback: true } },
    })
    const first = await server.say("c1", "list my notes")
    await enterKey(server, (await question(first)).elicitationId, goodKey)
    expect(await lastOf(first)).toBe('"Milk, Bread"')
    const newKey = "key-of-alice-after-the-change"
    notes.changeKey(newKey)
    const second = await server.say("c1", "list my notes")
    await enterKey(server, (await question(second)).elicitationId, newKey)
    expect(await lastOf(second)).toBe('"Milk, Bread"')
    expect(notes.calls).toEqual(["list_notes", "list_notes"])
  })
})

/** Answers a question for a key, as the page does when alice or an administrator enters it. */
async function enterKey(server: AgentsServer, elicitationId: string, key: string): Promise<void> {
  if (!("principal" in server.identity)) throw new Error("alice is not at this machine")
  // Questions about a project's account are for administrators.
  const principal = { ...server.identity.principal, roles: ["admin"] }
  const visitor = { principal, session: "session", agent: "test" } as never
  await server.hub.open(elicitationId, { by: principal })
  await server.hub.answer(elicitationId, { by: principal, action: "accept", via: "page" })
  const elicitation = await server.hub.get(elicitationId)
  if (elicitation === undefined) throw new Error("there is no such question")
  expect(await server.vault.consent.enter(elicitation, visitor, { key })).toEqual({ kind: "kept" })
}

const apiKey = "the-key-of-a-program"

describe("a program without a person", () => {
  it("fails immediately with accounts of people, and uses the project's account only where configured", async () => {
    const notes = await startGuardedServer()
    const listed = [{ name: "list_notes", description: "Lists the notes", inputSchema: { type: "object" } }]
    const base = { url: notes.url, provider: "notes", tools: listed }
    const toldBy = scriptedModel(({ results, step }) =>
      step === 0 ? { calls: [{ tool: "list_notes", input: {} }] } : { text: JSON.stringify(results[0]?.output) },
    )
    const config: AgentsConfig = {
      agents: {
        own: { model: toldBy, mcpServers: ["own"], policies: { "*": "always" } },
        shared: { model: toldBy, mcpServers: ["shared"], policies: { "*": "always" } },
      },
      default: "own",
      mcpServers: {
        own: { ...base, credentialScope: "user" },
        shared: { ...base, credentialScope: "project" },
      },
      apiKeys: [{ id: "cron", sha256: createHash("sha256").update(apiKey).digest("hex") }],
    }
    const server = await startAgents(config, { providers: [notes.provider], network: { allowLoopback: true } })
    const asked = await server.vault.ask({
      ...{ owner: { kind: "project", tenant: "local", project: "agents" }, provider: "notes" },
      requester: { id: "test" },
    })
    await enterKey(server, asked.id, goodKey)
    const send = async (agent: string): Promise<StreamReader> => {
      const messages = [{ id: "m", role: "user", parts: [{ type: "text", text: "list the notes" }] }]
      const headers = { "x-supports-elicitation": "true", "x-api-key": apiKey }
      return readStream(await server.post("/run/api/chat", { id: agent, agent, messages }, headers))
    }
    expect(await lastOf(await send("shared"))).toBe('"Milk, Bread"')
    expect(notes.calls).toEqual(["list_notes"])
    const chunks = await (await send("own")).rest()
    expect(textOf(chunks)).toContain("A program made this call without a person")
    expect(chunks.map(({ type }) => type)).not.toContain("data-elicitation")
    expect([notes.calls, notes.unauthorized()]).toEqual([["list_notes"], 0])
  })
})

describe("the check of a connected account", () => {
  it("adds no query to a reply", async () => {
    const notes = await startGuardedServer()
    const settings = { providers: [notes.provider], network: { allowLoopback: true } }
    const queriesOf = async (config: McpServerConfig): Promise<readonly string[]> => {
      const { storage, take } = countQueries(createMemoryStorage())
      const server = await startAgents(agentsWith(config), { ...settings, storage })
      if (config.credentialScope === "user") {
        const stream = await server.say("c1", "list my notes")
        await enterKey(server, (await question(stream)).elicitationId, goodKey)
        await stream.rest()
      }
      await (await server.say("c2", "list my notes")).rest()
      take()
      expect(textOf(await (await server.say("c3", "list my notes")).rest())).toBe('"Milk, Bread"')
      return [...take()].sort()
    }
    const headers = { authorization: `Bearer ${goodKey}` }
    const without = await queriesOf({ url: notes.url, credentialScope: "none", headers })
    expect(without.length).toBeGreaterThan(0)
    expect(await queriesOf({ url: notes.url, credentialScope: "user", provider: "notes" })).toEqual(without)
  })
})
