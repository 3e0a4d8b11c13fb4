// Measures requests on the first connection to a server of ours, which opens its port, compared with the second.

import { timeConnections } from "../../apps/holdpoint/test/connections.ts"
import type { Bench } from "../bench.ts"
import { median } from "../measure.ts"
import type { Result } from "../result.ts"

export async function measureFirstConnection({ sizes }: Bench): Promise<readonly Result[]> {
  const rounds: Awaited<ReturnType<typeof timeConnections>>[] = []
  for (let round = 0; round < Math.min(sizes.starts, 5); round++) rounds.push(await timeConnections())
  const first = median(rounds.flatMap((round) => round.first))
  const second = median(rounds.flatMap((round) => round.second))
  const baseline = "start/second-connection"
  return [
    { name: baseline, value: second, unit: "ms" },
    { name: "start/first-connection", value: first, unit: "ms", baseline, ratio: first / second },
  ]
}
