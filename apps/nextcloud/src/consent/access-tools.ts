// Tools about the connection to Nextcloud. Most are for clients that cannot open a page: their model fetches the link
// and checks the status. Only the tool that revokes access is for every client.

import { isRefusal } from "@holdpoint/calls"
import type { Principal } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { Ask } from "@holdpoint/mcp"
import type { CallToolResult } from "@modelcontextprotocol/server"
import type { Accounts, ConnectionStatus, Consent } from "../accounts/accounts.ts"
import { nextcloudError } from "../api/error.ts"
import { checkArguments } from "../arguments.ts"
import { toText } from "../call.ts"
import { flag, list, type ObjectSchema, object, oneOf, optional, text } from "../schema.ts"
import type { Scope } from "../scopes.ts"
import { isScope, scopeWords } from "../scopes.ts"
import { texts } from "./texts.ts"

export interface AccessTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly annotations: Readonly<Record<string, boolean>>
  readonly input: ObjectSchema<unknown>
  readonly output?: ObjectSchema<unknown>
  /** Whether the tool is listed only for clients that cannot open a page. */
  readonly isManual: boolean
  run(call: AccessCall): Promise<CallToolResult>
}

interface AccessCall {
  readonly ask: Ask
  /** Whether this client can ask the person anything. */
  readonly canAsk: boolean
  readonly input: Readonly<Record<string, unknown>>
  readonly consent: Consent
  readonly principal: Principal
}

const scopes = optional(list(text(), "Scopes to ask for; notes.read by default"))

const statusOutput = object({
  status: oneOf(["connected", "needs_reconnecting", "not_connected"]),
  account: optional(text()),
  others: optional(list(text(), "Other connected accounts of the user")),
  scopes: list(text()),
  since: optional(text()),
  reason: optional(text()),
  pending: optional(text("A link that is waiting for the user")),
})

const readAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const askAnnotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

export const accessTools: readonly AccessTool[] = [
  {
    name: "provision_nextcloud_access",
    title: "Get a link to connect Nextcloud",
    description: "Returns a link for the user. After they have finished there, call the tool that needed it again.",
    annotations: askAnnotations,
    input: object({ scopes }),
    output: object({ link: optional(text()), connected: flag(), account: optional(text()) }),
    isManual: true,
    async run({ consent, principal, input }) {
      const requestedScopes = toScopes(input.scopes)
      const currentStatus = await consent.status(principal)
      if (
        currentStatus.status === "connected" &&
        requestedScopes.every((scope) => currentStatus.scopes.includes(scope))
      )
        return toStructuredResult(texts.alreadyConnected(currentStatus.account), {
          connected: true,
          ...accountOf(currentStatus),
        })
      const { url: link, code } = await consent.link(principal, requestedScopes)
      return toStructuredResult(texts.provision(link, code), { link, connected: false })
    },
  },
  {
    name: "request_nextcloud_access",
    title: "Ask the user to connect Nextcloud",
    description: "Asks the user in the way this client supports, and returns when they have answered.",
    annotations: askAnnotations,
    input: object({ scopes }),
    output: object({ connected: flag(), account: optional(text()), scopes: list(text()) }),
    isManual: true,
    async run({ consent, ask, input }) {
      const connected = await consent.request(ask, toScopes(input.scopes))
      return toStructuredResult(texts.requested(connected.account), {
        connected: true,
        scopes: connected.scopes,
        ...accountOf(connected),
      })
    },
  },
  {
    name: "check_provisioning_status",
    title: "Check the connection to Nextcloud",
    description:
      "Whether Nextcloud is connected, with which account and rights, and which link is waiting for the user.",
    annotations: readAnnotations,
    input: object({}),
    output: statusOutput,
    isManual: true,
    async run({ consent, principal }) {
      const currentStatus = await consent.status(principal)
      return toStructuredResult(JSON.stringify(currentStatus), currentStatus)
    },
  },
  {
    name: "check_logged_in",
    title: "See whether the user is logged in",
    description: "Answers “yes”, or asks the user to log in and reports the result.",
    annotations: askAnnotations,
    input: object({}),
    isManual: true,
    run: checkLoggedIn,
  },
  {
    name: "revoke_nextcloud_access",
    title: "Disconnect Nextcloud",
    description: "Revokes access to the user's Nextcloud, after the user has confirmed.",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    input: object({}),
    output: object({ disconnected: list(text()), note: optional(text()) }),
    isManual: false,
    async run({ consent, principal, ask }) {
      const currentStatus = await ask.once("standing", () => consent.status(principal), { repeatable: true })
      const { account = texts.title, others: otherAccounts = [], status } = currentStatus
      if (status === "not_connected") return toStructuredResult(texts.disconnected([]), { disconnected: [] })
      if (!(await ask.confirm("disconnect", texts.disconnect([account, ...otherAccounts]), texts.disconnectWords)))
        return toText(texts.keptConnected, true)
      const { accounts, note } = await ask.once("revoked", () => consent.revoke(principal), { repeatable: true })
      const noteField = note === undefined ? {} : { note }
      return toStructuredResult(texts.disconnected(accounts), { disconnected: accounts, ...noteField })
    },
  },
]

/** Answers with one of four fixed texts, because programs compare them. */
async function checkLoggedIn({ consent, principal, ask, canAsk }: AccessCall): Promise<CallToolResult> {
  const { yes, notDetected, declined, cancelled } = texts.loggedIn
  const { status } = await consent.status(principal)
  if (status === "connected") return toText(yes)
  if (!canAsk) return toText(notDetected)
  try {
    // With `until: "held"`, the call waits only for the hold time of one request after the person has agreed to open
    // the link, not until the question expires.
    await consent.request(ask, usualScopes, { until: "held" })
    return toText(yes)
  } catch (error) {
    if (!isRefusal(error)) throw error
    return toText(error.outcome === "declined" ? declined : error.outcome === "cancelled" ? cancelled : notDetected)
  }
}

export interface AccessRequest {
  readonly rawInput: unknown
  readonly ask: Ask
  readonly isListed: boolean
  readonly canAsk: boolean
}

export async function callAccessTool(
  tool: AccessTool,
  accounts: Accounts,
  { rawInput, ask, isListed, canAsk }: AccessRequest,
): Promise<CallToolResult> {
  const input = (await checkArguments(tool, rawInput)) as Readonly<Record<string, unknown>>
  const { consent } = accounts
  const principal = ask.caller
  if (consent === undefined || principal === undefined) return toText(texts.nothingToConnect, true)
  const result = await tool.run({ ask, input, consent, principal, canAsk })
  if (isListed || result.content === undefined) return result
  return { ...result, content: [...result.content, { type: "text", text: texts.deprecated }] }
}

const usualScopes: readonly Scope[] = ["notes.read"]

function toScopes(value: unknown): readonly Scope[] {
  if (!Array.isArray(value) || value.length === 0) return usualScopes
  const unknownScope = value.find((scope) => !isScope(String(scope)))
  if (unknownScope === undefined) return value as readonly Scope[]
  const names = Object.keys(scopeWords)
  const nearestScope = nearest(String(unknownScope), names)
  const advice = nearestScope === undefined ? `The scopes are: ${names.join(", ")}.` : `Did you mean “${nearestScope}”?`
  throw nextcloudError("invalid", {
    activity: "asking for access",
    because: `there is no scope “${unknownScope}”`,
    advice,
  })
}

const accountOf = ({ account }: Pick<ConnectionStatus, "account">): { readonly account?: string } =>
  account === undefined ? {} : { account }

const toStructuredResult = (message: string, structuredContent: object): CallToolResult => ({
  content: [{ type: "text", text: message }],
  structuredContent: structuredContent as Record<string, unknown>,
})
