// Talking to agents in Slack. A message is stored as a call before it is acknowledged, and any process carries it out: it
// begins a run of the person who wrote it and streams the reply into the thread.

import type { Hub, Runtime, Storage } from "@holdpoint/sdk"
import type { Asking } from "@holdpoint/sdk/asking"
import { parentOfCall, wakeCalls } from "@holdpoint/sdk/asking"
import type { ReaderParts } from "../http/reader.ts"
import type { BeginParts } from "./begin.ts"
import { type CarryOutParts, carryOut, type TalkInput } from "./carry-out.ts"
import { createPacer } from "./pacer.ts"
import type { SlackApp, SlackMessageEvent } from "./port.ts"
import { replyIdOf, type SlackReply, slackReplyKind, slackThreadKind } from "./records.ts"

export interface TalkParts extends Pick<BeginParts, "config" | "conversations" | "runs"> {
  readonly asking: Asking
  readonly slack: SlackApp
  readonly storage: Pick<Storage, "records">
  readonly runtime: Runtime
  readonly readers: ReaderParts
  readonly hub: Pick<Hub, "get">
  /** How long it is known that a message was answered. */
  readonly keptMs: number
}

type Entry = Parameters<Parameters<Asking["followers"]["followAll"]>[0]>[0]

export interface SlackTalk {
  /** Leaves replies that are under way to other processes. */
  close(): Promise<void>
}

const callIdOf = (reply: string): string => `slack ${reply}`

/** What a run does that its reply in Slack has to follow. While the run waits, there is nothing to follow. */
const moves: ReadonlySet<string> = new Set(["running", "stop_requested", "done", "failed", "stopped"])

export function createSlackTalk(parts: TalkParts): SlackTalk {
  const { asking, slack, storage, runtime, keptMs } = parts
  const replies = storage.records(slackReplyKind)
  const threads = storage.records(slackThreadKind)
  const closing = new AbortController()
  const carrying: CarryOutParts = {
    ...{ ...parts, replies, threads, pacer: createPacer(runtime), signal: closing.signal, report: asking.report },
    wake: (reply) => waking.wake(callIdOf(reply)),
  }
  const waking = wakeCalls(asking, { kind: "slack reply", resume: (woken) => carryOut(carrying, woken) })

  const follow = async ({ kind, id, detail }: Entry): Promise<void> => {
    if (kind !== "run" || !moves.has(String(detail.code))) return
    const thread = await threads.get(parentOfCall(id))
    if (thread !== undefined) waking.wake(callIdOf(thread.reply))
  }
  const unfollow = asking.followers.followAll((entry) => {
    follow(entry).catch((error: unknown) => asking.report("looking for a reply in Slack", error))
  })

  /** Resolves when the message is stored. Called again with the same message, it does nothing. */
  const receive = async (message: SlackMessageEvent): Promise<void> => {
    const reply = toReply(message, runtime.now() + keptMs)
    const id = callIdOf(reply.id)
    const isStarted = async (): Promise<boolean> =>
      (await waking.has(id)) || (await replies.get(reply.id))?.status !== "under_way"
    // A process may have died before it could start the call.
    if (!(await replies.insert(reply)) && (await isStarted())) return
    const input: TalkInput = { message }
    try {
      await waking.start({ id, caller: message.principal, input })
    } catch (error) {
      // Another process was faster.
      if (!(await isStarted())) throw error
    }
  }
  const unsubscribe = slack.onMessage(receive)

  return {
    async close() {
      unsubscribe()
      unfollow()
      closing.abort()
      await waking.close()
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
