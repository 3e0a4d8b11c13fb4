// The endpoints of programs: made, changed, paused, their secrets rotated, and what was sent to each. Every change is an
// entry of the trail, by which all processes hear of it.

import { HoldpointError, type Problem } from "../../core/error.ts"
import type { PrincipalId } from "../../core/principal.ts"
import { toPrincipalId } from "../../core/principal.ts"
import { sealBindingOf } from "../../core/seal-bindings.ts"
import { type AddressOptions, createAddressRules } from "../../fetching/address.ts"
import type { Program } from "../../identity/programs/records.ts"
import type { Runtime } from "../../ports/runtime.ts"
import type { Sealer } from "../../ports/sealer.ts"
import type { Storage } from "../../ports/storage.ts"
import type { NewEntry } from "../../ports/trail.ts"
import { transition } from "./delivery.ts"
import { type EventType, eventTypes, idPrefixOf, toDeliveryId } from "./map.ts"
import type { Endpoint, WebhookDelivery } from "./records.ts"
import { allEndpoints, cursorId, cursorKind, endpointKind, webhookDeliveryKind } from "./records.ts"
import { loadSigner, newSecret } from "./sign.ts"

/** The endpoints of all tenants. Made by `createEndpoints`. */
export interface Endpoints {
  /**
   * Gives the program an endpoint, or changes the one it has, which is then active. Throws `invalid_config` with every
   * problem. The secret of a new endpoint is returned once.
   */
  set(program: Program, wanted: NewEndpoint, by?: PrincipalId): Promise<SetEndpoint>
  /** By the program's id. */
  get(id: string): Promise<Endpoint | undefined>
  list(tenant: string): Promise<readonly Endpoint[]>
  /** Makes a new secret, returned once. Events are signed with the former one as well for a day. */
  rotate(id: string, by?: PrincipalId): Promise<string | undefined>
  /** Stops sending; events are kept. */
  pause(id: string, by?: PrincipalId): Promise<Endpoint | undefined>
  /** Sends again, and what was kept while it was paused at once. */
  resume(id: string, by?: PrincipalId): Promise<Endpoint | undefined>
  /** Removes it and what was sent to it. False when there is none. */
  remove(id: string, by?: PrincipalId): Promise<boolean>
  /** What was sent to it or will be, newest first. Deliveries that ended a week ago are not kept. */
  deliveries(endpoint: Endpoint, limit: number): Promise<readonly WebhookDelivery[]>
  /** Makes a delivery due now: one that ended, or that waits for its next attempt. Undefined when there is none. */
  again(endpoint: Endpoint, delivery: string, by?: PrincipalId): Promise<WebhookDelivery | undefined>
  /** Owes the endpoint a test event. */
  test(endpoint: Endpoint, by?: PrincipalId): Promise<WebhookDelivery>
}

/** What is wanted of an endpoint. */
export interface NewEndpoint {
  readonly url: string
  /** All by default. */
  readonly events?: readonly EventType[]
  /** The program's own questions by default. */
  readonly hears?: Endpoint["hears"]
}

/** An endpoint that was set, and the secret of a new one. */
export interface SetEndpoint {
  readonly endpoint: Endpoint
  readonly secret?: string
}

/** The parts of `createEndpoints`. */
export interface EndpointParts {
  readonly storage: Pick<Storage, "records" | "trail">
  readonly sealer: Sealer
  readonly runtime: Pick<Runtime, "now" | "newId">
  /** Addresses that endpoints may have besides public ones. */
  readonly network?: AddressOptions
}

/** How long the former secret is valid after a rotation. */
const overlapMs = 86_400_000
const pageSize = 200
const longestUrl = 2_000

/** Makes the table of endpoints. */
export function createEndpoints({ storage, sealer, runtime, network = {} }: EndpointParts): Endpoints {
  const records = storage.records(endpointKind)
  const deliveries = storage.records(webhookDeliveryKind)
  const rules = createAddressRules(network)

  const entryOf = (code: string, { id, tenant }: Pick<Endpoint, "id" | "tenant">, by?: PrincipalId): NewEntry => {
    const detail = { code, ...(by === undefined ? {} : { by: toPrincipalId(by) }) }
    return { id, tenant, kind: "webhook", at: runtime.now(), detail }
  }

  async function change(id: string, code: string, by: PrincipalId | undefined, next: (now: Endpoint) => Endpoint) {
    for (let current = await records.get(id); current !== undefined; current = await records.get(id)) {
      const changed = { ...next(current), version: current.version + 1 }
      if (await records.replace(changed, entryOf(code, current, by))) return changed
    }
    return undefined
  }

  async function* deliveriesOf({ id, tenant }: Endpoint): AsyncGenerator<WebhookDelivery> {
    const prefix = idPrefixOf(id)
    for (let afterId = prefix; ; ) {
      const page = await deliveries.list({ tenant, afterId, limit: pageSize })
      for (const one of page) {
        if (!one.id.startsWith(prefix)) return
        yield one
      }
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      afterId = last.id
    }
  }

  const makeDue = async (id: string, entry?: NewEntry): Promise<WebhookDelivery | undefined> => {
    for (let current = await deliveries.get(id); current !== undefined; current = await deliveries.get(id)) {
      const next = transition(current, { type: "again" }, runtime.now())
      // Under a lease: it is being sent right now.
      if (next === undefined) return current
      if (await deliveries.replace(next, entry)) return next
    }
    return undefined
  }

  return {
    async set(program, { url, events = eventTypes, hears = "own" }, by) {
      const problems = [...urlProblems(url, rules), ...eventProblems(events)]
      if (problems.length > 0) throw new HoldpointError("invalid_config", "The webhook cannot be set.", { problems })
      await loadSigner()
      const wanted = { url: new URL(url).href, events: [...new Set(events)], hears }
      const known = await change(program.id, "changed", by, ({ reason: _reason, failingSince: _since, ...rest }) => ({
        ...rest,
        ...wanted,
        state: "active",
      }))
      if (known !== undefined) return { endpoint: known }
      const { id, tenant } = program
      const [since, createdAt, secret] = [await storage.trail.end(), runtime.now(), newSecret()]
      const sealed = sealer.seal(sealBindingOf(endpointKind.name, { id, tenant }), { secret })
      const madeBy = by === undefined ? {} : { madeBy: toPrincipalId(by) }
      const endpoint: Endpoint = {
        id,
        tenant,
        version: 1,
        sealed,
        ...wanted,
        state: "active",
        since,
        createdAt,
        ...madeBy,
      }
      // Events from here on are found also by a process that starts later.
      await storage.records(cursorKind).insert({ id: cursorId, tenant: cursorId, version: 1, position: since })
      if (await records.insert(endpoint, entryOf("added", endpoint, by))) return { endpoint, secret }
      throw new HoldpointError("internal", "Two people set the webhook of this program at once. Try again.")
    },
    get: (id) => records.get(id),
    list: (tenant) => records.list({ tenant, owner: allEndpoints, limit: 1_000 }),
    async rotate(id, by) {
      const secret = newSecret()
      const changed = await change(id, "rotated", by, (current) => {
        const binding = sealBindingOf(endpointKind.name, current)
        const { secret: former = "" } = sealer.open(binding, current.sealed)
        const sealed = sealer.seal(binding, { secret, former }, current.sealed)
        return { ...current, sealed, formerUntil: runtime.now() + overlapMs }
      })
      return changed === undefined ? undefined : secret
    },
    pause: (id, by) =>
      change(id, "paused", by, (current) => (current.state === "active" ? { ...current, state: "paused" } : current)),
    async resume(id, by) {
      const active = ({ reason: _reason, failingSince: _since, ...rest }: Endpoint): Endpoint => ({
        ...rest,
        state: "active",
      })
      const endpoint = await change(id, "resumed", by, active)
      if (endpoint === undefined) return undefined
      for await (const { id: one, state } of deliveriesOf(endpoint)) if (state === "owed") await makeDue(one)
      await storage.trail.append(entryOf("due", endpoint, by))
      return endpoint
    },
    async remove(id, by) {
      for (let last = await records.get(id); last !== undefined; last = await records.get(id)) {
        if (!(await records.remove(last, entryOf("removed", last, by)))) continue
        for await (const one of deliveriesOf(last)) await deliveries.remove(one)
        return true
      }
      return false
    },
    async deliveries(endpoint, limit) {
      const found: WebhookDelivery[] = []
      for await (const one of deliveriesOf(endpoint)) if (found.push(one) >= limit) break
      return found
    },
    async again(endpoint, delivery, by) {
      const known = await deliveries.get(delivery)
      return known?.endpoint === endpoint.id ? makeDue(delivery, entryOf("due", endpoint, by)) : undefined
    },
    async test(endpoint, by) {
      const at = runtime.now()
      const id = toDeliveryId({ endpoint: endpoint.id, at, rest: runtime.newId() })
      const first: WebhookDelivery = {
        ...{ id, tenant: endpoint.tenant, version: 1, endpoint: endpoint.id },
        ...{ type: "endpoint.tested", revision: 0, at, state: "owed", attempts: 0, dueAt: at },
      }
      await deliveries.insert(first, entryOf("due", endpoint, by))
      return first
    },
  }
}

/** The secrets that events are signed with now, the newest first. */
export function secretsOf(sealer: Sealer, endpoint: Endpoint, now: number): readonly string[] {
  const { secret = "", former } = sealer.open(sealBindingOf(endpointKind.name, endpoint), endpoint.sealed)
  return former !== undefined && now < (endpoint.formerUntil ?? 0) ? [secret, former] : [secret]
}

function urlProblems(given: string, rules: ReturnType<typeof createAddressRules>): readonly Problem[] {
  const url = given.length > longestUrl ? null : URL.parse(given)
  if (url === null) return [{ path: "url", message: `must be a web address of ${longestUrl} characters at most` }]
  if (url.hash !== "") return [{ path: "url", message: "must not have a fragment (#)" }]
  const problem = rules.judgeUrl(url)
  if (problem === undefined) return []
  const message = `cannot be used: ${problem}`
  // A setting allows other hosts. It does not allow other schemes, or passwords.
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return [{ path: "url", message }]
  const suggestion = "The operator can allow a host of your own network: the setting webhooks.alsoAllow."
  return [{ path: "url", message, suggestion }]
}

function eventProblems(events: readonly string[]): readonly Problem[] {
  const known: readonly string[] = eventTypes
  const unknown = events.filter((one) => !known.includes(one))
  const suggestion = `There are ${eventTypes.join(", ")}.`
  return [
    ...(events.length === 0 ? [{ path: "events", message: "must name at least one event", suggestion }] : []),
    ...unknown.map((one) => ({ path: "events", message: `has “${one}”, which is not an event`, suggestion })),
  ]
}
