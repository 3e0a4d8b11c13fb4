// Asks a client by responding to its request with the question: as an input_required result, an error, or a text. The
// client then calls again.

import type { AskedEntry, OpenCall, Prompting, Reply, Suspended } from "@holdpoint/calls/internal"
import {
  applyLateNo,
  invalidAnswersReason,
  mostAttempts,
  notYetOutcome,
  openQuestion,
  outcomeOf,
  remember,
  suspendAt,
  waitHere,
} from "@holdpoint/calls/internal"
import type { Elicitation, Outcome, Outlet, Problem } from "@holdpoint/hub"
import type { Channel } from "./channel.ts"
import { isOnPage } from "./channel.ts"
import { isModern } from "./client.ts"
import { isFirstToPrompt } from "./first-prompt.ts"
import { watchProgress } from "./progress.ts"
import { toPrompt } from "./prompt.ts"
import type { McpRun } from "./request.ts"
import { identityOf } from "./request.ts"
import type { McpWaiting } from "./result.ts"
import { toAnswer } from "./wire.ts"

/** One question, asked at the hub, that the client has to be shown. */
interface Round extends Prompting {
  readonly askedEntry: AskedEntry
  readonly elicitation: Elicitation
  readonly channel: Channel
}

export async function askInRound(run: McpRun, prompting: Prompting, channel: Channel): Promise<Outcome | Suspended> {
  const { surface, connection } = run.request
  const { question, call, askedEntry: earlierEntry } = prompting
  if (earlierEntry !== undefined && !(await isStale(run, call, earlierEntry)))
    return continueRound(run, { ...prompting, askedEntry: earlierEntry, channel })
  const { elicitation, askedEntry, outcome } = await openQuestion(prompting, listedOutlet)
  if (outcome !== undefined) return outcome
  surface.hub.leave(elicitation.id)
  if (channel.method === "error") await connection.addLink?.(elicitation.id)
  const round: Round = { question, call, askedEntry, elicitation, channel }
  const isRenewed = earlierEntry !== undefined
  if (channel.method !== "round" || question.isShared !== true) return suspend(run, round, { isRenewed })
  if (await isFirstToPrompt(run, elicitation, "round")) return suspend(run, round)
  return hold(run, withAgreement(round))
}

/** Whether the link expired after the earlier call ended with it: the new call then gets a new link. */
async function isStale({ asking, request }: McpRun, call: OpenCall, { elicitation }: AskedEntry): Promise<boolean> {
  if (!call.wasSentAway || request.incoming.claimed !== undefined) return false
  const { status = "expired" } = (await asking.hub.get(elicitation)) ?? {}
  return status === "expired"
}

/** The outlet of questions sent with a result, which cannot be withdrawn from the client. */
const listedOutlet: Outlet = {
  name: "mcp",
  deliver: async () => ({ state: "listed" }),
  withdraw: async () => {},
}

/** Records in the journal that the person agreed to open the page. Returns the round without the client's reply. */
function withAgreement(round: Round): Round {
  const { reply: _reply, ...askedWithoutReply } = round.askedEntry
  const askedEntry = { ...askedWithoutReply, agreed: true }
  round.call.journal.set(askedEntry)
  return { ...round, askedEntry }
}

/** Continues a question when its client has called again. */
async function continueRound(run: McpRun, resumed: Omit<Round, "elicitation">): Promise<Outcome | Suspended> {
  const { call, askedEntry, channel } = resumed
  const elicitation = await run.asking.hub.get(askedEntry.elicitation)
  if (elicitation === undefined) return remember(call, askedEntry, { status: "expired" })
  const round = { ...resumed, elicitation }
  const settled = outcomeOf(resumed.question, elicitation)
  if (settled !== undefined) {
    // The person answered elsewhere and also in this client: a No in this client is recorded, and stops the call.
    if (askedEntry.reply !== undefined && settled.status === "completed") await applyReply(run, round, askedEntry.reply)
    return remember(call, askedEntry, await applyLateNo(run, elicitation.id, settled))
  }
  // A text with a link ends a call, so a client that brings a request state back was not given the link yet.
  if (channel.method === "text" && run.request.incoming.claimed !== undefined) return suspend(run, round)
  if (channel.method !== "round") return hold(run, round)
  if (askedEntry.reply === undefined) return askedEntry.agreed === true ? hold(run, round) : suspend(run, round)
  const { outcome, problems } = await applyReply(run, round, askedEntry.reply)
  if (outcome !== undefined) return remember(call, askedEntry, outcome)
  return problems === undefined ? hold(run, withAgreement(round)) : askAgain(run, round, problems)
}

interface ReplyResult {
  readonly outcome?: Outcome
  /** The problems of an invalid answer. */
  readonly problems?: readonly Problem[]
}

/** Applies the client's reply. Returns neither outcome nor problems when the person agreed to open a page. */
async function applyReply(run: McpRun, { question, elicitation, channel }: Round, reply: Reply): Promise<ReplyResult> {
  const { hub } = run.asking
  const by = identityOf(run.request).principal
  const { via } = run.request.connection
  // Accepting the page of a form means agreeing to open it; the answer is given on the page.
  if (isOnPage(elicitation, channel) && reply.action === "accept") {
    if (toAnswer({ mode: "url" }, reply).action === "accept") return {}
    await hub.answer(elicitation.id, { by, via, action: "decline" })
    return { outcome: { status: "declined" } }
  }
  const step = await hub.answer(elicitation.id, { by, via, ...toAnswer(elicitation, reply) })
  if (step.ok) return fromSettled(outcomeOf(question, step.elicitation))
  if (step.refusal.code === "invalid_answer") return { problems: step.refusal.problems ?? [] }
  const now = await hub.get(elicitation.id)
  return now === undefined ? { outcome: { status: "expired" } } : fromSettled(outcomeOf(question, now))
}

const fromSettled = (outcome: Outcome | undefined): ReplyResult => (outcome === undefined ? {} : { outcome })

/** Asks again and names the problems. The third invalid answer ends the question as failed. */
async function askAgain(run: McpRun, round: Round, problems: readonly Problem[]): Promise<Outcome | Suspended> {
  const { call, elicitation } = round
  const { reply: _reply, ...entryWithoutReply } = round.askedEntry
  const attempts = entryWithoutReply.attempts + 1
  if (attempts >= mostAttempts) {
    await run.asking.hub.cancel(elicitation.id, invalidAnswersReason)
    return remember(call, entryWithoutReply, { status: "failed", reason: invalidAnswersReason })
  }
  call.journal.set({ ...entryWithoutReply, attempts })
  return suspend(run, round, { problems })
}

/** Waits for at most the hold time. Then the client must call again; a modern client is shown no new prompt. */
async function hold(run: McpRun, round: Round): Promise<Outcome | Suspended> {
  const { question, call, askedEntry, elicitation } = round
  // This request has already waited for the hold time.
  if (call.hasWaited) return suspend(run, round, { isShown: true })
  run.request.connection.onHeld?.()
  const watch = watchProgress(run.request, elicitation)
  try {
    const isHeld = question.options.until === "held"
    const outcome = (await waitHere(run, round, elicitation.id)) ?? (isHeld ? notYetOutcome : undefined)
    if (outcome === undefined) return suspend(run, round, { isShown: isModern(run.request.client) })
    await watch.settled(outcome)
    return remember(call, askedEntry, outcome)
  } finally {
    watch.stop()
  }
}

interface SuspendOptions {
  /** The problems with the last answer. */
  readonly problems?: readonly Problem[]
  /** Whether the client has already shown the question. */
  readonly isShown?: boolean
  readonly isRenewed?: boolean
}

function suspend(run: McpRun, round: Round, options: SuspendOptions = {}): Suspended {
  const { problems, isShown = false, isRenewed = false } = options
  const { question, elicitation, channel } = round
  const { prompt, link } = toPrompt(run.request, { elicitation, channel, problems })
  const waiting: McpWaiting = {
    key: question.key,
    method: channel.method as McpWaiting["method"],
    ...{ mode: elicitation.mode, elicitation: elicitation.id },
    lifetimeMs: elicitation.expiresAt - elicitation.createdAt,
    isNew: !isShown,
    isRenewed,
    ...(isShown ? {} : { prompt }),
    ...(link === undefined ? {} : { link }),
    until: question.options.until,
  }
  return suspendAt(run, waiting)
}
