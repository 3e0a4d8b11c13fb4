// Asks clients up to 2025-11-25 during their call: by a request of this server that carries the elicitation's id and is
// withdrawn when the question ends elsewhere. The call is held until then.

import type { LongWait, Prompting, Suspended } from "@holdpoint/calls/internal"
import {
  clientFailedReason,
  digestOf,
  invalidAnswersReason,
  mostAttempts,
  noteAsker,
  openQuestion,
  readReply,
  remember,
  suspendAt,
  waitLong,
} from "@holdpoint/calls/internal"
import type { Elicitation, Entry, Outcome, Outlet, Problem, Reason } from "@holdpoint/hub"
import { canAnswer } from "@holdpoint/hub"
import { outletEntry, untilStored } from "@holdpoint/hub/internal"
import { callCancelledReason } from "./cancel.ts"
import type { Channel } from "./channel.ts"
import { isOnPage } from "./channel.ts"
import { isObject } from "./client.ts"
import { isFirstToPrompt, recordGone, viaOf } from "./first-prompt.ts"
import { watchProgress } from "./progress.ts"
import { toPrompt } from "./prompt.ts"
import type { McpRun } from "./request.ts"
import type { McpWaiting } from "./result.ts"
import type { Connection } from "./surface.ts"
import { principalOf } from "./surface.ts"
import type { RequestName } from "./wire.ts"
import {
  cancelledNotification,
  completeNotification,
  readRequestId,
  toAnswer,
  toElicitParams,
  toRequestId,
} from "./wire.ts"

export async function pushAndWait(run: McpRun, prompting: Prompting, channel: Channel): Promise<Outcome | Suspended> {
  const { asking, signal, request } = run
  const { question, call } = prompting
  signal.throwIfAborted()
  const { elicitation, askedEntry, outcome: settled } = await openQuestion(prompting, clientOutlet)
  if (settled !== undefined) return settled
  const watch = watchProgress(request, elicitation)
  const push = createPush(run, { elicitation, channel, isShared: question.isShared === true })
  try {
    // The question is shown only after the call's journal is stored: the same call, made again, must find its answer.
    const noted = noteAsker(run, call, { questions: [elicitation.id], state: "waits" })
    await Promise.all([call.save(elicitation.expiresAt - elicitation.createdAt), noted])
    push.show(waitLong(run, prompting, elicitation))
    const outcome = await push.wait?.outcome
    if (outcome === undefined) return stop(run, question.key, elicitation)
    await push.withdraw()
    await watch.settled(outcome)
    if (outcome.status === "completed" && channel.shape === "url") await push.complete()
    if (outcome.status === "failed" && outcome.reason?.code === clientFailedReason.code) await push.giveUp()
    return remember(call, askedEntry, outcome)
  } catch (error) {
    if (elicitation.mode === "url") {
      await push.giveUp()
      await noteAsker(run, call, { questions: [elicitation.id], state: "gone" })
      // Only links carry the elicitation's id to the client; forms do not.
      if (channel.shape === "url") await request.connection.addLink?.(elicitation.id)
    } else {
      await push.withdraw()
      // The call that asked a joined question is part of this one, and left its form open for it.
      if (question.isJoined === true && signal.aborted) await asking.hub.cancel(elicitation.id, callCancelledReason)
    }
    throw error
  } finally {
    watch.stop()
    await push.end()
  }
}

/** The hub is only told that the client shows the question. The prompt is sent later, and withdrawn, by the call. */
const clientOutlet: Outlet = { name: "mcp", deliver: async () => ({ state: "shown" }), withdraw: async () => {} }

/** Suspends the call because this process closes: the client is asked to call again, and the question stays open. */
function stop(run: McpRun, key: string, { id, mode, expiresAt, createdAt }: Elicitation): Suspended {
  const lifetimeMs = expiresAt - createdAt
  const waiting: McpWaiting = { key, method: "stop", mode, elicitation: id, lifetimeMs, isNew: false }
  return suspendAt(run, waiting)
}

/** The prompts that clients of this process show at the moment, by client and request id. */
const openPrompts = new Map<string, Push>()

/**
 * The mark of a prompt. It includes the session's inner id, which clients never see, so they cannot forge a mark for a
 * question they were not asked.
 */
const markOf = ({ session }: Connection, { elicitation, attempt, isPage, call }: Omit<RequestName, "mark">): string =>
  digestOf(["prompt", session, elicitation, attempt, isPage, call]).slice(0, 16)

const nameOf = ({ via }: Connection, requestId: string): string => `${via} ${requestId}`

interface PushState {
  readonly run: McpRun
  readonly elicitation: Elicitation
  readonly channel: Channel
  readonly isShared: boolean
  readonly requestIds: readonly string[]
  readonly attempts: number
  /** Resolves when the first prompt is sent, or could not be sent. */
  readonly shown: Promise<void>
  readonly wait: LongWait | undefined
  readonly onEntry: ((entry: Entry) => void) | undefined
}

interface Push extends Pick<PushState, "wait"> {
  /** Sends the prompt, and handles what happens to it until the wait is over. */
  show(wait: LongWait): void
  /** Removes the prompt, unless the client has closed it itself. */
  withdraw(): Promise<void>
  fail(reason: Reason): void
  complete(): Promise<void>
  /** Records that the client no longer shows the question, so that another call may show it. */
  giveUp(): Promise<void>
  end(): Promise<void>
}

function createPush(run: McpRun, parts: Pick<PushState, "elicitation" | "channel" | "isShared">): Push {
  const { elicitation, channel, isShared } = parts
  const state: PushState = {
    run,
    elicitation,
    channel,
    isShared,
    requestIds: noIds,
    attempts: 0,
    shown: nothingShown,
    wait: undefined,
    onEntry: undefined,
  }
  return Object.assign(Object.create(methods) as Push, state)
}

const noIds: readonly never[] = []
const nothingShown = Promise.resolve()

/** The shared prototype of all pushes, to save memory: many calls are held at the same time. */
const methods: Omit<Push, "wait"> & ThisType<OpenPush> = {
  show(wait) {
    this.wait = wait
    this.onEntry = (entry) => handleEntry(this, entry)
    this.run.asking.followers.follow(this.elicitation.id, this.onEntry)
    this.shown = promptOnce(this).catch((error: unknown) => noteUnsent(this, error))
  },
  withdraw() {
    const { report } = this.run.request.surface
    return withdrawPrompt(this).catch((error: unknown) => report("withdrawing a question from “mcp”", error))
  },
  fail(reason) {
    this.wait?.end({ status: "failed", reason })
  },
  async complete() {
    if (this.requestIds.length > 0) await send(this.run, completeNotification(this.elicitation.id))
  },
  async giveUp() {
    await this.shown
    if (this.isShared && this.requestIds.length > 0) await recordGone(this.run, this.elicitation)
  },
  async end() {
    const { run, elicitation, onEntry } = this
    this.wait?.stop()
    if (onEntry !== undefined) run.asking.followers.unfollow(elicitation.id, onEntry)
    await this.shown
    for (const requestId of this.requestIds) openPrompts.delete(nameOf(run.request.connection, requestId))
  },
}

type OpenPush = Push & { -readonly [K in keyof PushState]: PushState[K] }

async function withdrawPrompt(push: OpenPush): Promise<void> {
  await push.shown
  const { run, elicitation } = push
  const { connection, surface } = run.request
  const requestId = push.requestIds.at(-1)
  // An answered prompt is not open any more. Another process may have received the answer.
  if (requestId === undefined || !openPrompts.has(nameOf(connection, requestId))) return
  const current = await surface.storage.store.get(elicitation.id)
  if (current?.answeredVia === connection.via) return
  await send(run, cancelledNotification(requestId, reasonOf(run, current)))
}

function reasonOf({ signal }: McpRun, question: Elicitation | undefined): string {
  if (question !== undefined && question.status !== "pending") return `The question is ${question.status}.`
  return signal.aborted ? "The call is cancelled." : "The server closes."
}

/** Handles an entry about an invalid answer, which any process may have received, or about a prompt that is gone. */
function handleEntry(push: OpenPush, { kind, detail }: Entry): void {
  const { surface, connection } = push.run.request
  if (push.isShared && kind === "not_shown" && push.requestIds.length === 0 && detail.via === viaOf(push.run))
    promptOnce(push).catch((error: unknown) => surface.report("showing a prompt in place of another call", error))
  if (kind !== "refused" || detail.code !== "invalid_answer" || detail.via !== connection.via) return
  askAgain(push, detail.problems ?? []).catch((error: unknown) => surface.report("asking again", error))
}

/** The question stays open for other places. */
async function noteUnsent({ run, elicitation }: OpenPush, error: unknown): Promise<void> {
  const { report, storage, runtime } = run.request.surface
  report("showing a question in “mcp”", error)
  const entry = outletEntry(elicitation, "not_shown", { via: "mcp", code: "delivery_failed" }, runtime.now())
  await storage.trail
    .append(entry)
    .catch((appendError: unknown) => report("recording that a prompt was not sent", appendError))
}

const send = async ({ request: { connection, context } }: McpRun, message: object): Promise<void> =>
  connection.send?.(message, context.mcpReq.id)

async function prompt(push: OpenPush, problems?: readonly Problem[]): Promise<void> {
  const { run, elicitation, channel } = push
  const { connection, client, context } = run.request
  const name = {
    elicitation: elicitation.id,
    attempt: push.attempts,
    isPage: isOnPage(elicitation, channel),
    call: digestOf(context.mcpReq.id).slice(0, 8),
  }
  const requestId = toRequestId({ ...name, mark: markOf(connection, name) })
  push.requestIds = push.requestIds.concat(requestId)
  openPrompts.set(nameOf(connection, requestId), push)
  const { prompt: promptToSend } = toPrompt(run.request, { elicitation, channel, problems })
  const params = toElicitParams(promptToSend, client.revision ?? "2025-06-18", elicitation.id)
  await send(run, { jsonrpc: "2.0", id: requestId, method: "elicitation/create", params })
}

/** Shows the prompt, unless another call that waits for the same question shows it. */
async function promptOnce(push: OpenPush): Promise<void> {
  if (!push.isShared || (await isFirstToPrompt(push.run, push.elicitation, "push"))) await prompt(push)
}

async function askAgain(push: OpenPush, problems: readonly Problem[]): Promise<void> {
  push.attempts++
  if (push.attempts < mostAttempts) await prompt(push, problems)
  else await push.run.asking.hub.cancel(push.elicitation.id, invalidAnswersReason)
}

/**
 * Handles a client's response to a request of this server, in whichever process it arrives. Returns false when the
 * message is not such a response.
 */
export async function receive(connection: Connection, message: unknown): Promise<boolean> {
  if (!isObject(message) || "method" in message) return false
  const requestName = readRequestId(message.id)
  if (requestName === undefined) return false
  // Prompts are pushed only within a session. Without a session, any caller could compute the mark.
  if (connection.session === undefined || requestName.mark !== markOf(connection, requestName)) return true
  const { runtime, calls } = connection.surface
  const openPrompt = openPrompts.get(nameOf(connection, String(message.id)))
  openPrompts.delete(nameOf(connection, String(message.id)))
  const response = { requestName, message, openPrompt }
  // The client does not send its response again.
  return untilStored({ runtime, closing: calls.closing }, () => applyResponse(connection, response))
}

interface PushResponse {
  readonly requestName: RequestName
  readonly message: Readonly<Record<string, unknown>>
  readonly openPrompt: Push | undefined
}

async function applyResponse(
  connection: Connection,
  { requestName, message, openPrompt }: PushResponse,
): Promise<boolean> {
  const { hub } = connection.surface
  const principal = principalOf(connection, "")
  const elicitation = await hub.get(requestName.elicitation)
  const reply = readReply(message.result)
  if (elicitation === undefined || !canAnswer(elicitation, principal)) return true
  if (reply === undefined) {
    const reason = { ...clientFailedReason, message: `The client answered with an error${codeOf(message.error)}` }
    openPrompt?.fail(reason)
    // Cancelling a form also ends its call if another process holds it. A consent may still be given elsewhere.
    if (elicitation.mode === "form") await hub.cancel(elicitation.id, reason)
    return true
  }
  const isAgreed = requestName.isPage && toAnswer({ mode: "url" }, reply).action === "accept"
  if (isAgreed) return true
  await hub.answer(elicitation.id, { by: principal, via: connection.via, ...toAnswer(elicitation, reply) })
  return true
}

const codeOf = (error: unknown): string => (isObject(error) ? ` (${Number(error.code)})` : "")
