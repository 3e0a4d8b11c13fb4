// Reads the database directly, after all nodes have ended: questions, and what is still under way.

import { parentOfCall } from "@holdpoint/calls"
import type { Entry, Storage } from "@holdpoint/hub"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { WebhookDelivery } from "@holdpoint/webhooks"
import { runKind } from "../../packages/agents/src/records.ts"
import { callKind } from "../../packages/calls/src/records.ts"
import { sentMailKind } from "../../packages/email/src/records.ts"
import { sealBindingOf } from "../../packages/hub/src/core/seal-bindings.ts"
import { deliveryKind } from "../../packages/hub/src/hub/deliveries/delivery-records.ts"
import { readTrail } from "../../packages/hub/src/hub/effects.ts"
import { slackReplyKind } from "../../packages/slack/src/agents/records.ts"
import { slackEventKind } from "../../packages/slack/src/records.ts"
import { webhookDeliveryKind } from "../../packages/webhooks/src/records.ts"
import type { OpenFact, QuestionFact, WebhookFact } from "./facts.ts"
import type { StormProgram } from "./programs.ts"
import { mostOverdueMs } from "./rules/webhooks.ts"

export interface Stored {
  readonly questions: readonly QuestionFact[]
  readonly open: readonly OpenFact[]
  readonly webhooks: readonly WebhookFact[]
  readonly owedMails: ReadonlySet<string>
  readonly sentMails: ReadonlySet<string>
  /** The questions whose messages in Slack a process still has to post or to withdraw. */
  readonly owedPosts: ReadonlySet<string>
  readonly owedPlaces: ReadonlySet<string>
}

const tenant = "storm"

/** How often a process looks for messages from Slack whose process has died, with some time to handle them. */
const mostSweepMs = 75_000

export interface StoreReading {
  readonly programs: readonly StormProgram[]
  readonly sealer: Sealer
  /** The workspace in Slack, which is the tenant of its events. */
  readonly team: string
  /** The questions to which somebody said No, whose trails are read. */
  readonly refused?: ReadonlySet<string> | undefined
}

export async function readStore(
  storage: Storage,
  { programs, sealer, team: slackTeam, refused = new Set() }: StoreReading,
): Promise<Stored> {
  const questions = await storage.store.list({ tenant, state: "all", limit: 100_000 })
  const runs = await storage.records(runKind).list({ tenant, limit: 100_000 })
  const calls = await storage.records(callKind).list({ tenant, limit: 100_000 })
  const deliveries = await storage.records(webhookDeliveryKind).list({ tenant, limit: 100_000 })
  const mails = await storage.records(deliveryKind("email")).list({ tenant, limit: 100_000 })
  const posts = await storage.records(deliveryKind("slack")).list({ tenant, limit: 100_000 })
  const replies = await storage.records(slackReplyKind).list({ tenant, limit: 100_000 })
  const sent = await storage.records(sentMailKind).list({ tenant, limit: 100_000 })
  const events = await storage.records(slackEventKind).list({ tenant: slackTeam, limit: 100_000 })
  const now = Date.now()
  const noes = new Map<string, QuestionFact["noes"]>()
  for (const id of refused) noes.set(id, noesIn(await readTrail(storage.trail, id)))
  const running = runs.filter(({ status }) => status === "running" || status === "waiting")
  return {
    questions: questions.map(({ id, status, said, message, approvals, votes }) => ({
      ...{ id, status, said, message, approvals },
      noes: noes.get(id),
      votes: votes?.map((vote) => ({ by: vote.by.subject, said: vote.said })),
    })),
    sentMails: new Set(sent.map(({ messageId }) => messageId)),
    owedPosts: new Set(posts.map(({ elicitation }) => elicitation)),
    owedPlaces: new Set([
      ...events.flatMap((event) => {
        const { team, state, dueAt = 0, sealed } = event
        if (state !== "received" || sealed === undefined || now > dueAt + mostSweepMs) return []
        const { message = "{}" } = sealer.open(sealBindingOf(slackEventKind.name, event), sealed)
        const { channel, ts, thread_ts = ts } = JSON.parse(message) as Readonly<Record<string, string>>
        return [`${team}:${channel}:${thread_ts}`]
      }),
      ...replies.flatMap(({ id, status, team, channel, thread }) => {
        const call = calls.find((one) => one.id.includes(id))
        const isOwed = status === "under_way" && call?.lease !== undefined
        return isOwed ? [`${team}:${channel}:${thread}`] : []
      }),
    ]),
    owedMails: new Set(mails.map(({ elicitation }) => elicitation)),
    webhooks: programs.flatMap((program) =>
      questions
        .filter(({ requester }) => requester.name === program.name)
        .flatMap(({ id, status }) => [
          toWebhookFact(program, id, "question.asked", deliveries),
          ...(status === "pending" ? [] : [toWebhookFact(program, id, "question.settled", deliveries)]),
        ]),
    ),
    open: [
      ...questions.flatMap(({ id, status, message }) =>
        status === "pending" ? [{ kind: "question", id, state: message }] : [],
      ),
      ...running.map(({ id, status }) => ({
        ...{ kind: "run", id },
        // With what it asks, by which the rules know whether its client still expects anything.
        state: [
          `${status}, ${calls.some((call) => call.id === id) ? "with a call" : "without a call"}`,
          ...questions.flatMap((one) =>
            one.status === "pending" && one.parent === parentOfCall(id) ? [`asks “${one.message}”`] : [],
          ),
        ].join(", "),
      })),
      // Leases last a minute: what another process has is not overdue.
      ...[...mails, ...posts].flatMap(({ outlet, id, state, dueAt, elicitation }) => {
        const isOver = questions.find((one) => one.id === elicitation)?.status !== "pending"
        const isOverdue = isOver && dueAt !== undefined && now - dueAt > mostOverdueMs
        return isOverdue
          ? [{ kind: `${outlet} message`, id: elicitation, state: `${state} delivery ${id} is due since ${dueAt}` }]
          : []
      }),
    ],
  }
}

/** The Noes of people. An effect that failed and began again has begun when it began for the last time. */
function noesIn(entries: readonly Entry[]): NonNullable<QuestionFact["noes"]> {
  const begun = entries.findLastIndex(({ kind, detail }) => kind === "effect" && detail.message === "begun")
  return entries.flatMap(({ kind, detail: { by, message = "" } }, at) => {
    const isNo = ["declined", "cancelled"].includes(kind) || (kind === "refused" && /^(decline|cancel)$/.test(message))
    return isNo && by !== undefined ? [{ by: by.subject, isFirst: begun < 0 || at < begun }] : []
  })
}

function toWebhookFact(
  { name, id, receiver }: StormProgram,
  question: string,
  type: string,
  deliveries: readonly WebhookDelivery[],
): WebhookFact {
  const delivery = deliveries.find((one) => one.endpoint === id && one.question === question && one.type === type)
  return {
    ...{ endpoint: name, question, type, hangs: receiver.hangs },
    received: receiver.received.filter((one) => one.question === question && one.type === type).length,
    delivery: delivery?.state,
    overdueMs: delivery === undefined || isBehind(delivery, deliveries) ? 0 : Date.now() - delivery.dueAt,
  }
}

/** Whether an earlier event of the same question is still owed to the endpoint, which comes first. */
const isBehind = ({ endpoint, question, revision }: WebhookDelivery, deliveries: readonly WebhookDelivery[]): boolean =>
  deliveries.some(
    (one) => one.endpoint === endpoint && one.question === question && one.state === "owed" && one.revision < revision,
  )
