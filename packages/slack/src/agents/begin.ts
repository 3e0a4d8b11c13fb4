// Begins the run for a message in Slack, exactly once: a process that takes over the message finds the run that an
// earlier process began for it.

import type { AgentsConfig } from "@holdpoint/agents"
import type { Conversations, Run, Runs } from "@holdpoint/agents/internal"
import { defaultAgent, hasEnded, readMessage, recordRun } from "@holdpoint/agents/internal"
import { parentOfCall } from "@holdpoint/calls"
import type { Principal, Runtime } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import type { SlackPlace, SlackReply, SlackThread } from "./records.ts"
import type { SlackRequest } from "./request.ts"
import { type NamedAgent, privateWords } from "./words.ts"

export interface BeginParts {
  readonly config: AgentsConfig
  readonly conversations: Conversations
  readonly runs: Runs
  readonly threads: Pick<Records<SlackThread>, "insert" | "get">
  readonly runtime: Pick<Runtime, "now">
  readonly questionMs: number
}

/** A message that an agent is to answer, and the person who wrote it. */
export interface BeginRequest {
  readonly reply: SlackReply
  readonly person: Principal
  readonly request: Extract<SlackRequest, { kind: "text" }>
}

/** The id of a person's conversation in a thread. Each person in a thread has a separate conversation. */
export const conversationNameOf = ({ team, channel, thread }: SlackPlace): string =>
  `slack:${team}:${channel}:${thread}`

/** Begins or finds the run for this message. Otherwise returns the reason, in words for the person. */
export async function beginOrFindRun(
  parts: BeginParts,
  input: BeginRequest,
): Promise<Run | { readonly refused: string }> {
  const { conversations, runs, questionMs } = parts
  const { reply, person, request } = input
  const name = conversationNameOf(reply)
  const conversation = await conversations.find(person, name)
  const earlierRuns = conversation === undefined ? [] : await conversations.runs(conversation)
  const existing = earlierRuns.findLast((run) => conversations.message(run).id === reply.id)
  const runInput = { person, isPerson: true, canAsk: true, questionMs }
  const start = async (run: Run): Promise<Run> => {
    await Promise.all([noteThread(parts, reply, run), runs.start(run, runInput)])
    return run
  }
  // The process that began the run may have died before it could start the run.
  if (existing !== undefined)
    return hasEnded(existing) || (await runs.isKnown(existing.id)) ? existing : start(existing)
  const agent = request.agent ?? earlierRuns.at(-1)?.agent ?? defaultAgent(parts.config)
  if (agent === undefined) return { refused: privateWords.whichAgent(agentsOf(parts.config)) }
  const message = await readMessage({ id: reply.id, parts: [{ type: "text", text: request.text }] })
  if (message instanceof Response) throw new Error("A request must have a text.")
  const release = runs.reserve(person)
  if (release === undefined) return { refused: privateWords.tooMany }
  try {
    const record = await recordRun(
      { conversations, runs },
      { person, name, agent, ...message },
      { input: runInput, beside: (run) => noteThread(parts, reply, run) },
    )
    return "run" in record ? record.run : { refused: busyNotice(parts.config, record.underWay, agent) }
  } finally {
    release()
  }
}

/** Stores the thread of a run. Must happen before the run asks, so that its first question is asked in the thread. */
async function noteThread({ threads }: BeginParts, reply: SlackReply, run: Run): Promise<void> {
  const { team, channel, thread, user, expiresAt } = reply
  const fields = { team, channel, thread, user, reply: reply.id, expiresAt: Math.max(expiresAt, run.expiresAt) }
  await threads.insert({ id: parentOfCall(run.id), tenant: run.tenant, version: 1, ...fields })
}

function busyNotice(config: AgentsConfig, run: Run | undefined, agent: string): string {
  const name = titleOf(config, run?.agent ?? agent)
  return run?.status === "waiting" ? privateWords.waiting(name) : privateWords.underWay(name)
}

const titleOf = ({ agents }: AgentsConfig, name: string): string => agents[name]?.title ?? name

export const agentsOf = (config: AgentsConfig): readonly NamedAgent[] =>
  Object.keys(config.agents).map((name) => ({ name, title: titleOf(config, name) }))

/** The configured name of each agent, by its name and its title in lower case. A name takes precedence over a title. */
export const agentsByName = (config: AgentsConfig): ReadonlyMap<string, string> =>
  new Map([
    ...agentsOf(config).map(({ name, title }) => [title.toLowerCase(), name] as const),
    ...agentsOf(config).map(({ name }) => [name.toLowerCase(), name] as const),
  ])
