// Events of Slack: each is stored before it is acknowledged, handled once, and by another process if the first one
// died. Other parts subscribe with `onMessage`; `SlackMessageListener` documents the duties of a listener. A message of
// a person whose account is not linked is stored, and delivered to listeners after the account is linked.

import type { Principal, Runtime, Storage } from "@holdpoint/hub"
import type { DueKind, LeaseOptions } from "@holdpoint/hub/internal"
import { createDueWork, createWork, sealBindingOf } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { SlackLinks } from "./links.ts"
import { accountOf, type SlackEvent, slackEventKind } from "./records.ts"
import { parseJson, type SlackEnvelope, type SlackMessage, type SlackUser, toMessage } from "./wire.ts"

/** A message of a verified person to the app. */
export interface SlackMessageEvent extends SlackMessage {
  readonly principal: Principal
}

/**
 * Called with every mention of the app and every direct message to it, `{ id, kind, team, user, channel, ts, thread_ts?,
 * text, principal }`: the principal is verified, the text is untrusted. The listener resolves as soon as it has stored
 * what it needs, not when a reply is finished. After a crash, or when the listener throws, it is called again with the
 * same `id`, which is an idempotency key. The listener replies with `workspaces.find(team)` and
 * `call("chat.postMessage", …)`, usually in the thread `thread_ts ?? ts`.
 */
export type SlackMessageListener = (message: SlackMessageEvent) => Promise<void>

export interface SlackEvents {
  /** Begins to handle an event. Resolves when the event is stored, to false if it was already received before. */
  receive(envelope: SlackEnvelope): Promise<boolean>
  /** Returns an unsubscribe function. */
  onMessage(listener: SlackMessageListener): () => void
  /** Delivers the messages that this account sent before it was linked. */
  resume(account: SlackUser): Promise<void>
  /** Starts to look regularly for events of processes that died. */
  start(): void
  /** Waits for the events that are being handled. */
  close(): Promise<void>
}

export interface EventsNeeds {
  readonly storage: Pick<Storage, "records">
  readonly sealer: () => Sealer
  readonly runtime: Runtime
  readonly links: SlackLinks
  /** Sends a person whose account is not linked the instructions for linking it. */
  readonly invite: (message: SlackMessage) => Promise<void>
  readonly report: (activity: string, error: unknown) => void
}

/** How long events are stored: Slack repeats an event for up to a day, if the app has enabled delayed events. */
const keptMs = 25 * 3_600_000
/**
 * How long the message of an unlinked account waits. If the person links the account later, the message is not
 * answered.
 */
const unlinkedMs = 3_600_000
const pageSize = 50

type SlackEventChange =
  | { readonly type: "handled" | "give_up" | "linked" }
  | { readonly type: "unlinked"; readonly expiresAt: number }

export const slackEventWork: DueKind<SlackEvent, SlackEventChange> = {
  named: "messages from Slack",
  record: slackEventKind,
  exhausted: { type: "give_up" },
  delaysMs: [60_000, 60_000, 60_000, 60_000],
  lookMs: 60_000,
  transition(current, event, now) {
    switch (event.type) {
      case "handled":
      case "give_up":
        return { ...current, state: "done", dueAt: undefined, sealed: undefined }
      case "unlinked":
        return { ...current, state: "unlinked", dueAt: undefined, expiresAt: event.expiresAt }
      case "linked":
        if (current.state !== "unlinked" || now >= current.expiresAt) return undefined
        return { ...current, state: "received", dueAt: now }
    }
  },
}

export function createEvents({ storage, sealer, runtime, links, invite, report }: EventsNeeds): SlackEvents {
  const records = storage.records(slackEventKind)
  const listeners = new Set<SlackMessageListener>()
  const work = createWork({ runtime, report })
  const { background } = work
  const due = createDueWork({
    ...{ kind: slackEventWork, records, runtime, report, background },
    carryOut: (record) => handle(record, {}),
  })

  async function handle(record: SlackEvent, options: LeaseOptions<SlackEvent, SlackEventChange>): Promise<void> {
    const uninvited = await due.underLease(
      record,
      async (leased, attempt) => {
        const message = open(leased)
        const principal = message === undefined ? undefined : await links.personOf(message)
        if (message !== undefined && principal === undefined) {
          await attempt.end({ type: "unlinked", expiresAt: runtime.now() + unlinkedMs })
          return message
        }
        if (message !== undefined && principal !== undefined)
          for (const listener of listeners) await listener({ ...message, principal })
        await attempt.end({ type: "handled" })
        return undefined
      },
      options,
    )
    if (uninvited !== undefined) await invite(uninvited)
  }

  const open = (record: SlackEvent): SlackMessage | undefined => {
    if (record.sealed === undefined) return undefined
    const { message = "" } = sealer().open(sealBindingOf(slackEventKind.name, record), record.sealed)
    return parseJson(message) as SlackMessage | undefined
  }

  return {
    async receive(envelope) {
      const message = toMessage(envelope)
      if (message === undefined) return true
      const { team, user, id } = message
      const base = { id: `${team}:${id}`, tenant: team, version: 1, team, user, attempts: 0 } as const
      const now = runtime.now()
      const sealed = sealer().seal(sealBindingOf(slackEventKind.name, base), { message: JSON.stringify(message) })
      const record = due.leased({ ...base, state: "received", dueAt: now, expiresAt: now + keptMs, sealed })
      if (!(await records.insert(record))) return false
      background("handling a message from Slack", () => handle(record, { isLeased: true }))
      return true
    },
    onMessage(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async resume(account) {
      for (const event of await records.list({ tenant: account.team, owner: accountOf(account), limit: pageSize }))
        if (event.state === "unlinked") await due.apply(event, { type: "linked" })
    },
    start: () => due.arm(runtime.now()),
    async close() {
      due.stop()
      work.close()
      await work.drain()
    },
  }
}
