// Reads the plan of a server for scripts: the folder, its settings and its port, under the names that this command uses.

import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { HoldpointError, type Problem } from "@holdpoint/sdk"
import { type ScriptLimits, type ServerMeta, serverMetaOf } from "@holdpoint/shell"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import { readSettings } from "../config.ts"
import { toMilliseconds } from "../duration.ts"
import { isLoopback, reachedFromElsewhere } from "../loopback.ts"
import { assertPort, dataHome, withServerFlags } from "../serve/server-flags.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"
import { readSection, type ShellConfig } from "./section.ts"

export interface Plan {
  /** The folder as an absolute path. */
  readonly folder: string
  /** The name of this server in what people read. Different for every folder, because it also tells calls apart. */
  readonly name: string
  /** What the project says about itself. */
  readonly server: ServerMeta
  readonly limits: Partial<ScriptLimits>
  readonly passEnvironment: readonly string[]
  readonly hasPages: boolean
  readonly settings: Settings
  /** Set when HTTP is served; 0 picks a free port. */
  readonly port: number | undefined
}

/** Each open question of a script counts, and many scripts may wait for the same person. */
const pendingPerPerson = 1_000

export async function readPlan({ io, given }: Call, dir: string | undefined): Promise<Plan> {
  assertPort(given.one("http"))
  const settings = await readSettings(io, withServerFlags(given), {
    database: join(dataHome(io.env), "shell.db"),
    limits: { pendingPerPerson },
  })
  const section = readSection(settings.shell)
  const folder = toFolder(io, dir)
  const port = given.has("http") ? settings.pages.port : undefined
  const server = serverMetaOf(folder)
  return {
    ...{ folder, settings, port, server },
    name: toName(section.name ?? server.title ?? server.name, folder),
    limits: toLimits(section, given),
    passEnvironment: [...(section.passEnvironment ?? []), ...given.all("pass-env")],
    hasPages: !given.has("no-pages") && (section.pages ?? true),
  }
}

/** The folder that the command names, or the current one. */
export function toFolder({ cwd }: Pick<Call["io"], "cwd">, dir: string | undefined): string {
  const folder = resolve(cwd, dir ?? ".")
  if (existsSync(folder)) return folder
  const make = `Make one with a tool in it: holdpoint shell init ${dir ?? ""}`.trim()
  throw wrongUse(`There is no folder ${dir ?? folder}.`, didYouMean(dir ?? "", ["init", "validate", "run"], make))
}

function toName(name: string | undefined, folder: string): string {
  const home = homedir()
  const shown = folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
  return name === undefined ? `Scripts in ${shown}` : `${name} (${shown})`
}

function toLimits(section: ShellConfig, given: Call["given"]): Partial<ScriptLimits> {
  const problems: Problem[] = []
  const { timeoutSeconds, askWithinSeconds, outputBytes, concurrency } = section
  const whole = (path: string, value: number | undefined, least: number): number | undefined => {
    if (value === undefined || (Number.isInteger(value) && value >= least)) return value
    problems.push({ path, message: `must be a whole number, ${least} at least.` })
    return undefined
  }
  const flagged = given.one("concurrency")
  const limits = {
    timeoutMs: durationOf(given, "timeout") ?? inMilliseconds(whole("shell.timeoutSeconds", timeoutSeconds, 1)),
    askWithinMs:
      durationOf(given, "ask-within") ?? inMilliseconds(whole("shell.askWithinSeconds", askWithinSeconds, 1)),
    outputBytes: whole("shell.outputBytes", outputBytes, 1_024),
    concurrency:
      flagged === undefined
        ? whole("shell.concurrency", concurrency, 1)
        : whole("--concurrency", /^\d+$/.test(flagged) ? Number(flagged) : Number.NaN, 1),
  }
  if (problems.length > 0)
    throw new HoldpointError("invalid_config", "The settings for scripts cannot be used.", { problems })
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

const inMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000

function durationOf(given: Call["given"], flag: string): number | undefined {
  const text = given.one(flag)
  if (text === undefined) return undefined
  const time = toMilliseconds(text)
  if (time !== undefined && time > 0) return time
  throw wrongUse(`“${text}” is not a length of time.`, `Write --${flag} 30s, 5m or 2h.`)
}

/** Without sign-in every caller counts as the person at this machine, so that only this machine may reach the server. */
export function assertServable({ settings, port }: Plan): void {
  const { callbackUrl } = settings.pages
  if (port === undefined) {
    if (callbackUrl === undefined || isLoopback(callbackUrl)) return
    throw wrongUse(
      `The callback URL is ${callbackUrl}, and on stdio people come back to this machine.`,
      "Write one as http://127.0.0.1:4650/oauth/callback, and register it; or serve HTTP with --http PORT.",
    )
  }
  const reached = reachedFromElsewhere(settings.pages)
  if (reached === undefined || settings.identityProviders.length > 0) return
  throw wrongUse(
    `Everybody who reaches ${reached} could run your scripts.`,
    "Listen at 127.0.0.1 and leave out the public address; or set identityProviders in holdpoint.config.ts, so that " +
      "people sign in.",
  )
}
