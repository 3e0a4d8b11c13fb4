// The browser comes back from the provider. Every check stands in one table and is made before the token request; the
// first that does not hold ends the flow, so that its answer cannot be redeemed by sending it back to the browser that
// began. What a stranger sees does not tell which check it was.

import { isSamePerson, toPrincipalId } from "../../core/principal.ts"
import { reasons } from "../../oauth/reasons.ts"
import { hashOf, isHashOf } from "../../sealing/hash.ts"
import { redeem } from "../oauth/callback.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import { sharesAddress } from "./begin.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { failFlow, flowBinding, isFirst, isWanted, move } from "./flows.ts"
import { keep } from "./keep.ts"

export interface Arrival {
  /** Of the address, as the provider made it. */
  readonly parameters: URLSearchParams
  /** Where it arrived, without its parameters. */
  readonly address: string
  /** The last part of that address, where there is one. */
  readonly context?: string
  /** Who is there, as far as this flow is concerned. */
  readonly visitor: (flow: Flow) => Promise<Visitor | undefined>
  /** What the cookie of this flow holds in this browser. */
  readonly browser: (flow: Flow) => string | undefined
}

/** `back`: the person goes to the question's page, which tells how it stands. */
export type Arrived =
  | { readonly kind: "back"; readonly flow: Flow }
  | { readonly kind: "unusable"; readonly check: string }

interface Facts extends Omit<Arrival, "visitor"> {
  readonly visitor: Visitor
  readonly now: number
}

interface Check {
  readonly name: string
  readonly holds: (flow: Flow, facts: Facts) => boolean
}

/** Whose flow this is. A stranger learns nothing, not even that there is one. */
const ownershipChecks: readonly Check[] = [
  { name: "same_person", holds: ({ by }, { visitor }) => isSamePerson(by, visitor.principal) },
  { name: "same_session", holds: ({ session }, { visitor }) => session === visitor.session },
  { name: "same_browser", holds: (flow, { browser }) => isHashOf(browser(flow), flow.browser) },
]

/** Whether this answer belongs to it. RFC 9700 4.4; one address for each provider, compared in both places. */
const answerChecks: readonly Check[] = [
  { name: "same_address", holds: ({ redirectUri }, { address }) => redirectUri === address },
  { name: "same_context", holds: ({ context }, facts) => (facts.context ?? context) === context },
]

/** Whether it is still to come. The rightful person is told how it went instead. */
const timeChecks: readonly Check[] = [
  { name: "first_answer", holds: ({ status }) => status === "consented" },
  { name: "in_time", holds: ({ expiresAt }, { now }) => now < expiresAt },
]

export async function arrive(parts: ConsentParts, arrival: Arrival): Promise<Arrived> {
  const state = arrival.parameters.getAll("state")
  const flow = await parts.storage.records(flowKind).get(hashOf(state.length === 1 ? (state[0] ?? "") : ""))
  if (flow === undefined || flow.kind !== "oauth") return { kind: "unusable", check: "known_state" }
  const visitor = await arrival.visitor(flow)
  if (visitor === undefined) return refuse(parts, flow, "signed_in")
  const now = parts.tools.runtime.now()
  const facts: Facts = { ...arrival, visitor, now }
  const failed = (checks: readonly Check[]) => checks.find(({ holds }) => !holds(flow, facts))
  const foreign = failed(ownershipChecks) ?? failed(answerChecks)
  if (foreign !== undefined) return refuse(parts, flow, foreign.name, visitor)
  if (failed(timeChecks) !== undefined) return { kind: "back", flow }
  if (!(await isWanted(parts, flow))) return { kind: "back", flow }
  // One request takes the answer; a replay or a race finds it taken.
  const taken = await move(parts, flow, { status: "exchanging", dueAt: now + parts.times.abandonedMs })
  if (taken === undefined) return { kind: "back", flow }
  // Looked at once more: of two attempts in the same moment, at least one now sees the other, and gives way.
  if (!(await isFirst(parts, taken))) {
    await failFlow(parts, taken, { code: "interrupted" })
    return { kind: "back", flow }
  }
  return { kind: "back", flow: await exchange(parts, taken, arrival) }
}

async function exchange(parts: ConsentParts, flow: Flow, { parameters }: Arrival): Promise<Flow> {
  const provider = parts.providers.get(flow.provider)
  const fail = async (code: string): Promise<Flow> => (await failFlow(parts, flow, { code })) ?? flow
  if (provider?.kind !== "oauth" || flow.sealed === undefined) return fail("unknown_provider")
  // Whatever it now says of itself: where others answer too, an answer without a name is redeemed nowhere.
  if (sharesAddress(parts, provider) && !parameters.has("iss"))
    return (await failFlow(parts, flow, reasons.missingIssuer)) ?? flow
  const { url: _url, ...secrets } = parts.sealer.open(flowBinding(flow), flow.sealed)
  const exchanged = await redeem(provider, toExchange(flow, parameters, secrets), parts.tools)
  if (exchanged.kind !== "granted") return (await failFlow(parts, flow, exchanged.reason)) ?? flow
  return keep(parts, flow, exchanged.credentials)
}

function toExchange(flow: Flow, parameters: URLSearchParams, secrets: Readonly<Record<string, string>>) {
  return {
    parameters,
    state: parameters.get("state") ?? "",
    redirectUri: flow.redirectUri ?? "",
    scopes: flow.scopes,
    secrets,
    ...(flow.issuer === undefined ? {} : { issuer: flow.issuer }),
  }
}

/** Only what is still to come ends: a replay of an answer that was taken changes nothing. */
async function refuse(parts: ConsentParts, flow: Flow, check: string, visitor?: Visitor): Promise<Arrived> {
  if (flow.status === "consented") await failFlow(parts, flow, { code: "arrived_elsewhere" })
  const by = visitor === undefined ? {} : { by: toPrincipalId(visitor.principal) }
  await parts.storage.trail.append({
    id: flow.elicitation,
    tenant: flow.tenant,
    kind: "refused",
    at: parts.tools.runtime.now(),
    detail: { ...by, via: "web", code: check },
  })
  return { kind: "unusable", check }
}
