// The job, which runs without a person present. It knows the person and the provider, and nothing else.

import { outcomeOf, toOwner, type Vault } from "@holdpoint/accounts"
import type { PrincipalId } from "@holdpoint/hub"

export interface Night {
  readonly notes?: number
  /** `asked`: the question is in the person's inbox. Otherwise how the question ended. */
  readonly why?: string
  readonly link?: string
}

const oneDay = 24 * 3_600_000

// #region job
export async function digest(vault: Vault, person: PrincipalId, url: string, { wait = false } = {}): Promise<Night> {
  const need = {
    owner: toOwner(person),
    provider: "notes",
    scopes: ["notes.read"],
    requester: { id: "digest", name: "Nightly digest" },
    message: "I count your notes every night. For that I need to read them.",
    lifetimeMs: oneDay,
  }
  try {
    const connection = await vault.connect(need, { wait })
    const response = await connection.fetch(url)
    const { notes } = (await response.json()) as { readonly notes: readonly string[] }
    return { notes: notes.length }
  } catch (error) {
    const unmet = outcomeOf(error)
    if (unmet === undefined) throw error
    return { why: unmet.status, ...(unmet.question === undefined ? {} : { link: unmet.question.url }) }
  }
}
// #endregion
