// Carries out one message of a person in Slack: what it asks for, the run, and the reply in the thread. Runs again from
// its beginning when the run goes on after a question, and when another process takes over.

import type { Elicitation, Principal } from "@holdpoint/sdk"
import { isSettled } from "@holdpoint/sdk"
import type { wakeCalls } from "@holdpoint/sdk/asking"
import type { Records } from "@holdpoint/sdk/storage"
import { hasEnded } from "../conversations.ts"
import { defaultAgent } from "../default-agent.ts"
import type { Run } from "../records.ts"
import { agentsByName, agentsOf, type BeginParts, beginRun } from "./begin.ts"
import type { Pacer } from "./pacer.ts"
import type { SlackMessageEvent, SlackWorkspace } from "./port.ts"
import { tellPrivately } from "./private-notice.ts"
import { replyIdOf, type SlackReply } from "./records.ts"
import { readRequest } from "./request.ts"
import { createSentMessages, lostReply, type SentMessages } from "./sent-messages.ts"
import { stopRuns } from "./stop-runs.ts"
import { type StreamEnd, streamReply } from "./stream-reply.ts"
import type { TalkParts } from "./talk.ts"
import { privateWords } from "./words.ts"

export interface CarryOutParts extends Omit<TalkParts, "asking" | "storage">, Pick<BeginParts, "threads"> {
  readonly replies: Records<SlackReply>
  readonly pacer: Pacer
  /** Aborted when this process leaves its replies to others. */
  readonly signal: AbortSignal
  readonly wake: (reply: string) => void
  readonly report: (doing: string, error: unknown) => void
}

/** What is stored of a message until it is answered. */
export interface TalkInput {
  readonly message: SlackMessageEvent
}

type Woken = Parameters<Parameters<typeof wakeCalls>[1]["resume"]>[0]

interface Talk {
  readonly call: Woken["call"]
  readonly person: Principal
  readonly workspace: SlackWorkspace
  readonly messages: SentMessages
}

/** People in Slack answer when they see the question. */
const questionMs = 24 * 60 * 60_000

export async function carryOut(parts: CarryOutParts, { call, input }: Woken): Promise<void> {
  const { message } = input as TalkInput
  try {
    const reply = await parts.replies.get(replyIdOf(message))
    if (reply === undefined || reply.status === "done") return void (await call.finish())
    const workspace = await parts.slack.workspaces.find(message.team)
    if (workspace === undefined) throw new Error(`The app is not installed in the workspace ${message.team}.`)
    const messages = createSentMessages(parts.replies, reply)
    // From now on, a process that had the reply before can write nothing, and so sends nothing.
    await messages.note({})
    await doAsked(parts, { call, workspace, messages, person: message.principal }, message.text)
  } catch (error) {
    // Otherwise it is tried again, here or elsewhere, when calls that are due are looked for.
    await call.release()
    if (error !== lostReply) throw error
  }
}

async function doAsked(parts: CarryOutParts, talk: Talk, said: string): Promise<void> {
  const { config } = parts
  const { person, workspace, messages } = talk
  const request = readRequest(said, { botUser: workspace.botUser, agents: agentsByName(config) })
  if (request.is === "help") return endWith(parts, talk, privateWords.help(agentsOf(config), defaultAgent(config)))
  if (request.is === "stop") {
    const isStopped = await stopRuns(parts, { reply: messages.reply, person })
    return isStopped ? end(talk) : endWith(parts, talk, privateWords.nothingToStop)
  }
  const begun = await beginRun({ ...parts, questionMs }, { reply: messages.reply, person, request })
  if ("refused" in begun) return endWith(parts, talk, begun.refused)
  if (messages.reply.run === undefined) await messages.note({ run: begun.id })
  await follow(parts, talk, begun)
}

async function end({ call, messages }: Talk): Promise<void> {
  await messages.note({ status: "done" })
  await call.finish()
}

async function endWith(parts: CarryOutParts, talk: Talk, words: string): Promise<void> {
  await tellPrivately({ ...parts, workspace: talk.workspace }, talk.messages.reply, words)
  await end(talk)
}

/** Streams the reply until it ends, or until the run waits for people and nothing has to be in memory. */
async function follow(parts: CarryOutParts, talk: Talk, begun: Run): Promise<void> {
  const { conversations, signal, report } = parts
  const { call, messages, workspace } = talk
  const run = (await conversations.get(begun.id)) ?? begun
  if (messages.sent === 0 && !hasEnded(run)) showThinking(workspace, messages.reply)
  const isAnswered = run.status === "waiting" && (await openQuestions(parts, run)).length === 0
  for (let wokenAfter = isAnswered ? run.version : undefined; ; ) {
    const streamed: StreamEnd = await streamReply({ ...parts, workspace }, { run, messages, wokenAfter, signal })
    if (streamed === "left") return call.release()
    if (streamed !== "paused") {
      if (streamed !== "ended") report(`answering in Slack, which refused with ${streamed.undeliverable}`, undelivered)
      return end(talk)
    }
    const now = await conversations.get(run.id)
    if (now?.status !== "waiting") continue
    const open = await openQuestions(parts, run)
    if (open.length > 0) return pause(parts, talk, { run: now, open })
    // With all questions answered, the run is about to be woken: its pause is an old one.
    wokenAfter = now.version
  }
}

const undelivered = new Error("The reply could not be posted.")

interface Paused {
  readonly run: Run
  readonly open: readonly Elicitation[]
}

async function pause(
  { conversations, runtime, wake }: CarryOutParts,
  talk: Talk,
  { run, open }: Paused,
): Promise<void> {
  const now = runtime.now()
  const waiting = open.map(({ id, expiresAt }) => ({ elicitation: id, lifetimeMs: Math.max(expiresAt - now, 1) }))
  await talk.call.pause(waiting)
  // The run may have gone on before the call was paused, when nothing could wake it.
  if ((await conversations.get(run.id))?.version !== run.version) wake(talk.messages.reply.id)
}

/** The questions that the run told of and that are still open. */
async function openQuestions({ readers, hub }: CarryOutParts, run: Run): Promise<readonly Elicitation[]> {
  const told = (await readers.logs.read(run, 0)).flatMap(({ chunk }) =>
    chunk.type === "data-elicitation" && chunk.id !== undefined ? [chunk.id] : [],
  )
  const questions = await Promise.all([...new Set(told)].map((id) => hub.get(id)))
  return questions.filter((one): one is Elicitation => one !== undefined && !isSettled(one.status))
}

/** Only a hint, which Slack removes with the first words: a failure changes nothing. */
function showThinking(workspace: SlackWorkspace, { channel, thread }: SlackReply): void {
  const args = { channel_id: channel, thread_ts: thread, status: "is thinking…" }
  workspace.call("assistant.threads.setStatus", args).catch(() => {})
}
