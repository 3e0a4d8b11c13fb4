// A vault for the length of one command, on the hub of the same database.

import { inbox } from "holdpoint"
import type { Connection, Owner, Vault } from "holdpoint/vault"
import type { Call } from "./command.ts"
import type { Settings } from "./config.ts"
import type { Session } from "./session.ts"
import { withHub } from "./session.ts"

export interface Accounts extends Session {
  readonly vault: Vault
}

export function withVault<T>(
  call: Call,
  options: { readonly mustExist: boolean },
  work: (accounts: Accounts) => Promise<T>,
): Promise<T> {
  return withHub(call, { ...options, outlets: () => [inbox()] }, async (session) => {
    // Loaded here: what speaks to networks takes longer to load than most commands to run.
    const { apiLimits, createGuardedFetch, createVault, metadataLimits } = await import("holdpoint/vault")
    const { defineProvider } = await import("holdpoint/providers")
    const { storage, sealer, settings, report, hub } = session
    const vault = createVault({
      ...{ storage, sealer, report, questions: hub },
      providers: settings.providers.map(defineProvider),
      publicUrl: publicUrlOf(settings),
      fetch: createGuardedFetch({ ...metadataLimits, ...settings.network }),
      apiFetch: createGuardedFetch({ ...apiLimits, ...settings.network }),
      runtime: call.io.runtime,
    })
    try {
      return await work({ ...session, vault })
    } finally {
      await vault.close()
    }
  })
}

/** Where `holdpoint serve` with the same settings is. */
function publicUrlOf({ pages: { publicUrl, host, port } }: Settings): string {
  return publicUrl ?? `http://${host.includes(":") ? `[${host}]` : host}:${port}`
}

/** Whose connections a command is about: a project's, somebody's by name, or mine. */
export function ownerOf(call: Call, { me }: Settings): Owner {
  const { tenant } = me
  const project = call.given.one("project")
  if (project !== undefined) return { kind: "project", tenant, project }
  const [subject, issuer] = [call.given.one("person") ?? me.subject, call.given.one("issuer") ?? me.issuer]
  return { kind: "person", tenant, issuer, subject }
}

export const ownerFlags = {
  project: { value: "NAME", help: "a project's instead of a person's" },
  person: { value: "SUBJECT", help: "whose (default me)" },
  issuer: { value: "URL", help: "the identity provider that knows the person (default this machine)" },
}

export const ownerWords = ({ owner }: Pick<Connection, "owner">): string =>
  owner.kind === "project" ? `project ${owner.project}` : `${owner.subject} (${owner.issuer})`
