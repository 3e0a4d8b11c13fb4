// Reads the trail from the stored cursor on, and stores a delivery for each event that an endpoint receives. Every
// process reads, so that no event is lost when one dies. Two processes that find the same event store one delivery.

import type { Elicitation, Entry, Runtime, Storage } from "@holdpoint/hub"
import { change } from "@holdpoint/hub/internal"
import type { Program } from "@holdpoint/server/identity"
import { programKind } from "@holdpoint/server/internal"
import type { Endpoints } from "./endpoints.ts"
import { isReceiver, type QuestionEvent, toDelivery, toEvent } from "./map.ts"
import type { Endpoint } from "./records.ts"
import { cursorId, cursorKind, endpointKind, webhookDeliveryKind } from "./records.ts"

export interface ReaderParts {
  readonly storage: Pick<Storage, "store" | "records" | "trail">
  readonly runtime: Pick<Runtime, "now">
  readonly endpoints: Pick<Endpoints, "remove">
  /** Called when deliveries may have fallen due. */
  readonly onDue: () => void
}

export interface Reader {
  /** Loads the endpoints, and the position up to which the trail was read for them. */
  start(): Promise<void>
  /** Whether these new entries have to be read. If not, the reader skips them. */
  needsReading(entries: readonly Entry[]): boolean
  /** Reads the entries up to the end of the trail. */
  readToEnd(): Promise<void>
}

const pageSize = 500

export function createReader({ storage, runtime, endpoints, onDue }: ReaderParts): Reader {
  const { store, trail } = storage
  const cursors = storage.records(cursorKind)
  const deliveries = storage.records(webhookDeliveryKind)
  const endpointsByTenant = new Map<string, readonly Endpoint[]>()
  let position = Number.POSITIVE_INFINITY
  let isReading = false

  const load = async (): Promise<readonly Endpoint[]> => {
    const allEndpoints: Endpoint[] = []
    for (let after: { readonly dueAt: number; readonly id: string } | undefined; ; ) {
      const cursor = after === undefined ? {} : { after }
      const page = await storage.records(endpointKind).list({ dueBefore: endOfTime, limit: pageSize, ...cursor })
      allEndpoints.push(...page)
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) break
      after = { dueAt: last.createdAt, id: last.id }
    }
    endpointsByTenant.clear()
    for (const endpoint of allEndpoints) {
      const { tenant } = endpoint
      endpointsByTenant.set(tenant, [...(endpointsByTenant.get(tenant) ?? []), endpoint])
    }
    return allEndpoints
  }

  const storeDeliveries = async (entry: Entry, event: QuestionEvent): Promise<void> => {
    const receiving = (endpointsByTenant.get(entry.tenant) ?? []).filter(
      ({ events, since, state }) => state !== "disabled" && events.includes(event.type) && entry.position > since,
    )
    const question = receiving.length === 0 ? undefined : await store.get(event.question)
    if (question === undefined) return
    for (const endpoint of receiving) await storeDelivery(endpoint, event, question)
  }

  const storeDelivery = async (endpoint: Endpoint, event: QuestionEvent, question: Elicitation): Promise<void> => {
    const program: Program | undefined = await storage.records(programKind).get(endpoint.id)
    if (program === undefined || !isReceiver(endpoint, program, event, question)) return
    await deliveries.insert(toDelivery(endpoint, event, runtime.now()))
    onDue()
  }

  const handle = async (entry: Entry): Promise<void> => {
    if (entry.kind === "webhook") {
      await load()
      return onDue()
    }
    if (entry.kind === "program_removed") {
      await endpoints.remove(entry.id)
      return
    }
    const event = toEvent(entry)
    if (event !== undefined) await storeDeliveries(entry, event)
  }

  /** Stores the position, unless another process has already stored a later one. */
  const storePosition = async (): Promise<void> => {
    await change(cursors, cursorId, (stored) => (stored.position >= position ? undefined : { ...stored, position }))
  }

  return {
    async start() {
      // The end of the trail is read before the endpoints are loaded: an endpoint that is created after that has an
      // entry in the trail, which `readToEnd` reads.
      const end = await trail.end()
      const allEndpoints = await load()
      const stored = (await cursors.get(cursorId))?.position ?? 0
      const first = Math.min(end, ...allEndpoints.map(({ since }) => since))
      position = allEndpoints.length === 0 ? end : Math.max(stored, first)
    },
    needsReading(entries) {
      const [first, last] = [entries[0], entries.at(-1)]
      const isRelevant = entries.some(
        (entry) =>
          entry.kind === "webhook" ||
          (endpointsByTenant.has(entry.tenant) && (isRemoval(entry) || toEvent(entry) !== undefined)),
      )
      if (isRelevant || isReading || first?.position !== position + 1) return isRelevant
      position = last?.position ?? position
      return false
    },
    async readToEnd() {
      isReading = true
      try {
        for (;;) {
          const page = await trail.read({ afterPosition: position, limit: pageSize })
          for (const entry of page) {
            await handle(entry)
            position = entry.position
          }
          if (page.length > 0 && endpointsByTenant.size > 0) await storePosition()
          if (page.length < pageSize) return
        }
      } finally {
        isReading = false
      }
    },
  }
}

const isRemoval = ({ kind }: Entry): boolean => kind === "program_removed"
const endOfTime = Number.MAX_SAFE_INTEGER
