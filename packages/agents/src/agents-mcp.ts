// Agents as an MCP server: one tool per agent. The agent runs inside the client's call of its tool, so that its model
// steps, tool calls and questions belong to this call, and its questions reach MCP clients of every revision.

import type { Asking } from "@holdpoint/calls"
import { isHoldpointError } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { type Ask, createMcp, holdable } from "@holdpoint/mcp"
import type { Site } from "@holdpoint/server"
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server"
import type { ModelMessage } from "ai"
import type { Agent } from "./agent.ts"
import { lastTextOutput, runAgent } from "./agent.ts"
import { type RunRecords, recordRun } from "./begin-run.ts"
import type { RunBeginning } from "./conversations.ts"
import type { AgentsConfig } from "./definition.ts"
import { modelErrorWords, toReported } from "./model-error.ts"
import type { Run } from "./records.ts"
import { type CallStep, callEntry } from "./run-entries.ts"
import type { Chunk, RunLogs } from "./run-log.ts"
import { endRun, type RunEnd, type RunningRun } from "./runs.ts"

/** The path of the MCP server. Access tokens are issued for it. */
export const mcpPath = "/run/v1/mcp"

/** The MCP server as a resource. Add it to the authorization server's resources to serve it to people who sign in. */
export const mcpResource = {
  resource: mcpPath,
  name: "The agents of this server, as tools",
  scopes: { "agents.run": "Talk to the agents in your name" },
}

export interface AgentsMcpParts extends RunRecords {
  readonly config: AgentsConfig
  readonly logs: RunLogs
  readonly questionMs: number
  readonly trail: Asking["trail"]
  readonly agentFor: (name: string, run: RunningRun) => Agent
}

/** Whether callers can prove who they are: by a token for the MCP server, or because this is local mode. */
export const isMcpServed = ({ authorization, identity }: Site): boolean =>
  "principal" in identity ||
  authorization?.resources.some(({ resource }) => resource === `${authorization.issuer}${mcpPath}`) === true

export function createAgentsMcp(site: Site, parts: AgentsMcpParts): Mount {
  const callers = site.callersAt(mcpPath)
  const { runtime, report } = site
  const calls: CallParts = {
    ...{ ...parts, newId: () => runtime.newId(), report },
    async noteEdit({ id, tenant, person }, names) {
      const { subject, issuer } = person
      const detail = { by: { tenant, issuer, subject }, code: "arguments_edited", message: names.join(", ") }
      await parts.trail.append({ id, tenant, kind: "edited", at: runtime.now(), detail })
    },
    noteCall: (run, step) => parts.trail.append(callEntry(run, step, runtime.now())),
  }
  const mcp = createMcp({
    ...{ ...site, callers, name: "Agents", accessTools: false, lifetimeMs: parts.questionMs },
    server: () => createServer(calls),
  })
  const metadataPath = "metadataUrl" in callers ? new URL(callers.metadataUrl).pathname : undefined
  return {
    handles: (path) => path === mcpPath || path === metadataPath,
    fetch: (request) => mcp.fetch(request),
    close: () => mcp.close(),
  }
}

interface CallParts extends AgentsMcpParts {
  readonly newId: () => string
  /** Records in the trail that the person edited these arguments of a call. */
  readonly noteEdit: (run: RunningRun, names: readonly string[]) => Promise<void>
  /** Records in the trail that a tool call has begun or ended. */
  readonly noteCall: (run: Pick<Run, "id" | "tenant">, step: CallStep) => Promise<void>
  readonly report: (activity: string, error: unknown) => void
}

function createServer(parts: CallParts): McpServer {
  const server = new McpServer({ name: "holdpoint-agents", version: "1" })
  for (const [
    name,
    { description = `Sends a message to the agent “${name}”, and returns its reply.` },
  ] of Object.entries(parts.config.agents))
    server.registerTool(
      name,
      { description, inputSchema },
      holdable((input: CallInput, ask) => callAgent(parts, ask, { name, ...input })),
    )
  return server
}

interface CallInput {
  readonly message: string
  readonly conversationId?: string
}

const inputSchema = fromJsonSchema<CallInput>({
  type: "object",
  properties: {
    message: { type: "string", minLength: 1, description: "The message: a task or a question" },
    conversationId: {
      ...{ type: "string", pattern: "^[!-~]{1,200}$" },
      description:
        "A name of your choice. Calls with the same name continue one conversation; without a name, nothing is kept.",
    },
  },
  required: ["message"],
  additionalProperties: false,
})

const toResult = (text: string, isError = false) => ({ content: [{ type: "text" as const, text }], isError })

async function callAgent(parts: CallParts, ask: Ask, { name, ...input }: CallInput & { readonly name: string }) {
  const person = ask.caller
  if (person === undefined)
    return toResult("The caller is unknown. Agents work only for people who are signed in.", true)
  const id = await ask.once("id", parts.newId, { repeatable: true })
  const running: RunningRun = {
    ...{ id, tenant: person.tenant, person, isPerson: true, canAsk: true, refusedAccounts: new Map(), connected: 0 },
  }
  const prompt: readonly ModelMessage[] = [{ role: "user", content: input.message }]
  const run = await record(parts, ask, { name, input, prompt })
  if (run === "under way") return toResult(underWayText, true)
  const { signal } = ask
  try {
    const messages = await runAgent(parts.agentFor(name, running), {
      ...{ ask, scope: "", signal, path: [name], log: undefined, announce: () => {} },
      noteEdit: (_key, names) => parts.noteEdit(running, names),
      noteCall: (step) => parts.noteCall(run ?? running, step),
      prompt: async () => (run === undefined ? prompt : parts.conversations.prompt(run)),
    })
    const words = lastTextOutput(messages)
    const text = words.type === "text" ? words.value : ""
    if (run !== undefined) await ask.once("end", () => end(parts, run, { text, messages }), { repeatable: true })
    return toResult(text)
  } catch (error) {
    signal.throwIfAborted()
    // A `HoldpointError` is not a failure of the agent: for example, another process has taken over the call. The MCP
    // surface handles the error.
    if (isHoldpointError(error)) throw error
    const errorText = modelErrorWords(error)
    if (run !== undefined) await fail(parts, run, errorText)
    parts.report(`running the agent ${name}`, toReported(error))
    return toResult(errorText, true)
  }
}

const underWayText =
  "The last reply in this conversation is still in progress or waits for an answer. Call again when it has ended."

interface NewRun {
  readonly name: string
  readonly input: CallInput
  readonly prompt: readonly ModelMessage[]
}

/** Records the call as a run of its conversation. Undefined without a conversation, “under way” if a run blocks it. */
async function record(parts: CallParts, ask: Ask, newRun: NewRun): Promise<Run | "under way" | undefined> {
  const { caller: person } = ask
  const { message: text, conversationId: name } = newRun.input
  if (person === undefined || name === undefined) return undefined
  const { name: agent, prompt } = newRun
  const message: RunBeginning["message"] = { id: "", role: "user", parts: [{ type: "text", text }] }
  const beginning: RunBeginning = { person, name, agent, prompt, message }
  const record = await ask.once("begin", () => recordRun(parts, beginning), { repeatable: true })
  if (!("run" in record)) return "under way"
  return record.run
}

interface Reply {
  readonly text: string
  readonly messages: readonly ModelMessage[]
}

/** Stores the reply in its conversation, and in the log from which the run API serves it. */
async function end(parts: CallParts, run: Run, { text, messages }: Reply): Promise<void> {
  const chunks: readonly Chunk[] = [
    ...([{ type: "start", messageId: run.message }, { type: "start-step" }] as const),
    ...([
      { type: "text-start", id: "reply" },
      { type: "text-delta", id: "reply", delta: text },
    ] as const),
    ...([{ type: "text-end", id: "reply" }, { type: "finish-step" }] as const),
    { type: "finish", finishReason: "stop" },
  ]
  await endLog(parts, run, { status: "done", chunks, reply: messages })
}

/** Stores the failure, so that readers of the log learn why the reply ended. */
function fail(parts: CallParts, run: Run, errorText: string): Promise<void> {
  const chunks: readonly Chunk[] = [
    { type: "start", messageId: run.message },
    { type: "error", errorText },
    { type: "finish", finishReason: "error" },
  ]
  return endLog(parts, run, { status: "failed", chunks, reply: [] })
}

async function endLog(parts: CallParts, run: Run, runEnd: RunEnd): Promise<void> {
  // This process holds the call, so another process cannot take over its run, and writes need no check.
  const log = parts.logs.open(run, async () => {})
  // Read again, because the copy in the journal lacks the sealed message.
  const stored = (await parts.conversations.get(run.id)) ?? run
  await endRun(parts, { run: stored, log }, runEnd)
}
