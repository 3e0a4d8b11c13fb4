// Watching changes. After each commit the trail is read from the watcher's cursor, so a watcher that was disconnected,
// slow or in another process sees every event once and in order.

import type { Status } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Principal } from "../core/principal.ts"
import { isAddressed } from "../core/principal.ts"
import type { Work } from "../due/work.ts"
import type { Store } from "../ports/store.ts"
import type { Entry, Trail, TrailQuery } from "../ports/trail.ts"
import { notFound } from "./live-questions.ts"

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

export interface WatchNeeds extends Pick<Work, "track" | "onClose"> {
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
    bell.throwIfEnded()
    let cursor = await needs.track(() => startOf(needs, scope))
    for (;;) {
      bell.throwIfEnded()
      cursor = bell.reset(cursor)
      const page = await needs.track(() => trail.read({ ...cursor, limit: pageSize }))
      for (const entry of page) {
        cursor = advanceCursor(cursor, entry)
        if (!isEvent(entry) || !isInScope(scope, entry)) continue
        yield entry
        bell.throwIfEnded()
        if ("id" in scope && isSettled(entry.status)) return
      }
      if (page.length < pageSize) await bell.waitForRing()
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
    throw new HoldpointError("already_settled", `No more steps follow: “${scope.id}” is ${question.status}.`)
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

/** Rings when a relevant entry is committed. Remembers it, so that none is missed between reading and waiting. */
function createBell(trail: Trail, isRelevant: (entry: Entry) => boolean, signal: AbortSignal | undefined) {
  let hasRung = false
  let isIdle = false
  let skippedPosition = 0
  let end: { readonly error: unknown } | undefined
  let wake: () => void = () => {}
  const ring = (): void => {
    hasRung = true
    wake()
  }
  const unsubscribe = trail.subscribe((entries) => {
    if (entries.some(isRelevant)) ring()
    else if (isIdle) skippedPosition = entries.at(-1)?.position ?? skippedPosition
  })
  const abort = (): void => {
    end = { error: signal?.reason }
    wake()
  }
  signal?.addEventListener("abort", abort, { once: true })
  return {
    /**
     * Returns the cursor to read from. It skips irrelevant entries that were committed while this watcher waited.
     */
    reset(cursor: Cursor): Cursor {
      hasRung = false
      return skippedPosition > (cursor.afterPosition ?? 0) ? { ...cursor, afterPosition: skippedPosition } : cursor
    },
    async waitForRing(): Promise<void> {
      isIdle = true
      if (!hasRung && end === undefined) await new Promise<void>((resolve) => (wake = resolve))
      isIdle = false
      this.throwIfEnded()
    },
    throwIfEnded(): void {
      if (end !== undefined) throw end.error
    },
    stop(error: unknown) {
      unsubscribe()
      signal?.removeEventListener("abort", abort)
      if (error !== undefined) end = { error }
      wake()
    },
  }
}
