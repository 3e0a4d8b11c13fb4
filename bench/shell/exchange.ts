// Measures the exchange of files between a script and its server: the delay of a request, and of its answer. Compares
// it with polling, by the script every 0.1 s and by the server every 0.5 s.

import { spawn } from "node:child_process"
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import type { CallFolder } from "../../apps/shell/src/exchange/call-folder.ts"
import { createCallFolder, fileOf } from "../../apps/shell/src/exchange/call-folder.ts"
import { watchFolder } from "../../apps/shell/src/exchange/folder-watch.ts"
import { createQuestions } from "../../apps/shell/src/questions.ts"
import type { Bench } from "../bench.ts"
import { median, pause } from "../measure.ts"
import type { Result } from "../result.ts"
import { toMs } from "./calls.ts"

const request = `{"message":"?","schema":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`

/** A script that prints when it asked and when it continued. Needs bash 5, whose clock starts no process. */
const ask = ({ prepare, wait }: WaitingScript): string => `
base="\${MCP_ELICIT_REQUEST_FILE%.request}"
${prepare}
printf '%s' '${request}' > "$base.tmp"
asked=$EPOCHREALTIME
mv "$base.tmp" "$base.request"
${wait}
printf '%s %s\\n' "$asked" "$EPOCHREALTIME"
rm "$base.response"
`
interface WaitingScript {
  /** Shell code that runs before the question, because an answer may come immediately. */
  readonly prepare: string
  readonly wait: string
}

const byFifo: WaitingScript = {
  prepare: `[ -p "$base.wake" ] || mkfifo "$base.wake"; exec 9<>"$base.wake"`,
  wait: "read -r _ <&9",
}
const byPolling: WaitingScript = { prepare: "", wait: `until [ -e "$base.response" ]; do sleep 0.1; done` }
export const askOnce = `#!/usr/bin/env bash\n${ask(byFifo)}`

/** Milliseconds. */
interface ExchangeTimes {
  readonly noticed: number
  readonly continued: number
}

export async function measureExchange(bench: Bench): Promise<readonly Result[]> {
  const many = Math.ceil(bench.sizes.wakeSamples / 6)
  const few = Math.ceil(bench.sizes.pollSamples / 4)
  bench.progress("files by notification")
  const ours = await exchange(bench, { name: "ours", by: byFifo, count: many, serve: serveOurs })
  bench.progress("files by a model of polling")
  const polled = await exchange(bench, { name: "polled", by: byPolling, count: few, serve: servePolling })
  const typical = (of: readonly ExchangeTimes[], what: keyof ExchangeTimes): number =>
    median(of.map((one) => one[what]))
  return (["noticed", "continued"] as const).flatMap((what): readonly Result[] => {
    const baseline = `shell/model-of-polling/${what}/p50`
    const [value, polling] = [typical(ours, what), typical(polled, what)]
    return [
      { name: baseline, value: polling, unit: "ms" },
      { name: `shell/${what}/p50`, value, unit: "ms", baseline, ratio: value / polling },
    ]
  })
}

interface WaitingCase {
  readonly name: string
  readonly by: WaitingScript
  readonly count: number
  /** Answers requests, and records when it noticed and answered each. Returns a stop function. */
  readonly serve: (folder: CallFolder, note: Note) => () => void
}

type Note = (what: "noticedAt" | "answeredAt") => void

async function exchange(bench: Bench, { name, by, count, serve }: WaitingCase): Promise<readonly ExchangeTimes[]> {
  const folder = createCallFolder(bench.folder, name)
  const times = { noticedAt: [] as number[], answeredAt: [] as number[] }
  let clock = openClock()
  const stop = serve(folder, (what) => {
    clock = what === "noticedAt" ? openClock() : clock
    times[what].push(clock())
  })
  try {
    const script = `for n in $(seq ${count}); do\n${ask(by)}\ndone`
    const lines = (await run(script, fileOf(folder, "", "request"))).trim().split("\n")
    return lines.map((line, n) => {
      const [asked = "", continued = ""] = line.split(" ")
      const [noticedAt = Number.NaN, answeredAt = Number.NaN] = [times.noticedAt[n], times.answeredAt[n]]
      return { noticed: noticedAt - toMs(asked), continued: toMs(continued) - answeredAt }
    })
  } finally {
    stop()
    await folder.remove()
  }
}

function serveOurs(folder: CallFolder, note: Note): () => void {
  const report = (doing: string, error: unknown): never => {
    throw new Error(`It failed in ${doing}.`, { cause: error })
  }
  const folderWatch = watchFolder(folder.path, report)
  const questions = createQuestions(folder, { folderWatch, onWaiting() {}, report })
  questions.onQuestion(async ({ settle }) => {
    note("noticedAt")
    await pause(Math.random() * 20)
    note("answeredAt")
    settle({ action: "accept", content: { a: "b" } })
  })
  return () => {
    questions.close()
    folderWatch.close()
  }
}

/** Serves requests by polling, with the intervals of a well-known server. */
function servePolling(folder: CallFolder, note: Note): () => void {
  const path = fileOf(folder, "", "request")
  const timer = setInterval(async () => {
    if (!existsSync(path)) return
    readFileSync(path)
    rmSync(path)
    note("noticedAt")
    await pause(Math.random() * 100)
    note("answeredAt")
    const response = fileOf(folder, "", "response")
    writeFileSync(`${response}.tmp`, `{"action":"accept","content":{"a":"b"}}`)
    renameSync(`${response}.tmp`, response)
  }, 500)
  return () => clearInterval(timer)
}

function run(script: string, requestFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? "", MCP_ELICIT_REQUEST_FILE: requestFile }
    const child = spawn("bash", ["-ec", script], { env, stdio: ["ignore", "pipe", "inherit"] })
    let printed = ""
    child.stdout.on("data", (chunk: Buffer) => {
      printed += chunk
    })
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve(printed) : reject(new Error(`The script ended with ${code}.`))))
  })
}

/** A wall clock with fractions of milliseconds, synchronized at a tick of `Date.now`. */
export function openClock(): () => number {
  const before = Date.now()
  let struck = before
  while (struck === before) struck = Date.now()
  const base = struck - performance.now()
  return () => base + performance.now()
}
