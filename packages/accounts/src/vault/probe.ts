// Finds out whether an account is refused when the status of a call is ambiguous, by another call that the provider's
// data names: the probe. Its result is used again for a while, as long as the credentials are the same.

import { jsonOf, readTextWithin } from "@holdpoint/fetching/internal"
import type { Probe } from "@holdpoint/hub/internal"
import { readPath } from "@holdpoint/hub/internal"
import { type ApiAnswer, callApi } from "./api-call.ts"
import type { OpenedConnection } from "./opened-connections.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"

export interface Probes {
  /** Whether the provider refuses the credentials. False also when the probe is inconclusive. */
  isRefused(opened: OpenedConnection, status: number): boolean | Promise<boolean>
  /** Whether a refusal of the credentials means that the account is disabled. False when unknown. */
  isDisabled(opened: OpenedConnection, refusal: Response): Promise<boolean>
}

interface ProbeResult {
  readonly generation: number
  readonly probedAt: number
  readonly isRefused: Promise<boolean>
}

const mostResults = 1_000
/** The limits for the body of a refusal, which the provider's API writes without a limit of its own. */
const refusalLimits = { mostBytes: 100_000, timeoutMs: 10_000 }

export function createProbes(parts: VaultParts): Probes {
  const { runtime } = parts.tools
  const resultsById = new Map<string, ProbeResult>()
  const send = ({ call }: Pick<Probe, "call">, { connection, headers }: OpenedConnection): Promise<ApiAnswer> => {
    const { headers: providerHeaders } = providerOf(parts, connection.provider)
    return callApi(call, { ...providerHeaders, ...Object.fromEntries(headers) }, parts.tools)
  }
  const begin = (probe: Probe, opened: OpenedConnection): Promise<boolean> => {
    const { connection, generation } = opened
    if (resultsById.size >= mostResults) resultsById.clear()
    const isRefused = send(probe, opened).then((answer) => isRefusal(probe, answer))
    resultsById.set(connection.id, { generation, probedAt: runtime.now(), isRefused })
    return isRefused
  }
  return {
    isRefused(opened, status) {
      const { probe } = providerOf(parts, opened.connection.provider)
      if (probe === undefined || !probe.when.includes(status)) return false
      const lastResult = resultsById.get(opened.connection.id)
      const age = runtime.now() - (lastResult?.probedAt ?? 0)
      const isFresh = lastResult?.generation === opened.generation && age >= 0 && age < parts.vaultTimes.restMs
      return isFresh ? lastResult.isRefused : begin(probe, opened)
    },
    async isDisabled(opened, refusal) {
      const { disabled } = providerOf(parts, opened.connection.provider)
      if (disabled === undefined) return false
      const { words, unless } = disabled
      const text = await readTextWithin(refusal.clone(), refusalLimits)
      if (text === undefined) return false
      if (text.includes(words)) return true
      if (readPath(await jsonOf(new Response(text)), unless.path) !== unless.value) return false
      const answer = await send(disabled, opened)
      return answer.kind === "answered" && answer.status === 401 && JSON.stringify(answer.body ?? "").includes(words)
    },
  }
}

/** Whether the answer refuses the account. A 401 without the provider's own value may come from a proxy. */
function isRefusal({ says }: Probe, answer: ApiAnswer): boolean {
  if (answer.kind !== "answered" || answer.status !== 401) return false
  return says === undefined || readPath(answer.body, says.path) === says.value
}
