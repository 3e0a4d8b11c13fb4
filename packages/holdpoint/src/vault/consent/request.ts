// What a question asks to connect, in the words of the page: which provider, which scopes are new, which account it is.

import type { Account, Connection, Owner } from "../../core/connection.ts"
import { coversScopes } from "../../core/connection.ts"
import type { Elicitation } from "../../core/elicitation.ts"
import type { Provider } from "../../core/provider.ts"
import { scopeWords } from "../../core/provider.ts"
import { isAbout, readContext } from "../context.ts"
import type { VaultParts } from "../parts.ts"

export interface ConsentRequest {
  readonly provider: Provider
  readonly owner: Owner
  readonly scopes: readonly RequestedScope[]
  /** The connection that is to be widened or renewed. */
  readonly connection?: Connection
  /** As which account it is connected now. */
  readonly account?: Account
  /** Where the person came from: an id that the pages know. */
  readonly returnTo?: string
}

interface RequestedScope {
  readonly scope: string
  readonly words: string
  readonly isNew: boolean
}

export async function requestOf(parts: VaultParts, elicitation: Elicitation): Promise<ConsentRequest | undefined> {
  const context = readContext(elicitation)
  const provider = context === undefined ? undefined : parts.providers.get(context.provider)
  if (context === undefined || provider === undefined) return undefined
  const connection =
    context.connection === undefined ? undefined : await parts.storage.connections.get(context.connection)
  const isTheirs = connection !== undefined && isAbout(context, connection)
  const known = isTheirs && connection.status !== "revoked" ? connection : undefined
  return {
    provider,
    owner: context.owner,
    scopes: context.scopes.map((scope) => ({
      scope,
      words: scopeWords(provider, scope),
      isNew: known === undefined || !coversScopes(known, [scope]),
    })),
    ...(known === undefined ? {} : { connection: known }),
    ...(known?.account === undefined ? {} : { account: known.account }),
    ...(context.returnTo === undefined ? {} : { returnTo: context.returnTo }),
  }
}
