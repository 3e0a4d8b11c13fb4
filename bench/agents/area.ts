// Measures agents: streamed tokens compared with the bare AI SDK, the time from an answer to the next token, and the
// memory of conversations that wait for a person.

import { Agent, type IncomingMessage, request } from "node:http"
import type { Area, Bench } from "../bench.ts"
import { type Child, startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, medianRatio, percentile } from "../measure.ts"
import { programHeader } from "../program-key.ts"
import type { Result } from "../result.ts"
import type { AgentCommands } from "./agents-child.ts"

/** Tokens per second: a fast model, and unlimited. The unlimited pace has no target, because no model is that fast. */
const paces = [2_000, undefined] as const

export const measureAgents: Area = async (bench) => {
  const location = await newStoreLocation(bench, "sqlite")
  const child = startChild<AgentCommands>(new URL("./agents-child.ts", import.meta.url).pathname)
  try {
    const { url } = await child.call("open", { location })
    return [
      ...(await measureTokens(bench, child)),
      ...(await measureAnswers(bench, child)),
      ...(await measureWaiting(bench, child, url)),
    ]
  } finally {
    await child.stop()
    await removeStoreLocation(location)
  }
}

async function measureTokens(bench: Bench, child: Child<AgentCommands>): Promise<readonly Result[]> {
  const { agentTokens: tokens, rounds } = bench.sizes
  const results: Result[] = []
  for (const perSecond of paces) {
    const pace = perSecond === undefined ? {} : { perSecond }
    const variants = {
      bare: () => child.call("stream", { side: "bare", tokens, ...pace }),
      ours: () => child.call("stream", { side: "ours", tokens, ...pace }),
    }
    await interleave(variants, 1, () => {})
    const { bare, ours } = await interleave(variants, rounds, (round) =>
      bench.progress(`streamed tokens, round ${round} of ${rounds}`),
    )
    const name = `sqlite/agents/tokens/${perSecond === undefined ? "unpaced" : `paced-${perSecond}`}`
    const baseline = `${name}/bare`
    results.push(
      { name: baseline, value: median(bare), unit: "/s" },
      { name, value: median(ours), unit: "/s", baseline, ratio: medianRatio(ours, bare) },
    )
  }
  return results
}

async function measureAnswers(bench: Bench, child: Child<AgentCommands>): Promise<readonly Result[]> {
  bench.progress("answers to the next token")
  const times = await child.call("answers", { count: bench.sizes.agentAnswers })
  const name = "sqlite/agents/answer-to-token"
  return [50, 95].map((percent) => ({ name: `${name}/p${percent}`, value: percentile(times, percent), unit: "ms" }))
}

/**
 * Measures waiting conversations over real sockets. The clients are in this process, so only the server is measured.
 */
async function measureWaiting(bench: Bench, child: Child<AgentCommands>, url: string): Promise<readonly Result[]> {
  const { waitingConversations: count, settleMs } = bench.sizes
  const agent = new Agent({ keepAlive: true })
  const open: IncomingMessage[] = []
  const wait = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number++) open.push(await openConversation(url, `waiting-${number}`, agent))
  }
  bench.progress(`${count} waiting conversations`)
  // The first conversations also pay for memory that all share.
  const warmUps = Math.ceil(count / 5)
  await wait(0, warmUps)
  const before = await child.call("memory", { settleMs })
  await wait(warmUps, warmUps + count)
  const after = await child.call("memory", { settleMs })
  for (const response of open) response.destroy()
  agent.destroy()
  const each = (member: keyof typeof after): number => (after[member] - before[member]) / count / 1_024
  const name = `sqlite/agents/waiting/${count}`
  return [
    { name: `${name}/rss`, value: each("rss"), unit: "KiB" },
    { name: `${name}/heap`, value: each("heap"), unit: "KiB" },
  ]
}

/** Opens a conversation, and resolves when its stream has sent the question. The connection stays open. */
function openConversation(url: string, id: string, agent: Agent): Promise<IncomingMessage> {
  const body = JSON.stringify({ id, messages: [{ role: "user", parts: [{ type: "text", text: "ask" }] }] })
  const headers = { "content-type": "application/json", "x-supports-elicitation": "true", ...programHeader }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/run/api/chat`, { method: "POST", headers, agent }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (data: string) => {
        text = (text + data).slice(-20_000)
        if (text.includes("data-elicitation")) resolve(response)
      })
      response.on("error", () => {})
      response.on("end", () => reject(new Error(`The reply ended without a question: ${text.slice(-500)}`)))
    })
    sent.on("error", reject)
    sent.end(body)
  })
}
