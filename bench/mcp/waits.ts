// The time that Holdpoint adds around a person, over HTTP on this machine: from the call to the question, and from the
// answer to the result. One call at a time; the client answers at once.

import type { Area, Bench } from "../bench.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { pause, percentile } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { answerLegacy, callLegacy, callModern, type Endpoint, initialize, messagesOf, resultOf } from "./client.ts"
import { listen } from "./http.ts"
import { openServers, type Servers } from "./servers.ts"

/** Milliseconds. */
interface WaitTimes {
  readonly prompt: number
  readonly answer: number
}

const accept = { action: "accept", content: { sure: true } }

export const measureWaits: Area = async (bench) => {
  const results: Result[] = []
  for (const engine of bench.engines) results.push(...(await measureOn(bench, engine)))
  return results
}

async function measureOn(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const location = await newStoreLocation(bench, engine)
  const servers = await openServers(location)
  const http = await listen(servers.ours)
  const endpoint = { url: http.url, token: servers.token }
  try {
    const session = await initialize(endpoint)
    const ways: Readonly<Record<string, () => Promise<WaitTimes>>> = {
      "modern-form": () => modernForm(endpoint),
      "modern-url": () => modernUrl(endpoint, servers),
      "legacy-form": () => legacyForm(endpoint, session),
    }
    const results: Result[] = []
    for (const [name, measure] of Object.entries(ways)) {
      bench.progress(`${engine}: ${name}`)
      const waited: WaitTimes[] = []
      for (let sample = 0; sample < bench.sizes.wakeSamples / 6; sample++) waited.push(await measure())
      const typical = (of: keyof WaitTimes): number =>
        percentile(
          waited.map((one) => one[of]),
          50,
        )
      results.push({ name: `${engine}/mcp/prompt/${name}/p50`, value: typical("prompt"), unit: "ms" })
      results.push({ name: `${engine}/mcp/answer/${name}/p50`, value: typical("answer"), unit: "ms" })
    }
    return results
  } finally {
    http.close()
    await servers.close()
    await removeStoreLocation(location)
  }
}

async function modernForm(endpoint: Endpoint): Promise<WaitTimes> {
  const start = performance.now()
  const { requestState } = await resultOf(await callModern(endpoint, { name: "ask" }))
  const asked = performance.now()
  await finish(callModern(endpoint, { name: "ask", requestState, inputResponses: { sure: accept } }))
  return { prompt: asked - start, answer: performance.now() - asked }
}

/** Finishes the page while the call is held, and measures from that moment to the result. */
async function modernUrl(endpoint: Endpoint, { hub }: Servers): Promise<WaitTimes> {
  const start = performance.now()
  const { requestState } = await resultOf(await callModern(endpoint, { name: "open" }))
  const asked = performance.now()
  const inputResponses = { open: { action: "accept" } }
  const held = await callModern(endpoint, { name: "open", requestState, inputResponses })
  const id = await agreedIn(hub)
  const finished = performance.now()
  const { ok } = await hub.complete(id)
  if (!ok) throw new Error("The page could not be finished.")
  await finish(Promise.resolve(held))
  return { prompt: asked - start, answer: performance.now() - finished }
}

async function legacyForm(endpoint: Endpoint, session: string | null): Promise<WaitTimes> {
  const start = performance.now()
  const response = await callLegacy(endpoint, session, { name: "ask" })
  let answered = 0
  let prompt = 0
  for await (const { id, method, result } of messagesOf(response)) {
    if (method === "elicitation/create") {
      prompt = performance.now() - start
      answered = performance.now()
      const accepted = await answerLegacy(endpoint, session, id, accept)
      await accepted.text()
    } else if (result !== undefined) return { prompt, answer: performance.now() - answered }
  }
  throw new Error("The call ended without a result.")
}

async function finish(response: Promise<Response>): Promise<void> {
  const { resultType, isError } = await resultOf(await response)
  if (resultType === "input_required" || isError === true) throw new Error("The call was not finished.")
}

/** Resolves with the id of the open question after the person has agreed to open its page. */
async function agreedIn(hub: Servers["hub"]): Promise<string> {
  for (;;) {
    const [open] = await hub.list({ tenant: "bench", state: "open", limit: 1, order: "newest" })
    if (open?.status === "accepted") return open.id
    await pause(1)
  }
}
