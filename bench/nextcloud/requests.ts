// The requests to Nextcloud for one call of each tool by a connected person, counted at the stand-in, with the same calls
// that the tests make. Requests about the user and the server's capabilities are made once and not counted.

import type { Tool } from "@holdpoint/nextcloud"
import { createStandIn, type StandIn } from "@holdpoint/nextcloud-stand-in"
import { table } from "../../apps/nextcloud/src/tools/table.ts"
import { connect } from "../../apps/nextcloud/test/nextcloud.ts"
import { samples } from "../../apps/nextcloud/test/samples/all.ts"
import type { Area } from "../bench.ts"
import type { Result } from "../result.ts"

export const measureRequests: Area = async (bench) => {
  bench.progress("requests of each tool")
  const results: Result[] = []
  const reads: number[] = []
  for (const tool of table) {
    const { run, confirm } = await count(tool)
    const name = `nextcloud/requests/${tool.name}`
    results.push({ name, value: run, unit: "requests" })
    if (confirm !== undefined) results.push({ name: `${name}/confirm`, value: confirm, unit: "requests" })
    if (tool.effect === "read") reads.push(run)
  }
  const single = reads.filter((requests) => requests <= 1).length
  return [...results, { name: "nextcloud/requests/reads-with-one", value: (single / reads.length) * 100, unit: "%" }]
}

async function count(tool: Tool): Promise<{ readonly run: number; readonly confirm?: number }> {
  const sample = samples[tool.name]
  if (sample === undefined) throw new Error(`There is no sample call of ${tool.name}.`)
  const standIn = createStandIn({ seed: true })
  const as = (user: string) => connect((request) => standIn.fetch(request), { user, url: "http://localhost" }).nextcloud
  const [alice, bob] = [as("alice"), as("bob")]
  const input = await sample.arguments({ standIn, alice, bob })
  await Promise.all([alice.userId(), alice.capabilities(), alice.apps()])
  // Some successes were not recorded, so the stand-in cannot answer them; the requests still count.
  const tally = <T>(work: () => Promise<T>) => counted(standIn, work, sample.unrecorded !== undefined)
  const readLoss = async () => {
    if (typeof tool.reach === "object" && (await tool.reach.find(input, alice)).length === 0) return undefined
    return tool.confirm?.readLoss(input, alice)
  }
  const isAsked = tool.confirm !== undefined && tool.confirm.when?.(input) !== false
  const asked = isAsked ? await tally(readLoss) : undefined
  const loss = asked?.result === undefined ? {} : { loss: asked.result }
  const run = { ...loss, progress: async () => {}, signal: AbortSignal.timeout(10_000) }
  const counts = await tally(() => tool.run(input, alice, run))
  return { run: counts.requests, ...(asked === undefined ? {} : { confirm: asked.requests }) }
}

async function counted<T>(
  standIn: StandIn,
  work: () => Promise<T>,
  mayFail: boolean,
): Promise<{ readonly result: T | undefined; readonly requests: number }> {
  standIn.forget()
  const result = await work().catch((error: unknown) => {
    if (!mayFail) throw error
    return undefined
  })
  return { result, requests: standIn.requests.length }
}
