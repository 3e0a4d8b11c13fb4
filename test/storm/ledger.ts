// The ledger: a server outside of the nodes that the tools of their agents tell each effect. An effect counts when it
// arrives; the response comes a moment later, so that a process can die in between.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { setTimeout as pass } from "node:timers/promises"
import type { EffectFact } from "./facts.ts"
import type { Random } from "./random.ts"

export interface Ledger {
  readonly url: string
  readonly effects: readonly EffectFact[]
  close(): void
}

export async function openLedger(random: Random, now: () => number): Promise<Ledger> {
  const effects: EffectFact[] = []
  const server = createServer(async (request, response) => {
    const key = await text(request).catch(() => "")
    if (key !== "") effects.push({ key, at: now() })
    await pass(random.chance(0.3) ? random.between(50, 400) : 0)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    effects,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
