// Reads what `holdpoint shell` serves: the folder, its settings and the port, from the configuration and the flags.

import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"
import { HoldpointError, type Problem } from "@holdpoint/hub"
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
  /** The name of this server for people. Unique for each folder, because it also distinguishes calls. */
  readonly name: string
  /** The name, title and version in the metadata file of the project. */
  readonly server: ServerMeta
  readonly limits: Partial<ScriptLimits>
  readonly passEnvironment: readonly string[]
  readonly hasPages: boolean
  readonly settings: Settings
  /** Set when HTTP is served; 0 picks a free port. */
  readonly port: number | undefined
}

/** High, because many scripts may wait for the same person at once. */
const pendingPerPerson = 1_000

export async function readPlan({ io, args }: Call, dir: string | undefined): Promise<Plan> {
  assertPort(args.one("http"))
  const settings = await readSettings(io, withServerFlags(args), {
    database: join(dataHome(io.env), "shell.db"),
    limits: { pendingPerPerson },
  })
  const section = readSection(settings.shell)
  const folder = toFolder(io, dir)
  const port = args.has("http") ? settings.pages.port : undefined
  const server = serverMetaOf(folder)
  return {
    ...{ folder, settings, port, server },
    name: toName(section.name ?? server.title ?? server.name, folder),
    limits: toLimits(section, args),
    passEnvironment: [...(section.passEnvironment ?? []), ...args.all("pass-env")],
    hasPages: !args.has("no-pages") && (section.pages ?? true),
  }
}

/** The folder that the command names, or the current one. */
export function toFolder({ cwd }: Pick<Call["io"], "cwd">, dir: string | undefined): string {
  const folder = resolve(cwd, dir ?? ".")
  if (existsSync(folder)) return folder
  const hint = `Make one with a tool in it: holdpoint shell init ${dir ?? ""}`.trim()
  throw wrongUse(`There is no folder ${dir ?? folder}.`, didYouMean(dir ?? "", ["init", "validate", "run"], hint))
}

function toName(name: string | undefined, folder: string): string {
  const home = homedir()
  const displayPath = folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
  return name === undefined ? `Scripts in ${displayPath}` : `${name} (${displayPath})`
}

function toLimits(section: ShellConfig, args: Call["args"]): Partial<ScriptLimits> {
  const problems: Problem[] = []
  const { timeoutSeconds, askWithinSeconds, outputBytes, concurrency } = section
  const wholeNumber = (path: string, value: number | undefined, min: number): number | undefined => {
    if (value === undefined || (Number.isInteger(value) && value >= min)) return value
    problems.push({ path, message: `must be a whole number of at least ${min}.` })
    return undefined
  }
  const concurrencyFlag = args.one("concurrency")
  const limits = {
    timeoutMs: durationOf(args, "timeout") ?? inMilliseconds(wholeNumber("shell.timeoutSeconds", timeoutSeconds, 1)),
    askWithinMs:
      durationOf(args, "ask-within") ?? inMilliseconds(wholeNumber("shell.askWithinSeconds", askWithinSeconds, 1)),
    outputBytes: wholeNumber("shell.outputBytes", outputBytes, 1_024),
    concurrency:
      concurrencyFlag === undefined
        ? wholeNumber("shell.concurrency", concurrency, 1)
        : wholeNumber("--concurrency", /^\d+$/.test(concurrencyFlag) ? Number(concurrencyFlag) : Number.NaN, 1),
  }
  if (problems.length > 0)
    throw new HoldpointError("invalid_config", "The settings for scripts cannot be used.", { problems })
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

const inMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000

function durationOf(args: Call["args"], flag: string): number | undefined {
  const text = args.one(flag)
  if (text === undefined) return undefined
  const time = toMilliseconds(text)
  if (time !== undefined && time > 0) return time
  throw wrongUse(`“${text}” is not a length of time.`, `Write --${flag} 30s, 5m or 2h.`)
}

/**
 * Throws if other machines can reach the server without a sign-in, because every caller acts as the person at this
 * machine; and on stdio, if the callback URL is not on this machine.
 */
export function assertServable({ settings, port }: Plan): void {
  const { callbackUrl } = settings.pages
  if (port === undefined) {
    if (callbackUrl === undefined || isLoopback(callbackUrl)) return
    throw wrongUse(
      `The callback URL is ${callbackUrl}, but a sign-in over stdio must return to this machine.`,
      "Set callbackUrl to an address such as http://127.0.0.1:4650/oauth/callback, and register it with the provider; or serve HTTP with --http PORT.",
    )
  }
  const publicAddress = reachedFromElsewhere(settings.pages)
  if (publicAddress === undefined || settings.identityProviders.length > 0) return
  throw wrongUse(
    `Everyone who can reach ${publicAddress} could run your scripts.`,
    "Listen on 127.0.0.1 and leave out the public address; or set identityProviders in holdpoint.config.ts, so that " +
      "people sign in.",
  )
}
