// Lets people talk to agents in Slack. A message is stored as a call before it is acknowledged. Any process can carry
// out the call: it begins a run for the author of the message and streams the reply into the thread.

import type { ReaderParts } from "@holdpoint/agents/internal"
import type { Asking } from "@holdpoint/calls"
import { parentOfCall, wakeCalls } from "@holdpoint/calls"
import type { Hub, Runtime, Storage } from "@holdpoint/hub"
import type { BeginParts } from "./begin.ts"
import { type CarryOutParts, carryOut, type MessageInput } from "./carry-out.ts"
import { createPacer } from "./pacer.ts"
import type { SlackApp, SlackMessageEvent } from "./port.ts"
import { replyIdOf, type SlackReply, slackReplyKind, slackThreadKind } from "./records.ts"

export interface SlackChatParts extends Pick<BeginParts, "config" | "conversations" | "runs"> {
  readonly asking: Asking
  readonly slack: SlackApp
  readonly storage: Pick<Storage, "records">
  readonly runtime: Runtime
  readonly readers: ReaderParts
  readonly hub: Pick<Hub, "get">
  /** How long the record of an answered message is stored, to recognise a redelivery. */
  readonly keptMs: number
}

type Entry = Parameters<Parameters<Asking["followers"]["followAll"]>[0]>[0]

export interface SlackChat {
  /** Stops working on replies. Other processes continue those that are under way. */
  close(): Promise<void>
}

const callIdOf = (reply: string): string => `slack ${reply}`

/** The codes of a run's trail entries that wake its reply in Slack. Not `waiting`: a waiting run sends no text. */
const wakingSteps: ReadonlySet<string> = new Set(["running", "stop_requested", "done", "failed", "stopped"])

export function createSlackChat(parts: SlackChatParts): SlackChat {
  const { asking, slack, storage, runtime, keptMs } = parts
  const replies = storage.records(slackReplyKind)
  const threads = storage.records(slackThreadKind)
  const closing = new AbortController()
  const carryOutParts: CarryOutParts = {
    ...{ ...parts, replies, threads, pacer: createPacer(runtime), signal: closing.signal, report: asking.report },
    wake: (reply) => worker.wake(callIdOf(reply)),
  }
  const worker = wakeCalls(asking, { kind: "slack reply", resume: (woken) => carryOut(carryOutParts, woken) })

  const follow = async ({ kind, id, detail }: Entry): Promise<void> => {
    if (kind !== "run" || !wakingSteps.has(String(detail.code))) return
    const thread = await threads.get(parentOfCall(id))
    if (thread !== undefined) worker.wake(callIdOf(thread.reply))
  }
  const unfollow = asking.followers.followAll((entry) => {
    follow(entry).catch((error: unknown) => asking.report("looking for a reply in Slack", error))
  })

  /** Stores the message and starts its call. A second delivery of the same message has no effect. */
  const receive = async (message: SlackMessageEvent): Promise<void> => {
    const reply = toReply(message, runtime.now() + keptMs)
    const id = callIdOf(reply.id)
    const isStarted = async (): Promise<boolean> =>
      (await worker.has(id)) || (await replies.get(reply.id))?.status !== "under_way"
    // If a process died after it stored the record, the call was not started: then this process starts the call.
    if (!(await replies.insert(reply)) && (await isStarted())) return
    const input: MessageInput = { message }
    try {
      await worker.start({ id, caller: message.principal, input })
    } catch (error) {
      // The start fails when another process has already started the call.
      if (!(await isStarted())) throw error
    }
  }
  const unsubscribe = slack.onMessage(receive)

  return {
    async close() {
      unsubscribe()
      unfollow()
      closing.abort()
      await worker.close()
    },
  }
}

function toReply(message: SlackMessageEvent, expiresAt: number): SlackReply {
  const { team, channel, user, kind, ts, thread_ts: thread, principal } = message
  const { tenant, issuer, subject } = principal
  return {
    ...{ id: replyIdOf(message), tenant, version: 1, team, channel, thread: thread ?? ts, user, kind },
    ...{ isInThread: thread !== undefined, person: { tenant, issuer, subject } },
    ...{ status: "under_way", messages: [], chunk: 0, expiresAt },
  }
}
