// What a tool needs of an account, whether a connection meets it, and the question to ask when none does.

import { createHash } from "node:crypto"
import type { Connection, Owner } from "../core/connection.ts"
import { coversScopes, ownerKey, unionScopes } from "../core/connection.ts"
import type { AskingClient, Requester } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Audience } from "../core/principal.ts"
import { addresseesOf, toPrincipalId } from "../core/principal.ts"
import type { Provider } from "../core/provider.ts"
import type { Draft } from "../core/question.ts"
import { mayConnectFor, toContext } from "./context.ts"

export interface Need {
  readonly owner: Owner
  readonly provider: string
  readonly scopes?: readonly string[]
  /** The id of one upstream account; any of the owner's when absent. */
  readonly account?: string
  readonly requester: Requester
  readonly client?: AskingClient
  /** Who is asked for what a project will own: its administrators when absent. A person is asked themselves. */
  readonly audience?: Audience
  /** Why, in the words of the asker. */
  readonly message?: string
  /** Of the question: five minutes when somebody waits for it, else a day. */
  readonly lifetimeMs?: number
  /** Where the person goes afterwards: an id that the pages know, never an address. */
  readonly returnTo?: string
}

/** The one to use: active, wide enough, of the account if one is named; of several, the one activated last. */
export function chooseFor(need: Need, owned: readonly Connection[]): Connection | undefined {
  return candidatesFor(need, owned).find(
    (connection) => connection.status === "active" && coversScopes(connection, need.scopes ?? []),
  )
}

/** The one that a consent should widen or renew: a usable one first. */
export function chooseToRenew(need: Need, owned: readonly Connection[]): Connection | undefined {
  const candidates = candidatesFor(need, owned)
  return candidates.find(({ status }) => status === "active") ?? candidates[0]
}

function candidatesFor(need: Need, owned: readonly Connection[]): readonly Connection[] {
  return owned
    .filter(({ provider, status }) => provider === need.provider && (status === "active" || status === "needs_reauth"))
    .filter(({ account }) => need.account === undefined || account?.id === need.account)
    .sort((a, b) => (b.activatedAt ?? 0) - (a.activatedAt ?? 0))
}

/** Asking twice for the same thing is one question; its key is free again once it is settled. */
export function toDraft(need: Need, provider: Provider, old: Connection | undefined, publicUrl: string): Draft {
  const { owner, account, returnTo, requester, client, lifetimeMs } = need
  const audience = need.audience ?? audienceOf(owner)
  if (!mayConnectFor(owner, audience))
    throw new HoldpointError(
      "invalid_question",
      "An account of a person is connected by that person: leave out `audience`.",
    )
  const message = need.message ?? messageFor(requester, provider, old)
  const scopes = unionScopes(old?.scopes ?? [], need.scopes ?? [])
  const reason = old === undefined ? undefined : old.status === "active" ? "more_scopes" : (old.reason?.code ?? "lost")
  const sameness = [ownerKey(owner), provider.id, [...scopes].sort(), account, message, addresseesOf(audience)]
  return {
    url: (id) => `${publicUrl}/connect/${id}`,
    message,
    audience,
    requester,
    ...(client === undefined ? {} : { client }),
    context: toContext({
      provider: provider.id,
      scopes,
      owner,
      ...(old === undefined ? {} : { connection: old.id }),
      ...(account === undefined ? {} : { account }),
      ...(reason === undefined ? {} : { reason }),
      ...(returnTo === undefined ? {} : { returnTo }),
    }),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    key: `connect ${createHash("sha256").update(JSON.stringify(sameness)).digest("base64url")}`,
    keyReuse: "open",
  }
}

function audienceOf(owner: Owner): Audience {
  return owner.kind === "person"
    ? { kind: "one", principal: toPrincipalId(owner) }
    : { kind: "role", tenant: owner.tenant, role: "admin" }
}

function messageFor(requester: Requester, { name }: Provider, old: Connection | undefined): string {
  const who = requester.name ?? requester.id
  if (old === undefined) return `${who} asks you to connect ${name}.`
  if (old.status === "active") return `${who} asks for more access to ${name}.`
  return `${who} asks you to connect ${name} again: the access has ended.`
}
