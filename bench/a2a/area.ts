// Measures tasks over A2A: each is begun by a message, asks one question, and is completed by the answer. Ours is
// durable, the baseline is the SDK's request handler with its memory store.

import { Agent, request } from "node:http"
import type { Area } from "../bench.ts"
import { startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, medianRatio, ratePerSecond } from "../measure.ts"
import { programHeader } from "../program-key.ts"
import type { A2aCommands } from "./a2a-child.ts"

const concurrencies = [1, 16] as const

export const measureA2a: Area = async (bench) => {
  const location = await newStoreLocation(bench, "sqlite")
  const file = new URL("./a2a-child.ts", import.meta.url).pathname
  const [bare, ours] = [startChild<A2aCommands>(file), startChild<A2aCommands>(file)]
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  try {
    const urls = { bare: (await bare.call("openBare", null)).url, ours: (await ours.call("open", { location })).url }
    const results = []
    for (const concurrency of concurrencies) {
      const variants = (ms: number) => ({
        bare: () => ratePerSecond(() => task(urls.bare, agent), { concurrency, ms }),
        ours: () => ratePerSecond(() => task(urls.ours, agent), { concurrency, ms }),
      })
      await interleave(variants(500), 1, () => {})
      const medians = await interleave(variants(bench.sizes.sliceMs), bench.sizes.rounds, (round) =>
        bench.progress(`tasks with a question, ${concurrency} at once, round ${round} of ${bench.sizes.rounds}`),
      )
      const name = `sqlite/a2a/task/c${concurrency}`
      const baseline = `${name}/bare`
      results.push(
        { name: baseline, value: median(medians.bare), unit: "/s" },
        { name, value: median(medians.ours), unit: "/s", baseline, ratio: medianRatio(medians.ours, medians.bare) },
      )
    }
    return results
  } finally {
    agent.destroy()
    await Promise.all([bare.stop(), ours.stop()])
    await removeStoreLocation(location)
  }
}

interface Task {
  readonly id: string
  readonly status: {
    readonly state: string
    readonly message?: { readonly parts: readonly { readonly data?: unknown }[] }
  }
}

/** Runs one task from its first message to its end. */
async function task(url: string, agent: Agent): Promise<void> {
  const asked = await send(url, agent, { parts: [{ text: "go" }] })
  expectState(asked, "TASK_STATE_INPUT_REQUIRED")
  const data = { type: "elicitation-response", elicitationId: questionIn(asked), action: "accept", content }
  expectState(await send(url, agent, { taskId: asked.id, parts: [{ data }] }), "TASK_STATE_COMPLETED")
}

const content = { where: "Rome" }

const questionIn = ({ status }: Task): unknown =>
  (status.message?.parts.find(({ data }) => data !== undefined)?.data as { elicitationId?: string } | undefined)
    ?.elicitationId ?? ""

function expectState({ status }: Task, state: string): void {
  if (status.state !== state) throw new Error(`The task is ${status.state}, not ${state}.`)
}

async function send(url: string, agent: Agent, message: object): Promise<Task> {
  const params = { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", ...message } }
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params })
  const { result, error } = JSON.parse(await post(url, agent, body)) as {
    readonly result?: { readonly task: Task }
    readonly error?: unknown
  }
  if (result === undefined) throw new Error(`The message was refused: ${JSON.stringify(error)}`)
  return result.task
}

function post(url: string, agent: Agent, body: string): Promise<string> {
  const headers = {
    ...{ "content-type": "application/json", "a2a-version": "1.0", ...programHeader },
    "content-length": String(Buffer.byteLength(body)),
  }
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent }, (response) => {
      let text = ""
      response.setEncoding("utf8")
      response.on("data", (data: string) => {
        text += data
      })
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
      response.on("error", reject)
    })
    sent.on("error", reject)
    sent.end(body)
  })
}
