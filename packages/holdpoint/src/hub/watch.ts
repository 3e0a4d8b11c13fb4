// Watching changes. After each commit the trail is read from the watcher's cursor, so a watcher that was disconnected,
// slow or in another process sees every event once and in order.

import type { Status } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Principal } from "../core/principal.ts"
import { isAddressed } from "../core/principal.ts"
import type { Store } from "../ports/store.ts"
import type { Entry, Trail, TrailQuery } from "../ports/trail.ts"
import { notFound } from "./live.ts"
import type { Work } from "./work.ts"

/**
 * What to watch: one elicitation until it is settled, resumed from a revision (0: from the beginning). Or, until
 * stopped, all elicitations that a principal may answer, of a tenant, or of one parent in it (a stream, a task, a
 * call), resumed from a position (0: from the beginning; none: from now on).
 */
export type WatchScope =
  | { readonly id: string; readonly afterRevision?: number }
  | { readonly principal: Principal; readonly afterPosition?: number }
  | { readonly tenant: string; readonly parent?: string; readonly afterPosition?: number }

/** A step that changed an elicitation. `revision` resumes a watch of one elicitation, `position` any other watch. */
export type WatchEvent = Entry & { readonly revision: number; readonly status: Status }

const pageSize = 200

export interface WatchNeeds extends Pick<Work, "during" | "onClose"> {
  readonly store: Pick<Store, "get">
  readonly trail: Trail
}

export async function* watch(
  needs: WatchNeeds,
  scope: WatchScope,
  options: { readonly signal?: AbortSignal },
): AsyncGenerator<WatchEvent, void, undefined> {
  const { trail } = needs
  const { signal } = options
  signal?.throwIfAborted()
  const bell = createBell(trail, (entry) => isInScope(scope, entry), signal)
  const removeCloseListener = needs.onClose(() => bell.stop(new HoldpointError("closed", "The hub was closed.")))
  try {
    bell.throwIfOver()
    let cursor = await needs.during(() => startOf(needs, scope))
    for (;;) {
      bell.throwIfOver()
      cursor = bell.reset(cursor)
      const page = await needs.during(() => trail.read({ ...cursor, limit: pageSize }))
      for (const entry of page) {
        cursor = advanceCursor(cursor, entry)
        if (!isEvent(entry) || !isInScope(scope, entry)) continue
        yield entry
        bell.throwIfOver()
        if ("id" in scope && isSettled(entry.status)) return
      }
      if (page.length < pageSize) await bell.rung()
    }
  } finally {
    removeCloseListener()
    bell.stop(undefined)
  }
}

type Cursor = Omit<TrailQuery, "limit">

async function startOf(needs: WatchNeeds, scope: WatchScope): Promise<Cursor> {
  if (!("id" in scope)) {
    const { tenant, parent } = "tenant" in scope ? scope : { tenant: scope.principal.tenant }
    return {
      tenant,
      ...(parent === undefined ? {} : { parent }),
      afterPosition: scope.afterPosition ?? (await needs.trail.end()),
    }
  }
  const afterRevision = scope.afterRevision ?? 0
  const question = await needs.store.get(scope.id)
  if (question !== undefined && !(isSettled(question.status) && question.revision <= afterRevision))
    return { id: scope.id, afterRevision }
  if (question !== undefined)
    throw new HoldpointError("already_settled", `Nothing follows: “${scope.id}” is ${question.status}.`)
  throw notFound(scope.id)
}

const advanceCursor = (cursor: Cursor, entry: Entry): Cursor =>
  cursor.id === undefined
    ? { ...cursor, afterPosition: entry.position }
    : { ...cursor, afterPosition: entry.position, afterRevision: entry.revision ?? cursor.afterRevision ?? 0 }

const isEvent = (entry: Entry): entry is WatchEvent => entry.revision !== undefined && entry.status !== undefined

function isInScope(scope: WatchScope, entry: Entry): boolean {
  if ("id" in scope) return entry.id === scope.id
  if ("tenant" in scope)
    return entry.tenant === scope.tenant && (scope.parent === undefined || entry.parent === scope.parent)
  const { audience, escalatedTo } = entry.detail
  if (audience === undefined) return false
  const escalated = escalatedTo === undefined ? {} : { escalatedTo }
  return isAddressed({ audience, ...escalated }, scope.principal)
}

/** Remembers that an entry was committed since the last read, so that none is missed between reading and waiting. */
function createBell(trail: Trail, concerns: (entry: Entry) => boolean, signal: AbortSignal | undefined) {
  let hasRung = false
  let isIdle = false
  let skippedTo = 0
  let over: { readonly error: unknown } | undefined
  let wake: () => void = () => {}
  const ring = (): void => {
    hasRung = true
    wake()
  }
  const unsubscribe = trail.subscribe((entries) => {
    if (entries.some(concerns)) ring()
    else if (isIdle) skippedTo = entries.at(-1)?.position ?? skippedTo
  })
  const abort = (): void => {
    over = { error: signal?.reason }
    wake()
  }
  signal?.addEventListener("abort", abort, { once: true })
  return {
    /**
     * Returns the cursor to read from. It skips the entries that arrived while idle and did not concern this watcher.
     */
    reset(cursor: Cursor): Cursor {
      hasRung = false
      return skippedTo > (cursor.afterPosition ?? 0) ? { ...cursor, afterPosition: skippedTo } : cursor
    },
    async rung(): Promise<void> {
      isIdle = true
      if (!hasRung && over === undefined) await new Promise<void>((resolve) => (wake = resolve))
      isIdle = false
      this.throwIfOver()
    },
    throwIfOver(): void {
      if (over !== undefined) throw over.error
    },
    stop(error: unknown) {
      unsubscribe()
      signal?.removeEventListener("abort", abort)
      if (error !== undefined) over = { error }
      wake()
    },
  }
}
