// Measures a call of a script that does not ask, compared with starting the same script without a server, and the time
// from a client's answer to the line of the script after its question.

import { spawn } from "node:child_process"
import type { Bench } from "../bench.ts"
import type { Endpoint } from "../mcp/client.ts"
import { answerLegacy, callLegacy, callModern, initialize, messagesOf, resultOf } from "../mcp/client.ts"
import { interleave, median } from "../measure.ts"
import type { Result } from "../result.ts"
import { askOnce, openClock } from "./exchange.ts"
import { openShellHouse, writeTool } from "./servers.ts"

const greets = "#!/bin/sh\necho hello\n"

export async function measureCalls(bench: Bench): Promise<readonly Result[]> {
  const tools = [writeTool(bench.folder, "greets", greets), writeTool(bench.folder, "asks", askOnce)]
  const house = await openShellHouse(bench, tools)
  try {
    const { endpoint } = house
    const rounds = Math.ceil(bench.sizes.wakeSamples / 6)
    const variants = {
      bare: () => timed(() => spawnAlone(tools[0]?.program ?? "")),
      ours: () => timed(async () => void (await resultOf(await callModern(endpoint, { name: "greets" })))),
    }
    for (const run of Object.values(variants)) await run()
    const values = await interleave(variants, rounds, (round) => {
      if (round % 50 === 1) bench.progress(`calls, round ${round} of ${rounds}`)
    })
    const more = values.ours.map((ours, round) => ours - (values.bare[round] as number))
    bench.progress("answers")
    const session = await initialize(endpoint)
    const answers: number[] = []
    for (let n = 0; n < rounds; n++) answers.push(await answerToScript(endpoint, session))
    return [
      { name: "shell/call/bare/p50", value: median(values.bare), unit: "ms" },
      { name: "shell/call/ours/p50", value: median(values.ours), unit: "ms" },
      { name: "shell/call/more/p50", value: median(more), unit: "ms", baseline: "shell/call/bare/p50" },
      { name: "shell/answer/p50", value: median(answers), unit: "ms" },
    ]
  } finally {
    await house.close()
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Runs a script as the simplest server would: starts it, reads its output, and waits for its end. */
function spawnAlone(program: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], { stdio: ["ignore", "pipe", "pipe"], detached: true })
    const chunks: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => void chunks.push(chunk))
    child.once("error", reject)
    child.once("close", () => resolve())
  })
}

/** Milliseconds from the client's answer over HTTP, through the hub, to the script, which prints its time. */
async function answerToScript(endpoint: Endpoint, session: string | null): Promise<number> {
  let answeredAt = 0
  const clock = openClock()
  for await (const message of messagesOf(await callLegacy(endpoint, session, { name: "asks" }))) {
    if (message.method === "elicitation/create") {
      answeredAt = clock()
      const answer = { action: "accept", content: { a: "b" } }
      await (await answerLegacy(endpoint, session, message.id, answer)).text()
    }
    const [printed] = (message.result?.content as readonly { readonly text: string }[] | undefined) ?? []
    if (printed !== undefined) return toMs(printed.text.trim().split(" ").at(-1) ?? "") - answeredAt
  }
  throw new Error("The script ended without a result.")
}

/** Milliseconds from `EPOCHREALTIME`, which has a decimal comma in some locales. */
export const toMs = (seconds: string): number => Number(seconds.replace(",", ".")) * 1_000
