// Handles the browser's return from the provider. All checks are in one table and run before the token request. The
// first failed check ends the flow, so that the same response cannot be redeemed later, not even in the browser that
// began the flow. The page does not reveal which check failed.

import { isSamePerson, toPrincipalId } from "../../core/principal.ts"
import type { Provider } from "../../core/provider.ts"
import { reasons } from "../../oauth/reasons.ts"
import { hashOf, isHashOf } from "../../sealing/hash.ts"
import type { Credentials, SecretFields } from "../kind.ts"
import { forgetClient } from "../mcp-server/client.ts"
import { pinnedProvider } from "../mcp-server/kind.ts"
import { readPin, toFields } from "../mcp-server/pin.ts"
import { redeem } from "../oauth/callback.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import { sharesAddress } from "./begin.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { failFlow, flowBinding, isFirst, isStillWanted, move } from "./flows.ts"
import { keepGrant } from "./keep-grant.ts"

export interface Arrival {
  /** The query parameters that the provider set. */
  readonly parameters: URLSearchParams
  /** The address of this request, without parameters. */
  readonly address: string
  /** The last path segment of that address, if it has one. */
  readonly context?: string
  /** The signed-in person, as this flow identifies them. */
  readonly visitor: (flow: Flow) => Promise<Visitor | undefined>
  /** The value of this flow's cookie in this browser. */
  readonly browser: (flow: Flow) => string | undefined
}

/** `back`: redirect to the question's page, which shows the current state. */
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

/** The flow must belong to this person, session and browser. A stranger does not even learn that the flow exists. */
const ownershipChecks: readonly Check[] = [
  { name: "same_person", holds: ({ by }, { visitor }) => isSamePerson(by, visitor.principal) },
  { name: "same_session", holds: ({ session }, { visitor }) => session === visitor.session },
  { name: "same_browser", holds: (flow, { browser }) => isHashOf(browser(flow), flow.browser) },
]

/**
 * The response must belong to this flow (RFC 9700 §4.4). Each provider has its own redirect address, which is compared
 * when the flow begins and here.
 */
const answerChecks: readonly Check[] = [
  { name: "same_address", holds: ({ redirectUri }, { address }) => redirectUri === address },
  { name: "same_context", holds: ({ context }, facts) => (facts.context ?? context) === context },
]

/** The flow must still expect a response. Otherwise its owner is shown how it ended. */
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
  if (!(await isStillWanted(parts, flow))) return { kind: "back", flow }
  // Compare-and-set: one request takes the response; a replay or a concurrent request finds it taken.
  const exchanging = await move(parts, flow, { status: "exchanging", dueAt: now + parts.times.abandonedMs })
  if (exchanging === undefined) return { kind: "back", flow }
  // Checked again after the write: of two concurrent attempts at least one sees the other here, and stops.
  if (!(await isFirst(parts, exchanging))) {
    await failFlow(parts, exchanging, { code: "interrupted" })
    return { kind: "back", flow }
  }
  return { kind: "back", flow: await exchange(parts, exchanging, arrival) }
}

async function exchange(parts: ConsentParts, flow: Flow, { parameters }: Arrival): Promise<Flow> {
  const configured = parts.providers.get(flow.provider)
  const fail = async (code: string): Promise<Flow> => (await failFlow(parts, flow, { code })) ?? flow
  if (configured === undefined || flow.sealed === undefined) return fail("unknown_provider")
  const { url: _url, ...secrets } = parts.sealer.open(flowBinding(flow), flow.sealed)
  const provider = configured.kind === "mcp_server" ? pinnedProvider(configured, secrets) : configured
  if (provider?.kind !== "oauth") return fail("unknown_provider")
  // On an address that several providers share, a response without `iss` is never redeemed, whatever the provider's
  // metadata says now.
  if (sharesAddress(parts, provider) && !parameters.has("iss"))
    return (await failFlow(parts, flow, reasons.missingIssuer)) ?? flow
  const exchanged = await redeem(provider, toExchange(flow, parameters, secrets), parts.tools)
  if (exchanged.kind === "granted") return keepGrant(parts, flow, withPin(exchanged.credentials, configured, secrets))
  if (configured.kind === "mcp_server" && exchanged.reason.code === reasons.clientRefused.code)
    await forgetClient(parts, configured, flow)
  return (await failFlow(parts, flow, exchanged.reason)) ?? flow
}

/** Tokens for a foreign MCP server are stored with the authorization server and the client that they belong to. */
function withPin(credentials: Credentials, provider: Provider, secrets: SecretFields): Credentials {
  const pin = provider.kind === "mcp_server" ? readPin(secrets, provider) : undefined
  if (pin === undefined || provider.kind !== "mcp_server") return credentials
  return { ...credentials, fields: { ...credentials.fields, ...toFields(pin, provider) } }
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

/** Ends only a flow that still expects its response: replaying a redeemed response changes nothing. */
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
