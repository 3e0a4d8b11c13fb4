// Carries out one message of a person in Slack: reads the request, begins the run and streams the reply into the
// thread. Starts again from the beginning when the run resumes after a question, and when another process takes over.

import type { Run } from "@holdpoint/agents/internal"
import { defaultAgent, hasEnded } from "@holdpoint/agents/internal"
import type { wakeCalls } from "@holdpoint/calls"
import type { Elicitation, Principal } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import { agentsByName, agentsOf, type BeginParts, beginOrFindRun } from "./begin.ts"
import type { Pacer } from "./pacer.ts"
import type { SlackMessageEvent, SlackWorkspace } from "./port.ts"
import { notifyPrivately } from "./private-notice.ts"
import { replyIdOf, type SlackReply } from "./records.ts"
import { readRequest } from "./request.ts"
import { createSentMessages, lostReply, type SentMessages } from "./sent-messages.ts"
import type { SlackChatParts } from "./slack-chat.ts"
import { stopRuns } from "./stop-runs.ts"
import { type StreamEnd, streamReply } from "./stream-reply.ts"
import { privateWords } from "./words.ts"

export interface CarryOutParts extends Omit<SlackChatParts, "asking" | "storage">, Pick<BeginParts, "threads"> {
  readonly replies: Records<SlackReply>
  readonly pacer: Pacer
  /** Aborted when this process shuts down and leaves its replies to other processes. */
  readonly signal: AbortSignal
  readonly wake: (reply: string) => void
  readonly report: (activity: string, error: unknown) => void
}

/** The input of the stored call: the message, which is stored there until the message is answered. */
export interface MessageInput {
  readonly message: SlackMessageEvent
}

type WokenCall = Parameters<Parameters<typeof wakeCalls>[1]["resume"]>[0]

/** The message in progress: its stored call, its author and what Slack already has of the reply. */
interface MessageContext {
  readonly call: WokenCall["call"]
  readonly person: Principal
  readonly workspace: SlackWorkspace
  readonly messages: SentMessages
}

/** The lifetime of a question: one day, because people may read Slack hours later. */
const questionMs = 24 * 60 * 60_000

export async function carryOut(parts: CarryOutParts, { call, input }: WokenCall): Promise<void> {
  const { message } = input as MessageInput
  try {
    const reply = await parts.replies.get(replyIdOf(message))
    if (reply === undefined || reply.status === "done") return void (await call.finish())
    const workspace = await parts.slack.workspaces.find(message.team)
    if (workspace === undefined) throw new Error(`The app is not installed in the workspace ${message.team}.`)
    const messages = createSentMessages(parts.replies, reply)
    // Raises the version, so that an earlier process of this reply cannot write the record any more, and sends nothing.
    await messages.update({})
    await handleMessage(parts, { call, workspace, messages, person: message.principal }, message.text)
  } catch (error) {
    // Releases the lease, so that any process can retry the call at the next poll of due calls.
    await call.release()
    if (error !== lostReply) throw error
  }
}

async function handleMessage(parts: CarryOutParts, context: MessageContext, text: string): Promise<void> {
  const { config } = parts
  const { person, workspace, messages } = context
  const request = readRequest(text, { botUser: workspace.botUser, agents: agentsByName(config) })
  if (request.kind === "help") return endWith(parts, context, privateWords.help(agentsOf(config), defaultAgent(config)))
  if (request.kind === "stop") {
    const isStopped = await stopRuns(parts, { reply: messages.reply, person })
    return isStopped ? end(context) : endWith(parts, context, privateWords.nothingToStop)
  }
  const started = await beginOrFindRun({ ...parts, questionMs }, { reply: messages.reply, person, request })
  if ("refused" in started) return endWith(parts, context, started.refused)
  if (messages.reply.run === undefined) await messages.update({ run: started.id })
  await follow(parts, context, started)
}

async function end({ call, messages }: MessageContext): Promise<void> {
  await messages.update({ status: "done" })
  await call.finish()
}

async function endWith(parts: CarryOutParts, context: MessageContext, notice: string): Promise<void> {
  await notifyPrivately({ ...parts, workspace: context.workspace }, context.messages.reply, notice)
  await end(context)
}

/** Streams the reply until it ends, or until the run waits for answers. Then the call is paused, and uses no memory. */
async function follow(parts: CarryOutParts, context: MessageContext, startedRun: Run): Promise<void> {
  const { conversations, signal, report } = parts
  const { call, messages, workspace } = context
  const run = (await conversations.get(startedRun.id)) ?? startedRun
  if (messages.sent === 0 && !hasEnded(run)) showThinking(workspace, messages.reply)
  const isAnswered = run.status === "waiting" && (await openQuestions(parts, run)).length === 0
  for (let wokenAfter = isAnswered ? run.version : undefined; ; ) {
    const streamEnd: StreamEnd = await streamReply({ ...parts, workspace }, { run, messages, wokenAfter, signal })
    if (streamEnd === "left") return call.release()
    if (streamEnd !== "paused") {
      if (streamEnd !== "ended") report(`posting a reply in Slack (${streamEnd.undeliverable})`, undeliverableError)
      return end(context)
    }
    const now = await conversations.get(run.id)
    if (now?.status !== "waiting") continue
    const open = await openQuestions(parts, run)
    if (open.length > 0) return pause(parts, context, { run: now, open })
    // All questions are answered, so the run is about to resume: this pause is outdated.
    wokenAfter = now.version
  }
}

const undeliverableError = new Error("The reply could not be posted.")

/** A run that waits, and its open questions. */
interface PausedRun {
  readonly run: Run
  readonly open: readonly Elicitation[]
}

async function pause(
  { conversations, runtime, wake }: CarryOutParts,
  context: MessageContext,
  { run, open }: PausedRun,
): Promise<void> {
  const now = runtime.now()
  const waits = open.map(({ id, expiresAt }) => ({ elicitation: id, lifetimeMs: Math.max(expiresAt - now, 1) }))
  await context.call.pause(waits)
  // The run may have resumed before the call was paused: that resumption could not wake the call.
  if ((await conversations.get(run.id))?.version !== run.version) wake(context.messages.reply.id)
}

/** The questions in the log of the run that are still open. */
async function openQuestions({ readers, hub }: CarryOutParts, run: Run): Promise<readonly Elicitation[]> {
  const ids = (await readers.logs.read(run, 0)).flatMap(({ chunk }) =>
    chunk.type === "data-elicitation" && chunk.id !== undefined ? [chunk.id] : [],
  )
  const questions = await Promise.all([...new Set(ids)].map((id) => hub.get(id)))
  return questions.filter((question): question is Elicitation => question !== undefined && !isSettled(question.status))
}

/** Shows “is thinking…” until the first words of the reply. Errors are ignored: the status is only a hint. */
function showThinking(workspace: SlackWorkspace, { channel, thread }: SlackReply): void {
  const args = { channel_id: channel, thread_ts: thread, status: "is thinking…" }
  workspace.call("assistant.threads.setStatus", args).catch(() => {})
}
