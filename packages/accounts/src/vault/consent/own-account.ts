// Decides whether a login flow was granted for the person's own account. The flow binds the account to the person who
// began it, so where people sign in the account must be theirs, by id or verified e-mail address. The person's own word
// counts only under the rule `confirm`.

import type { Reason } from "@holdpoint/hub"
import type { Account, Connection, LoginFlowProvider } from "@holdpoint/hub/internal"
import { isSameOwner, toShortCode } from "@holdpoint/hub/internal"
import { listAll } from "../grants.ts"
import { providerOf } from "../parts.ts"
import type { Flow } from "../records.ts"
import type { ConsentParts } from "./consent.ts"

/** `ask`: the person has to confirm that the account is theirs. */
export type AccountVerdict = "fine" | "ask" | Reason

export async function judgeAccountOwner(
  parts: ConsentParts,
  flow: Flow & { readonly account: Account },
  previous: Connection | undefined,
): Promise<AccountVerdict> {
  const provider = providerOf(parts, flow.provider)
  if (provider.kind !== "login_flow" || flow.person === undefined) return "fine"
  const rule = provider.ownAccount ?? "required"
  const isHeldElsewhere = await isHeldByAnother(parts, flow)
  if (isHeldElsewhere)
    parts.report(
      `connecting ${flow.account.id} at ${provider.id}`,
      new Error(
        "two people have connected the same account, so one may have granted the other's. Ask both; check the trail.",
      ),
    )
  if (rule === "off" || flow.isOwn === true) return "fine"
  if (isHeldElsewhere) return { code: "account_held" }
  // An account for a whole project is not the person's own: the administrator who connects it confirms it.
  if (rule === "required" && flow.owner.kind === "person")
    return { code: flow.isOwn === false ? "other_persons_account" : "unproven_account" }
  return flow.isConfirmed === true || previous?.account?.id === flow.account.id ? "fine" : "ask"
}

/**
 * Whether the account is the person's own; undefined when it cannot be compared. When people sign in with that
 * Nextcloud, their subject is the account's id. Otherwise the e-mail addresses decide. An equal id proves nothing there,
 * because a subject is unique only at its own identity provider: somebody else may have it at Nextcloud.
 */
export function isOwnAccount(
  { by, person }: Pick<Flow, "by" | "person">,
  { server }: LoginFlowProvider,
  account: { readonly id: string; readonly email?: string },
): boolean | undefined {
  if (URL.parse(by.issuer)?.origin === new URL(server).origin) return by.subject === account.id
  if (person?.email === undefined || account.email === undefined) return undefined
  if (person.email.toLowerCase() === account.email.toLowerCase()) return true
  return by.subject === account.id ? undefined : false
}

async function isHeldByAnother(parts: ConsentParts, { owner, provider, account }: Flow): Promise<boolean> {
  const connections = await listAll(parts, { tenant: owner.tenant })
  return connections.some(
    (connection) =>
      connection.provider === provider &&
      connection.account?.id === account?.id &&
      connection.owner.kind === "person" &&
      (connection.status === "active" || connection.status === "needs_reauth") &&
      !isSameOwner(connection.owner, owner),
  )
}

/** A short code shown on our page and at Nextcloud, for the person to compare. */
export const loginCodeOf = (flowId: string): string => toShortCode(Buffer.from(flowId, "base64url"))

/**
 * The User-Agent header, which Nextcloud shows on its grant page and keeps as the app password's name: ASCII, at most
 * 255 characters.
 */
export function loginAgent(
  { addresses }: Pick<ConsentParts, "addresses">,
  flowId: string,
  person: Flow["person"],
): string {
  if (person === undefined) return "Holdpoint"
  const host = new URL(addresses.publicUrl).host
  const personName = toAscii(person.email ?? person.name)
  return `Holdpoint at ${host.slice(0, 80)} for ${personName}, code ${loginCodeOf(flowId)}: grant only if your page there shows it`
}

const toAscii = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .replaceAll(/[^\x20-\x7e]/g, "?")
    .slice(0, 60)
