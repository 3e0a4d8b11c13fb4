// Asks clients up to 2025-11-25 during their call: by a request of this server that carries the elicitation's id and is
// withdrawn when the question ends elsewhere. The call is held until then.

import type { Prompting } from "../../asking/carrier.ts"
import { digestOf } from "../../asking/digest.ts"
import { noteAsker } from "../../asking/note-asker.ts"
import type { LongWait } from "../../asking/prompting.ts"
import {
  clientFailedReason,
  invalidAnswersReason,
  mostAttempts,
  openQuestion,
  remember,
  waitLong,
} from "../../asking/prompting.ts"
import { readReply } from "../../asking/reply.ts"
import type { Suspended } from "../../asking/run.ts"
import { suspendAt } from "../../asking/run.ts"
import { untilStored } from "../../asking/store-retry.ts"
import type { Elicitation, Outcome, Reason } from "../../core/elicitation.ts"
import { isSettled } from "../../core/elicitation.ts"
import type { Problem } from "../../core/error.ts"
import { canAnswer } from "../../core/principal.ts"
import type { Outlet } from "../../ports/outlet.ts"
import type { Entry } from "../../ports/trail.ts"
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
  const pushed = createPush(run, channel, question.isShared === true)
  const { elicitation, askedEntry, outcome: settled } = await openQuestion(prompting, pushed)
  if (settled !== undefined) return settled
  const onEntry = (entry: Entry): void => pushed.handleEntry(elicitation, entry)
  asking.followers.follow(elicitation.id, onEntry)
  const watch = watchProgress(request, elicitation)
  try {
    const noted = noteAsker(run, call, { questions: [elicitation.id], state: "waits" })
    await Promise.all([call.save(elicitation.expiresAt - elicitation.createdAt), noted])
    pushed.show(waitLong(run, prompting, elicitation))
    const outcome = await pushed.wait?.outcome
    if (outcome === undefined) return stop(run, question.key, elicitation)
    await watch.settled(outcome)
    if (outcome.status === "completed" && channel.shape === "url") await pushed.complete(elicitation)
    if (outcome.status === "failed" && outcome.reason?.code === clientFailedReason.code)
      await pushed.giveUp(elicitation)
    return remember(call, askedEntry, outcome)
  } catch (error) {
    if (elicitation.mode === "url") {
      await pushed.giveUp(elicitation)
      await noteAsker(run, call, { questions: [elicitation.id], state: "gone" })
      // Only links carry the elicitation's id to the client; forms do not.
      if (channel.shape === "url") await request.connection.addLink?.(elicitation.id)
    }
    throw error
  } finally {
    watch.stop()
    asking.followers.unfollow(elicitation.id, onEntry)
    pushed.end()
  }
}

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
  readonly channel: Channel
  readonly isShared: boolean
  readonly requestIds: readonly string[]
  readonly attempts: number
  /** Resolves to true when the question is stored in the call's journal, and to false when that failed. */
  readonly saved: Promise<boolean>
  readonly setSaved: (isSaved: boolean) => void
  readonly wait: LongWait | undefined
  /** The failure that the client reported before the wait began. */
  readonly failure: Outcome | undefined
}

interface Push extends Outlet, Pick<PushState, "wait"> {
  show(wait: LongWait): void
  fail(reason: Reason): void
  complete(elicitation: Elicitation): Promise<void>
  /** Records that the client no longer shows the question, so that another call may show it. */
  giveUp(elicitation: Elicitation): Promise<void>
  /** Handles an entry about an invalid answer, which any process may have received, or about a prompt that is gone. */
  handleEntry(elicitation: Elicitation, entry: Entry): void
  end(): void
}

function createPush(run: McpRun, channel: Channel, isShared: boolean): Push {
  const { promise: saved, resolve: setSaved } = Promise.withResolvers<boolean>()
  const state: PushState = {
    ...{ run, channel, isShared, requestIds: noIds, attempts: 0, saved, setSaved },
    ...{ wait: undefined, failure: undefined },
  }
  return Object.assign(Object.create(methods) as Push, state)
}

const noIds: readonly never[] = []
const doNothing = (): void => {}

/** The shared prototype of all pushes, to save memory: many calls are held at the same time. */
const methods: Omit<Push, "wait"> & ThisType<{ -readonly [K in keyof PushState]: PushState[K] } & Push> = {
  name: "mcp",
  async deliver(elicitation) {
    // The question is shown only after the call's journal is stored: the same call, made again, must find its answer.
    if (!(await this.saved)) return { state: "listed" }
    return (await promptOnce(this, elicitation)) ? { state: "shown" } : { state: "listed" }
  },
  async withdraw(elicitation) {
    const { connection } = this.run.request
    const requestId = this.requestIds.at(-1)
    // The client has closed its prompt when the person answered in it.
    if (requestId === undefined || elicitation.answeredVia === connection.via) return
    if (!openPrompts.has(nameOf(connection, requestId))) return
    const reason = isSettled(elicitation.status) ? `The question is ${elicitation.status}.` : "The server closes."
    await send(this.run, cancelledNotification(requestId, reason))
  },
  show(wait) {
    this.wait = wait
    if (this.failure !== undefined) wait.end(this.failure)
    this.setSaved(true)
    this.setSaved = doNothing
  },
  fail(reason) {
    this.failure = { status: "failed", reason }
    this.wait?.end(this.failure)
  },
  async complete(elicitation) {
    if (this.requestIds.length > 0) await send(this.run, completeNotification(elicitation.id))
  },
  async giveUp(elicitation) {
    if (this.isShared && this.requestIds.length > 0) await recordGone(this.run, elicitation)
  },
  handleEntry(elicitation, { kind, detail }) {
    const { surface, connection } = this.run.request
    if (this.isShared && kind === "not_shown" && this.requestIds.length === 0 && detail.via === viaOf(this.run))
      promptOnce(this, elicitation).catch((error: unknown) =>
        surface.report("showing a prompt in place of another call", error),
      )
    if (kind !== "refused" || detail.code !== "invalid_answer" || detail.via !== connection.via) return
    askAgain(this, elicitation, detail.problems ?? []).catch((error: unknown) => surface.report("asking again", error))
  },
  end() {
    this.wait?.stop()
    this.setSaved(false)
    // Delayed, because `withdraw` runs right after the end and reads these entries.
    setImmediate(() => {
      for (const requestId of this.requestIds) openPrompts.delete(nameOf(this.run.request.connection, requestId))
    })
  },
}

type OpenPush = Push & { -readonly [K in keyof PushState]: PushState[K] }

const send = async ({ request: { connection, context } }: McpRun, message: object): Promise<void> =>
  connection.send?.(message, context.mcpReq.id)

async function prompt(push: OpenPush, elicitation: Elicitation, problems?: readonly Problem[]): Promise<void> {
  const { run, channel } = push
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
async function promptOnce(push: OpenPush, elicitation: Elicitation): Promise<boolean> {
  const isFirst = !push.isShared || (await isFirstToPrompt(push.run, elicitation, "push"))
  if (isFirst) await prompt(push, elicitation)
  return isFirst
}

async function askAgain(push: OpenPush, elicitation: Elicitation, problems: readonly Problem[]): Promise<void> {
  push.attempts++
  if (push.attempts < mostAttempts) await prompt(push, elicitation, problems)
  else await push.run.asking.hub.cancel(elicitation.id, invalidAnswersReason)
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
