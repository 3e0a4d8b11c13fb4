// Handles the browser's return from the provider. All checks run before the token request. A response that fails one
// ends the flow, so that it cannot be redeemed later, not even in the browser that began the flow. The page does not
// reveal which check failed.

import { isSamePerson } from "@holdpoint/hub"
import type { Provider } from "@holdpoint/hub/internal"
import { hashOf, isHashOf, toPrincipalId } from "@holdpoint/hub/internal"
import { reasons } from "../../oauth/reasons.ts"
import type { Credentials, SecretFields } from "../kind.ts"
import { forgetClient } from "../mcp-server/client.ts"
import { pinnedProvider } from "../mcp-server/kind.ts"
import { readPin, toFields } from "../mcp-server/pin.ts"
import { redeem } from "../oauth/callback.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import { sharesAddress } from "./begin.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { failFlow, flowBinding, isFirstToReturn, isStillWanted, move } from "./flows.ts"
import { keepGrant } from "./keep-grant.ts"

export interface Arrival {
  /** The query parameters that the provider set. */
  readonly parameters: URLSearchParams
  /** The address of this request, without parameters. */
  readonly address: string
  /** The provider's id, the last path segment of the address. Absent at the address that providers share. */
  readonly context?: string
  /** Returns the signed-in person who may act on this flow's question. */
  readonly visitor: (flow: Flow) => Promise<Visitor | undefined>
  /** Returns the value of the flow's cookie in the browser that returned. */
  readonly browser: (flow: Flow) => string | undefined
}

/** `back`: redirect to the question's page, which shows the current state. */
export type ArrivalResult =
  | { readonly kind: "back"; readonly flow: Flow }
  | { readonly kind: "unusable"; readonly check: string }

interface ArrivalFacts extends Omit<Arrival, "visitor"> {
  readonly visitor: Visitor
  readonly now: number
}

interface ArrivalCheck {
  readonly name: string
  readonly isMet: (flow: Flow, facts: ArrivalFacts) => boolean
}

/** The flow must belong to this person, session and browser. A stranger does not even learn that the flow exists. */
const ownershipChecks: readonly ArrivalCheck[] = [
  { name: "same_person", isMet: ({ by }, { visitor }) => isSamePerson(by, visitor.principal) },
  { name: "same_session", isMet: ({ session }, { visitor }) => session === visitor.session },
  { name: "same_browser", isMet: (flow, { browser }) => isHashOf(browser(flow), flow.browser) },
]

/**
 * The response must belong to this flow (RFC 9700 §4.4): the browser must return to the redirect address with which the
 * flow began.
 */
const answerChecks: readonly ArrivalCheck[] = [
  { name: "same_address", isMet: ({ redirectUri }, { address }) => redirectUri === address },
  { name: "same_context", isMet: ({ context }, facts) => (facts.context ?? context) === context },
]

/** The flow must still expect a response. Otherwise its owner is shown how it ended. */
const timeChecks: readonly ArrivalCheck[] = [
  { name: "first_answer", isMet: ({ status }) => status === "consented" },
  { name: "in_time", isMet: ({ expiresAt }, { now }) => now < expiresAt },
]

export async function arrive(parts: ConsentParts, arrival: Arrival): Promise<ArrivalResult> {
  const state = arrival.parameters.getAll("state")
  const flow = await parts.storage.records(flowKind).get(hashOf(state.length === 1 ? (state[0] ?? "") : ""))
  if (flow === undefined || flow.kind !== "oauth") return { kind: "unusable", check: "known_state" }
  const visitor = await arrival.visitor(flow)
  if (visitor === undefined) return refuseArrival(parts, flow, "signed_in")
  const now = parts.tools.runtime.now()
  const facts: ArrivalFacts = { ...arrival, visitor, now }
  const findFailed = (checks: readonly ArrivalCheck[]) => checks.find(({ isMet }) => !isMet(flow, facts))
  const failedCheck = findFailed(ownershipChecks) ?? findFailed(answerChecks)
  if (failedCheck !== undefined) return refuseArrival(parts, flow, failedCheck.name, visitor)
  if (findFailed(timeChecks) !== undefined) return { kind: "back", flow }
  if (!(await isStillWanted(parts, flow))) return { kind: "back", flow }
  // Compare-and-set: one request takes the response; a replay or a concurrent request finds it taken.
  const exchangingFlow = await move(parts, flow, { type: "take", dueAt: now + parts.times.abandonedMs })
  if (exchangingFlow === undefined) return { kind: "back", flow }
  // Checked again after the write: of two concurrent attempts at least one then sees the other, and stops.
  if (!(await isFirstToReturn(parts, exchangingFlow))) {
    await failFlow(parts, exchangingFlow, { code: "interrupted" })
    return { kind: "back", flow }
  }
  return { kind: "back", flow: await exchange(parts, exchangingFlow, arrival) }
}

async function exchange(parts: ConsentParts, flow: Flow, { parameters }: Arrival): Promise<Flow> {
  const configured = parts.providers.get(flow.provider)
  const failWith = async (code: string): Promise<Flow> => (await failFlow(parts, flow, { code })) ?? flow
  if (configured === undefined || flow.sealed === undefined) return failWith("unknown_provider")
  const { url: _url, ...secrets } = parts.sealer.open(flowBinding(flow), flow.sealed)
  const provider = configured.kind === "mcp_server" ? pinnedProvider(configured, secrets) : configured
  if (provider?.kind !== "oauth") return failWith("unknown_provider")
  // On an address that several providers share, a response without `iss` is never redeemed, whatever the provider's
  // metadata says now.
  if (sharesAddress(parts, provider) && !parameters.has("iss"))
    return (await failFlow(parts, flow, reasons.missingIssuer)) ?? flow
  const redemption = await redeem(provider, toExchange(flow, parameters, secrets), parts.tools)
  if (redemption.kind === "granted") return keepGrant(parts, flow, withPin(redemption.credentials, configured, secrets))
  if (configured.kind === "mcp_server" && redemption.reason.code === reasons.clientRefused.code)
    await forgetClient(parts, configured, flow)
  return (await failFlow(parts, flow, redemption.reason)) ?? flow
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

/**
 * Refuses the response and records that in the trail. Ends the flow only if it still expects its response, so that
 * replaying a redeemed response changes nothing.
 */
async function refuseArrival(
  parts: ConsentParts,
  flow: Flow,
  check: string,
  visitor?: Visitor,
): Promise<ArrivalResult> {
  if (flow.status === "consented") await failFlow(parts, flow, { code: "arrived_elsewhere" })
  const byField = visitor === undefined ? {} : { by: toPrincipalId(visitor.principal) }
  await parts.storage.trail.append({
    id: flow.elicitation,
    tenant: flow.tenant,
    kind: "refused",
    at: parts.tools.runtime.now(),
    detail: { ...byField, via: "web", code: check },
  })
  return { kind: "unusable", check }
}
