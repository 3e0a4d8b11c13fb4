// An editor for tests: the official ACP client, connected in this process to an agent of a server with memory storage.
// Each test answers the requests of the agent at the moment that it chooses.

import { randomBytes } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import {
  type AgentApp,
  type ClientApp,
  type ClientCapabilities,
  type ClientConnection,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  client,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from "@agentclientprotocol/sdk"
import { a2a } from "@holdpoint/a2a/agents"
import type { AgentsConfig } from "@holdpoint/agents"
import { readAgents } from "@holdpoint/agents"
import { type OpenRuns, openRuns } from "@holdpoint/agents/internal"
import { createMemoryStorage, type Elicitation, type Storage, systemRuntime } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createHoldpoint, type Holdpoint, type HoldpointOptions } from "@holdpoint/server"
import { createAcpApp } from "holdpoint/internal"
import { onTestFinished } from "vitest"
import { newKeys, publicUrl } from "../../agents/agents-server.ts"

/** A request of the agent that waits for an answer in the editor. */
export interface PendingRequest<Params, Reply> {
  readonly params: Params
  /** Aborted when the agent has withdrawn the request. */
  readonly withdrawn: AbortSignal
  reply(reply: Reply): void
  fail(error: Error): void
}

export interface Editor {
  readonly connection: ClientConnection
  readonly agent: ClientConnection["agent"]
  /** Every `session/update` of every session, in order. */
  readonly updates: readonly { readonly sessionId: string; readonly update: SessionUpdate }[]
  /** The ids of the links that the agent reported as completed. */
  readonly completed: readonly string[]
  /** The method of every request of the agent, in order. */
  readonly asked: readonly string[]
  nextElicitation(): Promise<PendingRequest<CreateElicitationRequest, CreateElicitationResponse>>
  nextPermission(): Promise<PendingRequest<RequestPermissionRequest, RequestPermissionResponse>>
  open(): Promise<string>
  prompt(session: string, text: string): Promise<PromptResponse>
  /** The text of the agent in the chat of this session, or of all sessions. */
  said(session?: string): string
  /** Resolves with the first update that matches. */
  until(matches: (update: SessionUpdate) => boolean): Promise<SessionUpdate>
  /** Closes the connection, like an editor that quits. */
  leave(): void
}

export interface AcpServer extends Holdpoint {
  readonly runs: OpenRuns
  readonly problems: string[]
  readonly notes: string[]
  readonly storage: Storage
  readonly keys: KeyRing
  /** Starts an editor with these modes of elicitation, for alice or another person. */
  editor(elicitation?: ClientCapabilities["elicitation"], agent?: string, person?: typeof alice): Promise<Editor>
  /** The agent for one connection of another client. `open` opens its runs. */
  app(open?: () => Promise<OpenRuns>): AgentApp
  /** The open questions of the person. */
  openQuestions(): Promise<readonly Elicitation[]>
  /** Resolves with the final status when the question has ended. */
  untilEnded(question: Pick<Elicitation, "id"> | undefined): Promise<string>
}

export const alice = { tenant: "local", issuer: "local", subject: "alice" }
export const showsAll = { form: {}, url: {} }

export async function startAcp(
  section: AgentsConfig,
  parts: Partial<HoldpointOptions> & { readonly keys?: KeyRing } = {},
): Promise<AcpServer> {
  const config = readAgents(section as never)
  const problems: string[] = []
  const notes: string[] = []
  const { storage = createMemoryStorage(), keys = newKeys(), ...more } = parts
  const holdpoint = await createHoldpoint({
    ...{ publicUrl, storage, keys, runtime: systemRuntime },
    people: { from: "local", user: alice.subject, tenant: "local", secret: randomBytes(32) },
    report: (doing, error) => void problems.push(`${doing}: ${String(error)}`),
    ...more,
  })
  const runs = openRuns(holdpoint, config, [a2a({ version: "0.1.0" })])
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await runs.leaveRuns()
    await runs.close()
    await holdpoint.close()
  }
  const closeOnce = (): Promise<void> => (closing ??= close())
  onTestFinished(closeOnce)
  const appOf = (agent: string, person: typeof alice, open = async () => runs): AgentApp =>
    createAcpApp({
      ...{ ...holdpoint, agent, title: config.agents[agent]?.title ?? agent, person, folder: "/folder" },
      open,
      note: (text) => void notes.push(text),
    })
  return {
    ...{ ...holdpoint, runs, problems, notes, keys, storage: holdpoint.storage, close: closeOnce },
    openQuestions: () => holdpoint.hub.list({ tenant: "local", principal: alice, state: "open", limit: 50 }),
    async untilEnded(question) {
      let ended = ""
      for await (const { status } of holdpoint.hub.watch({ id: question?.id ?? "" })) ended = status
      return ended
    },
    app: (open) => appOf("helper", alice, open),
    editor: (elicitation = showsAll, agent = "helper", person = alice) => {
      const app = appOf(agent, person)
      return startEditor((client) => client.connect(app), elicitation)
    },
  }
}

interface DeferredRequest {
  readonly method: string
  readonly request: PendingRequest<unknown, unknown>
}

/** `connect` connects the client to an agent, in this process or another one. */
export async function startEditor(
  connect: (editor: ClientApp) => ClientConnection,
  elicitation: ClientCapabilities["elicitation"] = showsAll,
): Promise<Editor> {
  const updates: { sessionId: string; update: SessionUpdate }[] = []
  const completed: string[] = []
  const asked: string[] = []
  const waiting: DeferredRequest[] = []
  let checks: (() => void)[] = []
  const runChecks = (): void => {
    for (const check of checks) check()
  }
  const once = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve) => {
      const check = (): void => {
        const match = find()
        if (match === undefined) return
        checks = checks.filter((other) => other !== check)
        resolve(match)
      }
      checks.push(check)
      check()
    })
  const defer =
    (method: string) =>
    ({ params, signal }: { readonly params: unknown; readonly signal: AbortSignal }): Promise<never> => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      asked.push(method)
      waiting.push({ method, request: { params, withdrawn: signal, reply: resolve, fail: reject } })
      runChecks()
      return promise as Promise<never>
    }
  const next = (method: string): Promise<PendingRequest<never, never>> =>
    once(() => {
      const index = waiting.findIndex((deferred) => deferred.method === method)
      return index < 0 ? undefined : (waiting.splice(index, 1)[0]?.request as PendingRequest<never, never> | undefined)
    })
  const app = client({ name: "test editor" })
    .onRequest("elicitation/create", defer("elicitation/create"))
    .onRequest("session/request_permission", defer("session/request_permission"))
    .onNotification("session/update", ({ params }) => {
      updates.push(params)
      runChecks()
    })
    .onNotification("elicitation/complete", ({ params }) => {
      completed.push(params.elicitationId)
      runChecks()
    })
  const connection = connect(app)
  onTestFinished(() => connection.close())
  const { agent } = connection
  await agent.request("initialize", { protocolVersion: 1, clientCapabilities: { elicitation: elicitation ?? null } })
  return {
    ...{ connection, agent, updates, completed, asked },
    nextElicitation: () => next("elicitation/create"),
    nextPermission: () => next("session/request_permission"),
    open: async () => (await agent.request("session/new", { cwd: "/tmp", mcpServers: [] })).sessionId,
    async prompt(sessionId, text) {
      try {
        return await agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] })
      } finally {
        // The official client resolves the response before it has dispatched the notifications that arrived just before
        // it.
        await setImmediate()
      }
    },
    said: (session) =>
      updates
        .filter(({ sessionId }) => session === undefined || sessionId === session)
        .map(({ update }) =>
          update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "",
        )
        .join(""),
    until: (matches) => once(() => updates.find(({ update }) => matches(update))?.update),
    leave: () => connection.close(),
  }
}

/** The reply to a request for permission that selects this option. */
export const choose = (optionId: string): RequestPermissionResponse => ({ outcome: { outcome: "selected", optionId } })
