// Plays the server's side of the file contract for one or several programs of one call: environment, questions,
// wake-ups. It knows nothing of MCP.

import { spawn } from "node:child_process"
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"

type Json = Readonly<Record<string, unknown>>

/** A request, without the member that says which question it was. */
export interface AskedQuestion extends Json {
  readonly number: string
  /** Whether the program made its FIFO before it asked. */
  readonly hasWake: boolean
}

export interface Call {
  /** Command lines that run in the same call, at the same time. */
  readonly programs: readonly (readonly string[])[]
  readonly args: Json
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Answers the open questions: by number, as soon as the response is to be written. */
  readonly answer?: (open: readonly AskedQuestion[]) => Readonly<Record<string, Json>>
  /** The message of a question; the file “seen” appears when it was asked. */
  readonly seen?: string
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Exchange {
  readonly ended: readonly Ended[]
  readonly asked: readonly AskedQuestion[]
  readonly withdrawn: readonly string[]
  readonly progress: readonly unknown[]
  readonly logs: readonly unknown[]
  readonly error: unknown
  /** The names of the files that remain in the folder. */
  readonly left: readonly string[]
}

const sdk = fileURLToPath(new URL("../../sdk", import.meta.url))
const lookMs = 5
const slot = "elicit.k"

export async function runExchange({
  programs,
  args,
  environment = {},
  answer = () => ({}),
  seen,
}: Call): Promise<Exchange> {
  const folder = makeScratchFolder("modules")
  const at = (name: string): string => join(folder, name)
  const open: AskedQuestion[] = []
  const asked: AskedQuestion[] = []
  const withdrawn: string[] = []
  const look = (): void => {
    for (const name of readdirSync(folder)) {
      const [, number = "", kind] = /^elicit\.k\.([\w-]{1,64})\.(request|cancel)$/.exec(name) ?? []
      if (kind === undefined) continue
      if (kind === "cancel") withdrawn.push(number)
      else {
        const hasWake = existsSync(at(`${slot}.${number}.wake`))
        const one: AskedQuestion = { ...(JSON.parse(readFileSync(at(name), "utf8")) as Json), number, hasWake }
        open.push(one)
        asked.push(one)
        if (seen !== undefined && one.message === seen) writeFileSync(at("seen"), "")
      }
      unlinkSync(at(name))
    }
    const withdrawnNow = withdrawn.filter((number) => open.some((one) => one.number === number))
    const back = { action: "cancel", content: null, reason: "withdrawn" }
    const answers = { ...answer(open), ...Object.fromEntries(withdrawnNow.map((number) => [number, back])) }
    for (const [number, response] of Object.entries(answers)) {
      open.splice(0, open.length, ...open.filter((one) => one.number !== number))
      respond(at(`${slot}.${number}`), response)
    }
  }
  const timer = setInterval(look, lookMs)
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MCP_SDK: sdk,
    MCP_TOOL_NAME: "asks",
    MCP_TOOL_ARGS_JSON: JSON.stringify(args),
    MCP_ELICIT_SUPPORTED: "1",
    MCP_ELICIT_REQUEST_FILE: at(`${slot}.request`),
    MCP_ELICIT_RESPONSE_FILE: at(`${slot}.response`),
    MCP_PROGRESS_STREAM: at("progress"),
    MCP_LOG_STREAM: at("log"),
    MCP_TOOL_ERROR_FILE: at("error"),
    MCP_CANCEL_FILE: at("cancelled"),
    ...environment,
  }
  try {
    const ended = await Promise.all(programs.map((program) => run(program, env)))
    const left = readdirSync(folder)
    const [error] = lines(at("error"))
    return { ended, asked, withdrawn, error, progress: lines(at("progress")), logs: lines(at("log")), left }
  } finally {
    clearInterval(timer)
    rmSync(folder, { recursive: true, force: true })
  }
}

function respond(base: string, response: Json): void {
  writeFileSync(`${base}.response.tmp`, JSON.stringify(response))
  renameSync(`${base}.response.tmp`, `${base}.response`)
  if (!existsSync(`${base}.wake`)) return
  try {
    const fifo = openSync(`${base}.wake`, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(fifo, "\n")
    closeSync(fifo)
  } catch (error) {
    // The program has already read its answer, or was killed.
    if (!/ENOENT|ENXIO|EPIPE/.test(String(error))) throw error
  }
}

function lines(path: string): readonly unknown[] {
  if (!existsSync(path)) return []
  const [...parts] = readFileSync(path, "utf8").split("\n")
  return parts.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown)
}

function run([command = "", ...rest]: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] })
    const output = { stdout: "", stderr: "" }
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text
      })
    }
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, ...output }))
  })
}
