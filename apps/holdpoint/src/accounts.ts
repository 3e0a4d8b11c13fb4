// Opens the vault for one command, beside the hub on the same database, and closes both at the end.

import type { Vault } from "@holdpoint/accounts"
import type { Hub } from "@holdpoint/hub"
import type { Connection, Owner } from "@holdpoint/hub/internal"
import type { Call } from "./command.ts"
import type { Settings } from "./config.ts"
import { type StorageSession, withStorage } from "./session.ts"
import { issuersOf, publicUrlOf, tenantsOf } from "./sign-in-settings.ts"
import { wrongUse } from "./wrong-use.ts"

export interface Accounts extends StorageSession {
  readonly hub: Hub
  readonly vault: Vault
}

export function withVault<T>(
  call: Call,
  options: { readonly mustExist: boolean },
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  return withStorage(call, options, async (session) => {
    const { createLazyHoldpoint } = await import("@holdpoint/server")
    const { defineProvider } = await import("@holdpoint/accounts/providers")
    const { storage, keys, settings, report } = session
    const { limits, retention, network, identityProviders } = settings
    const holdpoint = await createLazyHoldpoint({
      ...{ storage, keys, report, network, runtime: call.io.runtime, hub: { limits, retention } },
      publicUrl: publicUrlOf(settings),
      people: { from: "providers", providers: identityProviders },
      providers: settings.providers.map(defineProvider),
    })
    const { hub, vault } = holdpoint
    return work({ ...session, hub, vault }).finally(() => holdpoint.close())
  })
}

/** The owner of the accounts that a command is about: a project, a named person, or the current user. */
export function ownerOf({ args }: Call, settings: Settings): Owner {
  const { me } = settings
  const { tenant } = me
  const [project, subject, issuer] = [args.one("project"), args.one("person"), args.one("issuer")]
  if (project !== undefined) {
    if (subject !== undefined || issuer !== undefined)
      throw wrongUse("An account belongs to a project or to a person.", "Write --project, or --person with --issuer.")
    return { kind: "project", tenant, project }
  }
  if (subject !== undefined && issuer !== undefined) return { kind: "person", tenant, issuer, subject }
  if (subject === undefined && issuer === undefined) return { kind: "person", tenant, ...idOf(me) }
  throw wrongUse(
    "--person and --issuer belong together: a subject is unique within one identity provider only.",
    `Here people sign in with ${issuersOf(settings).join(" or ")}`,
  )
}

const idOf = ({ issuer, subject }: Settings["me"]) => ({ issuer, subject })

/** Throws if the owner can never sign in to this server: their link would not work, and no page could explain why. */
export async function assertCanSignIn(owner: Owner, settings: Settings): Promise<void> {
  const { defineIdentityProvider } = await import("@holdpoint/server/identity")
  settings.identityProviders.forEach(defineIdentityProvider)
  if (owner.kind === "person" && owner.issuer === settings.me.issuer) return
  const issuers = issuersOf(settings)
  if (owner.kind === "person" && !issuers.includes(owner.issuer))
    throw wrongUse(
      `${owner.issuer} is not an identity provider of this server.`,
      `People sign in with ${issuers.join(" or ")}`,
    )
  const tenants = tenantsOf(settings)
  if (tenants.length > 0 && !tenants.includes(owner.tenant))
    throw wrongUse(
      `People who sign in here are not in the tenant “${owner.tenant}”.`,
      `Name their tenant with --tenant, or as tenant in the settings: ${tenants.join(", ")}`,
    )
}

export const ownerFlags = {
  project: { value: "NAME", help: "the project that the account belongs to, instead of a person" },
  person: { value: "SUBJECT", help: "the person that the account belongs to (default you)" },
  issuer: { value: "URL", help: "the identity provider of --person" },
}

export const ownerWords = ({ owner }: Pick<Connection, "owner">): string =>
  owner.kind === "project" ? `project ${owner.project}` : `${owner.subject} (${owner.issuer})`
