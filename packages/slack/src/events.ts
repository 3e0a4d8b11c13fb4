// Events of Slack: each is stored before it is acknowledged, handled once, and by another process if the first one
// died. Other parts subscribe with `onMessage`; `SlackMessageListener` documents the duties of a listener. A message of
// a person whose account is not linked is stored, and delivered to listeners after the account is linked.

import type { Principal, Runtime, Storage } from "@holdpoint/hub"
import { sealBindingOf } from "@holdpoint/hub/internal"
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
const leaseMs = 60_000
const sweepMs = 60_000
const mostAttempts = 5
const pageSize = 50

export function createEvents({ storage, sealer, runtime, links, invite, report }: EventsNeeds): SlackEvents {
  const records = storage.records(slackEventKind)
  const listeners = new Set<SlackMessageListener>()
  const pendingWork = new Set<Promise<void>>()
  let stop: () => void = () => {}
  let isClosed = false

  const runInBackground = (record: SlackEvent, message: SlackMessage): void => {
    const work = handle(record, message)
      .catch((error: unknown) => report("handling a message from Slack", error))
      .finally(() => pendingWork.delete(work))
    pendingWork.add(work)
  }

  async function handle(record: SlackEvent, message: SlackMessage): Promise<void> {
    const principal = await links.personOf(message)
    if (principal === undefined) {
      await records.replace({ ...withoutDueAt(record), state: "unlinked", expiresAt: runtime.now() + unlinkedMs })
      return invite(message)
    }
    for (const listener of listeners) await listener({ ...message, principal })
    const { sealed: _sealed, ...handledRecord } = withoutDueAt(record)
    await records.replace({ ...handledRecord, state: "done" })
  }

  /** Acquires the lease of an event. Undefined when another process has acquired it, or after the last attempt. */
  async function claim(record: SlackEvent): Promise<SlackEvent | undefined> {
    const attempts = record.attempts + 1
    const isExhausted = attempts > mostAttempts
    const { sealed: _sealed, ...handledRecord } = withoutDueAt(record)
    const next: SlackEvent = isExhausted
      ? { ...handledRecord, state: "done" }
      : { ...record, version: record.version + 1, state: "received", attempts, dueAt: runtime.now() + leaseMs }
    return (await records.replace(next)) && !isExhausted ? next : undefined
  }

  async function handleAgain(page: readonly SlackEvent[]): Promise<void> {
    for (const event of page) {
      const message = open(event)
      const leasedEvent = message === undefined ? undefined : await claim(event)
      if (message !== undefined && leasedEvent !== undefined) runInBackground(leasedEvent, message)
    }
  }

  const open = (record: SlackEvent): SlackMessage | undefined => {
    if (record.sealed === undefined) return undefined
    const { message = "" } = sealer().open(sealBindingOf(slackEventKind.name, record), record.sealed)
    return parseJson(message) as SlackMessage | undefined
  }

  const sweep = (): void => {
    stop = runtime.after(sweepMs, sweep)
    const listing = records.list({ dueBefore: runtime.now(), limit: pageSize }).then(handleAgain)
    const work = listing
      .catch((error: unknown) => report("looking for messages from Slack", error))
      .finally(() => pendingWork.delete(work))
    pendingWork.add(work)
  }

  return {
    async receive(envelope) {
      const message = toMessage(envelope)
      if (message === undefined) return true
      const { team, user, id } = message
      const base = { id: `${team}:${id}`, tenant: team, version: 1, team, user, attempts: 1 } as const
      const now = runtime.now()
      const record: SlackEvent = {
        ...{ ...base, state: "received", dueAt: now + leaseMs, expiresAt: now + keptMs },
        sealed: sealer().seal(sealBindingOf(slackEventKind.name, base), { message: JSON.stringify(message) }),
      }
      if (!(await records.insert(record))) return false
      runInBackground(record, message)
      return true
    },
    onMessage(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async resume(account) {
      const page = await records.list({ tenant: account.team, owner: accountOf(account), limit: pageSize })
      const now = runtime.now()
      await handleAgain(page.filter(({ state, expiresAt }) => state === "unlinked" && now < expiresAt))
    },
    start() {
      if (!isClosed) sweep()
    },
    async close() {
      isClosed = true
      stop()
      while (pendingWork.size > 0) await Promise.all(pendingWork)
    },
  }
}

/** Returns the next version of the record, without a due time. */
function withoutDueAt({ dueAt: _dueAt, ...record }: SlackEvent): SlackEvent {
  return { ...record, version: record.version + 1 }
}
