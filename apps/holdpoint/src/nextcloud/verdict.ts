// The doctor's verdict: whether people will get access in the configured mode.

import type { Examination } from "@holdpoint/nextcloud/doctor"
import type { Mode } from "./settings.ts"

export interface Verdict {
  readonly isFine: boolean
  readonly words: string
}

/** The identity provider, where there is one: what is wrong with it, and whether it exchanges tokens. */
export interface ProviderState {
  readonly problem?: string
  readonly tokenExchange?: "yes" | "no" | "unsaid"
}

export function judge(mode: Mode, examination: Examination, provider: ProviderState): Verdict {
  const { server } = examination
  if (server === undefined) return toBad("No Nextcloud can be reached at this address.")
  if (server.maintenance || server.needsUpgrade) return toBad("Wait until the server works again.")
  if (provider.problem !== undefined)
    return toBad("People cannot sign in: see what is wrong with the identity provider.")
  switch (mode.kind) {
    case "single":
      return judgeSingle(examination)
    case "pass-through":
      return judgePassThrough(mode, provider)
    case "offline":
      return judgeOffline(mode, examination)
  }
}

const toGood = (words: string): Verdict => ({ isFine: true, words })
const toBad = (words: string): Verdict => ({ isFine: false, words })

const judgeSingle = ({ account }: Examination): Verdict =>
  account === undefined
    ? toBad("The account of NEXTCLOUD_USERNAME does not work.")
    : toGood(`Everyone who can reach this server acts as ${account}.`)

function judgePassThrough(
  { people, audience, forwardsTokens }: Extract<Mode, { readonly kind: "pass-through" }>,
  { tokenExchange }: ProviderState,
): Verdict {
  if (forwardsTokens)
    return toGood(
      `Callers' tokens are passed on, if they also name “${audience}”. MCP forbids that: use token exchange instead, ` +
        "if the provider supports it.",
    )
  switch (tokenExchange) {
    case "no":
      return toBad(
        `${people.issuer} does not exchange tokens (RFC 8693), so callers get no access. Enable it there, or let each ` +
          "person connect their own account (unset ENABLE_OFFLINE_ACCESS).",
      )
    case "yes":
      return toGood(`Callers' tokens are exchanged at ${people.issuer} for tokens for “${audience}”.`)
    default:
      return toGood(
        `${people.issuer} does not say whether it exchanges tokens (RFC 8693): the first call will show whether it does.`,
      )
  }
}

const saferAdvice =
  "For many people an OAuth 2 client is safer (NEXTCLOUD_OAUTH_CLIENT_ID): a login flow connects the account of any person " +
  "who approves its link, and the account is checked only afterwards."

function judgeOffline({ access, people }: Extract<Mode, { readonly kind: "offline" }>, { ways }: Examination): Verdict {
  const check = ways.find(({ by }) => by === access.by)
  if (check === undefined || !check.works)
    return toBad(
      `${check?.name ?? access.by} is configured, but will not work: ${check?.note ?? "it was not checked"}.`,
    )
  const connectWords =
    people === undefined
      ? "You connect your account"
      : `People sign in at ${people.issuer}, and connect their own accounts`
  const safer = people === undefined || access.by !== "login_flow" ? "" : ` ${saferAdvice}`
  return toGood(`${connectWords} when a call first needs it, by: ${check.name}.${safer}`)
}
