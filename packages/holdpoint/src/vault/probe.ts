// Finds out whether an account is refused when the status of a call is ambiguous: the provider's data names another
// call that decides. One probe at a time per connection, and none shortly after a good result.

import { readPath } from "../core/dotted.ts"
import type { Probe } from "../core/provider.ts"
import { jsonOf } from "../fetching/answer.ts"
import { type ApiAnswer, callApi } from "./api-call.ts"
import type { OpenedConnection } from "./opened-connections.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"

export interface Probes {
  /** False also when the probe is inconclusive; the caller's own response then stands. */
  isRefused(opened: OpenedConnection, status: number): boolean | Promise<boolean>
  /** Called after the credentials were refused: whether the account is disabled. False when unknown. */
  isDisabled(opened: OpenedConnection, refusal: Response): Promise<boolean>
}

interface Probed {
  readonly generation: number
  readonly at: number
  readonly refused: Promise<boolean>
}

const mostProbed = 1_000

export function createProbes(parts: VaultParts): Probes {
  const { runtime } = parts.tools
  const probed = new Map<string, Probed>()
  const send = ({ call }: Pick<Probe, "call">, { connection, headers }: OpenedConnection): Promise<ApiAnswer> => {
    const { headers: usual } = providerOf(parts, connection.provider)
    return callApi(call, { ...usual, ...Object.fromEntries(headers) }, parts.tools)
  }
  const begin = (probe: Probe, opened: OpenedConnection): Promise<boolean> => {
    const { connection, generation } = opened
    if (probed.size >= mostProbed) probed.clear()
    const refused = send(probe, opened).then((answer) => isRefusal(probe, answer))
    probed.set(connection.id, { generation, at: runtime.now(), refused })
    return refused
  }
  return {
    isRefused(opened, status) {
      const { probe } = providerOf(parts, opened.connection.provider)
      if (probe === undefined || !probe.when.includes(status)) return false
      const last = probed.get(opened.connection.id)
      const age = runtime.now() - (last?.at ?? 0)
      const isFresh = last?.generation === opened.generation && age >= 0 && age < parts.vaultTimes.restMs
      return isFresh ? last.refused : begin(probe, opened)
    },
    async isDisabled(opened, refusal) {
      const { disabled } = providerOf(parts, opened.connection.provider)
      if (disabled === undefined) return false
      const { words, unless } = disabled
      if ((await refusal.clone().text()).includes(words)) return true
      if (readPath(await jsonOf(refusal.clone()), unless.path) !== unless.value) return false
      const answer = await send(disabled, opened)
      return answer.kind === "answered" && answer.status === 401 && JSON.stringify(answer.body ?? "").includes(words)
    },
  }
}

/** A proxy in front of the provider may answer 401 too, which says nothing about this account. */
function isRefusal({ says }: Probe, answer: ApiAnswer): boolean {
  if (answer.kind !== "answered" || answer.status !== 401) return false
  return says === undefined || readPath(answer.body, says.path) === says.value
}
