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
import { isObject, outletEntry, untilStored } from "@holdpoint/hub/internal"
import { callCancelledReason } from "./cancel.ts"
import type { Channel } from "./channel.ts"
import { isOnPage } from "./channel.ts"
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
  const push = new Push(run, elicitation, { channel, isShared: question.isShared === true })
  try {
    // The question is shown only after the call's journal is stored: the same call, made again, must find its answer.
    const noted = noteAsker(run, call, { questions: [elicitation.id], state: "waits" })
    await Promise.all([call.save(elicitation.expiresAt - elicitation.createdAt), noted])
    const outcome = await push.show(waitLong(run, prompting, elicitation))
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

/** The prompt of one question at the client of the call that asks it. */
class Push {
  readonly #run: McpRun
  readonly #elicitation: Elicitation
  readonly #channel: Channel
  readonly #isShared: boolean
  #requestIds: readonly string[] = noIds
  #attempts = 0
  /** Resolves when the first prompt is sent, or could not be sent. */
  #shown = nothingShown
  #wait: LongWait | undefined
  #onEntry: ((entry: Entry) => void) | undefined

  constructor(run: McpRun, elicitation: Elicitation, { channel, isShared }: { channel: Channel; isShared: boolean }) {
    this.#run = run
    this.#elicitation = elicitation
    this.#channel = channel
    this.#isShared = isShared
  }

  /** Sends the prompt, and handles what happens to it until `end`. Resolves to the outcome of the wait. */
  show(wait: LongWait): Promise<Outcome | undefined> {
    this.#wait = wait
    this.#onEntry = (entry) => this.#handleEntry(entry)
    this.#run.asking.followers.follow(this.#elicitation.id, this.#onEntry)
    this.#shown = this.#promptOnce().catch((error: unknown) => noteUnsent(this.#run, this.#elicitation, error))
    return wait.outcome
  }

  /** Removes the prompt, unless the client has closed it itself. */
  async withdraw(): Promise<void> {
    const { connection, surface } = this.#run.request
    try {
      await this.#shown
      const requestId = this.#requestIds.at(-1)
      // An answered prompt is not open any more. Another process may have received the answer.
      if (requestId === undefined || !openPrompts.has(nameOf(connection, requestId))) return
      const current = await surface.storage.store.get(this.#elicitation.id)
      if (current?.answeredVia === connection.via) return
      await send(this.#run, cancelledNotification(requestId, reasonOf(this.#run, current)))
    } catch (error) {
      surface.report("withdrawing a question from “mcp”", error)
    }
  }

  fail(reason: Reason): void {
    this.#wait?.end({ status: "failed", reason })
  }

  async complete(): Promise<void> {
    if (this.#requestIds.length > 0) await send(this.#run, completeNotification(this.#elicitation.id))
  }

  /** Records that the client no longer shows the question, so that another call may show it. */
  async giveUp(): Promise<void> {
    await this.#shown
    if (this.#isShared && this.#requestIds.length > 0) await recordGone(this.#run, this.#elicitation)
  }

  async end(): Promise<void> {
    const { asking, request } = this.#run
    this.#wait?.stop()
    if (this.#onEntry !== undefined) asking.followers.unfollow(this.#elicitation.id, this.#onEntry)
    await this.#shown
    for (const requestId of this.#requestIds) openPrompts.delete(nameOf(request.connection, requestId))
  }

  /** Handles an entry about an invalid answer, which any process may have received, or about a prompt that is gone. */
  #handleEntry({ kind, detail }: Entry): void {
    const { surface, connection } = this.#run.request
    if (this.#isShared && kind === "not_shown" && this.#requestIds.length === 0 && detail.via === viaOf(this.#run))
      this.#promptOnce().catch((error: unknown) => surface.report("showing a prompt in place of another call", error))
    if (kind !== "refused" || detail.code !== "invalid_answer" || detail.via !== connection.via) return
    this.#askAgain(detail.problems ?? []).catch((error: unknown) => surface.report("asking again", error))
  }

  /** Shows the prompt, unless another call that waits for the same question shows it. */
  async #promptOnce(): Promise<void> {
    if (!this.#isShared || (await isFirstToPrompt(this.#run, this.#elicitation, "push"))) await this.#prompt()
  }

  async #askAgain(problems: readonly Problem[]): Promise<void> {
    this.#attempts++
    if (this.#attempts < mostAttempts) await this.#prompt(problems)
    else await this.#run.asking.hub.cancel(this.#elicitation.id, invalidAnswersReason)
  }

  async #prompt(problems?: readonly Problem[]): Promise<void> {
    const run = this.#run
    const elicitation = this.#elicitation
    const channel = this.#channel
    const { connection, client, context } = run.request
    const name = {
      elicitation: elicitation.id,
      attempt: this.#attempts,
      isPage: isOnPage(elicitation, channel),
      call: digestOf(context.mcpReq.id).slice(0, 8),
    }
    const requestId = toRequestId({ ...name, mark: markOf(connection, name) })
    this.#requestIds = this.#requestIds.concat(requestId)
    openPrompts.set(nameOf(connection, requestId), this)
    const { prompt } = toPrompt(run.request, { elicitation, channel, problems })
    const params = toElicitParams(prompt, client.revision ?? "2025-06-18", elicitation.id)
    await send(run, { jsonrpc: "2.0", id: requestId, method: "elicitation/create", params })
  }
}

const noIds: readonly never[] = []
const nothingShown = Promise.resolve()

function reasonOf({ signal }: McpRun, question: Elicitation | undefined): string {
  if (question !== undefined && question.status !== "pending") return `The question is ${question.status}.`
  return signal.aborted ? "The call is cancelled." : "The server closes."
}

/** The question stays open for other places. */
async function noteUnsent({ request }: McpRun, elicitation: Elicitation, error: unknown): Promise<void> {
  const { report, storage, runtime } = request.surface
  report("showing a question in “mcp”", error)
  const entry = outletEntry(elicitation, "not_shown", { via: "mcp", code: "delivery_failed" }, runtime.now())
  await storage.trail
    .append(entry)
    .catch((appendError: unknown) => report("recording that a prompt was not sent", appendError))
}

const send = async ({ request: { connection, context } }: McpRun, message: object): Promise<void> =>
  connection.send?.(message, context.mcpReq.id)

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
