// Manages the endpoints of programs: settings, secrets and deliveries. Every change appends an entry to the trail,
// which tells all processes about it.

import { type AddressOptions, createAddressRules } from "@holdpoint/fetching/internal"
import type { PrincipalId, Runtime, Storage } from "@holdpoint/hub"
import { HoldpointError, type Problem } from "@holdpoint/hub"
import { change, sealBindingOf, toPrincipalId } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { NewEntry } from "@holdpoint/hub/storage"
import type { Program } from "@holdpoint/server/identity"
import { deliveryWork } from "./delivery.ts"
import { type EventType, eventTypes, idPrefixOf, toDeliveryId } from "./map.ts"
import type { Endpoint, WebhookDelivery } from "./records.ts"
import { allEndpoints, cursorId, cursorKind, endpointKind, webhookDeliveryKind } from "./records.ts"
import { loadSigner, newSecret } from "./sign.ts"

/** The endpoints of all tenants. Made by `createEndpoints`. */
export interface Endpoints {
  /**
   * Creates the program's endpoint, or changes and activates the stored one. Throws `invalid_config` with every
   * problem. The secret of a new endpoint is returned once.
   */
  set(program: Program, wanted: NewEndpoint, by?: PrincipalId): Promise<SetEndpoint>
  /** Returns the endpoint of the program with this id. Undefined when the program has none. */
  get(id: string): Promise<Endpoint | undefined>
  list(tenant: string): Promise<readonly Endpoint[]>
  /** Creates a new secret, which is returned once. For a day, events are signed with the former one as well. */
  rotate(id: string, by?: PrincipalId): Promise<string | undefined>
  /** Stops sending; events are kept. */
  pause(id: string, by?: PrincipalId): Promise<Endpoint | undefined>
  /** Resumes sending. Events that were kept during the pause are due immediately. */
  resume(id: string, by?: PrincipalId): Promise<Endpoint | undefined>
  /** Removes the endpoint and its deliveries. False when it does not exist. */
  remove(id: string, by?: PrincipalId): Promise<boolean>
  /** The deliveries to the endpoint, sent and owed, newest first. They are removed a week after they ended. */
  deliveries(endpoint: Endpoint, limit: number): Promise<readonly WebhookDelivery[]>
  /** Makes a delivery due now that has ended or waits for its next attempt. Undefined when it does not exist. */
  again(endpoint: Endpoint, delivery: string, by?: PrincipalId): Promise<WebhookDelivery | undefined>
  /** Queues a test event for the endpoint. */
  test(endpoint: Endpoint, by?: PrincipalId): Promise<WebhookDelivery>
}

/** The settings of an endpoint. */
export interface NewEndpoint {
  readonly url: string
  /** The types of events that are sent. All by default. */
  readonly events?: readonly EventType[]
  /** The questions whose events are sent. By default, the questions that the program asks. */
  readonly hears?: Endpoint["hears"]
}

/** The endpoint as it was stored, and its secret if the endpoint is new. */
export interface SetEndpoint {
  readonly endpoint: Endpoint
  readonly secret?: string
}

/** The parts of `createEndpoints`. */
export interface EndpointParts {
  readonly storage: Pick<Storage, "records" | "trail">
  readonly sealer: Sealer
  readonly runtime: Pick<Runtime, "now" | "newId">
  /** Addresses that endpoints may have in addition to public ones. */
  readonly network?: AddressOptions
}

/** How long the former secret is valid after a rotation. */
const overlapMs = 86_400_000
const pageSize = 200
const longestUrl = 2_000

/** Creates the management of all tenants' endpoints. */
export function createEndpoints({ storage, sealer, runtime, network = {} }: EndpointParts): Endpoints {
  const records = storage.records(endpointKind)
  const deliveries = storage.records(webhookDeliveryKind)
  const rules = createAddressRules(network)

  const entryOf = (code: string, { id, tenant }: Pick<Endpoint, "id" | "tenant">, by?: PrincipalId): NewEntry => {
    const detail = { code, ...(by === undefined ? {} : { by: toPrincipalId(by) }) }
    return { id, tenant, kind: "webhook", at: runtime.now(), detail }
  }

  const changeEndpoint = (
    id: string,
    code: string,
    by: PrincipalId | undefined,
    judge: (stored: Endpoint) => Endpoint,
  ) => change(records, id, judge, (next) => entryOf(code, next, by))

  async function* deliveriesOf({ id, tenant }: Endpoint): AsyncGenerator<WebhookDelivery> {
    const prefix = idPrefixOf(id)
    for (let afterId = prefix; ; ) {
      const page = await deliveries.list({ tenant, afterId, limit: pageSize })
      for (const delivery of page) {
        if (!delivery.id.startsWith(prefix)) return
        yield delivery
      }
      const last = page.at(-1)
      if (last === undefined || page.length < pageSize) return
      afterId = last.id
    }
  }

  /** Makes a delivery due now. One that is under a lease is being sent right now, and stays as it is. */
  const makeDue = async (id: string, entry?: NewEntry): Promise<WebhookDelivery | undefined> =>
    (await change(
      deliveries,
      id,
      (current) => deliveryWork.transition(current, { type: "again" }, runtime.now()),
      () => entry,
    )) ?? deliveries.get(id)

  return {
    async set(program, { url, events = eventTypes, hears = "own" }, by) {
      const problems = [...urlProblems(url, rules), ...eventProblems(events)]
      if (problems.length > 0) throw new HoldpointError("invalid_config", "The webhook cannot be set.", { problems })
      await loadSigner()
      const settings = { url: new URL(url).href, events: [...new Set(events)], hears }
      const stored = await changeEndpoint(
        program.id,
        "changed",
        by,
        ({ reason: _reason, failingSince: _since, ...rest }) => ({
          ...rest,
          ...settings,
          state: "active",
        }),
      )
      if (stored !== undefined) return { endpoint: stored }
      const { id, tenant } = program
      const [since, createdAt, secret] = [await storage.trail.end(), runtime.now(), newSecret()]
      const sealed = sealer.seal(sealBindingOf(endpointKind.name, { id, tenant }), { secret })
      const madeBy = by === undefined ? {} : { madeBy: toPrincipalId(by) }
      const endpoint: Endpoint = {
        id,
        tenant,
        version: 1,
        sealed,
        ...settings,
        state: "active",
        since,
        createdAt,
        ...madeBy,
      }
      // The cursor lets a process that starts later find the events since the endpoint was created.
      await storage.records(cursorKind).insert({ id: cursorId, tenant: cursorId, version: 1, position: since })
      if (await records.insert(endpoint, entryOf("added", endpoint, by))) return { endpoint, secret }
      throw new HoldpointError("internal", "Two people set the webhook of this program at the same time. Try again.")
    },
    get: (id) => records.get(id),
    list: (tenant) => records.list({ tenant, owner: allEndpoints, limit: 1_000 }),
    async rotate(id, by) {
      const secret = newSecret()
      const changed = await changeEndpoint(id, "rotated", by, (current) => {
        const binding = sealBindingOf(endpointKind.name, current)
        const { secret: formerSecret = "" } = sealer.open(binding, current.sealed)
        const sealed = sealer.seal(binding, { secret, former: formerSecret }, current.sealed)
        return { ...current, sealed, formerUntil: runtime.now() + overlapMs }
      })
      return changed === undefined ? undefined : secret
    },
    pause: (id, by) =>
      changeEndpoint(id, "paused", by, (current) =>
        current.state === "active" ? { ...current, state: "paused" } : current,
      ),
    async resume(id, by) {
      const toActive = ({ reason: _reason, failingSince: _since, ...rest }: Endpoint): Endpoint => ({
        ...rest,
        state: "active",
      })
      const endpoint = await changeEndpoint(id, "resumed", by, toActive)
      if (endpoint === undefined) return undefined
      for await (const delivery of deliveriesOf(endpoint)) if (delivery.state === "owed") await makeDue(delivery.id)
      await storage.trail.append(entryOf("due", endpoint, by))
      return endpoint
    },
    async remove(id, by) {
      const removed = await change(
        records,
        id,
        () => "remove",
        (last) => entryOf("removed", last, by),
      )
      if (removed === undefined) return false
      for await (const delivery of deliveriesOf(removed)) await deliveries.remove(delivery)
      return true
    },
    async deliveries(endpoint, limit) {
      const newest: WebhookDelivery[] = []
      for await (const delivery of deliveriesOf(endpoint)) if (newest.push(delivery) >= limit) break
      return newest
    },
    async again(endpoint, delivery, by) {
      const current = await deliveries.get(delivery)
      return current?.endpoint === endpoint.id ? makeDue(delivery, entryOf("due", endpoint, by)) : undefined
    },
    async test(endpoint, by) {
      const at = runtime.now()
      const id = toDeliveryId({ endpoint: endpoint.id, at, rest: runtime.newId() })
      const delivery: WebhookDelivery = {
        ...{ id, tenant: endpoint.tenant, version: 1, endpoint: endpoint.id },
        ...{ type: "endpoint.tested", revision: 0, at, state: "owed", attempts: 0, dueAt: at },
      }
      await deliveries.insert(delivery, entryOf("due", endpoint, by))
      return delivery
    },
  }
}

/** The secrets that events are signed with now, newest first. */
export function secretsOf(sealer: Sealer, endpoint: Endpoint, now: number): readonly string[] {
  const { secret = "", former } = sealer.open(sealBindingOf(endpointKind.name, endpoint), endpoint.sealed)
  return former !== undefined && now < (endpoint.formerUntil ?? 0) ? [secret, former] : [secret]
}

function urlProblems(address: string, rules: ReturnType<typeof createAddressRules>): readonly Problem[] {
  const url = address.length > longestUrl ? null : URL.parse(address)
  if (url === null) return [{ path: "url", message: `must be a web address of at most ${longestUrl} characters` }]
  if (url.hash !== "") return [{ path: "url", message: "must not have a fragment (#)" }]
  const problem = rules.judgeUrl(url)
  if (problem === undefined) return []
  const message = `cannot be used: ${problem}`
  // No suggestion for such an address: the setting allows other hosts, but no other schemes and no passwords.
  if (!/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return [{ path: "url", message }]
  const suggestion = "The operator can allow hosts of a private network with the setting webhooks.alsoAllow."
  return [{ path: "url", message, suggestion }]
}

function eventProblems(events: readonly string[]): readonly Problem[] {
  const knownTypes: readonly string[] = eventTypes
  const unknown = events.filter((one) => !knownTypes.includes(one))
  const suggestion = `The events are ${eventTypes.join(", ")}.`
  return [
    ...(events.length === 0 ? [{ path: "events", message: "must name at least one event", suggestion }] : []),
    ...unknown.map((one) => ({ path: "events", message: `contains “${one}”, which is not an event`, suggestion })),
  ]
}
