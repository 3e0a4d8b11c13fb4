// The `holdpoint serve` processes of a storm. What they print is kept, and whether the storm or the process itself ended it.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath, pathToFileURL } from "node:url"
import { hear } from "@holdpoint/testkit/canaries/note"
import { freePort, isFree } from "@holdpoint/testkit/free-port"
import { bundledAt, programAt } from "@holdpoint/testkit/programs"
import type { OutputFact, ProcessFact } from "./facts.ts"

/** The command `holdpoint`. */
export const command = fileURLToPath(new URL("../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))
const config = fileURLToPath(new URL("config.ts", import.meta.url))
const shiftedClock = pathToFileURL(fileURLToPath(new URL("shifted-clock.js", import.meta.url))).href

export interface Nodes {
  /** The current port of each node: one that is started again may get another port. */
  readonly ports: readonly number[]
  readonly processes: readonly ProcessFact[]
  readonly outputs: readonly OutputFact[]
  /** Whether the node has answered since its start. */
  isReady(at: number): boolean
  /** Resolves when the node answers. With a shift, its clock is that much ahead. */
  start(at: number, shiftMs?: number): Promise<void>
  end(at: number, signal: "SIGKILL" | "SIGTERM"): Promise<void>
  endAll(): Promise<void>
}

export interface NodesOptions {
  readonly ports: readonly number[]
  readonly cwd: string
  readonly publicUrl: string
  readonly env: Readonly<Record<string, string>>
  /** What no process may print, by its kind. */
  readonly secrets: ReadonlyMap<string, string>
  /** Called when a process ended that the storm did not end. */
  readonly onEnd: (at: number) => void
}

/** How much of what a process printed last is kept. */
const mostKept = 4_000

/** Faults in a program: a server in trouble says what it could not do, and never prints these. */
const badLines =
  /unhandled|uncaught|TypeError|ReferenceError|RangeError|MaxListenersExceeded|heap out of memory|Warning:/i

export function createNodes({ ports: given, cwd, publicUrl, env, secrets, onEnd }: NodesOptions): Nodes {
  const ports = [...given]
  const running = new Map<number, { readonly child: ChildProcess; isAsked: boolean; isReady: boolean }>()
  const processes: ProcessFact[] = []
  const outputs: OutputFact[] = []

  const watch = (at: number, child: ChildProcess): void => {
    const node = `node ${at}`
    let printed = ""
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        hear("printed", "serve", text)
        printed = `${printed}${text}`.slice(-mostKept)
        for (const line of text.split("\n")) if (badLines.test(line)) outputs.push({ node, line })
        for (const [secret, kind] of secrets)
          if (printed.includes(secret)) outputs.push({ node, line: `A secret leaked: ${kind}` })
      })
    child.once("close", (code, signal) => {
      const entry = running.get(at)
      const isAsked = entry?.child !== child || entry.isAsked
      const isClean = isAsked && (signal === "SIGKILL" || code === 0)
      if (!isClean) processes.push({ node, isAsked, how: `${signal ?? code}`, lastWords: printed.slice(-900) })
      if (entry?.child === child) running.delete(at)
      if (!isAsked) onEnd(at)
    })
  }

  const end = async (at: number, signal: NodeJS.Signals): Promise<void> => {
    const entry = running.get(at)
    if (entry === undefined) return
    const closed = once(entry.child, "close")
    // A second signal would end a server in the middle of its shutdown.
    if (!entry.isAsked || signal === "SIGKILL") entry.child.kill(signal)
    Object.assign(entry, { isAsked: true, isReady: false })
    // A server that does not end when it is asked is a finding of its own: the exit code shows it.
    const last = setTimeout(() => entry.child.kill("SIGABRT"), 60_000)
    await closed
    clearTimeout(last)
  }

  return {
    ports,
    processes,
    outputs,
    isReady: (at) => running.get(at)?.isReady === true,
    async start(at, shiftMs = 0) {
      // One that ended by itself may have been started again already.
      if (running.has(at)) return
      // Another program of the machine may have taken the port in the meantime.
      if (!(await isFree(ports[at] ?? 0))) ports[at] = await freePort()
      if (running.has(at)) return
      const port = ports[at]
      const preload = shiftMs === 0 ? [] : ["--import", shiftedClock]
      const args = [...preload, ...programAt(command), "serve", "--config", bundledAt(config)]
      const { NODE_OPTIONS: _options, ...inherited } = process.env
      const child = spawn(process.execPath, [...args, "--json", "--log", "json", "--port", String(port)], {
        cwd,
        env: {
          ...inherited,
          ...env,
          HOLDPOINT_PUBLIC_URL: publicUrl,
          HOLDPOINT_WEBHOOKS_ALLOW_LOOPBACK: "true",
          STORM_SHIFT_MS: String(shiftMs),
        },
        stdio: ["ignore", "pipe", "pipe"],
      })
      const entry = { child, isAsked: false, isReady: false }
      running.set(at, entry)
      watch(at, child)
      const isUp = once(child.stdout ?? child, "data").then(() => {
        entry.isReady = true
      })
      await Promise.race([isUp, once(child, "close")])
    },
    end,
    async endAll() {
      await Promise.all([...running.keys()].map((at) => end(at, "SIGTERM")))
    },
  }
}
