// Sessions of signed-in browsers. The cookie holds 256 random bits, the database only their hash. A session ends by
// sign-out, after idling too long, and at its absolute limit.

import type { Principal, PrincipalId, Runtime } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import { hashOf, newToken, ownerKey, toOwner, toPrincipalId } from "@holdpoint/hub/internal"
import type { KeptRecord, NewEntry, Records } from "@holdpoint/hub/storage"
import type { Session } from "./records.ts"
import { shortenAgent } from "./user-agent.ts"

export interface Sessions {
  begin(
    person: { readonly principal: Principal; readonly name?: string; readonly email?: string },
    options?: { readonly agent?: string | undefined; readonly via?: string },
  ): Promise<{ readonly token: string; readonly session: Session }>
  /** The session of this cookie value. Undefined when there is none or it has expired. */
  session(token: string | undefined): Promise<Session | undefined>
  /** Ends the session of this cookie value. False when there was none. */
  end(token: string | undefined): Promise<boolean>
  /** Ends one of the person's own sessions; false for any other id. */
  endById(id: string, principal: PrincipalId): Promise<boolean>
  /** Ends the person's sessions, except the one with the id `exceptId`, and returns their number. */
  endAll(principal: PrincipalId, exceptId?: string): Promise<number>
  /** Active sessions, most recently used first. */
  list(principal: PrincipalId): Promise<readonly Session[]>
  /** Removes expired sessions and returns their number. */
  sweep(): Promise<number>
}

export interface SessionTimes {
  readonly idleMs: number
  readonly absoluteMs: number
}

/** The shortest interval between two writes of the last request. */
const seenEveryMs = 60_000
const pageSize = 200

export function createSessions(
  records: Records<Session>,
  runtime: Runtime,
  { idleMs, absoluteMs }: SessionTimes,
): Sessions {
  const expiryOf = (createdAt: number, seenAt: number): number => Math.min(createdAt + absoluteMs, seenAt + idleMs)
  const isExpired = ({ expiresAt }: Session): boolean => runtime.now() >= expiresAt

  /** Retries, because requests of a busy browser change the record concurrently. */
  async function remove(id: string, mayRemove: (session: Session) => boolean): Promise<boolean> {
    for (let session = await records.get(id); session !== undefined; session = await records.get(id)) {
      if (!mayRemove(session)) return false
      if (await records.remove(session, entryOf("signed_out", session, runtime.now()))) return true
    }
    return false
  }

  async function noteSeen(session: Session): Promise<Session> {
    const now = runtime.now()
    if (now - session.seenAt < seenEveryMs) return session
    const expiresAt = expiryOf(session.createdAt, now)
    const updated = { ...session, version: session.version + 1, seenAt: now, expiresAt }
    // The write fails after a concurrent write, or when the session just ended. The next request reads it again.
    return (await records.replace(updated)) ? updated : session
  }

  async function list(principal: PrincipalId): Promise<readonly Session[]> {
    const sessions: Session[] = []
    const query = { tenant: principal.tenant, owner: ownerKey(toOwner(principal)), limit: pageSize }
    for (let page = await records.list(query); page.length > 0; ) {
      sessions.push(...page)
      page = page.length < pageSize ? [] : await records.list({ ...query, afterId: (page.at(-1) as Session).id })
    }
    return sessions.filter((session) => !isExpired(session)).sort((a, b) => b.seenAt - a.seenAt)
  }

  return {
    async begin({ principal, name, email }, { agent, via } = {}) {
      const token = newToken()
      const now = runtime.now()
      const browser = shortenAgent(agent)
      const session: Session = {
        id: hashOf(token),
        tenant: principal.tenant,
        version: 1,
        principal,
        ...(name === undefined ? {} : { name }),
        ...(email === undefined ? {} : { email }),
        ...(browser === undefined ? {} : { agent: browser }),
        createdAt: now,
        seenAt: now,
        expiresAt: expiryOf(now, now),
      }
      await records.insert(session, entryOf("signed_in", session, now, via === undefined ? {} : { via }))
      return { token, session }
    },
    async session(token) {
      const session = token === undefined ? undefined : await records.get(hashOf(token))
      return session === undefined || isExpired(session) ? undefined : noteSeen(session)
    },
    end: async (token) => token !== undefined && remove(hashOf(token), () => true),
    endById: (id, principal) => remove(id, (session) => isSamePerson(session.principal, principal)),
    list,
    async endAll(principal, exceptId) {
      const otherSessions = (await list(principal)).filter(({ id }) => id !== exceptId)
      const results = await Promise.all(otherSessions.map(({ id }) => remove(id, () => true)))
      return results.filter(Boolean).length
    },
    sweep: () =>
      sweepRecords(records, runtime.now(), (session) =>
        entryOf("signed_out", session, runtime.now(), { code: "expired" }),
      ),
  }
}

/** Removes due records page by page, until a page has none that this process can remove. */
export async function sweepRecords<R extends KeptRecord>(
  records: Records<R>,
  now: number,
  entryFor?: (record: R) => NewEntry,
): Promise<number> {
  let removed = 0
  for (;;) {
    const dueRecords = await records.list({ dueBefore: now, limit: pageSize })
    const results = await Promise.all(dueRecords.map((record) => records.remove(record, entryFor?.(record))))
    const count = results.filter(Boolean).length
    removed += count
    if (count === 0 || dueRecords.length < pageSize) return removed
  }
}

function entryOf(
  kind: "signed_in" | "signed_out",
  { id, tenant, principal }: Session,
  time: number,
  extraDetail: { readonly via?: string; readonly code?: string } = {},
): NewEntry {
  return { id, tenant, kind, at: time, detail: { by: toPrincipalId(principal), ...extraDetail } }
}
